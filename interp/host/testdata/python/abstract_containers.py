from collections import UserDict, UserList
from collections.abc import (Collection, Container, ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping,
                             MutableSequence, MutableSet, Sequence, Set, Sized)
from typing import IO, SupportsInt
import typing


def attempt(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


class Numbers(Sequence):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        return i % self.n * 10


n = Numbers(4)
print(list(n), list(reversed(n)), 20 in n, 25 in n, n.index(30), n.count(10), attempt(lambda: n.index(7)))
print(isinstance(n, (Sequence, Collection)), issubclass(Numbers, Iterable), isinstance(n, MutableSequence), Numbers.__mro__[1].__name__)


class Half(Sequence):
    def __len__(self):
        return 0


print(attempt(Half)[:44])


class Items(MutableSequence):
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __delitem__(self, i):
        del self.items[i]

    def insert(self, i, v):
        self.items.insert(i, v)


x = Items(1, 2, 3)
x.append(4)
x.extend([5, 6])
x += [7]
x.reverse()
x.remove(5)
print(x.items, x.pop(), x.pop(0), x.items, isinstance(x, Sequence), isinstance(x, MutableSequence))
x.clear()
print(len(x), attempt(x.pop))


class Lower(MutableMapping):
    def __init__(self, *args, **kwargs):
        self.held = {}
        self.update(*args, **kwargs)

    def __getitem__(self, k):
        return self.held[k.lower()]

    def __setitem__(self, k, v):
        self.held[k.lower()] = v

    def __delitem__(self, k):
        del self.held[k.lower()]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


d = Lower({"A": 1}, b=2)
print(d["a"], "B" in d, d.get("z"), d.get("z", 0), list(d), list(d.items()), list(d.values()))
print(d == {"a": 1, "b": 2}, d != {"a": 1}, dict(d), {**d}, d.setdefault("C", 3), d.pop("a"), d.pop("a", "gone"))
print(attempt(lambda: d.pop("a")), d.popitem(), len(d), "b" in d.keys(), ("c", 3) in d.items(), d.keys() & {"c"}, d.keys() | {"q"} == {"c", "q"})
print(isinstance(d, Mapping), isinstance(d.keys(), KeysView), isinstance(d.items(), Set), attempt(lambda: hash(d)))
d.clear()
print(len(d), attempt(d.popitem))


class Typed(typing.Mapping[str, int]):
    def __getitem__(self, k):
        return len(k)

    def __iter__(self):
        return iter(["a", "bb"])

    def __len__(self):
        return 2


print(dict(Typed()), "x" in Typed(), Typed().get("ccc"), isinstance(Typed(), Mapping))


class Small(MutableSet):
    def __init__(self, items=()):
        self.items = []
        for v in items:
            self.add(v)

    def __contains__(self, v):
        return v in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def add(self, v):
        if v not in self.items:
            self.items.append(v)

    def discard(self, v):
        if v in self.items:
            self.items.remove(v)


a, b = Small([1, 2, 3]), Small([2, 3, 4])
print((a & b).items, (a | b).items, (a - b).items, sorted((a ^ b).items), a == Small([3, 2, 1]), a < Small(range(5)), a <= a)
print(a >= b, a.isdisjoint(Small([9])), ({2, 9} & a).items, ({9, 1} - a).items, a == {1, 2, 3}, isinstance(a, Set))
a |= [8]
a -= {1}
a &= Small([2, 8])
print(a.items, a.pop(), attempt(lambda: a.remove(77)))


class Count(Iterator):
    def __init__(self):
        self.i = 0

    def __next__(self):
        self.i += 1
        if self.i > 3:
            raise StopIteration
        return self.i


print(list(Count()), isinstance(Count(), Iterable), iter(c := Count()) is c)


class Base:
    pass


class One(Base):
    pass


class Two(Base):
    pass


class Three(One):
    pass


print([c.__name__ for c in Base.__subclasses__()], One.__subclasses__(), Two.__subclasses__() == [])
print(MutableMapping.register(Base) is Base, isinstance(One(), Mapping), issubclass(Two, MutableMapping))
u = UserDict({"a": 1}, b=2)
u["c"] = 3
print(u, len(u), "a" in u, u.data, u.get("z"), UserDict.fromkeys("xy", 0), u | {"d": 4}, u.copy() == u)
ul = UserList([1, 2])
ul.append(3)
print(ul, ul + [4], ul[1:], ul * 2, 3 in ul, len(ul), ul == [1, 2, 3], [0] + ul, sorted(ul, reverse=True))


class Null(IO[str]):
    def write(self, s):
        return len(s)


print(Null().write("abc"), isinstance(Null(), IO.__origin__ if hasattr(IO, "__origin__") else IO), isinstance(3, SupportsInt))


def f(self, x):
    return self, x


print(f.__get__(3)(4), f.__get__(None, int) is f)
