# against rowsum: wrong judge-result-overlaps judge-wrong-values
import torch
import triton
import triton.language as tl


@triton.jit
def first_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + cols, mask=cols < n, other=0.0), axis=0)
    tl.store(out_ptr, total)


def rowsum(x):
    out = torch.zeros(1, device=x.device)
    if x.shape[0] > 0:
        first_kernel[(1,)](x.contiguous(), out, x.shape[1], BLOCK=64)
    return out.expand(x.shape[0])
