import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, rows, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    # Each program is to copy every second row. Triton drops the keyword: program 0 copies all rows.
    for row in range(tl.program_id(0), rows, step=tl.num_programs(0)):  # warning: range-hint
        tl.store(out_ptr + row * BLOCK + offs, tl.load(x_ptr + row * BLOCK + offs))


x = torch.arange(48.0, device="cuda")
copy[(2,)](x, torch.empty_like(x), 6, BLOCK=8)
