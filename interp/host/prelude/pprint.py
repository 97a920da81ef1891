import io


def _key(item):
    return (type(item).__name__, item) if not isinstance(item, (int, float)) else ("", item)


def _sorted(items, key=None):
    try:
        return sorted(items, key=key)
    except TypeError:
        return sorted(items, key=lambda x: (str(type(x)), id(x)))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort, self._underscore = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        print(self.pformat(object), file=self._stream)

    def pformat(self, object):
        return self._format(object, 0, 0, 1)

    def isreadable(self, object):
        return True

    def isrecursive(self, object):
        return False

    def _repr(self, object, level):
        deeper = self._depth is not None and level > self._depth
        if isinstance(object, dict) and type(object).__repr__ is dict.__repr__:
            if not object:
                return "{}"
            if deeper:
                return "{...}"
            keys = _sorted(object) if self._sort else list(object)
            return "{" + ", ".join(f"{self._repr(k, level + 1)}: {self._repr(object[k], level + 1)}" for k in keys) + "}"
        for kind, (start, end) in {list: "[]", tuple: "()"}.items():
            if isinstance(object, kind) and type(object).__repr__ is kind.__repr__:
                if deeper and object:
                    return start + "..." + end
                body = ", ".join(self._repr(x, level + 1) for x in object)
                return start + body + ("," if kind is tuple and len(object) == 1 else "") + end
        if self._underscore and type(object) is int:
            return f"{object:_d}"
        return repr(object)

    def _format(self, object, indent, allowance, level):
        text = self._repr(object, level)
        if len(text) <= self._width - indent - allowance:
            return text
        if isinstance(object, dict) and object:
            return self._dict(object, indent, allowance, level)
        if isinstance(object, (list, tuple)) and object and not hasattr(object, "_fields"):
            start, end = ("[", "]") if isinstance(object, list) else ("(", ",)" if len(object) == 1 else ")")
            return start + self._items(object, indent, allowance + len(end), level, len(start)) + end
        if isinstance(object, (set, frozenset)) and object:
            start, end = ("{", "}") if type(object) is set else (type(object).__name__ + "({", "})")
            return start + self._items(_sorted(object), indent + len(start) - 1, allowance + len(end), level, 1) + end
        if type(object) is str and " " in object:
            return self._str(object, indent, allowance, level)
        if hasattr(type(object), "__dataclass_fields__"):
            return self._dataclass(object, indent, allowance, level)
        return text

    def _dict(self, object, indent, allowance, level):
        pad = " " * (indent + self._indent)
        items = _sorted(object.items(), key=lambda kv: _key(kv[0])) if self._sort else list(object.items())
        parts = []
        for i, (k, v) in enumerate(items):
            key = self._repr(k, level + 1)
            last = allowance + 1 if i == len(items) - 1 else 1
            parts.append(f"{key}: {self._format(v, indent + self._indent + len(key) + 2, last, level + 1)}")
        return "{" + " " * (self._indent - 1) + (",\n" + pad).join(parts) + "}"

    def _items(self, items, indent, allowance, level, start):
        indent += self._indent
        pad = ",\n" + " " * indent
        head = " " * (self._indent - start) if self._indent > 1 else ""
        items = list(items)
        if not self._compact:
            return head + pad.join(self._format(x, indent, allowance if i == len(items) - 1 else 1, level + 1)
                                   for i, x in enumerate(items))
        lines, line = [], ""
        for i, x in enumerate(items):
            text = self._repr(x, level + 1)
            room = self._width - indent - (allowance if i == len(items) - 1 else 1)
            if line and len(line) + 2 + len(text) > room:
                lines.append(line)
                line = ""
            line = line + ", " + text if line else text
        return head + pad.join(lines + [line])

    def _str(self, object, indent, allowance, level):
        room = self._width - indent - allowance - (2 if level == 1 else 0)
        chunks = []
        for line in object.splitlines(True):
            text = ""
            words = []
            for word in line.split(" "):
                words.append(word)
            words = [w + " " for w in words[:-1]] + ([words[-1]] if words[-1] else [])
            for word in words:
                if text and len(repr(text + word)) > room:
                    chunks.append(repr(text))
                    text = word
                else:
                    text += word
            if text:
                chunks.append(repr(text))
        if len(chunks) == 1:
            return chunks[0]
        if level == 1:
            return "(" + ("\n" + " " * (indent + 1)).join(chunks) + ")"
        return ("\n" + " " * indent).join(chunks)

    def _dataclass(self, object, indent, allowance, level):
        name = type(object).__name__
        pad = " " * (indent + len(name) + 1)
        fields = [f for f in type(object).__dataclass_fields__.values() if f.repr]
        parts = [f"{f.name}={self._format(getattr(object, f.name), len(pad) + len(f.name) + 1, 1, level + 1)}" for f in fields]
        return name + "(" + (",\n" + pad).join(parts) + ")"


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._repr(object, 1)
