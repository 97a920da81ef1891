import torch
import triton
import triton.language as tl


@triton.jit
def _welford(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    ratio = weight_2 / weight
    return mean_1 + delta * ratio, m2_1 + m2_2 + delta * delta * weight_1 * ratio, weight


@triton.jit
def variance(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    mean, m2, weight = tl.reduce((x, tl.zeros_like(x), tl.full((N,), 1.0, tl.float32)), 0, _welford)
    tl.store(out_ptr, mean)
    tl.store(out_ptr + 1, m2 / weight)


x = torch.linspace(0, 15, 16, device="cuda") ** 1.5
out = torch.empty(2, device="cuda")
variance[(1,)](x, out, N=16)
print(out)
print(torch.allclose(out, torch.stack([x.mean(), x.var(unbiased=False)])))
print(torch.var_mean(x, correction=0))
