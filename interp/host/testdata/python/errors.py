def attempt(f):
    try:
        return f()
    except (ZeroDivisionError, KeyError) as e:
        return f"first {type(e).__name__}: {e}"
    except Exception as e:
        return f"{type(e).__name__}: {e}"

print(attempt(lambda: 1 / 0))
print(attempt(lambda: 1 // 0))
print(attempt(lambda: 1 % 0))
print(attempt(lambda: {"a": 1}["b"]))
print(attempt(lambda: [1][5]))
print(attempt(lambda: (1,)[5]))
print(attempt(lambda: "a" + 1))
print(attempt(lambda: 1 + "a"))
print(attempt(lambda: [] + ()))
print(attempt(lambda: int("x")))
print(attempt(lambda: float("x")))
print(attempt(lambda: None.foo))
print(attempt(lambda: (1).foo))
print(attempt(lambda: len(3)))
print(attempt(lambda: 3()))
print(attempt(lambda: [1] < ["a"]))
print(attempt(lambda: {[]: 1}))
print(attempt(lambda: [].pop()))
print(attempt(lambda: "abc".index("z")))
print(attempt(lambda: range(1, 2, 0)))
print(attempt(lambda: iter(3)))
print(attempt(lambda: -"a"))
print(attempt(lambda: (lambda a: a)()))
print(attempt(lambda: (lambda a: a)(1, 2)))
print(attempt(lambda: (lambda a: a)(b=1)))
print(attempt(lambda: (lambda a: a)(1, a=1)))

def unpack(v):
    a, b = v
print(attempt(lambda: unpack([1])))
print(attempt(lambda: unpack([1, 2, 3])))
print(attempt(lambda: unpack(3)))

class Mine(ValueError):
    pass

class Rich(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code

try:
    raise Mine("hello")
except ValueError as e:
    print(type(e).__name__, e, repr(e), e.args, isinstance(e, Mine))
try:
    raise Rich(7)
except Rich as e:
    print(e, e.code)
try:
    raise KeyError
except LookupError as e:
    print(repr(e))

def order():
    try:
        print("body")
        return "returned"
    finally:
        print("finally")
print(order())

def nested():
    try:
        try:
            raise ValueError("inner")
        finally:
            print("cleanup")
    except ValueError as e:
        print("caught", e)
        try:
            raise
        except ValueError as again:
            print("again", again)
    else:
        print("no")
nested()
for i in range(3):
    try:
        if i == 1:
            continue
        if i == 2:
            break
    finally:
        print("f", i)
try:
    assert 1 == 2, "message"
except AssertionError as e:
    print("assert", e)
def deep(n): return deep(n + 1)
try:
    deep(0)
except RecursionError as e:
    print("recursion")
class Manager:
    def __init__(self, swallow): self.swallow = swallow
    def __enter__(self):
        print("enter")
        return self
    def __exit__(self, kind, value, trace):
        print("exit", kind.__name__ if kind else None, value)
        return self.swallow
with Manager(True) as m:
    raise ValueError("gone")
with Manager(False), Manager(False) as k:
    print("inside", k.swallow)
def local():
    try:
        print(later)
    except UnboundLocalError as e:
        print(type(e).__name__)
    later = 1
local()
