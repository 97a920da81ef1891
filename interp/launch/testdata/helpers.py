import triton
import triton.language as tl
import triton.language.core as core
from triton.language import random, standard
from triton.language.extra.cuda import gdc_wait
from triton.language.random import uint_to_uniform_float
from triton.language.standard import _log2

SIZE = 8
FACTOR = tl.constexpr(3)
combine = tl.standard._sum_combine


@triton.jit
def i_seen(n):
    return n - 6


@triton.jit
def clip(a):
    if a < 0:
        return 1
    if a < 5:
        return 2
    return 3


@triton.jit
def staged(i):
    if i == 0:
        return 100
    j = i * 100
    if i == 1:
        j = 200
    else:
        j += 100
        return j + 5
    return j


@triton.jit
def both(a, b):
    return a, b


@triton.jit
def affine(a, factor=1, shift=3):
    return a * factor + shift


@triton.jit
def compared(x, y):
    if x < y:
        return -1
    elif x == y:
        return 0
    else:
        return 1


@triton.jit
def collatz(x):
    steps = 0
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    return steps


@triton.jit
def factorial(x):
    p = x * 0 + 1
    if x != 3:
        for i in range(2, x + 1):
            p *= i
    return p, -p


@triton.jit
def weighted(x):
    total = 0
    for i in range(3):
        k = x
        while k > 0:
            total += i
            k -= 2
    return total


@triton.jit
def swapped(a0, a1, b0, b1):
    return a1, a0 + b1, b0.to(tl.float32), b1 * 1.0


@triton.aggregate
class Point:
    x: tl.tensor
    y: "tl.tensor"

    @triton.jit
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    @triton.jit
    def __radd__(self, other):
        return Point(self.x + other, self.y + other)

    @triton.jit
    def __lt__(self, other):
        return self.x < other.x

    @triton.jit
    def __neg__(self):
        return Point(-self.x, -self.y)

    @triton.jit
    def logical_and(self, other):
        return self.x * other.x

    @triton.jit
    def __not__(self):
        return self.y


@triton.aggregate
class Scaled(Point):
    scale: tl.constexpr = 3

    @triton.jit
    def total(self):
        return (self.x + self.y) * self.scale


@triton.jit
def sixteenth(n):
    return n // 16


@triton.jit
def sign(x):
    if x < 0:
        return 1
    else:
        return 0
