import torch
import triton
import triton.language as tl


@triton.jit
def twice(x_ptr, mid_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(mid_ptr + i, tl.load(x_ptr + i) * 2)  # warning: race-load-store
    # Nothing makes this program wait for the others, which write the rest of mid: that takes a second launch.
    total = 0.0
    for at in range(0, n, BLOCK):
        total += tl.sum(tl.load(mid_ptr + at + tl.arange(0, BLOCK)))  # warning: race-load-store
    tl.store(out_ptr + tl.program_id(0), total)


mid = torch.zeros(64, device="cuda")
twice[(4,)](torch.ones(64, device="cuda"), mid, torch.empty(4, device="cuda"), 64, BLOCK=16)
