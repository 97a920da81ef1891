# Classes under _aggregate: made in kernels, carried by loops, chosen by branches, handed to functions.
import torch
import triton
import triton.language as tl
from triton.language.core import _aggregate as aggregate


@aggregate
class Tile:
    ptr: tl.tensor
    offset: tl.tensor
    size: tl.constexpr

    @triton.constexpr_function
    def __init__(self, ptr, offset, size):
        assert size > 0
        self.ptr = ptr
        self.offset = offset
        self.size = tl.constexpr(size)

    @triton.jit
    def addresses(self):
        return self.ptr + self.offset + tl.arange(0, self.size)

    @triton.jit
    def load(self):
        return tl.load(self.addresses())

    @triton.jit
    def moved(self, by):
        return Tile(self.ptr, self.offset + by, self.size)

    @triton.constexpr_function
    def half(self):
        return self.size // 2

    @staticmethod
    def at(ptr, size):
        return Tile(ptr, 0 * tl.program_id(0), size)


@aggregate
class Pair:
    a: Tile
    b: Tile
    scale: tl.tensor
    extra: tl.tuple

    @triton.constexpr_function
    def __init__(self, a, b, scale, extra):
        self.a = a
        self.b = b
        self.scale = scale
        self.extra = extra

    @triton.jit
    def product(self):
        return self.a.load() * self.b.load() * self.scale + self.extra[0]


@triton.jit
def next_tile(tile, n):
    if n % 2 == 0:
        return tile.moved(tile.half())
    else:
        return tile.moved(tile.size)


@triton.jit
def walk(x, out, n, B: tl.constexpr):
    tile = Tile(x, tl.program_id(0), B)
    total = tl.zeros((B,), tl.float32)
    for i in range(n):
        total += tile.load()
        tile = next_tile(tile, i)
    if n > 3:
        last = tile
    else:
        last = Tile(x, tl.program_id(0) + 1, B)
    while last.offset > 8:
        last = last.moved(-1)
    pair = Pair(last, Tile.moved(last, 1), n.to(tl.float32), (total, B))
    tl.static_assert(pair.extra[1] == B and isinstance(pair.a, Tile) and tile.half() == B // 2)
    tl.store(out + tl.arange(0, B), pair.product())


x, out = torch.arange(32.0, device="cuda"), torch.zeros(4, device="cuda")
for n in 2, 4:
    walk[(1,)](x, out, n, 4)
    print(out.tolist())


@triton.jit
def renamed(x, out):
    tile = Tile(x, tl.program_id(0), 4)
    tile.offset = tile.offset + 1
    tl.store(out, tile.load())


for text in "renamed[(1,)](x, out)", "walk[(1,)](x, out, 2, 0)":
    try:
        exec(text)
    except Exception as e:
        print(type(e).__name__)
