import torch
import triton
import triton.language as tl


@triton.jit
def newest(ring_ptr, out_ptr, size, stride, BLOCK: tl.constexpr):
    step = tl.program_id(0)
    # Program 32 has 2147483648, which is -2147483648 in 32 bits: step.to(tl.int64) * stride keeps it.
    first = step * stride  # warning: integer-overflow
    slots = (first + tl.arange(0, BLOCK)) % size
    tl.store(out_ptr + step * BLOCK + tl.arange(0, BLOCK), tl.load(ring_ptr + slots))  # error: out-of-bounds-load


newest[(40,)](torch.ones(100, device="cuda"), torch.empty(40 * 16, device="cuda"), 100, 1 << 26, BLOCK=16)
