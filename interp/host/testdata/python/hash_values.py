# Hashes of numbers, tuples and frozensets are numbers that CPython documents or computes the same way everywhere.
for v in [0, 1, -1, -2, 2**61 - 1, 2**61, -(2**61), 10**30, -(10**30), True, 0.0, -0.0, 0.5, -0.5, 1.5, 3.0, 1e300,
          5e-324, -2.75, 2.0**61, 1e16, float("inf"), float("-inf"), 2 + 3j, 1j, -1 - 0.5j]:
    print(repr(v), hash(v))
for t in [(), (1,), (1, 2), (2, 1), (1, (2, (3, 4))), (0.5, -1, 2**70), tuple(range(100))]:
    print(t, hash(t))
for s in [frozenset(), frozenset([1]), frozenset([1, 2, 3]), frozenset([(1, 2), 0.25]), frozenset(range(50))]:
    print(sorted(s, key=str), hash(s))
print(hash(range(3)) == hash(range(0, 3, 1)), hash("a") == hash("a"))

class Point:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        return isinstance(other, Point) and self.x == other.x
    def __hash__(self):
        return hash((self.x,))

print(hash(Point(3)) == hash((3,)), len({Point(1), Point(1), Point(2)}), Point(1) in {Point(1): 0})
print(len({(Point(1), 2), (Point(1), 2), (Point(1), 2.0)}), (Point(1),) in {(Point(1),)})

# Objects without an __eq__ are keys by identity, also within tuples and frozensets.
class Plain:
    pass

a, b = Plain(), Plain()
print(len({(a, 1), (b, 1), (a, 1)}), len({frozenset([a]), frozenset([b]), frozenset([a])}))
x, y = [], []
print(id(x) == id(x), id(x) == id(y), id(a) == id(b))

class Huge:
    def __hash__(self):
        return 2**64 + 1

print(hash(Huge()))

class Wrong:
    def __hash__(self):
        return "text"

try:
    hash(Wrong())
except TypeError as e:
    print(e)

# Many removals and insertions keep the order and find every key.
d = {}
for i in range(5000):
    d[i * 1024] = i
    if i % 3:
        del d[i * 1024]
    if i % 7 == 0:
        d.pop(next(iter(d)))
print(len(d), list(d)[:3], list(d)[-3:], sum(d.values()), all(k in d for k in d))

class Collide:
    def __init__(self, name):
        self.name = name
    def __hash__(self):
        return 1
    def __eq__(self, other):
        return self.name == other.name

d = {Collide(str(i % 40)): i for i in range(100)}
print(len(d), list(d.values())[:4], d[Collide("7")])
for i in range(0, 40, 2):
    del d[Collide(str(i))]
print(len(d), Collide("8") in d, Collide("9") in d, [k.name for k in d][:5])
