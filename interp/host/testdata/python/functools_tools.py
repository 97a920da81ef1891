import functools
from functools import *
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
p = partial(pow, 2); print(p(3), p.func, p.args, p.keywords, partial(p, 5)(), partial(int, base=2)("101"), repr(partial(p, 1, x=2)).startswith("functools.partial(<built-in function pow>, 2, 1, x=2)"))
t(lambda: partial(5)); t(lambda: partial())
t(lambda: reduce(lambda a, b: a + b, [])); print(reduce(lambda a, b: a * b, [1, 2, 3]), reduce(lambda a, b: a + b, [], 4))
@lru_cache(maxsize=2)
def f(x, y=0): "doc"; print("call", x, y); return x
print(f(1), f(1), f(2), f(3), f(1), f.cache_info(), f.__name__, f.__doc__, f.__wrapped__(9), f.cache_parameters()); f.cache_clear(); print(f.cache_info())
@lru_cache(typed=True)
def g(x): return type(x).__name__
print(g(1), g(1.0), g(True), g.cache_info())
@cache
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(80))
class C:
    @lru_cache
    def m(self, x): print("m"); return x
    @cached_property
    def cp(self): print("cp"); return 5
    def full(self, a, b): return (a, b)
    half = partialmethod(full, 1)
    @singledispatchmethod
    def sd(self, x): return "any"
    @sd.register
    def _(self, x: int): return "int"
c = C(); print(c.m(1), c.m(1), c.cp, c.cp, c.half(2), c.sd("x"), c.sd(3), C.__dict__["cp"].attrname); del c.cp; print(c.cp)
@total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n if isinstance(o, V) else NotImplemented
print(V(1) <= V(1), V(2) > V(1), V(1) >= V(2), V(1) > V(1), V(1).__gt__(5)); t(lambda: V(1) <= 5)
@total_ordering
class W:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __ge__(self, o): return self.n >= o.n
print(W(1) <= W(1), W(2) > W(1), W(1) < W(2), W(1) > W(1))
t(lambda: total_ordering(type("E", (), {})))
@singledispatch
def s(x): return "obj"
@s.register(int)
def _(x): return "int"
@s.register
def _(x: list | tuple): return "seq"
@s.register(bool)
def _(x): return "bool"
print(s(1), s(True), s([]), s(()), s("a"), s.dispatch(int)(1), s.__name__); t(lambda: s()); t(lambda: s.register(lambda x: 1)) if 0 else None
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
def deco(fn):
    @wraps(fn)
    def inner(*a): "inner"; return fn(*a)
    return inner
@deco
def named(a): "named doc"; return a
named.z = 1
print(named.__name__, named.__doc__, named.__wrapped__.__name__, named(3), named.__qualname__, deco(named).z, WRAPPER_ASSIGNMENTS[1])
