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


from collections.abc import MutableMapping, MutableSequence


class UserDict(MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        self.update(dict if dict is not None else {}, **kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        return type(self)({**self.data, **other})

    def __ior__(self, other):
        self.data.update(other)
        return self

    def copy(self):
        new = type(self)()
        new.__dict__.update(self.__dict__)
        new.data = dict(self.data)
        return new

    @classmethod
    def fromkeys(cls, iterable, value=None):
        new = cls()
        for key in iterable:
            new[key] = value
        return new


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __contains__(self, item):
        return item in self.data

    def __repr__(self):
        return repr(self.data)

    def _of(self, other):
        return other.data if isinstance(other, UserList) else list(other)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, UserList) else other)

    def __add__(self, other):
        return type(self)(self.data + self._of(other))

    def __radd__(self, other):
        return type(self)(self._of(other) + self.data)

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def insert(self, i, item):
        self.data.insert(i, item)

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def copy(self):
        return type(self)(self)


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return merged

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return self._merged().keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return ChainMap(m, *self.maps)

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __repr__(self):
        return "ChainMap(" + ", ".join(repr(m) for m in self.maps) + ")"
