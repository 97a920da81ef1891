# against dropout: wrong judge-wrong-values
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, keep, out, n, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + at, mask=at < n, other=0.0) * tl.load(keep + row * n + at, mask=at < n, other=0.0)
    values = tl.where(at < n, values, float("-inf"))
    e = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


def dropout(x, p):
    x = x.contiguous()
    keep = torch.ones_like(x)
    out = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, keep, out, x.shape[1], 1.0, BLOCK=512)
    return out
