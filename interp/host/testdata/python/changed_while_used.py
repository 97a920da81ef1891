# Containers that change while something walks them, and other traps.
import bisect
import functools
import heapq
import itertools
import json


class E:
    def __init__(self, l):
        self.l = l

    def __eq__(self, other):
        if len(self.l) > 1:
            self.l.pop()
        return False

    def __lt__(self, other):
        if self.l:
            self.l.pop()
        return False

    def __repr__(self):
        self.l.clear()
        return "E"


def try_it(name, f):
    l, m = [], list(range(10))
    l.extend(E(l) for _ in range(10))
    try:
        print(name, f(l, m))
    except Exception as e:
        print(name, type(e).__name__, e)


try_it("max", lambda l, m: max(m, key=lambda x: m.pop()))
try_it("max pops", lambda l, m: max(m, key=lambda x: (m.pop(), x)[1]))
try_it("min", lambda l, m: min(l))
try_it("min of several", lambda l, m: min(3, 1, 2, key=lambda x: -x))
try_it("min of none", lambda l, m: (min([], default=5), min((), default=None)))
try_it("index", lambda l, m: l.index(3))
try_it("equal", lambda l, m: l == list(l))
try_it("count", lambda l, m: l.count(3))
try_it("in", lambda l, m: 3 in l)
try_it("repr", lambda l, m: repr(l))
try_it("format", lambda l, m: f"{l}")
try_it("sorted", lambda l, m: len(sorted(l)))
try_it("sort", lambda l, m: (m.sort(key=lambda x: m.append(1) or x), m))
try_it("sort clears", lambda l, m: (m.sort(key=lambda x: m.clear() or x), m))
try_it("reversed", lambda l, m: [(a, m.pop(0), m.pop(0)) for a in reversed(m)])
try_it("reversed grows", lambda l, m: [(a, m.append(a)) for a in itertools.islice(reversed(m), 3)])
try_it("map", lambda l, m: list(map(lambda x: m.pop(), m)))
try_it("reduce", lambda l, m: functools.reduce(lambda a, b: (m.pop(), a + b)[1], m))
try_it("zip", lambda l, m: [(a, b, m.pop()) for a, b in zip(m, m)])
try_it("unpack", lambda l, m: [*m, m.pop(), *m])
try_it("star", lambda l, m: (lambda *a: (m.clear(), a))(*m))
try_it("slice of itself", lambda l, m: (m.__setitem__(slice(2, 4), m), m))
try_it("extend itself", lambda l, m: (m.extend(m), m))
try_it("heapify", lambda l, m: heapq.heapify(l))
try_it("heappop", lambda l, m: heapq.heappop(l))
try_it("heappush", lambda l, m: heapq.heappush(l, 1))
try_it("bisect", lambda l, m: bisect.bisect(m, 3, key=lambda x: m.clear() or x))
try_it("json", lambda l, m: json.dumps(m))
try_it("dict shrinks", lambda l, m: [d.pop(k) for d in [dict.fromkeys(m)] for k in d])
try_it("dict grows", lambda l, m: [d.__setitem__(k + 100, 1) for d in [dict.fromkeys(m)] for k in d])
try_it("items", lambda l, m: [d.pop(k) for d in [dict.fromkeys(m)] for k, v in d.items()])
try_it("set grows", lambda l, m: [s.add(k + 100) for s in [set(m)] for k in s])
try_it("set shrinks", lambda l, m: [s.discard(k) for s in [set(m)] for k in s])

try_it("strict", lambda l, m: list(zip([1], [1, 2], strict=True)))
try_it("strict", lambda l, m: list(zip([1, 2], [1], strict=True)))
try_it("strict", lambda l, m: list(zip([1], [1], [1, 2], strict=True)))
try_it("strict", lambda l, m: list(zip([1, 2], [1, 2], [1], strict=True)))
try_it("strict", lambda l, m: list(zip([1, 2], "ab", strict=True)))
i = iter([1, 2])
print(list(zip([1], i)), list(i))

try_it("del", lambda l, m: delattr(str, "join"))
try_it("del", lambda l, m: delattr(int, "nope"))
try_it("del", lambda l, m: delattr(ValueError, "args"))
try_it("set", lambda l, m: setattr(dict, "x", 1))
print(",".join("ab"))

l = [1]
l.append(l)
d = {"l": l}
d["d"] = d
print(l, d)
deep = []
for _ in range(100000):
    deep = [deep]
for f in (repr, str, lambda v: v == [v], json.dumps):
    try:
        f(deep)
    except RecursionError as e:
        print("RecursionError")
