import random

# Ints of sets come in the order of CPython's table.
print({3, 1, 2}, {100, 7, 64, 8, 0}, {33, 1, 65, 2, 32}, set(range(20, 0, -3)), frozenset([9, 1, 17, 8, 16]))
print({-1, -2, -3, 5}, {1.5, 2.5, 0.5, 8.0}, {True, 8, 3}, {10**20, 2**61, 5}, {(1, 2), (3, 4), (2, 1)})
a, b = {1, 9, 17, 25, 33}, {17, 1, 8, 40, 33, 50}
print(a & b, a | b, a - b, a ^ b, b - a, b & a, b ^ a, list(a), sorted(a))
c = set(a)
c.add(41)
c.discard(9)
c |= {2, 10}
print(c, c.pop(), c.pop(), c)
c -= {2, 33}
c ^= {5, 25, 6}
print(c, c.copy(), set(c), set({8: 1, 0: 2, 16: 3}), {x * 7 % 31 for x in range(12)})
for i in {3, 8, 1, 0}:
    print(i, end=" ")
print([x for x in a], tuple(b), max(b), sum(b))
r = random.Random(5)
for n in (5, 12, 40, 200):
    s = {r.randrange(1000) for _ in range(n)}
    t = {r.randrange(-500, 500) for _ in range(n)}
    for _ in range(n):
        x = r.randrange(-600, 1000)
        if x % 3:
            s.add(x)
        else:
            s.discard(x)
            t.add(x)
    print(list(s), list(t & s), list(t - s), list(s ^ t), list(s | t))
    s.intersection_update(t)
    t.difference_update(range(0, 300))
    s.symmetric_difference_update([1, 2, 3, 900])
    print(list(s), list(t), [s.pop() for _ in range(2)], s.union([77, 5], (3,)), s.difference([3], {77}), s.intersection([3, 900]))
s = set(range(100))
for i in range(95):
    s.remove(i)
s.add(1000)
print(s, set(s))
