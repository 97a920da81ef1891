# How classes are made and how their objects answer Python's protocols.
class Plugin:
    found = []

    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw)
        cls.found.append((cls.__name__, name))


class Low(Plugin, name="low"):
    pass


class High(Plugin):
    pass


print(Plugin.found)


class Celsius:
    __slots__ = ("_c",)

    def __init__(self, c):
        self._c = c

    @property
    def f(self):
        return self._c * 9 / 5 + 32

    @f.setter
    def f(self, v):
        self._c = (v - 32) * 5 / 9

    @f.deleter
    def f(self):
        self._c = None

    @property
    def fixed(self):
        return 1


c = Celsius(100)
c.f = 212.0
print(c.f, c._c)
for action in ("c.fixed = 2", "c.other = 1", "del c.fixed"):
    try:
        exec(action)
    except AttributeError as e:
        print(e)
del c.f
print(c._c)


class A:
    def who(self):
        return "A"


class B(A):
    def who(self):
        return "B" + super().who()


class C(A):
    def who(self):
        return "C" + super().who()


class D(B, C):
    def who(self):
        return "D" + super(D, self).who()


print(D().who(), [k.__name__ for k in D.__mro__], D.__bases__ == (B, C))
try:
    class E(A, D):
        pass
except TypeError as e:
    print(str(e).split("\n")[0].replace("\n", " "))


class Vec:
    def __init__(self, *v):
        self.v = v

    def __eq__(self, o):
        if not isinstance(o, Vec):
            return NotImplemented
        return self.v == o.v

    def __hash__(self):
        return hash(self.v)

    def __add__(self, o):
        if isinstance(o, Vec):
            return Vec(*(a + b for a, b in zip(self.v, o.v)))
        return NotImplemented

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __iadd__(self, o):
        self.v = tuple(a + b for a, b in zip(self.v, o.v))
        return self

    def __mul__(self, k):
        return Vec(*(a * k for a in self.v))

    __rmul__ = __mul__

    def __getitem__(self, i):
        return self.v[i]

    def __len__(self):
        return len(self.v)

    def __contains__(self, x):
        return x in self.v

    def __repr__(self):
        return f"Vec{self.v}"

    def __lt__(self, o):
        return self.v < o.v

    def __neg__(self):
        return self * -1

    def __call__(self, n):
        return self.v[n]


a, b = Vec(1, 2), Vec(3, 4)
print(a + b, 3 * a, sum([a, b]), -a, a[0], len(a), 2 in a, a(1), list(a), max(a, b), a == Vec(1, 2), a != b, a == 3)
print({a: 1, Vec(1, 2): 2}, len({a, b, Vec(3, 4)}), Vec(1, 2) in [a], sorted([b, a]))
same = a
a += b
print(a, same is a)
for bad in (lambda: a + 1, lambda: 1 + a, lambda: a < 3):
    try:
        bad()
    except (TypeError, AttributeError) as e:
        print(e)


class Unhashable:
    def __eq__(self, o):
        return True


try:
    {Unhashable()}
except TypeError as e:
    print(e)


class Lazy:
    kind = "lazy"

    def __getattr__(self, name):
        if name.startswith("x"):
            return name.upper()
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, v):
        super().__setattr__(name, v * 2)


z = Lazy()
z.n = 4
print(z.n, z.xy, z.kind, hasattr(z, "q"), getattr(z, "q", None), vars(z), z.__dict__)
delattr(z, "n")
print(vars(z))


class Field:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, o, cls):
        return (self.name, cls.__name__)


class Row:
    first = Field()


print(Row().first)


class Single:
    made = None

    def __new__(cls, *args):
        if cls.made is None:
            cls.made = super().__new__(cls)
        return cls.made

    def __init__(self, *args):
        self.args = args


print(Single(1) is Single(2), Single.made.args)
T = type("T", (A,), {"n": 3, "who": lambda self: "T" + A.who(self)})
print(T.__name__, T().who(), T.n, isinstance(T(), A), type(T()) is T, callable(T))


def tagged(f):
    f.tag = "t"
    return f


@tagged
def g(a: int, b: str = "x") -> float:
    "doc of g"


print(g.tag, g.__name__, g.__doc__, g.__annotations__["b"] is str, "return" in g.__annotations__)
