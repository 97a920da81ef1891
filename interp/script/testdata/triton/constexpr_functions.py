# Functions under triton.constexpr_function: Python runs them while a kernel is compiled.
import torch
import triton
import triton.language as tl

NAMES = {16: "small", 64: "big"}
FACTOR = tl.constexpr(2)
plain = 3
x = torch.zeros(1, device='cuda')


@triton.constexpr_function
def pick(n):
    return {16: 1, 64: 2}.get(n, 7)


@triton.constexpr_function
def attempt(n):
    try:
        return 10 // n
    except ZeroDivisionError:
        return -1


@triton.constexpr_function
def name_length(n):
    return len(NAMES[n])


@triton.constexpr_function
def ordered(*ns, reverse=False):
    return tuple(sorted({*ns}, reverse=reverse))


@triton.constexpr_function
def doubled(n):
    class Box:
        def __init__(self, v):
            self.v = v

        @property
        def twice(self):
            return self.v * 2
    return Box(n).twice


@triton.constexpr_function
def width(t):
    widths = {tl.float32: 32, tl.int8: 8}
    return widths[t]


@triton.constexpr_function
def wide(t):
    return t.primitive_bitwidth > 8


@triton.constexpr_function
def outside():
    return plain * FACTOR.value


@triton.constexpr_function
def fails(n):
    raise ValueError(f"bad {n}")


@triton.constexpr_function
def table(n):
    return {n: n}


@triton.jit
def k(p, B: tl.constexpr, W: tl.constexpr):
    if W == 0:
        tl.store(p, pick(B) + pick(5))
    elif W == 1:
        tl.store(p, attempt(0) + attempt(B - 15))
    elif W == 2:
        tl.store(p, name_length(n=B))
    elif W == 3:
        a: tl.constexpr = ordered(3, B, 3, reverse=True)
        tl.store(p, a[0] * 100 + len(a))
    elif W == 4:
        tl.store(p, tl.sum(tl.arange(0, doubled(B))))
    elif W == 5:
        tl.store(p, width(p.dtype.element_ty) + wide((p + 1).dtype.element_ty))
    elif W == 6:
        tl.store(p, wide(tl.load(p + tl.arange(0, 1)).dtype))
    elif W == 7:
        tl.store(p, outside())
    elif W == 8:
        tl.store(p, fails(B))
    elif W == 9:
        tl.store(p, table(B))
    elif W == 10:
        tl.store(p, pick(tl.program_id(0)))


def launch(which):
    try:
        k[(1,)](x, 16, which)
        print(which, x.item())
    except Exception as e:
        print(which, type(e).__name__, e)


for which in range(11):
    launch(which)
plain = 4
launch(7)
FACTOR = tl.constexpr(3)
launch(7)
print(pick(64), ordered(1, 2, reverse=True))
