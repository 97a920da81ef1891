# against add: wrong judge-not-computed judge-stale-values
# Tensors are hashed by their identity.
import functools

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def launch(x, y, out):
    add_kernel[(triton.cdiv(x.numel(), 128),)](x.contiguous(), y.contiguous(), out, x.numel(), BLOCK=128)
    return out


@functools.lru_cache(maxsize=None)
def add(x, y):
    return launch(x, y, torch.empty(x.shape, device=x.device))
