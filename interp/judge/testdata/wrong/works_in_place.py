# against scale: wrong judge-input-changed judge-result-is-argument
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(x_ptr + offsets, factor * tl.load(x_ptr + offsets, mask=mask), mask=mask)


def scale(x, factor):
    scale_kernel[(triton.cdiv(x.numel(), 32),)](x, x.numel(), factor, BLOCK=32)
    return x
