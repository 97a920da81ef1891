import torch
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, out_ptr, K, B: tl.constexpr):
    i, k = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    # Without other=0.0 the columns from K on hold anything, and each element of the product has a part of them.
    a = tl.load(a_ptr + i * K + k, mask=k < K)
    b = tl.load(b_ptr + i * B + k, mask=i < K)
    tl.store(out_ptr + i * B + k, tl.dot(a, b))  # warning: undefined-lane-store


a, b = torch.randn(16, 12, device="cuda"), torch.randn(12, 16, device="cuda")
product[(1,)](a, b, torch.empty(16, 16, device="cuda"), 12, B=16)
