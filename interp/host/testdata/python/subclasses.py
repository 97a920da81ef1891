# Classes that derive from Python's own, metaclasses, abstract classes.
from abc import ABC, ABCMeta, abstractmethod


class Stack(list):
    def __init__(self, *items, name="stack"):
        super().__init__(items)
        self.name = name

    def push(self, x):
        self.append(x)
        return self

    def __getitem__(self, i):
        return ("got", super().__getitem__(i))


s = Stack(3, 1, 2).push(7)
print(s, len(s), s[0], s.name, sorted(s), [x for x in s], 7 in s, s == [3, 1, 2, 7], isinstance(s, list), type(s).__name__, s + [1], s * 2, bool(Stack()))
s.sort(); s.extend([9]); s[0] = 100; del s[1]; s += [4]
print(s, type(s).__name__, s.index(9), list(reversed(s)), max(s), s.copy(), type(s.copy()), sum(s), *s, Stack.__mro__[1:3], s < [200])


class Config(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, v):
        self[name] = v

    def __missing__(self, key):
        return f"no {key}"


c = Config(a=1, b={"x": 2})
c.z = 3
print(c, c.a, c.z, c["nope"], len(c), list(c), c.items(), dict(c), {**c}, c == {"a": 1, "b": {"x": 2}, "z": 3}, c.get("q"), "a" in c, (lambda **k: k)(**c))
print(isinstance(c, dict), c.pop("a"), c, c | {"n": 1}, sorted(c.keys()))


class Name(str):
    def __new__(cls, text, extra=None):
        self = super().__new__(cls, text.title())
        self.extra = extra
        return self

    def shout(self):
        return self.upper() + "!"


n = Name("ada lovelace", extra=1)
print(n, repr(n), n.shout(), n.extra, n + "x", n[:3], len(n), n == "Ada Lovelace", {n: 1}["Ada Lovelace"], f"{n:>14}|", "%s" % n, n.split(), isinstance(n, str), ",".join([n, n]), type(n + ""))


class Meters(int):
    def __add__(self, other):
        return Meters(int(self) + int(other))

    def __repr__(self):
        return f"{int(self)}m"


class Ratio(float):
    def __str__(self):
        return f"{float(self):.0%}"


m = Meters(5)
print(m, m + 2, 2 + m, m * 2, m > 3, m == 5, -m, hash(m) == hash(5), [10, 20, 30, 40, 50, 60][m], range(m), f"{m:03d}", f"{m}", max(m, 3), isinstance(m, int), Ratio(0.5), Ratio(0.5) * 2, m.bit_length(), int(m), abs(Meters(-3)))


class Point(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    @property
    def x(self):
        return self[0]


p = Point(1, 2)
a, b = p
print(p, p.x, a, b, p == (1, 2), hash(p) == hash((1, 2)), p + (3,), isinstance(p, tuple), len(p), p[1], {p: 1}[(1, 2)])


class Bag(set):
    def add(self, x):
        super().add(x * 2)


bag = Bag([1])
bag.add(5)
print(sorted(bag), bag | {3} == {1, 3, 10}, 10 in bag, len(bag), isinstance(bag, set))


class MyError(Exception):
    def __init__(self, code, *rest):
        super().__init__(f"code {code}", *rest)
        self.code = code

    def __str__(self):
        return f"<{self.args[0]}>"


class Other(MyError, ValueError):
    def __repr__(self):
        return "Other!"


for make in [lambda: MyError(3), lambda: Other(4, "x"), lambda: KeyError("k"), lambda: ValueError(), lambda: OSError(2, "gone", "file")]:
    try:
        raise make()
    except (LookupError, MyError) as e:
        print(type(e).__name__, e, repr(e), e.args, getattr(e, "code", None))
    except Exception as e:
        print("other", type(e).__name__, e, repr(e), getattr(e, "errno", None))


class Registry(type):
    known = {}

    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, ns)
        cls.tag = kw.get("tag", name.lower())
        return cls

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        Registry.known[cls.tag] = cls

    def __call__(cls, *args):
        obj = super().__call__(*args)
        obj.made = True
        return obj

    def __len__(cls):
        return 42

    def __iter__(cls):
        return iter(["i", cls.tag])

    def __getitem__(cls, k):
        return (cls.__name__, k)

    def __contains__(cls, k):
        return k == "in"

    def __repr__(cls):
        return f"<{cls.__name__}>"

    @property
    def prop(cls):
        return cls.tag * 2


class Op(metaclass=Registry):
    def __init__(self, v=0):
        self.v = v


class Add(Op, tag="plus"):
    pass


print(Registry.known, Add(3).v, Add(3).made, len(Add), list(Add), Add[1], "in" in Add, type(Add), Add.prop, isinstance(Add, Registry), isinstance(Add, type), str(Op))
print(type("Dyn", (Op,), {"f": lambda self: 5})().f(), Registry.known.keys(), type(Add) is Registry, Registry("Late", (), {"a": 1}).a)


class Singleton(type):
    made = {}

    def __call__(cls, *a, **k):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(*a, **k)
        return cls.made[cls]


class One(metaclass=Singleton):
    pass


print(One() is One())


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abstractmethod
    def name(self): ...

    def describe(self):
        return f"{self.name}: {self.area()}"


class Square(Shape):
    name = "square"

    def area(self):
        return 4


class Half(Shape):
    def area(self):
        return 1


class Pure(metaclass=ABCMeta):
    @abstractmethod
    def f(self): ...


print(Square().describe(), issubclass(Square, Shape), isinstance(Square(), Shape))
for bad in [Shape, Half, Pure]:
    try:
        bad()
    except TypeError as e:
        print(type(e).__name__, "abstract" in str(e))


class Even:
    def __instancecheck__(self, x):
        return x % 2 == 0


print(isinstance(4, Even()), isinstance(3, Even()))
for bad in ["class A(bool): pass", "class A(int, str): pass", "class A(5): pass", "class A(Square, Shape, Square): pass", "type('A', (int,), {})()", "type(1, 2)", "Add.nope", "Add().nope", "MyError()"]:
    try:
        exec(bad)
        print("fine", bad)
    except Exception as e:
        print(bad, type(e).__name__)
