from __future__ import annotations
import enum, inspect
from enum import Enum, Flag, auto


def f(a, /, b: int, *args: str, c=1, **kw: undefined) -> Literal["x"]:
    pass


s = inspect.signature(f)
b = s.bind(1, 2, 3, c=4, z=5)
print(s, f.__annotations__, [p.kind.name for p in s.parameters.values()], b.arguments, b.args, b.kwargs, f.__defaults__, f.__kwdefaults__, f.__code__.co_varnames[:2], f.__code__.co_argcount)
p = s.parameters["c"]
print(p.default, p.kind, repr(p.kind), p.kind == inspect.Parameter.KEYWORD_ONLY, p.annotation is inspect.Parameter.empty, p)
for args, kw in [((1,), {}), ((1, 2, 3), {"b": 1}), ((), {})]:
    try:
        print(s.bind(*args, **kw).arguments)
    except TypeError as e:
        print(e)


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()


print(Perm.R | Perm.W, repr(Perm.R | Perm.X), Perm(0), repr(Perm(0)), Perm.R in Perm(7), ~Perm.R, bool(Perm(0)), [p.name for p in Perm], Perm["R"])
Color = Enum("Color", "RED GREEN")
Size = Enum("Size", {"S": 1, "L": 10})
Kind = enum.IntEnum("Kind", ["A", "B"], start=5)
print(list(Color), Color.GREEN.value, Size.L, Size(10), list(Kind), Kind.A + 1, Kind.B > Kind.A, Color["RED"])
try:
    Color.RED = 1
except AttributeError as e:
    print(e)
try:
    int.x = 1
except TypeError as e:
    print(e)
for bad in ["print(1, end=3)", "print(1, sep=[])", "open('/nope/x')", "open('f', 'q')"]:
    try:
        eval(bad)
    except Exception as e:
        print(bad, type(e).__name__, e)
print("\N{BULLET}\N{greek small letter alpha}\N{RIGHTWARDS ARROW}", sum([0.1] * 10) > 0.99, sum([1, 2.5, True]), sum([[1], [2]], []))


def where():
    return inspect.currentframe()


here = inspect.currentframe()
print(here.f_code.co_name, where().f_code.co_name, inspect.getfile(here) == inspect.getfile(where) == where().f_code.co_filename)
try:
    inspect.getfile(3)
except TypeError as e:
    print(e)
