import re

_blank, _letter, _after = r"[\t-\r ]", r"[^\d\W]", r"""(?<=[\w!"'&.,?])"""
_hyphen = f"(?:(?<={_letter}{_letter}-)|(?<={_letter}-{_letter}-))"


class TextWrapper:
    # A run of blanks, a dash between words, or a word up to a hyphen between letters.
    _pieces = re.compile(
        rf"""({_blank}+|{_after}-{{2,}}(?=\w)|[^\t-\r ]+?(?:{_hyphen}(?={_letter}-?{_letter})|(?={_blank}|\Z)|{_after}(?=-{{2,}}\w)))""")

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8,
                 *, max_lines=None, placeholder=" [...]"):
        self.__dict__.update(locals())
        del self.__dict__["self"]

    def _split(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = re.sub(r"[\t-\r]", " ", text)
        pieces = self._pieces if self.break_on_hyphens else re.compile(f"({_blank}+)")
        pieces = [piece for piece in pieces.split(text) if piece]
        if self.fix_sentence_endings:
            for i in range(len(pieces) - 1):
                if pieces[i + 1] == " " and re.search(r"[a-z][.!?][\"']?\Z", pieces[i]):
                    pieces[i + 1] = "  "
        return pieces

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        lines, pieces = [], self._split(text)[::-1]
        while pieces:
            indent = self.subsequent_indent if lines else self.initial_indent
            line, left = [], self.width - len(indent)
            if self.drop_whitespace and not pieces[-1].strip() and lines:
                pieces.pop()
            while pieces and len(pieces[-1]) <= left:
                left -= len(pieces[-1])
                line.append(pieces.pop())
            if pieces and len(pieces[-1]) > self.width - len(indent):
                left = self._break(pieces, line, left if self.width > len(indent) else 1)
            if self.drop_whitespace and line and not line[-1].strip():
                left += len(line.pop())
            if not line:
                continue
            rest = pieces and not (self.drop_whitespace and len(pieces) == 1 and not pieces[0].strip())
            if self.max_lines is None or len(lines) + 1 < self.max_lines or not rest and left >= 0:
                lines.append(indent + "".join(line))
                continue
            while line and not (line[-1].strip() and left >= len(self.placeholder)):
                left += len(line.pop())
            if line:
                lines.append(indent + "".join(line) + self.placeholder)
            elif lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
                lines[-1] = lines[-1].rstrip() + self.placeholder
            else:
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def _break(self, pieces, line, left):
        "Takes what fits of a piece that fits no line."
        if self.break_long_words:
            end, piece = left, pieces[-1]
            if self.break_on_hyphens and len(piece) > left:
                hyphen = piece.rfind("-", 0, left)
                if hyphen > 0 and any(c != "-" for c in piece[:hyphen]):
                    end = hyphen + 1
            line.append(piece[:end])
            pieces[-1] = piece[end:]
            return left - len(line[-1])
        if not line:
            line.append(pieces.pop())
            return left - len(line[-1])
        return left

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **options):
    return TextWrapper(width, **options).wrap(text)


def fill(text, width=70, **options):
    return TextWrapper(width, **options).fill(text)


def shorten(text, width, **options):
    return TextWrapper(width, max_lines=1, **options).fill(" ".join(text.strip().split()))


def indent(text, prefix, predicate=None):
    keep = predicate or (lambda line: line.strip())
    return "\n".join([prefix + line if keep(line) else line for line in text.split("\n")])


def dedent(text):
    lines = [line if line.strip() else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if line:
            lead = line[:len(line) - len(line.lstrip(" \t"))]
            if margin is None:
                margin = lead
            while not lead.startswith(margin):
                margin = margin[:-1]
    n = len(margin or "")
    return "\n".join(line[n:] for line in lines)
