class Shape:
    count = 0
    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry[cls.__name__] = cls

    def __init__(self, name):
        self.name = name
        Shape.count += 1

    def area(self):
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r}, area={self.area():.2f})"

    def __lt__(self, other):
        return self.area() < other.area()

    @classmethod
    def unit(cls):
        return cls(1)

    @staticmethod
    def describe():
        return "a shape"


class Circle(Shape):
    def __init__(self, r):
        super().__init__("circle")
        self.r = r

    def area(self):
        return 3.14159 * self.r ** 2

    @property
    def diameter(self):
        return 2 * self.r

    @diameter.setter
    def diameter(self, d):
        self.r = d / 2


class Square(Shape):
    __slots__ = ("side",)

    def __init__(self, side):
        super().__init__("square")
        self.side = side

    def area(self):
        return self.side ** 2

    def __eq__(self, other):
        return isinstance(other, Square) and self.side == other.side

    def __hash__(self):
        return hash(self.side)

    def __call__(self, k):
        return Square(self.side * k)

    def __getattr__(self, name):
        if name.startswith("double_"):
            return 2 * getattr(self, name[7:])
        raise AttributeError(f"no {name}")


shapes = [Circle(2), Square(3), Circle.unit()]
print(shapes, sorted(shapes), Shape.count, Shape.registry)
c = shapes[0]
c.diameter = 10
print(c.r, c.area(), Circle.describe(), isinstance(c, Shape), issubclass(Square, Shape), Square(2) == Square(2), {Square(2), Square(2)})
print(Square(2)(5), Square(4).double_side, hasattr(c, "q"), getattr(c, "q", "default"), type(c).__mro__[1].__name__, c.__class__.__name__, vars(c))
try:
    Square(1).other
except AttributeError as e:
    print(e)
try:
    c.missing
except AttributeError as e:
    print(e)
try:
    Shape("s").area()
except NotImplementedError as e:
    print(repr(e))


class Vec:
    def __init__(self, *v):
        self.v = v

    def __add__(self, o):
        return Vec(*(a + b for a, b in zip(self.v, o.v)))

    def __mul__(self, k):
        return Vec(*(a * k for a in self.v))

    __rmul__ = __mul__

    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self.v, o.v))

    def __neg__(self):
        return self * -1

    def __iter__(self):
        return iter(self.v)

    def __str__(self):
        return "<" + " ".join(map(str, self.v)) + ">"

    def __format__(self, spec):
        return "<" + " ".join(format(x, spec) for x in self.v) + ">"

    def __bool__(self):
        return any(self.v)


a, b = Vec(1, 2), Vec(3, 4)
print(a + b, 3 * a, a @ b, -a, [*a], f"{a:.1f}", bool(Vec(0, 0)), str(b))


class A:
    def who(self):
        return ["A"]


class B(A):
    def who(self):
        return ["B"] + super().who()


class C(A):
    def who(self):
        return ["C"] + super().who()


class D(B, C):
    pass


print(D().who(), [k.__name__ for k in D.__mro__])
