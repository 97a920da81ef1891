# Of what a text does not tell, nothing is judged: arguments that are only handed on, pointers in memory, functions of
# other modules and of decorators.
import triton
import triton.language as tl
from other import core


# What a function that is only handed on is called with.
@triton.jit
def compact(Vals, offs, n):
    return tl.load(Vals + offs, mask=offs < n), offs


@triton.jit
def generic(Out, fn, args, N, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    vals, at = fn(*args, offs, N)
    tl.store(Out + at, vals, mask=offs < N)


@triton.jit
def by_tuple(Out, Sizes, N, BLOCK: tl.constexpr):
    generic(Out, compact, (Sizes,), N, BLOCK)


# A pointer that another one points at.
@triton.jit
def flags(pointers, rank):
    remote = tl.load(pointers + rank).to(tl.pointer_type(tl.int32))
    local = tl.cast(tl.load(pointers), tl.pointer_type(tl.int32))
    tl.store(remote + rank, tl.load(local + rank))


# A name of a function, a value that may be a float, a shift.
@triton.jit
def constants(x, FN: tl.constexpr, MAX: tl.constexpr, BITS: tl.constexpr):
    v = getattr(tl, FN)(tl.load(x))
    tl.store(x, v - tl.log2(MAX) + ((1 << (7 - BITS)) - 1))


# What Python or another module computes.
@triton.constexpr_function
def newer(major):
    return core.capability() >= major


@core.extern
def lane(_semantic=None):
    return tl.inline_asm_elementwise("", "=r", [], tl.int32, True, 1, _semantic=_semantic)


@triton.jit
def decorated(x):
    ASM: tl.constexpr = "a" if newer(9) else "b"
    tl.store(x, lane())
