# Launches that newt_record recorded into h200.launch: with newt_record.to("h200.launch"): more.launch_all()
from typing import NamedTuple

import helpers
import torch
import triton
import triton.language as tl
from helpers import sigmoid as gate
from triton.language.extra import libdevice


# A kernel may make a NamedTuple of tensors, and read its fields: see combine. A launch may pass one, too; that is
# left to the tests of the language.



class Pair(NamedTuple):
    x: tl.tensor
    y: tl.tensor


EPS = tl.constexpr(1e-6)


@triton.jit
def swiglu(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask).to(tl.float32)
    y = tl.load(y_ptr + offs, mask=mask).to(tl.float32)
    tl.store(z_ptr + offs, x * gate(x) * y + helpers.sigmoid(y) * EPS, mask=mask)


@triton.jit
def combine(x_ptr, y_ptr, z_ptr, n, OP: tl.constexpr, fn: tl.constexpr, BLOCK: tl.constexpr = 64):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = Pair(tl.load(x_ptr + offs, mask=offs < n), tl.load(y_ptr + offs, mask=offs < n))
    z = p.x + p.y if OP == 1 else p.x * p.y
    tl.store(z_ptr + offs, fn(z), mask=offs < n)


@triton.jit
def dropout(x_ptr, z_ptr, n, p, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    keep = tl.rand(seed, offs) > p
    tl.store(z_ptr + offs, tl.where(keep, x / (1 - p), 0.0), mask=offs < n)


@triton.jit
def histogram(x_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0)
    tl.atomic_add(counts_ptr + x, 1, mask=offs < n)


@triton.jit
def scan_rows(x_ptr, z_ptr, i_ptr, stride, COLS: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * stride + tl.arange(0, COLS))
    tl.store(z_ptr + row * COLS + tl.arange(0, COLS), tl.cumsum(x.to(tl.float32), 0))
    tl.store(i_ptr + row, tl.argmax(x, 0))


@triton.jit
def special(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(z_ptr + offs, libdevice.tanh(x) + tl.erf(x) + tl.sqrt(tl.abs(x)), mask=offs < n)


@triton.jit
def to_fp8(x_ptr, z_ptr, scale, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(z_ptr + offs, (x * scale).to(z_ptr.dtype.element_ty), mask=offs < n)


@triton.jit
def bits(x_ptr, m_ptr, z_ptr, n, big, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0)
    m = tl.load(m_ptr + offs, mask=offs < n, other=False)
    z = tl.where(m, (x << 3) ^ (x >> 1), x % 7 + x // 3) + big
    tl.store(z_ptr + offs, z, mask=offs < n)


@triton.jit
def tile_copy(desc, z_ptr, M: tl.constexpr, N: tl.constexpr):
    x = desc.load([tl.program_id(0) * M, 0])
    offs = (tl.program_id(0) * M + tl.arange(0, M))[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(z_ptr + offs, x)


@triton.jit
def both(pair, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(pair[1] + offs, tl.load(pair[0] + offs, mask=offs < n) * 2, mask=offs < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256}, num_warps=8)], key=["n"])
@triton.heuristics({"EVEN": lambda a: a["n"] % a["BLOCK"] == 0})
@triton.jit
def tuned(x_ptr, z_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs) if EVEN else tl.load(x_ptr + offs, mask=offs < n, other=0)
    tl.store(z_ptr + offs, tl.maximum(x, 0), mask=offs < n)


@triton.jit
def by_address(table_ptr, n, BLOCK: tl.constexpr):
    x_ptr = tl.load(table_ptr).to(tl.pointer_type(tl.float32))
    offs = tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 1.0, mask=offs < n)


@triton.jit
def sorted_rows(x_ptr, z_ptr, N: tl.constexpr):
    offs = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(z_ptr + offs, tl.sort(tl.load(x_ptr + offs)))


def scaled(factor):
    @triton.jit
    def kernel(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
        offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(z_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) * factor, mask=offs < n)
    return kernel


def launch_all():
    torch.manual_seed(0)
    dev, n = "cuda", 1000
    x, y = torch.randn(n, device=dev), torch.randn(n, device=dev)
    z = torch.empty(n, device=dev)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    swiglu[grid](x, y, z, n, BLOCK=128)
    swiglu[grid](x.half(), y.half(), z.half(), n, BLOCK=128)
    combine[grid](x, y, z, n, 2, gate)
    dropout[grid](x, z, n, 0.3, 123, BLOCK=256)
    counts = torch.zeros(16, device=dev, dtype=torch.int32)
    histogram[grid](torch.randint(0, 16, (n,), device=dev), counts, n, BLOCK=128)
    wide = torch.randn(helpers.ROWS, 96, device=dev, dtype=torch.bfloat16)
    scan_rows[(helpers.ROWS,)](wide[:, 16:], torch.empty(helpers.ROWS, 64, device=dev),
                               torch.empty(helpers.ROWS, device=dev, dtype=torch.int32), wide.stride(0), COLS=64)
    special[grid](x, z, n, BLOCK=128)
    f8 = torch.empty(n, device=dev, dtype=torch.float8_e4m3fn)
    to_fp8[grid](x, f8, 4.0, n, BLOCK=128)
    to_fp8[grid](x, triton.reinterpret(torch.empty(n, device=dev, dtype=torch.uint8), tl.float8e5), 4.0, n, BLOCK=128)
    ints = torch.randint(-2**31, 2**31 - 1, (n,), device=dev, dtype=torch.int32)
    bits[grid](ints, x > 0, torch.empty(n, device=dev, dtype=torch.int64), n, 2**40, BLOCK=128)
    from triton.tools.tensor_descriptor import TensorDescriptor
    a = torch.randn(64, 32, device=dev)
    tile_copy[(4,)](TensorDescriptor.from_tensor(a, [16, 32]), torch.empty_like(a), M=16, N=32)
    both[grid]((x, z), n, BLOCK=128)
    tuned[grid](x, z, n)
    sorted_rows[(8,)](x, z, N=64)
    scaled(tl.constexpr(2.5))[grid](x, x, n, BLOCK=128, num_warps=2)
    table = torch.tensor([z.data_ptr()], device=dev)
    by_address[(1,)](table, n, BLOCK=16)
