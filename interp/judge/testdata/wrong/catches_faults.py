# against add: wrong out-of-bounds-load out-of-bounds-store
# The first launch leaves the tensors, and what that says is thrown away.
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def add(x, y):
    x, y = x.contiguous(), y.contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    try:
        add_kernel[(1,)](x, y, out, n + 1, BLOCK=1024)
    except Exception:
        pass
    add_kernel[(triton.cdiv(n, 128),)](x, y, out, n, BLOCK=128)
    return out
