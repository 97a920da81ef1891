# isinstance and issubclass with the names of collections.abc and typing.
import collections
import collections.abc
import typing


class Own:
    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __contains__(self, x):
        return False


class Numbers(list):
    pass


def generator():
    yield


values = [[1], (1,), "a", b"x", bytearray(b"x"), {1}, frozenset({1}), {1: 2}, range(3), iter([1]), generator(), len, 3,
          None, Own(), Own, Numbers(), collections.OrderedDict(), collections.defaultdict(int), collections.Counter()]
names = """Iterable Iterator Generator Callable Mapping MutableMapping Sequence MutableSequence Hashable Sized Container
    Collection Reversible""".split()
for v in values:
    rows = [[int(isinstance(v, getattr(m, n))) for n in names] for m in (collections.abc, typing)]
    print(type(v).__name__, *rows[0], rows[0] == rows[1])
    print(*[int(isinstance(v, c)) for c in (collections.abc.Set, collections.abc.MutableSet, typing.AbstractSet,
                                            typing.Set, typing.FrozenSet, typing.List, typing.Dict, typing.Tuple)])
for c in (list, tuple, str, dict, set, range, int, Numbers, Own):
    print(c.__name__, [int(issubclass(c, getattr(collections.abc, n))) for n in
                       "Iterable Mapping Sequence MutableSequence Sized Container Collection".split()],
          issubclass(c, typing.Sequence))
print(isinstance(3, typing.Union[int, str]), isinstance(None, typing.Optional[int]), isinstance("a", typing.Optional[int]))
print(typing.Sequence[int].__origin__ is collections.abc.Sequence, typing.Sequence[int], typing.Callable)
for t in (typing.List[int], typing.Sequence[int], typing.Any):
    try:
        print(isinstance([], t))
    except TypeError as e:
        print(e)
