from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, KW_ONLY, InitVar, FrozenInstanceError
from typing import ClassVar, Optional, List

@dataclass
class Config:
    name: str
    block: int = 128
    tags: List[str] = field(default_factory=list)
    hidden: int = field(default=3, repr=False, compare=False)
    total: int = field(init=False)
    count: ClassVar[int] = 0

    def __post_init__(self):
        self.total = self.block * 2

c = Config("a")
print(c, c.tags, c.hidden, Config("a") == c, Config("b", 64, tags=["x"]), Config.block, Config.count)
print(asdict(c), astuple(c), replace(c, name="z", block=2), [f.name for f in fields(c)], is_dataclass(Config))
print(fields(Config)[1].default, fields(c)[0].type, Config.__match_args__)
for f in (lambda: Config(), lambda: Config("a", 1, [], 2, 3), lambda: Config("a", bad=1)):
    try:
        f()
    except TypeError as e:
        print(e)

@dataclass(frozen=True, order=True)
class Key:
    a: int
    b: str = "x"

k = Key(1)
print(k < Key(2), sorted([Key(2), Key(1, "z"), k]), {k: "v"}[Key(1)], len({Key(1), Key(1), Key(3)}), hash(k) == hash(Key(1)))
try:
    k.a = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)

@dataclass
class Base:
    x: int
    y: int = 0

@dataclass
class Derived(Base):
    z: int = 7
    y: int = 1

    def area(self):
        return self.x * self.y

print(Derived(3), Derived(1, 2, 3).area(), isinstance(Derived(1), Base))

@dataclass
class Mixed:
    a: int
    _: KW_ONLY
    b: int = 2
    c: Optional[int] = None

print(Mixed(1, b=5), asdict(Mixed(1)))
try:
    Mixed(1, 2)
except TypeError as e:
    print(e)

@dataclass
class Init:
    v: int
    scale: InitVar[int] = 2
    out: int = 0

    def __post_init__(self, scale):
        self.out = self.v * scale

print(Init(4), Init(4, 10))

@dataclass
class Tree:
    value: int
    children: list = field(default_factory=list)

print(asdict(Tree(1, [Tree(2), Tree(3)])))
try:
    @dataclass
    class Bad:
        x: list = []
except ValueError as e:
    print(e)
try:
    @dataclass
    class Order:
        x: int = 1
        y: int
except TypeError as e:
    print(e)
try:
    {Config("a"): 1}
except TypeError as e:
    print(e)
