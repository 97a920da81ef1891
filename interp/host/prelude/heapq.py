"What heapq does beside its heaps."


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    "Of equal items the one of the earlier iterable comes first."
    end, live = object(), []
    for iterable in iterables:
        it = iter(iterable)
        x = next(it, end)
        if x is not end:
            live.append([x if key is None else key(x), x, it])
    while live:
        best = live[0]
        for source in live[1:]:
            if best[0] < source[0] if reverse else source[0] < best[0]:
                best = source
        yield best[1]
        x = next(best[2], end)
        if x is end:
            live = [source for source in live if source is not best]
        else:
            best[:2] = x if key is None else key(x), x
