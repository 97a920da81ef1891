import torch
import triton
import triton.language as tl


@triton.jit
def blocks(out_ptr, n, BLOCK: tl.constexpr):
    # 7 blocks are no multiple of 16, and the compiler may make one access of what it takes to be aligned.
    count = tl.multiple_of(tl.cdiv(n, BLOCK), BLOCK)  # warning: hint-divisibility
    tl.store(out_ptr + count + tl.arange(0, BLOCK), 1.0)


blocks[(1,)](torch.zeros(64, device="cuda"), 100, BLOCK=16)
