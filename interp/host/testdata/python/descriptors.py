import types


class cached(property):
    "A property that computes once, as many packages have it."

    def __init__(self, fget, fset=None, fdel=None, doc=None, tag="t"):
        super().__init__(fget, fset, fdel, doc)
        self.tag = tag

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        name = "_" + self.fget.__name__
        if name not in obj.__dict__:
            obj.__dict__[name] = super().__get__(obj, owner)
        return obj.__dict__[name]


class hybrid(classmethod):
    pass


class loud(staticmethod):
    def __call__(self, *args):
        return ["loud", *args]


class A:
    count = 0

    @cached
    def x(self):
        A.count += 1
        return 7

    @x.setter
    def x(self, v):
        self._x = v * 2

    @hybrid
    def make(cls, n):
        return cls.__name__, n

    @loud
    def free(n):
        return n + 1

    @property
    def ro(self):
        return "ro"

    @property
    def rw(self):
        return self._rw

    @rw.setter
    def rw(self, v):
        self._rw = v

    @rw.deleter
    def rw(self):
        del self._rw


class Data:
    "Keeps values under the same name in the object's own dict, which it comes before."

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        return self if obj is None else ("data", obj.__dict__.get(self.name))

    def __set__(self, obj, v):
        obj.__dict__[self.name] = v

    def __delete__(self, obj):
        del obj.__dict__[self.name]


class NonData:
    def __get__(self, obj, owner):
        return "nondata", obj is None, owner.__name__


class SetOnly:
    def __set__(self, obj, v):
        obj.log = v


class Meta(type):
    @property
    def kind(cls):
        return "meta " + cls.__name__

    @kind.setter
    def kind(cls, v):
        cls.kept = v

    level = Data()


class B(A, metaclass=Meta):
    d = Data()
    n = NonData()
    s = SetOnly()
    kind = "own"


def attempt(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__, str(e)


a, b = A(), B()
print(a.x, a.x, A.count, isinstance(A.x, property), type(A.x).__name__, A.__dict__["x"].tag, A.x.fset is not None, A.x.fdel)
a.x = 4
print(a.x, A.make(1), a.make(2), A.free(1), a.free(2), A.__dict__["free"](5), isinstance(A.__dict__["make"], classmethod))
print(A.__dict__["make"].__func__(A, 3), A.__dict__["free"].__func__(3), A.__dict__["free"].__wrapped__(4))
b.d = 5
b.n = 6
print(b.d, b.__dict__, b.n, B.n, B.d.name)
del b.n, b.d
print(b.n, b.d, b.__dict__)
b.s = 1
print(b.log, type(b.s).__name__, attempt(lambda: delattr(b, "s")))
print(B.kind, type(B).kind.fget(B), Meta.kind.fget(A), attempt(lambda: b.kind))
B.kind = 9
print(B.kept, B.level)
b.rw = 3
print(b.rw, attempt(lambda: setattr(b, "ro", 1)), attempt(lambda: delattr(b, "ro")), attempt(lambda: A.ro.__get__(b)))
del b.rw
print(attempt(lambda: b.rw), attempt(lambda: property().__get__(b)), attempt(lambda: property().__set__(b, 1)))
p = property(lambda self: 1)
print(p.getter(lambda self: 2).fget(0), p.fset, p.setter(3).fset, p.deleter(4).fdel, isinstance(p, property), type(p))
f = lambda self, *args: (self, args)
print(f.__get__(1)(2), f.__get__(None, int) is f, A.__dict__["make"].__get__(None, B)(1), loud(len).__get__(1, int)("abc"))
print(attempt(lambda: classmethod(f)(1)), staticmethod(f)(1), callable(classmethod(f)))


class Later:
    pass


Later.p = property(lambda self: self.q)
later = Later()
later.q = 8
print(later.p, attempt(lambda: setattr(later, "p", 1)), "p" in vars(Later), issubclass(cached, property))


class Base:
    @classmethod
    def who(cls):
        return cls.__name__

    @property
    def name(self):
        return "base"

    def __init_subclass__(cls, tag=None, **rest):
        super().__init_subclass__(**rest)
        cls.tag = tag

    def __class_getitem__(cls, item):
        return cls.__name__, item


class Derived(Base, tag="d"):
    @classmethod
    def who(cls):
        return super().who() + "!"

    @property
    def name(self):
        return super().name + "+"

    @staticmethod
    def plain():
        return "plain"


print(Derived.who(), Derived().who(), Derived().name, Derived.tag, Derived[3], Base["x"], Derived.plain(), super(Derived, Derived).who())
print(type(Base.__dict__["__init_subclass__"]).__name__, type(Base.__dict__["__class_getitem__"]).__name__)


class Lazy(types.ModuleType):
    def __init__(self, name):
        super().__init__(name, "docs")
        self.loaded = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.loaded.append(name)
        return name.upper()

    @property
    def total(self):
        return len(self.loaded)


m = Lazy("pkg.lazy")
print(m.__name__, m.__doc__, m.some, m.other, m.total, isinstance(m, types.ModuleType), m.__package__, m.__spec__)
import sys
sys.modules["lazy_module"] = m
import lazy_module
from lazy_module import thing, total
print(lazy_module is m, thing, total, isinstance(sys, types.ModuleType), type(types) is types.ModuleType)
plain = types.ModuleType("plain", "what")
plain.x = 1
print(plain.x, plain.__doc__, attempt(lambda: plain.y), attempt(lambda: types.ModuleType()))
