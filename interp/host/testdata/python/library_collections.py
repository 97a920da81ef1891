from collections import namedtuple, OrderedDict, defaultdict, Counter, deque, ChainMap
import copy

Point = namedtuple("Point", "x y", defaults=[5])
p = Point(1)
print(p, p.x, p[1], p._replace(x=9), p._asdict(), Point._fields, Point._make([3, 4]), p == (1, 5), len(p), {p: 1})
x, y = p
print(x, y, isinstance(p, tuple), isinstance(p, Point), type(p).__name__, Point(y=1, x=2), p + (1,), p < Point(2))
for f in (lambda: Point(), lambda: Point(1, 2, 3), lambda: namedtuple("A", "a a"), lambda: p.z):
    try:
        f()
    except (TypeError, ValueError, AttributeError) as e:
        print(type(e).__name__)

class Vec(namedtuple("Vec", ["a", "b"])):
    def norm(self):
        return self.a * self.a + self.b * self.b

print(Vec(3, 4), Vec(3, 4).norm())

d = defaultdict(list)
d["a"].append(1)
d["b"]
print(d, d["a"], len(d), dict(d), isinstance(d, dict), d.get("z"), "z" in d, d.default_factory)
n = defaultdict(lambda: defaultdict(int))
n["x"]["y"] += 2
print(n["x"]["y"], sorted(n))

c = Counter("abracadabra")
print(c, c.most_common(2), c["z"], c.total(), sorted(c.elements())[:3])
c.update("zz")
c.subtract({"a": 1})
print(c + Counter("ab"), c - Counter("aaaa"), c & Counter("ab"), Counter(a=1) | Counter(a=3))

o = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
o.move_to_end("a")
print(list(o), o.popitem(), o.popitem(last=False), len(o), list(OrderedDict(z=1).items()))

q = deque([1, 2, 3], maxlen=4)
q.append(4)
q.append(5)
q.appendleft(0)
print(q, q[0], q[-1], len(q), list(q), q.pop(), q.popleft(), q)
q.rotate(1)
q.extend([7, 8])
print(q, deque("ab"), 7 in q, q.maxlen, deque([1]) == deque([1]), list(reversed(q)), q.index(7))
try:
    deque().pop()
except IndexError as e:
    print(e)

m = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(m["a"], m["b"], sorted(m), m.get("z", 0), len(m), m)

a = [1, [2, 3], {"k": [4]}]
b, e = copy.copy(a), copy.deepcopy(a)
a[1].append(9)
a[2]["k"].append(8)
print(b, e, copy.copy(q) == q, copy.deepcopy(d))
