import torch
import triton
import triton.language as tl


@triton.jit
def argmax_rows(x_ptr, val_ptr, idx_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=-float("inf"))
    value, index = tl.max(x, axis=0, return_indices=True)
    tl.store(val_ptr + row, value)
    tl.store(idx_ptr + row, index)


x = torch.tensor([[3., 9., 2., 9., 1.], [-1., -5., -1., -7., -2.], [0., 0., 0., 0., 4.]], device="cuda")
val = torch.empty(3, device="cuda")
idx = torch.empty(3, dtype=torch.int32, device="cuda")
argmax_rows[(3,)](x, val, idx, 5, BLOCK=8)
print(val, idx, sep="\n")
result = x.max(dim=1)
print(result.values, result.indices)
print(torch.argmax(x), x.argmax(dim=0))
