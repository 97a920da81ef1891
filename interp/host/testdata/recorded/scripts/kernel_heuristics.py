import torch
import triton
import triton.language as tl


@triton.heuristics({
    "BLOCK": lambda args: triton.next_power_of_2(args["n"]),
    "EVEN": lambda args: args["n"] % 16 == 0,
})
@triton.jit
def row_sum(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + row * n + cols)
    else:
        x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=0)
    tl.store(y_ptr + row, tl.sum(x, 0))


for n in (16, 17, 30):
    x = torch.ones(4, n, device="cuda", dtype=torch.int32)
    y = torch.empty(4, device="cuda", dtype=torch.int32)
    row_sum[(4,)](x, y, n)
    print(n, y)
