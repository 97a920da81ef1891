# Generators: what is sent and thrown into them, how they end, and lazy generator expressions.
def running():
    total = 0
    try:
        while True:
            x = yield total
            total += x or 0
    except ValueError as e:
        print("caught", e)
        yield "after"
    finally:
        print("cleanup", total)


g = running()
print(next(g), g.send(3), g.send(4), g.throw(ValueError("v")))
print(next(g, "end"))
h = running()
print(next(h))
h.close()
h.close()
print(next(h, "closed"))


def inner():
    got = yield 1
    print("got", got)
    return "result"


def outer():
    r = yield from inner()
    print("r", r)
    yield from [10, 20]
    return 7


o = outer()
print(next(o), o.send("s"), next(o))
try:
    next(o)
except StopIteration as e:
    print("value", e.value)


def wrong():
    yield 1
    raise StopIteration


try:
    list(wrong())
except RuntimeError as e:
    print(e, repr(e.__cause__))


def noisy(n):
    for i in range(n):
        print("make", i)
        yield i


lazy = (x * 2 for x in noisy(3) if x != 1)
print(type(lazy).__name__)
print(next(lazy))
print(list(lazy), list(lazy))
print(any(x > 0 for x in noisy(5)))


def count():
    n = 0
    while True:
        yield n
        n += 1


print([x for x, _ in zip(count(), range(3))], sum(x for x in range(4) for _ in range(x)))


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


s = stubborn()
next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)
fresh = running()
try:
    fresh.send(1)
except TypeError as e:
    print(e)


class Tree:
    def __init__(self, v, *kids):
        self.v, self.kids = v, kids

    def __iter__(self):
        yield self.v
        for k in self.kids:
            yield from k


print(list(Tree(1, Tree(2, Tree(3)), Tree(4))))


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


d = Down(3)
print(next(d), list(d), next(d, None))
