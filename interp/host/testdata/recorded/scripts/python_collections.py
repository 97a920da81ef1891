from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

c = Counter("mississippi")
print(c, c.most_common(2), c["z"], sum(c.values()), c + Counter("mm"), c - Counter("sss"), list(c.elements())[:3])
d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(d, dict(d), d["new"], len(d), sorted(d.items()))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
print(q, q.popleft(), q.pop(), list(q), q.rotate(1), q)
P = namedtuple("P", ["x", "y"], defaults=[0])
p = P(1)
print(p, p.x, p._replace(y=5), p._asdict(), P._fields, tuple(p), p == (1, 0), P(*[7, 8]))
o = OrderedDict(a=1, b=2)
o.move_to_end("a")
print(o, list(o), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"])
m = {"x": 1, "y": 2}
m.update(z=3, x=10)
print(m, m.pop("y"), m.get("q", "none"), m.setdefault("w", []), {**m, "v": 1}, m | {"x": 0}, list(m.items()))
print({k: v for k, v in zip("abc", range(3)) if v}, {i % 3 for i in range(10)}, [*range(3), *"ab"], {1, 2} & {2, 3}, {1} ^ {2}, {1, 2} - {1})
a, *rest, z = range(6)
print(a, rest, z, [i for row in [[1, 2], [3]] for i in row], [[0] * 2 for _ in range(2)])
l = [3, 1, 2]
l.sort(key=lambda v: -v)
l.insert(1, 9)
l.extend([7, 7])
print(l, l.index(9), l.count(7), l.pop(), sorted(l), l[::-1], l.remove(7), l, l[1:3], l * 2, [1] + [2])
del l[0]
l[1:1] = [5, 6]
print(l, sum(l), min(l), max(l), any(v > 8 for v in l), all(l), list(map(str, l)), list(filter(lambda v: v % 2, l)), list(zip(l, "ab")))
try:
    {}["missing"]
except KeyError as e:
    print(repr(e), e)
try:
    [].pop()
except IndexError as e:
    print(e)
try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
