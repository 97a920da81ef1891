"""What the abstract classes of containers do by their abstract methods: the table of collections.abc in Python's library
reference."""
from abc import ABC, abstractmethod


def _give(cls, abstract, *methods):
    for name in abstract.split():
        @abstractmethod
        def missing(self, *args):
            raise NotImplementedError
        missing.__name__ = name
        setattr(cls, name, missing)
    for f in methods:
        setattr(cls, f.__name__, f)


# Iterators

def __iter__(self):
    return self


def close(self):
    try:
        self.throw(GeneratorExit)
    except (GeneratorExit, StopIteration):
        return
    raise RuntimeError("generator ignored GeneratorExit")


def __next__(self):
    return self.send(None)


_give(Iterable, "__iter__")
_give(Sized, "__len__")
_give(Container, "__contains__")
_give(Callable, "__call__")
_give(Reversible, "__reversed__ __iter__")
_give(Collection, "__len__ __iter__ __contains__")
_give(Iterator, "__next__", __iter__)
_give(Generator, "send throw", __iter__, __next__, close)


# Sequences

def __iter__(self):
    i = 0
    try:
        while True:
            yield self[i]
            i += 1
    except IndexError:
        return


def __contains__(self, value):
    return any(v is value or v == value for v in self)


def __reversed__(self):
    return (self[i] for i in reversed(range(len(self))))


def index(self, value, start=0, stop=None):
    n = len(self)
    start = max(n + start, 0) if start < 0 else start
    stop = n if stop is None else stop + n if stop < 0 else stop
    for i in range(start, min(stop, n)):
        if self[i] is value or self[i] == value:
            return i
    raise ValueError


def count(self, value):
    return sum(1 for v in self if v is value or v == value)


_give(Sequence, "__getitem__ __len__", __iter__, __contains__, __reversed__, index, count)


def append(self, value):
    self.insert(len(self), value)


def clear(self):
    while len(self):
        self.pop()


def reverse(self):
    n = len(self)
    for i in range(n // 2):
        self[i], self[n - i - 1] = self[n - i - 1], self[i]


def extend(self, values):
    for v in list(values) if values is self else values:
        self.append(v)


def pop(self, index=-1):
    v = self[index]
    del self[index]
    return v


def remove(self, value):
    del self[self.index(value)]


def __iadd__(self, values):
    self.extend(values)
    return self


_give(MutableSequence, "__setitem__ __delitem__ insert", append, clear, reverse, extend, pop, remove, __iadd__)


# Sets

def __le__(self, other):
    return len(self) <= len(other) and all(v in other for v in self) if isinstance(other, Set) else NotImplemented


def __lt__(self, other):
    return len(self) < len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented


def __ge__(self, other):
    return len(self) >= len(other) and all(v in self for v in other) if isinstance(other, Set) else NotImplemented


def __gt__(self, other):
    return len(self) > len(other) and self.__ge__(other) if isinstance(other, Set) else NotImplemented


def __eq__(self, other):
    return len(self) == len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented


def _from_iterable(cls, it):
    return cls(it)


def __and__(self, other):
    return self._from_iterable(v for v in other if v in self) if isinstance(other, Iterable) else NotImplemented


def __or__(self, other):
    if not isinstance(other, Iterable):
        return NotImplemented
    return self._from_iterable(v for side in (self, other) for v in side)


def __sub__(self, other):
    if not isinstance(other, Iterable):
        return NotImplemented
    other = other if isinstance(other, Set) else self._from_iterable(other)
    return self._from_iterable(v for v in self if v not in other)


def __rsub__(self, other):
    return self._from_iterable(v for v in other if v not in self) if isinstance(other, Iterable) else NotImplemented


def __xor__(self, other):
    if not isinstance(other, Iterable):
        return NotImplemented
    other = other if isinstance(other, Set) else self._from_iterable(other)
    return (self - other) | (other - self)


def isdisjoint(self, other):
    return not any(v in self for v in other)


def _hash(self):
    return hash(frozenset(self))


_give(Set, "__len__ __iter__ __contains__", __le__, __lt__, __ge__, __gt__, __eq__, __and__, __or__, __sub__, __rsub__,
      __xor__, isdisjoint, _hash)
Set._from_iterable = classmethod(_from_iterable)
Set.__rand__, Set.__ror__, Set.__rxor__, Set.__hash__ = __and__, __or__, __xor__, None


def remove(self, value):
    if value not in self:
        raise KeyError(value)
    self.discard(value)


def pop(self):
    for v in self:
        self.discard(v)
        return v
    raise KeyError


def __ior__(self, other):
    for v in other:
        self.add(v)
    return self


def __iand__(self, other):
    for v in self - other:
        self.discard(v)
    return self


def __isub__(self, other):
    for v in list(other):
        self.discard(v)
    return self


def __ixor__(self, other):
    for v in self._from_iterable(other):
        if v in self:
            self.discard(v)
        else:
            self.add(v)
    return self


_give(MutableSet, "add discard", remove, pop, clear, __ior__, __iand__, __isub__, __ixor__)


# Mappings

class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        return v is value or v == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


def __contains__(self, key):
    try:
        self[key]
    except KeyError:
        return False
    return True


def get(self, key, default=None):
    try:
        return self[key]
    except KeyError:
        return default


def keys(self):
    return KeysView(self)


def items(self):
    return ItemsView(self)


def values(self):
    return ValuesView(self)


def __eq__(self, other):
    return dict(self.items()) == dict(other.items()) if isinstance(other, Mapping) else NotImplemented


_give(Mapping, "__getitem__ __len__ __iter__", __contains__, get, keys, items, values, __eq__)
Mapping.__hash__ = Mapping.__reversed__ = None
_missing = object()


def pop(self, key, default=_missing):
    try:
        value = self[key]
    except KeyError:
        if default is _missing:
            raise
        return default
    del self[key]
    return value


def popitem(self):
    for key in self:
        value = self[key]
        del self[key]
        return key, value
    raise KeyError


def clear(self):
    while len(self):
        self.popitem()


def update(self, other=(), /, **kwds):
    if hasattr(other, "keys"):
        other = [(key, other[key]) for key in other.keys()]
    for key, value in other:
        self[key] = value
    for key, value in kwds.items():
        self[key] = value


def setdefault(self, key, default=None):
    try:
        return self[key]
    except KeyError:
        self[key] = default
    return default


_give(MutableMapping, "__setitem__ __delitem__", pop, popitem, clear, update, setdefault)


# Of programs that wait for others there are none.

class Awaitable(ABC):
    pass


class Coroutine(Awaitable):
    pass


class AsyncIterable(ABC):
    pass


class AsyncIterator(AsyncIterable):
    pass


class AsyncGenerator(AsyncIterator):
    pass


class ByteString(Sequence):
    pass


ByteString.register(bytes)
ByteString.register(bytearray)
for _name in ("__iter__", "close", "__next__", "__contains__", "__reversed__", "index", "count", "append", "clear", "reverse",
              "extend", "pop", "remove", "__iadd__", "__le__", "__lt__", "__ge__", "__gt__", "__eq__", "__and__", "__or__",
              "__sub__", "__rsub__", "__xor__", "isdisjoint", "__ior__", "__iand__", "__isub__", "__ixor__", "get", "keys",
              "items", "values", "popitem", "update", "setdefault"):
    del globals()[_name]
