from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, Generic, List, Literal, NamedTuple, Optional, Protocol, Tuple, TypeVar, Union

T = TypeVar("T")
Shape = Tuple[int, ...]


class Launch(NamedTuple):
    kernel: str
    grid: Tuple[int, int, int] = (1, 1, 1)
    warps: int = 4

    def total(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]


class Base(ABC):
    @abstractmethod
    def run(self) -> int:
        ...


class Impl(Base):
    def run(self) -> int:
        return 7


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []

    def push(self, item: T) -> Stack[T]:
        self.items.append(item)
        return self


def f(a: int, b: Optional[str] = None, *args: float, mode: Literal["x", "y"] = "x", **kw: Any) -> Union[int, str]:
    return a


launch = Launch("add", (2, 3, 1))
print(launch, launch.total(), launch._replace(warps=8), Launch._fields, launch[0])
try:
    Base()
except TypeError as e:
    print(e)
print(Impl().run(), Stack[int]().push(1).push(2).items)
signature = inspect.signature(f)
print(signature)
for name, p in signature.parameters.items():
    print(name, p.kind.name, p.default if p.default is not inspect.Parameter.empty else "-", p.annotation)
print(list(inspect.signature(lambda x, y=1: x).parameters), signature.return_annotation, f.__annotations__["a"])
bound = signature.bind(1, "s", 2.0, mode="y")
bound.apply_defaults()
print(bound.arguments, inspect.isfunction(f), inspect.isclass(Launch))
print(callable(f), f.__defaults__, f.__kwdefaults__, f.__name__, f.__qualname__, Stack.push.__qualname__)
