from __future__ import annotations
import typing
from typing import NamedTuple, TypeVar, Generic, Protocol, Optional, Union, List, Dict, Tuple, Callable, Any, cast, TYPE_CHECKING, get_type_hints, Literal, overload
from collections.abc import Iterable, Sequence

T = TypeVar("T")

class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []

    def push(self, x: T) -> None:
        self.items.append(x)

class Shape(Protocol):
    def area(self) -> float: ...

class Rec(NamedTuple):
    "A record."
    a: int
    b: str = "x"

    def both(self):
        return f"{self.a}{self.b}"

r = Rec(1)
print(r, r.both(), r._fields, r == (1, "x"), Rec(2, b="y")._asdict(), r._replace(a=3))
s = Stack()
s.push(1)
print(s.items, cast(int, "x"), TYPE_CHECKING, Optional[int], List[int], Dict[str, List[int]], Callable[[int], str], T)
print(Union[int, None] is not None, Literal["a", 1], typing.Any, isinstance([1], Iterable), isinstance("a", Sequence))

def f(x: int, y: "List[int]" = None) -> Optional[str]:
    pass

print(f(1))
x: Union[int, str] = 5
print(x)
