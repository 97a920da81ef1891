# Tuples and named tuples as arguments of kernels, as values in them and as results of their functions.
from collections import namedtuple
from typing import NamedTuple

import torch
import triton
import triton.language as tl


class View(NamedTuple):
    ptr: any
    shape: tuple
    strides: tuple = (1,)


class Op(NamedTuple):
    fn: tl.constexpr
    captured: tuple


Pair = namedtuple("Pair", "low high", defaults=[9])


@triton.jit
def moved(view, by):
    return View(view.ptr + by, view.shape, strides=view.strides)


@triton.jit
def mask(view, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    return (i[:, None] < view.shape[0]) & (i[None, :] < view.shape[1])


@triton.jit
def addresses(view, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    return view.ptr + i[:, None] * view.strides[0] + i[None, :] * view.strides[1]


@triton.jit
def apply(op, x, y, BLOCK: tl.constexpr):
    v = tl.load(addresses(x, BLOCK), mask=mask(x, BLOCK), other=0)
    tl.store(addresses(y, BLOCK), op.fn(v, *op.captured), mask=mask(y, BLOCK))


@triton.jit
def scaled(x, a):
    return x * tl.load(a)


def view(t):
    return View(t, t.shape, t.stride())


x, y, a = torch.arange(16.0).reshape(4, 4), torch.zeros(2, 4), torch.tensor([3.0])
apply[(1,)](Op(scaled, (a,)), view(x), view(y), 4)
print(y.tolist())
apply[(1,)](Op(scaled, (a,)), view(x.T), view(y), 4)
print(y.tolist())


@triton.jit
def nested(out, t, n, pair):
    tl.static_assert(t[1][1] is None and t[1][3] == 4 and len(t[1]) == 4)
    tl.static_assert(isinstance(pair, Pair) and not isinstance(t, Pair))
    tl.store(out + 0, tl.load(t[0]))
    tl.store(out + 1, t[1][0])
    tl.store(out + 2, tl.load(t[1][2]))
    tl.store(out + 3, n + pair.high)
    a, (b, _, c, d) = t
    tl.store(out + 4, tl.load(c) + d + b)
    w = moved(View(out, (1,)), 5)
    tl.store(w.ptr, w.strides[0] + Pair(high=2, low=1).low + Pair(0).high)


x0, x1, out = torch.tensor([8]), torch.tensor([12]), torch.zeros(6, dtype=torch.int64)
k = nested[(1,)](out, (x0, (1, None, x1, tl.constexpr(4))), 20, Pair(3, 4))
print(out.tolist())
nested[(1,)](out, (x0, (5, None, x1, tl.constexpr(4))), 7, Pair(3, high=1 << 40))
print(out.tolist())


@triton.jit
def carried(out, n):
    p = Pair(n, 1)
    for i in range(3):
        p = Pair(p.high, p.low + p.high)
    if n > 5:
        p = Pair(p.low + 100, p.high)
    tl.store(out, p.low)
    tl.store(out + 1, p.high)


for n in (5, 6):
    carried[(1,)](out, n)
    print(out.tolist()[:2])


@triton.jit
def constants(out, shape: tl.constexpr, pair: tl.constexpr):
    i = tl.arange(0, shape[0])
    tl.store(out + i, i * pair.low + shape[1])
    tl.static_print(pair)


out = torch.zeros(4, dtype=torch.int32)
for shape in ((4, 7), torch.zeros(2, 3).shape, (4, 7)):
    constants[(1,)](out, shape, Pair(2))
    print(out.tolist())


@triton.jit
def each(ptrs, values):
    for i in tl.static_range(len(values)):
        tl.store(ptrs[i], values[i])


for size in range(4):
    outs = tuple(torch.zeros(1) for _ in range(size))
    each[(1,)](outs, tuple(i + 0.5 for i in range(size)))
    print([o.item() for o in outs])

for call in [
    lambda: each[(1,)]([out], (1,)),
    lambda: each[(1,)]((out, "text"), (1,)),
    lambda: constants[(1,)](out, (out, 1), Pair(2)),
]:
    try:
        call()
    except TypeError as e:
        print(e)
