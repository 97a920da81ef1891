"""re, on top of the patterns and matches that are Go."""


class RegexFlag(int):
    def __repr__(self):
        names = ["re." + name for name, bit in _flags.items() if self & bit]
        return "|".join(names) or "re.NOFLAG"

    __str__ = int.__repr__

    def __or__(self, other):
        return RegexFlag(int(self) | int(other))

    def __and__(self, other):
        return RegexFlag(int(self) & int(other))

    def __xor__(self, other):
        return RegexFlag(int(self) ^ int(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


_flags = {"IGNORECASE": 2, "LOCALE": 4, "MULTILINE": 8, "DOTALL": 16, "UNICODE": 32, "VERBOSE": 64, "DEBUG": 128, "ASCII": 256}
I = IGNORECASE = RegexFlag(2)
M = MULTILINE = RegexFlag(8)
S = DOTALL = RegexFlag(16)
U = UNICODE = RegexFlag(32)
X = VERBOSE = RegexFlag(64)
A = ASCII = RegexFlag(256)
NOFLAG = RegexFlag(0)


class error(Exception):
    "What is wrong with a pattern or a template, and where."

    def __init__(self, msg, pattern=None, pos=None):
        self.msg, self.pattern, self.pos, self.lineno, self.colno = msg, pattern, pos, None, None
        if pattern is not None and pos is not None:
            line = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno, self.colno = pattern.count(line, 0, pos) + 1, pos - pattern.rfind(line, 0, pos)
            msg += f" at position {pos}"
            if line in pattern:
                msg += f" (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


_compiled = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    key = type(pattern), pattern, flags
    if key not in _compiled:
        if len(_compiled) >= 512:
            _compiled.clear()
        _compiled[key] = _compile(pattern, flags)
    return _compiled[key]


def purge():
    _compiled.clear()


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


_special = {ord(c): "\\" + c for c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, str):
        return pattern.translate(_special)
    return str(pattern, "latin1").translate(_special).encode("latin1")


_escapes = dict(zip("nrtvfab\\", "\n\r\t\v\f\a\b\\"))


def _template(pattern, template):
    r"The pieces of a template such as \1 or \g<name>: texts, and numbers of groups."
    text = template if isinstance(template, str) else str(template, "latin1")
    pieces, at = [], 0
    while (i := text.find("\\", at)) >= 0:
        pieces.append(text[at:i])
        c, at = text[i + 1:i + 2], i + 2
        if not c:
            raise error("bad escape (end of pattern)", template, i)
        if c == "g":
            end = text.find(">", at)
            if text[at:at + 1] != "<":
                raise error("missing <", template, at)
            if end < 0 and at + 1 < len(text):
                raise error("missing >, unterminated name", template, at + 1)
            if end <= at + 1:
                raise error("missing group name", template, at + 1)
            pieces.append(_group(pattern, template, text[at + 1:end], at + 1))
            at = end + 1
        elif c in "0123456789":
            octal = _digits(text, i + 1, 3, "01234567")
            if c == "0" or len(octal) == 3:
                if int(octal, 8) > 0o377:
                    raise error(rf"octal escape value \{octal} outside of range 0-0o377", template, i)
                pieces.append(chr(int(octal, 8)))
                at = i + 1 + len(octal)
            else:
                digits = _digits(text, i + 1, 2, "0123456789")
                pieces.append(_group(pattern, template, digits, i + 1))
                at = i + 1 + len(digits)
        elif c in _escapes:
            pieces.append(_escapes[c])
        elif c.isascii() and c.isalpha():
            raise error("bad escape \\" + c, template, i)
        else:
            pieces.append("\\" + c)
    pieces.append(text[at:])
    if text is not template:
        pieces = [piece if isinstance(piece, int) else piece.encode("latin1") for piece in pieces]
    return [piece for piece in pieces if isinstance(piece, int) or piece]


def _digits(text, at, most, of):
    end = at
    while end < min(at + most, len(text)) and text[end] in of:
        end += 1
    return text[at:end]


def _group(pattern, template, name, pos):
    "The number of a group of a pattern."
    if name.isascii() and name.isdecimal():
        if int(name) > pattern.groups:
            raise error(f"invalid group reference {int(name)}", template, pos)
        return int(name)
    if not name.isidentifier():
        raise error(f"bad character in group name {name!r}", template, pos)
    if name not in pattern.groupindex:
        raise IndexError(f"unknown group name {name!r}")
    return pattern.groupindex[name]
