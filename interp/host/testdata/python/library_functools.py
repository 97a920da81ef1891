import functools, operator, bisect, heapq, itertools, string
from functools import lru_cache, partial, reduce, wraps, cached_property, total_ordering, singledispatch

p = partial(sorted, reverse=True)
print(p([1, 3, 2]), p.func, p.args, p.keywords)
add = partial(operator.add, 3)
print(add(4), partial(add)(1), add.args)
print(reduce(lambda a, b: a * b, [1, 2, 3, 4], 10))

calls = []

@lru_cache(maxsize=2)
def square(x):
    "The square."
    calls.append(x)
    return x * x

print(square(2), square(3), square(2), square(4), square(3), calls)
print(square.cache_info(), square.__name__, square.__doc__, square.__wrapped__(5))
square.cache_clear()
print(square.cache_info().misses)

@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(60))

class Box:
    def __init__(self, n):
        self.n = n

    @cached_property
    def slow(self):
        print("computing")
        return self.n * 2

b = Box(4)
print(b.slow, b.slow)

@total_ordering
class Version:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

print(Version(1) <= Version(1), Version(2) > Version(1), Version(1) >= Version(2))

@singledispatch
def show(x):
    return "any"

@show.register(int)
def _(x):
    return "int"

@show.register
def _(x: str):
    return "str"

print(show(1), show("a"), show([]), show(True))
print(sorted(["bb", "a", "ccc"], key=functools.cmp_to_key(lambda a, b: len(b) - len(a))))

print(operator.itemgetter(1)([5, 6]), operator.itemgetter(0, 2)("abc"), operator.attrgetter("n")(b))
print(operator.mul(3, 4), operator.methodcaller("upper")("x"), operator.not_(0), operator.contains([1], 1))

x = [1, 3, 3, 5]
print(bisect.bisect(x, 3), bisect.bisect_left(x, 3), bisect.bisect_right(x, 4))
bisect.insort(x, 4)
print(x)
h = [5, 2, 8, 1, 9, 3]
heapq.heapify(h)
print(h)
heapq.heappush(h, 0)
print(h, heapq.heappop(h), h, heapq.heapreplace(h, 7), h, heapq.heappushpop(h, 0))
print(heapq.nsmallest(2, h), heapq.nlargest(2, h), list(heapq.merge([1, 4], [2, 3])))

i = itertools
print(list(i.islice(i.count(10, 5), 3)), list(i.islice(i.cycle("ab"), 5)), list(i.repeat(7, 2)))
print(list(i.accumulate([1, 2, 3])), list(i.accumulate([1, 2, 3], operator.mul, initial=10)))
print(list(i.chain([1], (2, 3))), list(i.chain.from_iterable(["ab", "c"])), list(i.compress("abcd", [1, 0, 1])))
print(list(i.dropwhile(lambda x: x < 3, [1, 3, 1])), list(i.takewhile(lambda x: x < 3, [1, 3, 1])))
print(list(i.filterfalse(lambda x: x % 2, range(5))), list(i.starmap(pow, [(2, 3), (3, 2)])))
print(list(i.pairwise([1, 2, 3])), list(i.zip_longest([1, 2], "a", fillvalue="-")))
print(list(i.product("ab", [1, 2])), list(i.product([0, 1], repeat=2)), list(i.product()))
print(list(i.permutations([1, 2, 3], 2)), list(i.permutations("ab")), list(i.permutations([1], 2)))
print(list(i.combinations("abcd", 2)), list(i.combinations_with_replacement("ab", 2)), list(i.combinations([1], 0)))
print([(k, list(g)) for k, g in i.groupby("aabbbc")], list(i.islice(range(10), 2, 8, 3)))
a, b2 = i.tee([1, 2, 3])
print(next(a), list(b2), list(a))
print(string.ascii_lowercase, string.digits, string.capwords("hello world"), string.Template("$a ${b} $$").substitute(a=1, b="x"))
