"Representations of values that hold themselves, or are long."
import builtins
import functools


def recursive_repr(fillvalue="..."):
    "Decorates a __repr__ that gives fillvalue for an object whose repr is being made."
    def decorate(function):
        running = set()

        @functools.wraps(function)
        def wrapper(self):
            if id(self) in running:
                return fillvalue
            running.add(id(self))
            try:
                return function(self)
            finally:
                running.discard(id(self))
        return wrapper
    return decorate


class Repr:
    "A repr that leaves out what goes past its limits. They are the attributes that CPython names, with its defaults."

    def __init__(self, *, maxlevel=6, maxtuple=6, maxlist=6, maxarray=5, maxdict=4, maxset=6, maxfrozenset=6, maxdeque=6,
                 maxstring=30, maxlong=40, maxother=30, fillvalue="...", indent=None):
        self.maxlevel, self.maxtuple, self.maxlist, self.maxdict = maxlevel, maxtuple, maxlist, maxdict
        self.maxarray, self.maxset, self.maxfrozenset, self.maxdeque = maxarray, maxset, maxfrozenset, maxdeque
        self.maxstring, self.maxlong, self.maxother = maxstring, maxlong, maxother
        self.fillvalue, self.indent = fillvalue, indent

    def repr(self, x):
        return self.repr1(x, self.maxlevel)

    def repr1(self, x, level):
        own = getattr(self, "repr_" + type(x).__name__.replace(" ", "_"), None)
        return own(x, level) if own else self._cut(builtins.repr(x), self.maxother)

    def _cut(self, text, limit):
        if len(text) <= limit:
            return text
        head = max(0, (limit - 3) // 2)
        tail = max(0, limit - 3 - head)
        return text[:head] + self.fillvalue + text[len(text) - tail:]

    def _items(self, x, level, left, right, limit, tail=""):
        items = list(x)
        if level <= 0 and items:
            return left + self.fillvalue + right
        parts = [self.repr1(item, level - 1) for item in items[:limit]]
        if len(items) > limit:
            parts.append(self.fillvalue)
        return left + ", ".join(parts) + (tail if len(items) == 1 else "") + right

    def repr_tuple(self, x, level):
        return self._items(x, level, "(", ")", self.maxtuple, ",")

    def repr_list(self, x, level):
        return self._items(x, level, "[", "]", self.maxlist)

    def repr_deque(self, x, level):
        return self._items(x, level, "deque([", "])", self.maxdeque)

    def repr_set(self, x, level):
        return self._items(sorted(x), level, "{", "}", self.maxset) if x else "set()"

    def repr_frozenset(self, x, level):
        return self._items(sorted(x), level, "frozenset({", "})", self.maxfrozenset) if x else "frozenset()"

    def repr_dict(self, x, level):
        if not x or level <= 0:
            return "{" + self.fillvalue * bool(x) + "}"
        keys = sorted(x)
        parts = [f"{self.repr1(k, level - 1)}: {self.repr1(x[k], level - 1)}" for k in keys[:self.maxdict]]
        return "{" + ", ".join(parts + [self.fillvalue] * (len(keys) > self.maxdict)) + "}"

    def repr_str(self, x, level):
        if len(builtins.repr(x[:self.maxstring])) <= self.maxstring and len(x) <= self.maxstring:
            return builtins.repr(x)
        head = max(0, (self.maxstring - 3) // 2)
        tail = max(0, self.maxstring - 3 - head)
        text = builtins.repr(x[:head] + x[len(x) - tail:])
        return text[:head] + self.fillvalue + text[len(text) - tail:]

    def repr_int(self, x, level):
        return self._cut(builtins.repr(x), self.maxlong)


aRepr = Repr()
repr = aRepr.repr
