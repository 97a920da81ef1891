# against long_matmul: wrong autotune-accumulates
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"SPLIT": 2}), triton.Config({"SPLIT": 4})], key=["k"])
@triton.jit
def split_kernel(a, b, out, k, SPLIT: tl.constexpr, B: tl.constexpr):
    rows, cols, ks = tl.arange(0, B), tl.arange(0, B), tl.arange(0, B)
    total = tl.zeros((B, B), tl.float32)
    for start in range(tl.program_id(0) * B, k, SPLIT * B):
        at = start + ks
        x = tl.load(a + rows[:, None] * k + at[None, :], mask=at[None, :] < k, other=0.0)
        y = tl.load(b + at[:, None] * B + cols[None, :], mask=at[:, None] < k, other=0.0)
        total = tl.dot(x, y, total, input_precision="ieee")
    tl.atomic_add(out + rows[:, None] * B + cols[None, :], total)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.zeros((16, 16), device=a.device)
        split_kernel[lambda meta: (meta["SPLIT"],)](a.contiguous(), b.contiguous(), out, a.shape[1], B=16)
        return out
