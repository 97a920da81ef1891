import enum, copy
from enum import *
class Color(Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1
    def hi(self): return "hi " + self.name
    @classmethod
    def first(cls): return cls.RED
    def __lt__(self, o): return str(self) < str(o)
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(Color, list(Color), len(Color), Color.CRIMSON, Color("g"), Color["RED"], Color.RED.hi(), Color.first(), Color.RED in Color, type(Color), Color.__members__)
t(lambda: Color(9)); t(lambda: setattr(Color, "RED", 3)); t(lambda: Color["X"]); print(copy.copy(Color.RED) is Color.RED, copy.deepcopy([Color.RED])[0] is Color.RED, hash(Color.RED) == hash("RED"), list(reversed(Color)), bool(Color))
class Mode(IntEnum):
    A = auto(); B = auto(); C = 10; D = auto()
print(Mode.B, repr(Mode.B), Mode.B + 1, Mode.D, f"{Mode.C:>5}", [1,2,3][Mode.A], Mode(10), {2: "x"}[Mode.B], Mode.A < Mode.B, isinstance(Mode.A, int), Mode.A.__class__, max(Mode), Mode.A.bit_length(), Mode.A.value, int(Mode.C))
class S(StrEnum):
    ONE = auto(); TWO = "two!"
print(S.ONE, repr(S.ONE), S.ONE == "one", S.TWO.upper(), f"{S.TWO}", S("one"), "".join(S))
class K(str, Enum):
    A = "a"
print(K.A, repr(K.A), K.A == "a", K.A.upper(), f"{K.A}", "x" + K.A, {"a": 1}[K.A], K("a") is K.A)
class P(Flag):
    R = auto(); W = auto(); X = auto(); RW = 3; NONE = 0
print(P.R | P.X, repr(P.R|P.X), list(P), P.RW, P(0), repr(P(0)), ~P.R, P.R in P.RW, list(P.RW), len(P.RW), bool(P(0)), P.R & P.W, P.R ^ P.RW, P(5).value, P(5) == P.R | P.X, (P.R|P.X).name, P(5) is P(5))
t(lambda: P(8)); t(lambda: P.R | 1); t(lambda: P("x"))
class I(IntFlag):
    A = 1; B = 2; C = 4
print(I.A | I.B, repr(I.A | 8), repr(I(0)), repr(~I.A), I.A | 4, I.A + 1, f"{I.A}", list(I(6)), repr(I(16)), I.A == 1, I(3) & 1, 4 | I.A)
class Planet(Enum):
    E = (1, 2); M = (3, 4)
    def __init__(self, a, b): self.a, self.b = a, b
    @property
    def s(self): return self.a + self.b
print(Planet.E.s, Planet.E.value, Planet((3, 4)), Planet.M.a)
class Coord(bytes, Enum):
    def __new__(cls, value, label):
        obj = bytes.__new__(cls, [value]); obj._value_ = value; obj.label = label; return obj
    PX = (0, "P.X"); PY = (1, "P.Y")
print(Coord.PY.label, Coord.PY.value, Coord(1), Coord.PX)
Animal = Enum("Animal", "ANT BEE CAT"); print(list(Animal), Animal.BEE.value, Enum("N", {"x": 5, "y": 6}).y, Enum("Q", [("a", 1), ("b", 2)]).b, IntEnum("Z", "u v").v + 1, Flag("FF", "a b c").c.value)
def dup():
    @unique
    class U(Enum): X = 1; Y = 1
t(dup)
def sub():
    class V(Color): pass
t(sub)
class Base(Enum):
    def m(self): return 5
class D(Base): A = 1
print(D.A.m(), D.A.name)
class G(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last): return name * 2
    A = auto()
class Miss(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return cls.A if v == "any" else None
print(G.A.value, Miss("any")); t(lambda: Miss(4))
match Color.RED:
    case Color.GREEN: print("g")
    case Color.RED: print("r")
class W(Enum):
    A = 1
    _private = 3
    __slots_x = 4
print(W.A, W._private, hasattr(W, "Inner"), isinstance(W.A, W), issubclass(W, Enum), W.__name__, Color.RED == 1, Color.RED != Color.GREEN, sorted([Color.RED, Color.GREEN])[0])
print(enum.EnumMeta is EnumType)
