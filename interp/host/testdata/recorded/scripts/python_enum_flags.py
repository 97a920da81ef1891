import enum
import time
import warnings
from enum import Enum, Flag, StrEnum, auto, unique
from types import SimpleNamespace


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()

    @classmethod
    def parse(cls, s):
        return cls[s.upper()]


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()


class Kind(StrEnum):
    FAST = auto()
    SLOW = "slow!"


print(Color.RED, repr(Color.RED), Color.CRIMSON is Color.RED, list(Color), Color.parse("green").pretty, len(Color), Color.RED.value)
print(Perm.R | Perm.W, Perm.R in (Perm.R | Perm.X), Perm(0), Perm(7), Kind.FAST, Kind.SLOW == "slow!", f"{Kind.FAST}", f"{Color.RED}")
print({Color.RED: "r"}[Color(1)], Color.RED == 1, [c.name for c in Color], "RED" in Color.__members__, isinstance(Color.RED, Color), hash(Color.RED) == hash(Color.RED))
try:
    Color["BLUE"]
except KeyError as e:
    print("KeyError", e)
try:
    Color(9)
except ValueError as e:
    print(e)
try:
    Color.RED = 3
except AttributeError as e:
    print(e)
ns = SimpleNamespace(a=1, b="x")
ns.c = [1]
print(ns, ns == SimpleNamespace(a=1, b="x", c=[1]))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful", UserWarning)
    print(len(caught), caught[0].category.__name__, caught[0].message)
start = time.perf_counter()
time.sleep(0.001)
print(time.perf_counter() > start, time.time() > 1e9, isinstance(time.monotonic(), float), time.strftime("%Y", time.gmtime(0)))
