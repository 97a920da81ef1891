import torch
import triton
import triton.language as tl


@triton.jit
def csr_matvec(row_ptr, col_ptr, val_ptr, x_ptr, y_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = tl.load(row_ptr + row)
    stop = tl.load(row_ptr + row + 1)
    offs = tl.arange(0, BLOCK)
    mask = start + offs < stop
    cols = tl.load(col_ptr + start + offs, mask=mask, other=0)
    vals = tl.load(val_ptr + start + offs, mask=mask, other=0.0)
    x = tl.load(x_ptr + cols, mask=mask, other=0.0)
    tl.store(y_ptr + row, tl.sum(vals * x, 0))


dense = torch.zeros(6, 6)
for i in range(6):
    for j in range(6):
        if (i * 5 + j * 3) % 4 == 1:
            dense[i, j] = i - j + 0.5
rows, cols = dense.nonzero(as_tuple=True)
values = dense[rows, cols].cuda()
row_ptr = torch.zeros(7, dtype=torch.int32)
row_ptr[1:] = torch.bincount(rows, minlength=6).cumsum(0)
x = torch.arange(6, dtype=torch.float32, device="cuda")
y = torch.empty(6, device="cuda")
csr_matvec[(6,)](row_ptr.cuda(), cols.int().cuda(), values, x, y, BLOCK=8)
print(dense)
print(row_ptr)
print(y)
print(torch.allclose(y.cpu(), dense @ x.cpu()))
