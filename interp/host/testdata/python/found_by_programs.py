# What programs of people met that were run beside CPython.
import abc
import collections
import functools
import importlib.util
import inspect
import itertools
import operator
import sys
import types
import typing
import unicodedata
import uuid


def roundrobin(*iterables):
    iterators = map(iter, iterables)
    for active in range(len(iterables), 0, -1):
        iterators = itertools.cycle(itertools.islice(iterators, active))
        yield from map(next, iterators)


# A StopIteration of what an iterator calls ends it.
print(list(roundrobin("ABC", "D", "EF")), list(map(next, itertools.repeat(iter([1, 2, 3])))))
print(list(filter(lambda x: next(iter([])) if x > 2 else True, [1, 2, 3, 4])))

# What follows the first argument of a method of bytes is a place.
print(bytearray((0, 1) * 5).index(1, 3, 9), b"abab".find(97, 1, 4), b"abab".count(98, 2))
data = bytearray(range(8))
data[1:8:3] = b"abc"
print(data)
try:
    data[::2] = b"x"
except ValueError as e:
    print(e)

try:
    unknown_name
except NameError as e:
    print(e, e.name)
try:
    del other_name
except NameError as e:
    print(e, e.name)


def early():
    print(late)
    late = 1


try:
    early()
except UnboundLocalError as e:
    print(e.name if sys.version_info >= (3, 13) else "late")

counts = collections.defaultdict(int, a=1)
counts.default_factory = None
try:
    counts["b"]
except KeyError as e:
    print(repr(e), counts)

# A lambda may be a generator.
g = (lambda a: (yield a))(3)
print(type(g).__name__, next(g))


def decorated(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner


class Tool:
    @decorated
    @decorated
    def use(self, x, /, y=2, *, z):
        pass


print(inspect.signature(Tool.use), inspect.signature(Tool().use), inspect.signature(Tool.use, follow_wrapped=False))
print((lambda a, *args, k=1, **kw: 0).__code__.co_varnames)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    @property
    @abc.abstractmethod
    def name(self): ...


print(Shape.__abstractmethods__ == frozenset({"area", "name"}))
Shape.area, Shape.name = 1, 2
print(abc.update_abstractmethods(Shape).__abstractmethods__, type(Shape()).__name__)


@typing.runtime_checkable
class Sized(typing.Protocol):
    def __len__(self) -> int: ...


class Named(typing.Protocol):
    name: str


@typing.runtime_checkable
class NamedAndSized(Named, Sized, typing.Protocol):
    pass


class Both(list):
    name = "both"


print(isinstance([], Sized), isinstance(5, Sized), isinstance([], NamedAndSized), isinstance(Both(), NamedAndSized))
try:
    isinstance(Both(), Named)
except TypeError as e:
    print(e)


class Options(typing.TypedDict, total=False):
    a: int


class Pair(typing.Generic[typing.TypeVar("T")]):
    def __class_getitem__(cls, params):
        print("of", params.__name__)
        return super().__class_getitem__(params)


print(Options(a=1), Pair[int]() is not None, typing.List[int].__class__ is typing._GenericAlias)

print(vars(operator)["add"](1, 2), "sqrt" in vars(__import__("math")), operator.__dict__["neg"](3))
try:
    vars(1)
except TypeError as e:
    print(e)


class Finder:
    def find_spec(self, name, path, target=None):
        if name.startswith("made_up"):
            return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.found = module.__name__


sys.meta_path.append(Finder())
import made_up.inner  # noqa: E402
from made_up.inner.most import found  # noqa: E402

print(made_up.found, made_up.inner.found, found, "made_up.inner" in sys.modules, isinstance(made_up, types.ModuleType))
print(importlib.util.find_spec("made_up_too").name, importlib.util.find_spec("none_such"))
try:
    import none_such
except ModuleNotFoundError as e:
    print(e)

print(unicodedata.normalize("NFKC", "plain"), unicodedata.normalize("NFC", "né"), unicodedata.category("a"),
      unicodedata.category("1"), unicodedata.category(" "), unicodedata.category("€"))
u = uuid.UUID("{12345678-1234-5678-1234-567812345678}")
print(u, repr(u), u.hex, u.int, u.urn, u.bytes, u.fields, u.version, u.variant, u.time_low, u.node, u.time, u.clock_seq)
print(uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"), uuid.uuid5(
    uuid.NAMESPACE_DNS, "python.org").version, uuid.UUID(bytes_le=u.bytes_le) == u, uuid.UUID(fields=u.fields) == u)
print(uuid.uuid4().version, len({uuid.uuid4() for _ in range(9)}), u < uuid.UUID(int=2 ** 127), hash(u) == hash(u.int))
for wrong in ({"hex": "12"}, {}, {"int": -1}, {"bytes": b"1"}, {"fields": (1, 2)}, {"int": 1, "version": 9}):
    try:
        uuid.UUID(**wrong)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
try:
    u.int = 3
except TypeError as e:
    print(e)
