"""json: what reads a text, and what writes one of a number or a str, is in Go."""


class JSONDecodeError(ValueError):
    __module__ = "json.decoder"

    def __init__(self, msg, doc, pos):
        self.lineno, self.colno = doc.count("\n", 0, pos) + 1, pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {self.lineno} column {self.colno} (char {pos})")
        self.msg, self.doc, self.pos = msg, doc, pos


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True,
                 object_pairs_hook=None):
        self._hooks = object_hook, object_pairs_hook, parse_float, parse_int, parse_constant, strict

    def decode(self, s):
        value, end = self.raw_decode(s, len(s) - len(s.lstrip(" \t\n\r")))
        rest = s[end:].lstrip(" \t\n\r")
        if rest:
            raise JSONDecodeError("Extra data", s, len(s) - len(rest))
        return value

    def raw_decode(self, s, idx=0):
        return _scan(s, idx, JSONDecodeError, *self._hooks)


class JSONEncoder:
    item_separator, key_separator = ", ", ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,
                 indent=None, separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.check_circular = skipkeys, ensure_ascii, check_circular
        self.allow_nan, self.sort_keys, self.indent = allow_nan, sort_keys, indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:  # each item has a line of its own
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return "".join(self.iterencode(o))

    def iterencode(self, o, _one_shot=False):
        parts = []
        self._indent = " " * self.indent if isinstance(self.indent, int) else self.indent
        self._write(o, parts.append, set(), None if self.indent is None else "\n")
        return iter(parts)

    def _text(self, o, newline):
        return _text(o, self.ensure_ascii, self.allow_nan, self.sort_keys, self.item_separator, self.key_separator,
                     self._indent, newline)

    def _write(self, o, add, around, newline):
        text = self._text(o, newline)
        if text is not None:
            add(text)
            return
        if self.check_circular:
            if id(o) in around:
                raise ValueError("Circular reference detected")
            around.add(id(o))
        if isinstance(o, (list, tuple)):
            self._items("[]", [("", v) for v in o], add, around, newline)
        elif isinstance(o, dict):
            pairs = sorted(o.items()) if self.sort_keys else o.items()
            self._items("{}", [(key, v) for key, v in ((self._key(k), v) for k, v in pairs) if key], add, around, newline)
        else:
            self._write(self.default(o), add, around, newline)
        around.discard(id(o))

    def _items(self, brackets, pairs, add, around, newline):
        if not pairs:
            add(brackets)
            return
        inner = newline and newline + self._indent
        before = brackets[0] + (inner or "")
        for key, v in pairs:
            add(before + key)
            self._write(v, add, around, inner)
            before = self.item_separator + (inner or "")
        add((newline or "") + brackets[1])

    def _key(self, k):
        if isinstance(k, (str, int, float, type(None))):
            text = self._text(k, None)
            return (text if text[0] == '"' else f'"{text}"') + self.key_separator
        if not self.skipkeys:
            raise TypeError(f"keys must be str, int, float, bool or None, not {type(k).__name__}")


def dumps(obj, *, cls=None, **options):
    return (cls or JSONEncoder)(**options).encode(obj)


def dump(obj, fp, *, cls=None, **options):
    for part in (cls or JSONEncoder)(**options).iterencode(obj):
        fp.write(part)


def loads(s, *, cls=None, **options):
    if isinstance(s, (bytes, bytearray)):
        s = s.decode()
    if not isinstance(s, str):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}")
    return (cls or JSONDecoder)(**options).decode(s)


def load(fp, **options):
    return loads(fp.read(), **options)
