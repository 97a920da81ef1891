import contextlib
import functools


def trace(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        print(f"-> {fn.__name__}{args}{kwargs or ''}")
        result = fn(*args, **kwargs)
        print(f"<- {result!r}")
        return result
    return wrapper


def repeat(times):
    def decorate(fn):
        def inner(*a):
            return [fn(*a) for _ in range(times)]
        return inner
    return decorate


@trace
def add(a, b=2, *rest, c=0, **more):
    """Add."""
    return a + b + sum(rest) + c + sum(more.values())


@repeat(times=3)
def hi(name):
    return f"hi {name}"


add(1)
add(1, 5, 7, c=100, d=1000)
print(hi("x"), add.__name__, add.__doc__)


@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    except KeyError as e:
        print("handled", e)
    finally:
        print(f"</{name}>")


with tag("a") as t, tag("b"):
    print(t)
with tag("c"):
    {}["k"]
with contextlib.suppress(ZeroDivisionError):
    1 / 0
with contextlib.ExitStack() as stack:
    stack.enter_context(tag("x"))
    stack.callback(print, "callback")


class Resource:
    def __enter__(self):
        print("open")
        return self

    def __exit__(self, kind, value, tb):
        print("close", kind.__name__ if kind else None, value)
        return True


with Resource():
    raise RuntimeError("inside")


class register:
    known = []

    def __init__(self, fn):
        self.fn = fn
        self.known.append(fn.__name__)

    def __call__(self, *args):
        return self.fn(*args) * 2


@register
def five():
    return 5


print(five(), register.known)
counter = 0


def bump():
    global counter
    counter += 1
    total = 10

    def inner():
        nonlocal total
        total += counter
        return total
    return inner


f = bump()
print(f(), f(), counter, (lambda *a, k=1: (a, k))(1, 2, k=3))
try:
    add()
except TypeError as e:
    print(e)
try:
    (lambda x: x)(1, 2)
except TypeError as e:
    print(e)
try:
    hi()
except TypeError as e:
    print(e)
