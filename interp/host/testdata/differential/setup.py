import ast, base64, collections, collections.abc, copy, dataclasses, datetime, decimal, enum, fnmatch, fractions, functools, heapq
import html, itertools, json, math, numbers, operator, pathlib, pprint, re, reprlib, shlex, statistics, string, struct, textwrap
import time, types

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Perm(enum.Flag):
    R = 1
    W = 2
    X = 4


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Item:
    name: str
    sizes: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True, order=True)
class Frozen:
    x: int
    y: int = 3


class Stack:
    def __init__(self, items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return Stack(self.items[i]) if isinstance(i, slice) else self.items[i]

    def __add__(self, other):
        return Stack(self.items + other.items)

    def __eq__(self, other):
        return isinstance(other, Stack) and self.items == other.items

    def __repr__(self):
        return f"Stack({self.items!r})"


class Temperature:
    def __init__(self, kelvin):
        self.kelvin = kelvin

    @property
    def celsius(self):
        return self.kelvin - 273.15

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError(f"below zero: {value}")
        self.kelvin = value + 273.15


def uniq(items):
    seen = set()
    return [x for x in items if not (x in seen or seen.add(x))]


def gen(n):
    def numbers():
        try:
            got = yield n
            while True:
                got = yield got, n
        except KeyError as e:
            yield "caught", e.args
        finally:
            log.append("end")
    log = []
    g = numbers()
    out = [next(g), g.send(5), g.throw(KeyError(n)), next(g, "done"), list(g)]
    return out, log


def raises(n):
    log = []
    try:
        try:
            log.append(10 // n)
            if n > 2:
                raise ValueError(n) from KeyError("k")
        except ZeroDivisionError:
            log.append("zero")
        else:
            log.append("else")
        finally:
            log.append("finally")
            if n == 1:
                return log
    except ValueError as e:
        log.append((repr(e), repr(e.__cause__), e.__suppress_context__))
    return log


def closes(n):
    log = []

    class Manager:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            log.append("in " + self.name)
            return self

        def __exit__(self, kind, value, trace):
            log.append(f"out {self.name} {kind and kind.__name__}")
            return n > 1

    with Manager("a") as a, Manager("b"):
        if n:
            raise RuntimeError(a.name)
        log.append("body")
    return log


def nested(n):
    def outer():
        for i in range(n):
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                yield i
            finally:
                yield "f", i
        else:
            yield "else"
        return n
    def delegate():
        result = yield from outer()
        yield "result", result
    return list(delegate())


def match(x):
    match x:
        case 0 | 1:
            return "bit"
        case int(n) if n < 0:
            return "negative", n
        case str() as s if s:
            return "text", s
        case [a, *rest]:
            return "sequence", a, rest
        case {"a": a, **rest}:
            return "mapping", a, rest
        case Point(x=px):
            return "point", px
        case Item(name=name):
            return "item", name
        case None | True | False:
            return "constant"
        case _:
            return "other", type(x).__name__


def unpack(items):
    first, *middle, last = items
    return first, middle, last


def varargs(a, b=2, *args, k=None, **rest):
    return a, b, args, k, rest


def default(x, acc=[]):
    acc.append(x)
    return len(acc) > 0


def closure(n):
    fs = [lambda i=i: (i, n) for i in range(n)] + [lambda: n]
    n += 1
    return [f() for f in fs]


def switch(n):
    return "neg" if n < 0 else "big" if n > 100 else [n, *range(n)][:3]


def show(i, text):
    try:
        print(i, repr(eval(text)))
    except Exception as e:
        print(i, type(e).__name__, repr(str(e)))
