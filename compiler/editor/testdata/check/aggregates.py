# Classes under _aggregate are known from the text alone.
import triton
import triton.language as tl
from triton.language.core import _aggregate as aggregate


@aggregate
class Tile:
    ptr: tl.tensor
    size: tl.constexpr

    @triton.constexpr_function
    def __init__(self, ptr, size):
        self.ptr = ptr
        self.size = size

    @triton.jit
    def load(self, first):
        return tl.load(self.ptr + first + tl.arange(0, self.size))

    @triton.jit
    def clear(self, first):
        tl.store(self.ptr + first + tl.arange(0, self.size), 0.0)


@tl.core._aggregate
class Both:
    tile: Tile
    count: tl.tensor

    @triton.constexpr_function
    def __init__(self, tile, count):
        self.tile = tile  # error: field-type "`Both.tile` is annotated Tile, and the value is int32"
        self.count = count


@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    t = Tile(x, BLOCK)
    b = Both(t, n)
    for i in range(n):
        b = Both(Tile(b.tile.ptr + BLOCK, BLOCK), b.count - 1)
    b.tile.clear(0)
    tl.store(out + tl.arange(0, BLOCK), b.tile.load(first=b.count))
    tl.store(out, t.sizes)  # error: no-member "Tile has no field or method `sizes`"
    t.size = 4  # error: attribute-assigned "`t.size` cannot be assigned"
    p, q = t  # error: unpack-not-tuple "cannot be unpacked"
    u = Both(n, n)
    v = Tile(x)  # error: missing-argument "size"
    w = t[0]  # error: not-indexable "index"
