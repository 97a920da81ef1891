from dataclasses import asdict, astuple, dataclass, field, fields, replace


@dataclass
class Point:
    x: float
    y: float = 0.0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


@dataclass(frozen=True, order=True)
class Config:
    block_m: int = 64
    block_n: int = 64
    name: str = field(default="default", compare=False)
    tags: list = field(default_factory=list, repr=False, compare=False)

    @property
    def area(self):
        return self.block_m * self.block_n

    def __post_init__(self):
        if self.block_m <= 0:
            raise ValueError(f"block_m must be positive, not {self.block_m}")


print(Point(1, 2) + Point(x=3), Point(1) == Point(1, 0.0), Point(1) != Point(2))
c = Config(128, name="big")
print(c, c.area, asdict(c), astuple(Point(1, 2)))
print(replace(c, block_n=32), Config(1) < Config(2), sorted([Config(3), Config(1, 5), Config(1, 2)])[0])
print([f.name for f in fields(Config)], hash(Config(1)) == hash(Config(1)))
try:
    c.block_m = 3
except Exception as e:
    print(type(e).__name__, e)
try:
    Config(0)
except ValueError as e:
    print(e)
try:
    Point()
except TypeError as e:
    print(e)
a, b = Config(), Config()
a.tags.append(1)
print(a.tags, b.tags)


@dataclass
class Derived(Point):
    z: int = 5


print(Derived(1, 2), Derived.__name__, isinstance(Derived(1), Point))
