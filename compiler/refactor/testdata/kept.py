import triton
import triton.language as tl
from helpers import load_rows


@triton.jit
def used(x_ptr, out_ptr, N, B: tl.constexpr, FLAG: tl.constexpr):
    a = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    load_rows(a)
    pair = (tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,)), 1)
    c = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    d = tl.load(c if FLAG else a)
    e = f = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    tl.store(e, tl.load(f))


@triton.jit
def mixed(x_ptr, N, B: tl.constexpr, FLAG: tl.constexpr):
    if FLAG:
        p = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    else:
        p = x_ptr + tl.arange(0, B)
    tl.store(p, tl.zeros((B,), tl.float32))


@triton.jit
def arguments(x_ptr, shape, N, B: tl.constexpr, CHECK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, shape, (1,), (0,), (B,), (0,))
    x = tl.load(p)
    q = tl.make_block_ptr(x_ptr, (N, N), (N, 1), (0, 0), (B, B), (1, 0))
    y = tl.load(q, boundary_check=(CHECK,))
    r = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    z = tl.load(r, mask=x < 1)
    s = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    u = tl.load(s, None, None, (0,))
    v = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    tl.store(v, z + u, boundary_check=(1,))


@triton.jit
def from_outside(p, B: tl.constexpr):
    p = tl.advance(p, (B,))
    return tl.load(p, boundary_check=(0,))


@triton.jit
def placed(x_ptr, N, B: tl.constexpr):
    i = 0
    while tl.sum(tl.load(tl.make_block_ptr(x_ptr, (N,), (1,), (i,), (B,), (0,)))) > 0:
        i += 1
    if i == 0:
        pass
    elif tl.sum(tl.load(tl.make_block_ptr(x_ptr, (N,), (1,), (i,), (B,), (0,)))) > 0:
        i += 2


@triton.jit
def ranks(x_ptr, N, B: tl.constexpr, FLAG: tl.constexpr):
    if FLAG:
        p = tl.make_block_ptr(x_ptr, (N,), (1,), (0,), (B,), (0,))
    else:
        p = tl.make_block_ptr(x_ptr, (N, N), (N, 1), (0, 0), (B, B), (1, 0))
    x = tl.load(p)
