import torch
import triton
import triton.language as tl


@triton.jit
def lengths(starts_ptr, out_ptr):
    i = tl.program_id(0)
    start = tl.load(starts_ptr + i)
    end = tl.load(starts_ptr + i + 1)  # error: out-of-bounds-load
    tl.store(out_ptr + i, end - start)


# Two segments have three boundaries: the end of the last one is missing.
starts = torch.tensor([0, 4], dtype=torch.int32, device="cuda")
lengths[(2,)](starts, torch.empty_like(starts))
