# What dicts and sets take for one key, and what is identical.
import functools


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return hash(self.x)


class Plain:
    def __repr__(self):
        return "Plain"


class Clash:
    "Objects of one hash, equal by name."

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Clash) and self.name == other.name

    def __hash__(self):
        return 7

    def __repr__(self):
        return self.name


d = {Point(1): "a"}
print(d[Point(1)], Point(2) in d, len({Point(1), Point(1), Point(2)}))
print(len({(Plain(), 1): 1, (Plain(), 1): 2}))
print(len({(lambda: 1, 0): 1, (lambda: 2, 0): 2}))
print(len({(object(), 0): 1, (object(), 0): 2}))
p = Plain()
print(len({(p, 1): 1, (p, 1): 2}), {(p, 1): 5}[(p, 1)])
print(len({(Plain(),), (Plain(),)}), len({frozenset([Plain()]), frozenset([Plain()])}), len({frozenset([p]), frozenset([p])}))
print(len({frozenset([1, 2]), frozenset([2, 1])}), frozenset([(1, 2), "a"]) == frozenset(["a", (1, 2)]))
print((Point(3), 4) in {(Point(3), 4)}, (Point(3), 5) in {(Point(3), 4)})
print({10**19: 1}[1e19], 1e19 in {10**19: 1}, 2**64 in {2.0**64})
print(len({("a,",): 1, ("a", ""): 2}), len({0.0, -0.0}), {1: "a", True: "b"}, {1.0: "a", 1: "b"})
n = float("nan")
print(n in {n: 1}, n in [n], (n,) == (n,), (n,) in [(n,)], n == n)

clash = {Clash("a"): 1, Clash("b"): 2, Clash("c"): 3, 7: 4}
del clash[Clash("b")]
print(clash, clash[Clash("c")], clash[7], Clash("b") in clash, len(clash))
clash[Clash("b")] = 5
clash[Clash("a")] = 6
print(clash, len(clash))
for k in list(clash):
    del clash[k]
print(clash, len(clash))
try:
    print({7: 1, Point(7): 2})
except AttributeError as e:
    print(e)


class Model:
    def __init__(self, w):
        self.w = w

    @functools.lru_cache(None)
    def f(self, x):
        return self.w * x


a, b = Model(2), Model(3)
print(a.f(10), b.f(10), a.f(10), Model.f.cache_info().hits)


@functools.cache
def apply(fn, n):
    return fn(n)


print(apply(lambda x: x + 1, 1), apply(lambda x: x * 10, 1))

t = (1, 2)
e = ()
s = slice(1, 2)
print(t is t, e is (), s is s, [t].index(t), t in [t], t is not (1, 2, 3))


def default(x=e):
    return x is e


print(default(), default(t))

# Many keys come and go.
d = {}
for i in range(100):
    d[i] = i
    if i % 3:
        del d[i - 1]
print(list(d)[:5], len(d), d.popitem(), next(iter(d)))
s = set(range(50))
while len(s) > 3:
    s.pop()
print(len(s))
unhashable = [], {}, set(), slice(1), bytearray(b"")
for x in unhashable[:3] + unhashable[4:]:
    try:
        {(1, x): 1}
    except TypeError as e:
        print(e)


class EqOnly:
    def __eq__(self, other):
        return True


try:
    {EqOnly(): 1}
except TypeError as e:
    print(e)
