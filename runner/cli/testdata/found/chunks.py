import torch
import triton
import triton.language as tl


@triton.jit
def read_state(state_ptr, out_ptr, BLOCK: tl.constexpr):
    chunk, head = tl.program_id(0), tl.program_id(1)
    offs = tl.arange(0, BLOCK)
    # The kernel counts on a state for each chunk of each head.
    s = tl.load(state_ptr + (head * tl.num_programs(0) + chunk) * BLOCK + offs)  # error: out-of-bounds-load
    tl.store(out_ptr + (head * tl.num_programs(0) + chunk) * BLOCK + offs, s)


heads, chunks = 2, 3
state = torch.randn(heads, 16, device="cuda")
read_state[(chunks, heads)](state, torch.empty(heads, chunks, 16, device="cuda"), BLOCK=16)
