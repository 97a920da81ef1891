# Generator expressions, yield from, exec and eval, comprehensions, patterns, exception groups and operators.
g = (x for x in [1, 2, 3])
print(next(g), list(g), list(g))
def self_iter():
    it = (next(it2) for _ in range(2))
    it2 = it
    try: print(list(it))
    except (ValueError, RuntimeError) as e: print(type(e).__name__, e)
self_iter()
def gg():
    yield from inner()
    return 7
def inner():
    x = yield 1
    print("x", x)
    return 5
def outer():
    r = yield from inner()
    print("r", r)
    s = yield from gg()
    print("s", s)
it = outer()
print(next(it), it.send("A"))
try: it.send("B")
except StopIteration: print("done")
exec("a = 1\nfor i in range(3): a += i\ndef ff(): return a\n")
print(a, ff(), eval("a + 1"), eval("[a + j for j in range(2)]"))
def loc():
    v = 5
    print(eval("v + a"), sorted(locals()))
    exec("v = 6")
    return v
print(loc())
ns = {"k": 2}
exec("m = k * 2\ndef fn(): return m + k", ns)
print(ns["m"], ns["fn"]())
def fglob():
    global newglobal
    newglobal = 4
    def newfun(): return newglobal
    return newfun
print(fglob()(), newglobal)
for i in range(2):
    def closure(i=i): return i
    print(closure())
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
print([[i * j for j in range(3)] for i in range(3)], {i: i * i for i in range(3)}, {i % 2 for i in range(5)})
print(sorted((a, b) for a in range(3) for b in range(a) if a + b))
x = [1, 2, 3]
x[0], x[1:], *rest = 9, [8, 7, 6], 5, 4
print(x, rest)
(a, b), *c = [(1, 2), 3, 4]
print(a, b, c)
match {"k": [1, 2, 3, 4], "z": 0}:
    case {"k": [f, *mid, l], **more} if f == 1: print(f, mid, l, more)
match (1, 2):
    case [a, b, c]: print("no")
    case (1 | 2 as q, y): print(q, y)
class P:
    __match_args__ = ("x", "y")
    def __init__(s, x, y): s.x, s.y = x, y
match P(1, 2):
    case P(1, y=z): print("P", z)
match "text":
    case str() as t: print(t)
i = 0
while i < 5:
    i += 1
    if i == 2: continue
    if i == 4: break
else: print("else")
print(i)
try:
    try: raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* ValueError as e: print(e.exceptions)
except ExceptionGroup as e: print(e.exceptions)
try:
    raise KeyError("a") from ValueError("b")
except KeyError as e: print(repr(e.__cause__), e.__suppress_context__)
def f(a, b): return a - b
print(f(b=1, a=2), f(*(5, 3)), (lambda *a, **k: (a, k))(1, *[2], x=3, **{"y": 4}))
class M(type):
    def __call__(cls, *a): print("meta", a); return super().__call__(*a)
class K(metaclass=M):
    def __init__(self, z): self.z = z
print(K(1).z)
class It:
    def __init__(s): s.n = 0
    def __iter__(s): return s
    def __next__(s):
        s.n += 1
        if s.n > 3: raise StopIteration
        return s.n
print(list(It()), sum(It()), max(It()), [*It()], (*It(),))
def gen():
    for _ in range(2):
        try: yield
        finally: print("cleanup")
for _ in gen(): break
print("x" if not [] else "y", 1 < 2 < 3, 1 < 3 < 2, not 1 == 2, 1 in [1], None is None)
import functools
@functools.lru_cache
def fibo(n): return n if n < 2 else fibo(n-1) + fibo(n-2)
print(fibo(80))
def deco(n):
    def d(f):
        @functools.wraps(f)
        def w(*a, **k): return (n, f(*a, **k))
        return w
    return d
@deco(1)
@deco(2)
def foo(x): "doc"; return x
print(foo(3), foo.__name__, foo.__doc__)
print(f"{foo(1)!r:>20}|{3.14159:.2f}|{'a':^5}|{x=}")
def bad():
    def g():
        raise StopIteration("x")
        yield
    next(g())
try: bad()
except RuntimeError as e: print(e, repr(e.__cause__))
a = b = []
a += [1]; print(b)
t = ([],)
try: t[0] += [1]
except TypeError as e: print(e, t)
big = 2**70
print(big + 1, big // 3, -7 // 2, -7 % 3, 7 & 3, 1 << 65, True + 1, 1.5 + 1, "a" * 3, [0] * 2, 10 ** -2)
print(5 .__add__(3), (1).__class__, hash(2**61), {1: "a", 1.0: "b", True: "c"})
