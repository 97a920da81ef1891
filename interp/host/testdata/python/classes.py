class Point:
    """A point."""
    dims = 2

    def __init__(self, x, y=0):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __len__(self):
        return self.dims

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __call__(self, z):
        return self.x + z

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __bool__(self):
        return bool(self.x or self.y)

    def __contains__(self, v):
        return v in (self.x, self.y)

    @property
    def norm2(self):
        return self.x ** 2 + self.y ** 2

    @staticmethod
    def origin():
        return Point(0)

    @classmethod
    def make(cls, *a):
        return cls(*a)


class Named(Point):
    def __init__(self, name, *rest):
        super().__init__(*rest)
        self.name = name

    def __str__(self):
        return self.name + " at " + super().__repr__()

    @property
    def norm2(self):
        return -1


p = Point(1, 2)
print(p, p + p, p * 3, 2 * p, p == Point(1, 2), p != Point(1, 3), len(p), p[1], p(10), -p, bool(Point(0)), 2 in p)
print(p.norm2, Point.origin(), Point.make(4, 5), Point.dims, p.dims, list(p), isinstance(p, Point), hasattr(p, "x"), getattr(p, "z", None))
n = Named("home", 3, 4)
print(n, [n], str(n), n.norm2, isinstance(n, Point), isinstance(p, Named), type(n).__name__, n.make(1) if False else n.dims)
p.x = 9
p.extra = [1]
p.extra.append(2)
setattr(p, "late", 1)
print(p, p.extra, p.late)
Point.dims = 3
print(len(p), Point(1).dims)


class Counter:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Counter(3)), sum(Counter(4)), [a for a in Counter(2)])


def twice(f):
    def inner(*args, **kwargs):
        return f(f(*args, **kwargs))
    return inner


@twice
def plus_one(n):
    return n + 1


print(plus_one(5), Point.__name__, plus_one.__name__)


def scale(k):
    def decorate(f):
        return lambda *a: k * f(*a)
    return decorate


@scale(10)
def five():
    return 5


print(five())
try:
    p.missing
except AttributeError as e:
    print(e)


class Plain:
    pass


a, b = Plain(), Plain()
print(a == b, a == a, a != b, a != a, [a] == [a], [a] == [b], a in [b], a in (a,), p != Point(9, 2), p == Point(9, 2))


class Named:
    def own(self):
        return __class__.__name__, [__class__ for _ in range(1)][0] is Named

    @staticmethod
    def make():
        return (lambda: __class__())()


class Derived(Named):
    pass


print(Derived().own(), type(Derived.make()).__name__)
