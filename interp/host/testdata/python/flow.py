def fib(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a

print([fib(k) for k in range(12)], fib(200))
for i in range(10):
    if i == 3:
        continue
    if i == 6:
        break
    print(i, end=" ")
else:
    print("never")
print()
for i in range(2):
    pass
else:
    print("else", i)
n = 5
while n:
    n -= 1
    if n == 2:
        break
else:
    print("no")
print(n)
x = 3 if n > 1 else 4
print(x, 1 < n < 3, 1 < n > 5, not n, n and 0 or "z")
print((lambda a, b=2, *c, d, **e: (a, b, c, d, e))(1, d=4, f=5), (lambda: 7)())

def outer():
    count = 0
    def bump(by=1):
        nonlocal count
        count += by
        return count
    bump()
    bump(5)
    return count, bump

print(outer()[0])
total = 0
def add(n):
    global total
    total += n
add(3); add(4)
print(total)
if (m := len("abc")) > 2:
    print("walrus", m)
print([y := 5, y ** 2], [j for i in range(4) if i % 2 for j in (i, -i)])
a, *b, c = range(6)
print(a, b, c)
(p, q), r = (1, 2), [3]
print(p, q, r)
d = {"a": 1, **{"b": 2}}
print(d, [*range(3), *"ab"], {*[1, 1, 2]})
def star(*args, **kwargs): return args, kwargs
print(star(*[1, 2], 3, k=4, **{"z": 5}))
def posonly(a, /, b, *, c=3): return a, b, c
print(posonly(1, 2), posonly(1, b=5, c=6))
fs = [lambda: i for i in range(3)]
print([f() for f in fs], [f() for f in [lambda i=i: i for i in range(3)]])
assert n == 2, "fine"
del x
try:
    print(x)
except NameError as e:
    print(type(e).__name__, e)
def gen(n):
    for i in range(n):
        got = yield i * i
    yield from "ab"
print(list(gen(4)), sum(gen2 for gen2 in [1, 2]), next(gen(1)))
g = gen(2)
print(next(g), next(g), next(g), next(g), next(g, "end"))
def endless():
    k = 0
    while True:
        yield k
        k += 1
for v in endless():
    if v > 3: break
print(v)
def threshold(pid, rule):
    op, bound = rule[0], int(rule[1:])
    return eval(f"{pid} {op} {bound}"), eval("pid + bound"), eval("[v * 2 for v in range(pid)]")
print(threshold(3, ">2"), eval("1 + 1"), eval("total"))
try:
    eval("1 +")
except SyntaxError:
    print("syntax")
try:
    1 // 0
except ZeroDivisionError as caught:
    print(caught)
print("caught" in globals())
