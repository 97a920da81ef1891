from enum import Enum, IntEnum, auto

import torch
import triton
import triton.language as tl


class Mode(IntEnum):
    ADD = 0
    MUL = 1
    MAX = 2


class Reduction(Enum):
    NONE = "none"
    SUM = auto()


@triton.jit
def binary(x_ptr, y_ptr, o_ptr, MODE: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    if MODE == 0:
        o = x + y
    elif MODE == 1:
        o = x * y
    else:
        o = tl.maximum(x, y)
    tl.store(o_ptr + i, o)


x = torch.tensor([1, -2, 3, -4], device="cuda")
y = torch.tensor([5, 6, -7, -8], device="cuda")
for mode in Mode:
    out = torch.empty_like(x)
    binary[(1,)](x, y, out, int(mode), 4)
    print(f"{mode.name:<4} {mode.value} {out.tolist()}")
print(list(Mode), Mode(1), Mode["MAX"], repr(Reduction.NONE), Reduction.SUM)
print(Mode.ADD < Mode.MUL, isinstance(Mode.MUL, int), Reduction("none") is Reduction.NONE)
try:
    Mode(7)
except ValueError as e:
    print(e)
