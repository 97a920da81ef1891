import itertools as I
from itertools import *
def show(f, *a, **k):
    try:
        r = f(*a, **k)
        print(list(r)[:12])
    except Exception as e:
        print(type(e).__name__, e)
show(accumulate, [1,2,3]); show(accumulate, []); show(accumulate, [1,2], initial=5); show(accumulate, [], initial=5); show(accumulate, [1,2,3], lambda a,b:a*b); show(accumulate, 5)
show(compress, "abcdef", [1,0,1,0,1]); show(dropwhile, lambda x: x<3, [1,4,1]); show(takewhile, lambda x: x<3, [1,4,1]); show(filterfalse, None, [0,1,2]); show(filterfalse, lambda x:x%2, range(5))
show(lambda: [(k, list(g)) for k, g in groupby("aabbca")]); show(lambda: [k for k, g in groupby([1,2,2,3,11], key=lambda x: x//10)])
g = groupby("aabb"); k, a = next(g); k2, b = next(g); print(k, k2, list(a), list(b))
show(pairwise, [1,2,3]); show(pairwise, []); show(pairwise, [1]); show(starmap, pow, [(2,3),(3,2)])
a, b = tee([1,2,3]); print(next(a), list(b), list(a)); show(tee, [1], -1); print(len(tee([1], 0)))
show(zip_longest, [1,2], [3]); show(zip_longest, [1], [2,3], fillvalue=0); show(zip_longest)
show(product, [1,2], "ab"); show(product, repeat=2); show(product, [1], []); show(product, [0,1], repeat=3); show(product, [1], repeat=-1); show(product)
show(permutations, [1,2,3]); show(permutations, [1,2,3], 2); show(permutations, [1], 2); show(permutations, [], 0); show(combinations, range(4), 2); show(combinations, [1], 2); show(combinations_with_replacement, "AB", 3); show(combinations_with_replacement, "", 1); show(combinations, "ab", -1)
show(islice, range(10), 3); show(islice, range(10), 2, None, 3); show(islice, count(5), 2, 4)
print(isinstance(pairwise([]), pairwise), isinstance(chain([]), chain), isinstance(count(), count))
it = iter(range(10)); print(list(takewhile(lambda x: x < 3, it)), next(it))
def f(): 
    for i in count(): 
        if i == 3: raise ValueError("x")
        yield i
show(pairwise, f())
print(sum(1 for _ in combinations(range(12), 6)), sum(1 for _ in permutations(range(6))))

