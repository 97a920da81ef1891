"Containers to derive from, which hold another as their data."
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
