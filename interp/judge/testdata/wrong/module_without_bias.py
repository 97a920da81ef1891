# against linear_module: wrong judge-wrong-values
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, out_ptr, n, k, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1)
    ks = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * k + ks, mask=ks < k, other=0.0)
    w = tl.load(w_ptr + col * k + ks, mask=ks < k, other=0.0)
    tl.store(out_ptr + row * n + col, tl.maximum(tl.sum(x * w, axis=0), 0.0))


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 24)

    def forward(self, x):
        (m, k), n = x.shape, self.linear.weight.shape[0]
        out = torch.empty((m, n), device=x.device)
        linear_kernel[(m, n)](x.contiguous(), self.linear.weight, out, n, k, BLOCK=triton.next_power_of_2(k))
        return out
