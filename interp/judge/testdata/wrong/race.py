# against rowsum: wrong race-load-store race-stores
# It is right where programs run one after the other.
import torch
import triton
import triton.language as tl


@triton.jit
def rowsum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), axis=0)
    tl.store(out_ptr + row, tl.load(out_ptr + row) + part)


def rowsum(x):
    m, n = x.shape
    out = torch.zeros(m, device=x.device)
    rowsum_kernel[(m, triton.cdiv(n, 64) + 1)](x.contiguous(), out, n, BLOCK=64)
    return out
