import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)  # tl.program_id(0) * BLOCK is missing
    tl.store(out_ptr + offs, offs + tl.program_id(0))  # warning: race-stores


fill[(2,)](torch.zeros(16, dtype=torch.int32, device="cuda"), BLOCK=8)
