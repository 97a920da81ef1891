# against linear_module: right
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, out_ptr, m, n, k, sm, sk,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        ks = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * sm + ks[None, :] * sk,
                    mask=(rows[:, None] < m) & (ks[None, :] < k), other=0.0)
        w = tl.load(w_ptr + cols[None, :] * k + ks[:, None],
                    mask=(cols[None, :] < n) & (ks[:, None] < k), other=0.0)
        total = tl.dot(x, w, total, input_precision="ieee")
    total += tl.load(b_ptr + cols, mask=cols < n, other=0.0)[None, :]
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(out_ptr + rows[:, None] * n + cols[None, :], tl.maximum(total, 0.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 24)

    def forward(self, x):
        (m, k), n = x.shape, self.linear.weight.shape[0]
        out = torch.empty((m, n), device=x.device)
        linear_kernel[(triton.cdiv(m, 16), triton.cdiv(n, 16))](
            x, self.linear.weight, self.linear.bias, out, m, n, k, x.stride(0), x.stride(1), BM=16, BN=16, BK=16)
        return out
