import collections
import dataclasses
import inspect
import typing

# Operators change lists in place, and ask the right operand before they refuse.
a = b = [1, 2]
b *= 2
print(a is b, a)


class Right:
    def __radd__(self, other):
        return ("radd", other)

    def __rmul__(self, other):
        return ("rmul", other)


print([1] + Right(), (1,) * Right(), "x" + Right(), 2 * Right())
for f in (lambda: [1] + (2,), lambda: [1] * 1.5, lambda: 1.5 * "a", lambda: [1] * 2**70, lambda: {1} | [2], lambda: ~1.5,
          lambda: {} + {}, lambda: "a" < 1, lambda: abs("a"), lambda: b"a" + "b", lambda: None + 1, lambda: [] < ()):
    try:
        print(f())
    except (TypeError, OverflowError) as e:
        print(type(e).__name__, e)

# The classes of builtin values.
Point = collections.namedtuple("Point", "x y")
print(bool.__mro__, issubclass(bool, int), isinstance(Point(1, 2), tuple), Point.__bases__, Point(1, 2) == (1, 2))
print(hasattr(1.0, "__and__"), hasattr(1, "__and__"), hasattr([], "__iadd__"), hasattr((), "__iadd__"), list.__hash__)
print([].__add__([1]), (1).__add__("a"), {1: 2}.__contains__(1), "ab".__len__(), (1).__rsub__(5), [1, 2].__mul__(2))
print([3, 1, 2].index(2, 1), (1, 2, 1).count(True), range(5).index(3), range(3) == range(0, 3, 1), 2.0 in range(5))


class Text(str):
    def __len__(self):
        return 99

    def __eq__(self, other):
        return "eq"


t = Text("ab")
print(len(t), t == "ab", str.__len__(t), t + "c", type(t + "c"), t.upper(), bool(t))
try:
    {t: 1}
except TypeError as e:
    print(e)


class Number(int):
    def __add__(self, other):
        return "added"

    def __repr__(self):
        return "N"


n = Number(3)
print(n + 1, 1 + n, n - 1, [n], str(n), f"{n:>4}", "%s %d" % (n, n), n == 3, hash(n) == 3, {3: "x"}[n])

# Special methods that come later are found, through derived classes too.


class Base:
    pass


class Derived(Base):
    pass


d = Derived()
Base.__len__ = lambda self: 7
print(len(d), bool(d))
Base.__len__ = lambda self: 0
print(len(d), bool(d))
del Base.__len__
try:
    len(d)
except TypeError as e:
    print(e)
Base.__getitem__ = lambda self, i: [10, 20][i]
print(list(d), 20 in d, d[0])


class Meta(type):
    def __len__(cls):
        return 5

    def __iter__(cls):
        return iter("ab")

    def __contains__(cls, x):
        return x == 1

    def __or__(cls, other):
        return "or"


class Made(metaclass=Meta):
    pass


print(len(Made), list(Made), 1 in Made, Made | int, int | None)

# A StopIteration in a generator expression is a RuntimeError (PEP 479).
try:
    list(next(iter([])) for _ in range(3))
except RuntimeError as e:
    print(e, repr(e.__cause__))
g = (1 // x for x in (1, 0, 2))
print(next(g))
try:
    next(g)
except ZeroDivisionError as e:
    print(e)
print(list(g))

# Views are sets, of any iterable's items.
v = {1: "a", 2: "b"}.keys()
print(v & [1, 5], v | [7], v - {1}, v ^ {2, 9}, v <= {1, 2, 3}, v.isdisjoint([4]), v == {1, 2})
c = collections.Counter("aab")
same = c
c += collections.Counter("bc")
print(c is same, sorted(c.items()), collections.Counter(a=3) - collections.Counter(a=1, b=2))
o = collections.OrderedDict(a=1)
o |= {"b": 2}
print(dict(o), type(o) is collections.OrderedDict, collections.defaultdict(int, {1: 2})[5])


@dataclasses.dataclass
class Shape:
    sides: int = 4
    names: list = dataclasses.field(default_factory=list)
    kind: typing.ClassVar[str] = "shape"

    def __post_init__(self):
        self.names.append(self.sides)


@dataclasses.dataclass
class Square(Shape):
    sides: int
    scale: "float" = 1.0


print(Square(), Shape(3, names=[1]), inspect.signature(Shape), Square.__init__.__qualname__)
Made2 = dataclasses.make_dataclass("Made2", ["a", ("b", int), ("c", int, dataclasses.field(default=3))], frozen=True)
print(Made2(1, 2), hash(Made2(1, 2)) == hash(Made2(1, 2)), {Made2(1, 2): 1}[Made2(1, 2)], (Made2(1, 2),) in {(Made2(1, 2),)})
for f in (lambda: Made2(1), lambda: setattr(Made2(1, 2), "a", 3), lambda: dataclasses.replace(1), lambda: Made2(1, 2, 3, 4)):
    try:
        f()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
