"The iterators of itertools that are not in Go."
from operator import add as _add, index as _index


@_iterator
def accumulate(iterable, func=None, *, initial=None):
    it, func = iter(iterable), func or _add
    yield
    for total in it if initial is None else [initial]:
        yield total
        break
    else:
        return
    for x in it:
        total = func(total, x)
        yield total


@_iterator
def batched(iterable, n):
    if _index(n) < 1:
        raise ValueError("n must be at least one")
    it = iter(iterable)
    yield
    while row := tuple(islice(it, n)):
        yield row


@_iterator
def compress(data, selectors):
    pairs = zip(data, selectors)
    yield
    for x, selected in pairs:
        if selected:
            yield x


@_iterator
def dropwhile(predicate, iterable):
    it = iter(iterable)
    yield
    for x in it:
        if not predicate(x):
            yield x
            break
    yield from it


@_iterator
def takewhile(predicate, iterable):
    it = iter(iterable)
    yield
    for x in it:
        if not predicate(x):
            return
        yield x


@_iterator
def filterfalse(function, iterable):
    it, function = iter(iterable), function or bool
    yield
    for x in it:
        if not function(x):
            yield x


@_iterator
def groupby(iterable, key=None):
    it = iter(iterable)
    yield
    end = current = object()
    x = k = current_key = end

    def advance():
        nonlocal x, k
        x = next(it, end)
        k = x if key is None or x is end else key(x)

    def items(group, group_key):  # which ends when the next group is asked for
        while group is current and x is not end and k == group_key:
            item = x
            advance()
            yield item

    advance()
    while x is not end:
        current, current_key = object(), k
        yield current_key, items(current, current_key)
        while x is not end and k == current_key:
            advance()


@_iterator
def pairwise(iterable):
    it = iter(iterable)
    yield
    last = next(it, None)
    for x in it:
        yield last, x
        last = x


@_iterator
def starmap(function, iterable):
    it = iter(iterable)
    yield
    for args in it:
        yield function(*args)


@_iterator
def _tee(it, drawn):
    yield
    i = 0
    while True:
        if i == len(drawn):
            for x in it:
                drawn.append(x)
                break
            else:
                return
        yield drawn[i]
        i += 1


def tee(iterable, n=2):
    if _index(n) < 0:
        raise ValueError("n must be >= 0")
    it, drawn = iter(iterable), []
    return tuple([_tee(it, drawn) for _ in range(n)])


@_iterator
def zip_longest(*iterables, fillvalue=None):
    its = [iter(iterable) for iterable in iterables]
    yield
    end = object()
    while True:
        row = [next(it, end) for it in its]
        if all(x is end for x in row):
            return
        yield tuple([fillvalue if x is end else x for x in row])


def _selections(pool, r, following):
    """Yields the tuples of r items in the lexicographic order of their places. The place after i is i + following or
    later; any other than those before where following is None."""
    if following != 0 and r > len(pool):
        return
    chosen, i = [], 0
    while True:
        while following is None and i in chosen:
            i += 1
        if len(chosen) == r:
            yield tuple([pool[k] for k in chosen])
        elif i < len(pool):
            chosen.append(i)
            i = 0 if following is None else i + following
            continue
        if not chosen:
            return
        i = chosen.pop() + 1


def _length(r):
    if _index(r) < 0:
        raise ValueError("r must be non-negative")
    return r


@_iterator
def permutations(iterable, r=None):
    pool = tuple(iterable)
    r = len(pool) if r is None else _length(r)
    yield
    yield from _selections(pool, r, None)


@_iterator
def combinations(iterable, r):
    pool, r = tuple(iterable), _length(r)
    yield
    yield from _selections(pool, r, 1)


@_iterator
def combinations_with_replacement(iterable, r):
    pool, r = tuple(iterable), _length(r)
    yield
    yield from _selections(pool, r, 0)
