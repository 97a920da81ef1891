import functools
import itertools as it
import operator

print(list(it.product("ab", [1, 2])), list(it.permutations(range(3), 2)), list(it.combinations("abc", 2)))
print(list(it.chain([1], (2, 3), "x")), list(it.chain.from_iterable([[1], [2]])), list(it.islice(it.count(10, 5), 3)))
print(list(it.accumulate([1, 2, 3, 4], operator.mul)), list(it.zip_longest("ab", [1], fillvalue="-")), list(it.repeat(7, 2)))
print([(k, list(g)) for k, g in it.groupby("aabbbc")], list(it.takewhile(lambda x: x < 3, range(9))), list(it.dropwhile(lambda x: x < 3, range(5))))
print(list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.pairwise([1, 2, 3])), list(it.compress("abc", [1, 0, 1])), list(it.islice(it.cycle("ab"), 5)), list(it.batched("abcde", 2)))
print(functools.reduce(operator.add, [1, 2, 3], 10), functools.partial(int, base=2)("101"), list(it.filterfalse(str.isdigit, "a1b2")))


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(80), fib.cache_info())


@functools.wraps(fib)
def wrapper(*args):
    return fib(*args)


print(wrapper.__name__, wrapper(10), operator.itemgetter(1)([5, 6]), operator.attrgetter("real")(3), sorted([(2, "a"), (1, "b")], key=operator.itemgetter(0)))


@functools.cache
def slow(x):
    print("computing", x)
    return x * x


print(slow(4), slow(4))


@functools.singledispatch
def kind(x):
    return "object"


@kind.register
def _(x: int):
    return "int"


print(kind(3), kind("s"), functools.cmp_to_key(lambda a, b: b - a)(3) < functools.cmp_to_key(lambda a, b: b - a)(1))


@functools.total_ordering
class V:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __lt__(self, o):
        return self.v < o.v


print(V(1) <= V(2), V(3) > V(2), max([V(1), V(5)]).v)
