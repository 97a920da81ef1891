import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0)
    tl.atomic_add(bins_ptr + x, 1, mask=mask)


n = 1000
x = (torch.arange(n, device="cuda") * 7919) % 10
bins = torch.zeros(10, dtype=torch.int32, device="cuda")
histogram_kernel[(triton.cdiv(n, 256),)](x, bins, n, BLOCK=256)
print(bins)
print(torch.bincount(x, minlength=10))
print("equal:", torch.equal(bins.long(), torch.bincount(x, minlength=10)))
print("sum", bins.sum().item(), "of", n)
