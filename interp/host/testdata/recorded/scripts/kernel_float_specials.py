import torch
import triton
import triton.language as tl


@triton.jit
def specials(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, tl.where(x != x, -1.0, x))
    tl.store(out_ptr + N + i, tl.maximum(x, 0.0))
    tl.store(out_ptr + 2 * N + i, tl.minimum(x, 1.0, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out_ptr + 3 * N + i, tl.abs(x))
    tl.store(out_ptr + 4 * N + i, tl.floor(x))
    tl.store(out_ptr + 5 * N + i, tl.clamp(x, -0.5, 0.75))


x = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0, 1.5, -2.5, 0.25, 1e30], device="cuda")
out = torch.empty(6, 8, device="cuda")
specials[(1,)](x, out, N=8)
print(out)
print(torch.isnan(x).sum(), torch.isinf(x).tolist(), torch.nan_to_num(x[:3]), x.isfinite())
