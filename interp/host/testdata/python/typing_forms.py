# The forms of typing and types: how they print, compare and answer isinstance.
import typing, collections, collections.abc, types
from typing import *
def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
T = TypeVar("T"); K = TypeVar("K", bound=int); P = ParamSpec("P")
for t in [Optional[int], Union[int, str], Union[int, None, str], Union[int], List[T], List[T][int], Dict[str, List[int]],
          Callable[[int], str], Callable[..., int], Callable[[], None], Tuple[int, ...], Tuple[()], Type[int], Literal["a", 1], Any, NoReturn, ClassVar[int], Final[int], T, K, P,
          list[int], dict[str, list[int]], tuple[int, ...], list["T"], type[int], collections.deque[int], collections.OrderedDict[int, str], collections.abc.Sequence[int],
          collections.abc.Callable[[int], str] if 0 else 1, int | None, int | str | None, list[int] | None, None | int, int | int, Optional[Union[int, str]], Optional["X"], List["X"], Union[int, List[str]],
          Annotated[int, "x", 3], Mapping[str, int], Iterable[T], Generator[int, None, str], List, Dict, Callable, Sequence, DefaultDict[str, int], Counter[str], Deque[int], Type, list[T][int],
          Dict[T, K][str, int], Callable[[T], T][int], int | List[int], List[int] | None, Text, Hashable, SupportsInt, IO, Protocol, Generic, AnyStr, Set[int], FrozenSet[int], AbstractSet[int], TypeGuard[int], Concatenate[int, P], Awaitable[int], Pattern[str], Match]:
    print(t)
for f in [lambda: isinstance(1, Union[int, str]), lambda: isinstance([], List), lambda: isinstance([], List[int]), lambda: isinstance([], list[int]),
          lambda: isinstance(1, int | str), lambda: isinstance(None, int | None), lambda: isinstance(None, Optional[int]), lambda: isinstance(1, Any), lambda: issubclass(int, int | str), lambda: issubclass(int, Union[int, str]),
          lambda: int[3], lambda: List[int](), lambda: List(), lambda: list[int]([1]), lambda: dict[str, int](a=1), lambda: Optional(), lambda: Optional[int](), lambda: Any(),
          lambda: list[int] == list[int], lambda: List[int] == List[int], lambda: Union[int, str] == Union[str, int], lambda: (int | str) == Union[int, str], lambda: hash(list[int]) == hash(list[int]),
          lambda: {List[int]: 1}[List[int]], lambda: get_origin(List[int]), lambda: get_args(Dict[str, int]), lambda: get_args(Callable[[int, str], float]), lambda: get_origin(Union[int, str]), lambda: get_origin(int | str), lambda: get_args(int | str),
          lambda: get_origin(Optional[int]), lambda: get_args(Optional[int]), lambda: get_origin(Annotated[int, 3]), lambda: get_args(Annotated[int, 3]), lambda: get_origin(list[int]), lambda: get_args(list[int]), lambda: get_origin(int), lambda: get_args(int),
          lambda: get_args(Literal[1, "a"]), lambda: get_origin(Literal[1]), lambda: get_origin(Generic[T]), lambda: get_args(Tuple[int, ...]), lambda: get_args(ClassVar[int]), lambda: get_origin(ClassVar[int]), lambda: type(list[int]), lambda: type(int | str), lambda: list[int].__origin__, lambda: list[int].__args__, lambda: (int | str).__args__,
          lambda: List[T].__parameters__, lambda: 3 | int, lambda: int | 3, lambda: List[int][str], lambda: isinstance(list[int], types.GenericAlias), lambda: cast(int, "x"), lambda: assert_never(3),
          lambda: T.__name__, lambda: K.__bound__, lambda: Literal[1, 1], lambda: Union[()]]:
    show(f)

class Stack(Generic[T]):
    def __init__(self): self.items = []
print(Stack[int], Stack[int]().items, Stack.__mro__, Stack[int].__origin__)
class Sub(Stack[int]): pass
print(Sub.__mro__, Sub().items, Stack[T][str])
show(lambda: isinstance(Sub(), Stack)); show(lambda: isinstance(Sub(), Stack[int]))
class A: pass
show(lambda: A[int])
class L(list[int]): pass
print(L([1, 2]), L.__mro__)
class M(Dict[str, int]): pass
print(M(a=1))
@runtime_checkable
class HasLen(Protocol):
    def __len__(self) -> int: ...
class Named(Protocol):
    name: str
print(isinstance([], HasLen), isinstance(3, HasLen), issubclass(list, HasLen))
show(lambda: isinstance(3, Named)); show(lambda: Named())
class Impl(Named):
    name = "x"
print(Impl().name, isinstance(3, SupportsInt), isinstance("", SupportsInt), isinstance(3.0, SupportsFloat), isinstance(3, SupportsIndex))
class R(NamedTuple):
    "Doc."
    a: int
    b: str = "x"
    def f(self): return self.a + 1
    @property
    def g(self): return self.b * 2
print(R(1), R(1).f(), R(2, b="q").g, R._fields, R._field_defaults, R.__doc__, R.__annotations__, R(1)._replace(a=3), R._make([1, 2]), isinstance(R(1), tuple))
show(lambda: R()); 
N = NamedTuple("N", [("x", int), ("y", int)])
print(N(1, y=2), N.__name__)
class TD(TypedDict, total=False):
    a: Required[int]
    b: str
print(TD(a=1), type(TD(a=1)), TD.__annotations__, TD.__total__, TD.__required_keys__, TD.__optional_keys__)
show(lambda: isinstance({}, TD))
TD2 = TypedDict("TD2", {"a": int})
print(TD2(a=3))
UserId = NewType("UserId", int)
print(UserId(3), UserId, UserId.__supertype__, UserId.__name__)
def f(a: int, b: "List[int]" = None, *c: str, d: Optional["A"] = None) -> "A": pass
print(get_type_hints(f))
class C:
    x: int
    y: "str" = ""
class D(C):
    z: Annotated[int, 5]
print(get_type_hints(D), get_type_hints(D, include_extras=True))
@overload
def g(x: int) -> int: ...
def g(x): return x
print(g(3), final(A), TYPE_CHECKING, is_typeddict(TD))
print(ForwardRef("x"), Union["A", int], typing.List.__name__ if 0 else "")

class Documented(C):
    "What it is."
print(Documented.__doc__, D.__doc__, Documented().__doc__, R.__doc__)
