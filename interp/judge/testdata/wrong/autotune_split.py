# against add: wrong autotune-accumulates
# Only the second config adds to what is there, and timing it leaves that behind.
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64, "SPLIT": 1}), triton.Config({"BLOCK": 64, "SPLIT": 2})], key=["n"])
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x, y = tl.load(x_ptr + offs, mask=mask), tl.load(y_ptr + offs, mask=mask)
    if SPLIT == 1:
        tl.store(out_ptr + offs, x + y, mask=mask)
    elif tl.program_id(1) == 0:
        tl.atomic_add(out_ptr + offs, x, mask=mask)
    else:
        tl.atomic_add(out_ptr + offs, y, mask=mask)


def add(x, y):
    x, y = x.contiguous(), y.contiguous()
    out = torch.zeros_like(x)
    n = out.numel()
    if n:
        add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]), meta["SPLIT"])](x, y, out, n)
    return out
