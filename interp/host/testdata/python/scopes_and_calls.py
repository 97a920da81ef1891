# Generators, with and finally, scopes, arguments, attributes and recursion.
import sys
def show(f, *a):
    try:
        print(f.__name__, f(*a))
    except BaseException as e:
        print(f.__name__, type(e).__name__, e)

def gen_try():
    def g():
        try:
            x = yield 1
            print("got", x)
            yield 2
        except ValueError as e:
            print("caught", e)
            yield 3
        finally:
            print("finally")
    it = g(); print(next(it)); print(it.send("a")); print(it.throw(ValueError("v")))
    try: next(it)
    except StopIteration as s: print("stop", s.value)
    it = g(); next(it); it.close()
show(gen_try)

def gen_deep():
    def leaf(n):
        if n == 0: raise KeyError("deep")
        return leaf(n - 1)
    def g():
        for i in range(3):
            try:
                yield i
                leaf(i)
            except KeyError as e:
                print("inner", e)
        leaf(2)
    out = []
    try:
        for v in g():
            out.append(v)
    except KeyError as e:
        import traceback
        print(out, [f.name for f in traceback.extract_tb(e.__traceback__)])
show(gen_deep)

def with_yield():
    class M:
        def __init__(s, n): s.n = n
        def __enter__(s): print("enter", s.n); return s
        def __exit__(s, *a): print("exit", s.n, a[0] and a[0].__name__); return s.n == 1
    def g():
        with M(0), M(1) as m:
            yield m.n
            raise RuntimeError("x")
        yield "after"
    print(list(g()))
    for i in range(3):
        with M(2):
            if i == 1: break
    else: print("no")
    def r():
        with M(3): return 5
    print(r())
show(with_yield)

def finally_flow():
    def a():
        for i in range(3):
            try:
                if i == 1: return "ret"
            finally:
                if i == 1: continue
        return "end"
    def b():
        while True:
            try: 1/0
            finally: break
        return "b"
    def c():
        try: return 1
        finally: return 2
    def d():
        try:
            try: raise ValueError("first")
            finally: raise KeyError("second")
        except KeyError as e:
            return repr(e.__context__)
    return a(), b(), c(), d()
show(finally_flow)

def scopes():
    x = 1
    def f():
        nonlocal x
        x += 1
        def g():
            nonlocal x
            x *= 10
            return lambda: x
        return g
    h = f()()
    y = [x + i for i in range(3) if (z := i) >= 0]
    class C:
        a = 5
        b = [a for _ in range(2)] if False else a
        c = [i for i in range(a)]
        def m(self): return x
        x = "class x"
        d = x
    del C.c
    return h(), x, y, z, C.b, C().m(), C.d
show(scopes)

def unbound():
    try: print(q)
    except UnboundLocalError as e: print(e)
    if False: q = 1
    def inner():
        return w
    try: inner()
    except NameError as e: print(type(e).__name__, e)
    w = 3
    print(inner())
    del w
    try: inner()
    except NameError as e: print(e)
    try: del w
    except UnboundLocalError as e: print(e)
    try:
        raise ValueError(1)
    except ValueError as err: pass
    try: err
    except UnboundLocalError as e: print(e)
show(unbound)

def args():
    def f(a, b=2, *c, d, e=5, **g): return a, b, c, d, e, g
    def p(a, /, b, *, c): return a, b, c
    def n(): return "n"
    print(f(1, d=4), f(1, 3, 4, 5, d=1, z=2), f(*[1], **{"d": 3, "b": 9}))
    for t in [lambda: f(1), lambda: f(), lambda: f(1, 2, a=3, d=1), lambda: p(1, 2),
              lambda: p(a=1, b=2, c=3), lambda: n(1),
              lambda: p(1, 2, 3, c=4), lambda: (lambda x: x)(), lambda: (lambda x: x)(1, 2),
              lambda: (lambda x, y: x)(1)]:
        try: print(t())
        except TypeError as e: print(str(e).replace("args.<locals>.", ""))
show(args)

class Base:
    def __init__(self, v): self.v = v
    def who(self): return "base", self.v
    @classmethod
    def make(cls, v): return cls(v)
    @staticmethod
    def st(a, b=1): return a + b
    @property
    def p(self): return self.v * 2
    @p.setter
    def p(self, x): self.v = x
class Child(Base):
    def who(self): return ("child",) + super().who()
    def __getattr__(self, n): return "ga " + n
    def __call__(self, *a, k=1): return a, k
c = Child.make(3)
print(c.who(), c.p, c.st(4), Child.st(1, b=5), c.zz, c(1, 2, k=3), Child.who(c))
c.p = 10; c.p += 1
print(c.v, c.p)
c.who = lambda: "own"
print(c.who())
del c.who
print(c.who())
Base.who = lambda self: ("patched",)
print(c.who())
class S:
    __slots__ = ("a",)
s = S(); s.a = 1; s.a += 1
try: s.b = 1
except AttributeError as e: print(e)
class D:
    def __set__(self, o, v): o.__dict__["_d"] = v * 2
    def __get__(self, o, t): return o.__dict__.get("_d") if o else self
class U:
    d = D()
    def __setattr__(self, n, v):
        print("set", n); object.__setattr__(self, n, v)
u = U(); u.d = 3; u.x = 1; u.x += 1
print(u.d, u.x)

def rec(n): return 1 + rec(n + 1)
try: rec(0)
except RecursionError as e: print("rec", e)
class R:
    def m(self, n): return self.m(n + 1)
try: R().m(0)
except RecursionError as e: print("rec", e)
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(900))
