from enum import Enum, IntEnum, Flag, auto, unique

class Color(Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1

    @property
    def nice(self):
        return self.name.lower()

    @classmethod
    def first(cls):
        return cls.RED

print(Color.RED, repr(Color.RED), Color.RED.name, Color.GREEN.value, Color(1), Color["GREEN"], Color.CRIMSON is Color.RED)
print(list(Color), len(Color), Color.RED in Color, Color.RED.nice, Color.first(), Color.RED == Color.RED, Color.RED == 1)
print({Color.RED: "r"}[Color.RED], isinstance(Color.RED, Color), Color, type(Color.RED), f"{Color.RED}", [c.name for c in Color])
try:
    Color(7)
except ValueError as e:
    print(e)

class Mode(IntEnum):
    A = auto()
    B = auto()
    C = 10
    D = auto()

print(Mode.B, repr(Mode.B), Mode.B + 1, Mode.B == 2, Mode.A < Mode.B, list(range(Mode.B)), Mode.D.value, int(Mode.C), [0, 1, 2][Mode.A])
print(f"{Mode.A}", "%d" % Mode.B, {2: "two"}[Mode.B], isinstance(Mode.A, int), max(Mode), sorted([Mode.C, Mode.A]))

class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()

p = Perm.R | Perm.W
print(p, repr(p), Perm.R in p, Perm.X in p, p & Perm.R, bool(p & Perm.X), p.value, ~Perm.R, list(p))

class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

print(Planet.EARTH.mass, Planet.EARTH.value, Planet.EARTH)

class Kind(str, Enum):
    A = "a"
    B = "b"

print(Kind.A == "a", Kind.A.value, Kind("b"), Kind.A.upper(), Kind.A in ("a",), Kind.B)
try:
    @unique
    class U(Enum):
        X = 1
        Y = 1
except ValueError as e:
    print(e)
