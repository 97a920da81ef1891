"""Kernels are values: a name in a file is not a kernel's identity."""
import torch
import triton
import triton.language as tl

x = torch.zeros(4, device="cuda")


@triton.jit
def scale(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i + 1.0)


def launch():
    scale[(1,)](x, B=4)


launch()
print("first definition ", x)
first = scale


@triton.jit
def scale(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i * 10.0)


launch()
print("second definition", x)
first[(1,)](x, B=4)
print("the first again  ", x)


def times(factor):
    FACTOR = tl.constexpr(factor)

    @triton.jit
    def inner(x, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(x + i, i * FACTOR)

    return inner


kernels = {"twice": times(2.0), "thrice": times(3.0)}
for name, kernel in kernels.items():
    kernel[(1,)](x, B=4)
    print(name, x)


class Ops:
    SEVEN = tl.constexpr(7.0)

    @triton.jit
    def seven(x, B: tl.constexpr):
        tl.store(x + tl.arange(0, B), 7.0)

    @staticmethod
    @triton.jit
    def eight(x, B: tl.constexpr):
        tl.store(x + tl.arange(0, B), 8.0)


Ops.seven[(1,)](x, B=4)
print("in a class", x)
Ops().eight[(1,)](x, B=4)
print("static    ", x)

for wide in (False, True):
    if wide:
        @triton.jit
        def chosen(x, B: tl.constexpr):
            tl.store(x + tl.arange(0, B), 16.0)
    else:
        @triton.jit
        def chosen(x, B: tl.constexpr):
            tl.store(x + tl.arange(0, B), 4.0)
    chosen[(1,)](x, B=4)
    print("in an if", x)


@triton.jit
def helper(i):
    return i + 100


@triton.jit
def calls(x, OF: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, OF(helper(i)))


@triton.jit
def negative(i):
    return -i


calls[(1,)](x, negative, B=4)
print("a kernel as an argument", x)


@triton.jit
def helper(i):
    return i + 200


calls[(1,)](x, negative, B=4)
print("another helper         ", x)


def plain(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 5.0)


triton.jit(plain)[(1,)](x, B=4)
print("jit as a function", x, triton.jit(plain).__name__, first.arg_names)
