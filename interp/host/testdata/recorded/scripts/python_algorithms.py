import bisect
import copy
import heapq
import string
import textwrap
from pprint import pprint


def sieve(n):
    is_prime = [True] * (n + 1)
    is_prime[:2] = [False, False]
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = [False] * len(is_prime[i * i::i])
    return [i for i, p in enumerate(is_prime) if p]


print(sieve(50))
heap = [5, 1, 4]
heapq.heapify(heap)
heapq.heappush(heap, 0)
print([heapq.heappop(heap) for _ in range(4)], heapq.nlargest(2, [3, 9, 4]), heapq.nsmallest(1, [3, 9]))
print(bisect.bisect_left([1, 3, 5], 3), bisect.bisect([1, 3, 5], 3))
a = [[1], [2]]
b, c = copy.copy(a), copy.deepcopy(a)
a[0].append(9)
print(b, c, string.ascii_lowercase[:5], string.digits)
print(textwrap.dedent("""
    indented
      more
"""), end="")
pprint({"a": list(range(5)), "b": {"c": 1}})
matrix = [[1, 2], [3, 4], [5, 6]]
print(list(zip(*matrix)), [sum(r) for r in matrix], [[r[i] for r in matrix] for i in range(2)])
memo = {}


def edit(a, b):
    if not a or not b:
        return len(a) + len(b)
    if (a, b) not in memo:
        memo[a, b] = min(edit(a[1:], b) + 1, edit(a, b[1:]) + 1, edit(a[1:], b[1:]) + (a[0] != b[0]))
    return memo[a, b]


print(edit("kitten", "sitting"))
table = [("name", "size", "ms"), ("add", 1024, 0.5), ("matmul", 4096, 12.25)]
for row in table:
    print(" | ".join(f"{str(c):>8}" for c in row))
print("-" * 30)
print("\n".join(f"{k:.<12}{v:.>8}" for k, v in {"alpha": "1", "beta": "22"}.items()))
print(sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1], reverse=True), sorted(["b", "A", "c"], key=str.lower), max({"x": 3, "y": 7}.items(), key=lambda p: p[1]))
print(hash(1) == hash(1.0), id(a) == id(a), type(3).__name__, type(type(3)), isinstance(True, int), [x for x in dir([]) if x.startswith("re")])
