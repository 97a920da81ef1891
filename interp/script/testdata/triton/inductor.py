# Kernels as torch.compile writes them: what they import from torch._inductor.
import torch
import triton
import triton.language as tl
from torch._inductor import triton_helpers as old_helpers
from torch._inductor.runtime import triton_helpers
from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math


@triton.jit
def layer_norm(x_ptr, mean_ptr, var_ptr, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    rbase = tl.arange(0, RBLOCK)[None, :]
    mean = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    m2 = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    weight = tl.zeros([XBLOCK, RBLOCK], tl.float32)
    for roffset in range(0, rnumel, RBLOCK):
        rindex = roffset + rbase
        rmask = rindex < rnumel
        x = tl.load(x_ptr + rindex + rnumel * xindex, rmask & xmask, other=0.0)
        mean_next, m2_next, weight_next = triton_helpers.welford_reduce(x, mean, m2, weight, roffset == 0)
        mean = tl.where(rmask & xmask, mean_next, mean)
        m2 = tl.where(rmask & xmask, m2_next, m2)
        weight = tl.where(rmask & xmask, weight_next, weight)
    mean, m2, weight = triton_helpers.welford(mean, m2, weight, 1)
    tl.store(mean_ptr + xindex, mean[:, None], xmask)
    tl.store(var_ptr + xindex, (m2 / weight)[:, None], xmask)


@triton.jit
def relu(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, old_helpers.maximum(0, libdevice.trunc(x)))
    tl.store(out_ptr + N + i, triton_helpers.minimum(x, tl_math.abs(x)))
    value, at = triton_helpers.max_with_index(x, i, 0)
    tl.store(out_ptr + 2 * N, triton_helpers.max2(x, 0))
    tl.store(out_ptr + 2 * N + 1, at)


x = torch.arange(30, dtype=torch.float32, device="cuda").reshape(3, 10) ** 2
mean, var = torch.empty(3, device="cuda"), torch.empty(3, device="cuda")
layer_norm[(2,)](x, mean, var, 3, 10, XBLOCK=2, RBLOCK=4)
torch.testing.assert_close(mean, x.mean(1))
torch.testing.assert_close(var, x.var(1, unbiased=False))

x = torch.tensor([1.5, -2.5, float("nan"), 3.0], device="cuda")
out = torch.zeros(12, device="cuda")
relu[(1,)](x, out, N=4)
print(out[:10].tolist())
