def countdown(n):
    while n > 0:
        received = yield n
        if received:
            print("got", received)
        n -= 1
    return "done"


def outer():
    result = yield from countdown(2)
    print("inner returned", result)
    yield 99


g = countdown(3)
print(next(g), g.send("hello"), list(g))
print(list(outer()), sum(x * x for x in range(5)), next(iter([]), "empty"))
try:
    next(countdown(0))
except StopIteration as e:
    print("stop", e.value)


def cleanup():
    try:
        yield 1
        yield 2
    finally:
        print("closed")


c = cleanup()
print(next(c))
c.close()


def catching():
    while True:
        try:
            yield "waiting"
        except ValueError as e:
            print("caught", e)


h = catching()
next(h)
print(h.throw(ValueError("oops")))


class Countable:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if isinstance(i, slice):
            return list(range(self.n))[i]
        return i * 10

    def __contains__(self, v):
        return 0 <= v < self.n


c = Countable(4)
print(list(c), len(c), c[2], c[1:3], 3 in c, 9 in c, [*c], max(c), bool(Countable(0)))
for i in range(3):
    for j in range(3):
        if j == 2:
            break
        if i == 1:
            continue
        print(i, j, end=" ")
else:
    print("| loop ended")
while True:
    break
else:
    print("never")
print(list(enumerate(zip("ab", reversed([1, 2])))), (n for n in [1]).__class__.__name__)
