import torch
import triton
import triton.language as tl


@triton.jit
def overlap(z_ptr, B: tl.constexpr):
    tl.store(z_ptr + tl.arange(0, B), tl.program_id(0))


z = torch.zeros(8, dtype=torch.int32, device="cuda")
overlap[(2,)](z, B=8)
