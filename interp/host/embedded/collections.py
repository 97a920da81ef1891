"What of collections is not in Go, as defaultdict and deque are."
from _imp import named_tuple as _named_tuple
from itertools import chain as _chain, repeat as _repeat


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    fields, seen = [str(name) for name in field_names], set()
    for i, name in enumerate(fields):
        wrong = (f"Type names and field names must be valid identifiers: {name!r}" if not name.isidentifier() else
                 f"Field names cannot start with an underscore: {name!r}" if name.startswith("_") else
                 f"Encountered duplicate field name: {name!r}" if name in seen else None)
        if wrong and not rename:
            raise ValueError(wrong)
        if wrong:
            fields[i] = f"_{i}"
        seen.add(name)
    defaults = tuple(defaults or ())
    if len(defaults) > len(fields):
        raise TypeError("Got more default values than field names")
    return _named_tuple(module or "__main__", typename, fields, defaults)


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        rest = {} if last else dict(self)
        if not last:
            self.clear()
        self[key] = value
        self.update(rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = next(reversed(self) if last else iter(self))
        return key, self.pop(key)

    def copy(self):
        return type(self)(self)

    def __eq__(self, other):
        if isinstance(other, OrderedDict) and list(self) != list(other):
            return False
        return dict.__eq__(self, other)

    def __or__(self, other):
        return type(self)({**self, **other}) if isinstance(other, dict) else NotImplemented

    def __repr__(self):
        return f"{type(self).__name__}({dict.__repr__(self) if self else ''})"


def _operation(f):
    "An operator of two Counters: counts that are not positive are left out."
    def operate(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        counts = {key: f(self[key], other[key]) for key in {**self, **other}}
        return Counter({key: n for key, n in counts.items() if n > 0})

    return operate


def _in_place(name):
    def operate(self, other):
        result = getattr(self, name)(other)
        if result is NotImplemented:
            return result
        self.clear()
        dict.update(self, result)
        return self

    return operate


def _comparison(f):
    "Keys that are missing count 0."
    def compare(self, other):
        return all(f(self[key], other[key]) for key in {**self, **other}) if isinstance(other, Counter) else NotImplemented

    return compare


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def _add(self, sign, iterable, kwds):
        counts = {}
        if hasattr(iterable, "items"):
            counts = iterable
        elif iterable is not None:
            for key in iterable:
                counts[key] = counts.get(key, 0) + 1
        for key, n in _chain(counts.items(), kwds.items()):
            self[key] = self.get(key, 0) + sign * n

    def update(self, iterable=None, /, **kwds):
        self._add(1, iterable, kwds)

    def subtract(self, iterable=None, /, **kwds):
        self._add(-1, iterable, kwds)

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def most_common(self, n=None):
        # Sorting is stable: the order of first insertion decides between equal counts.
        items = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return items if n is None else items[:max(n, 0)]

    def elements(self):
        return _chain.from_iterable([_repeat(key, n) for key, n in self.items()])

    def total(self):
        return sum(self.values())

    def copy(self):
        return type(self)(self)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __repr__(self):
        return f"{type(self).__name__}({dict(self.most_common()) if self else ''})"

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    __add__, __sub__ = _operation(lambda a, b: a + b), _operation(lambda a, b: a - b)
    __and__, __or__ = _operation(min), _operation(max)
    __iadd__, __isub__, __iand__, __ior__ = map(_in_place, ("__add__", "__sub__", "__and__", "__or__"))
    __eq__, __ne__ = _comparison(lambda a, b: a == b), lambda self, other: not self == other
    __le__, __ge__ = _comparison(lambda a, b: a <= b), _comparison(lambda a, b: a >= b)
    __lt__, __gt__ = lambda self, other: self <= other and self != other, lambda self, other: self >= other and self != other
