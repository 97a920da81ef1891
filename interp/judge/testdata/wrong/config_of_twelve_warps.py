# against large_module: wrong host-exception
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 256}, num_warps=4), triton.Config({"BLOCK": 256}, num_warps=12)], key=["n"])
@triton.jit
def row_sums(x, out, n, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * n.to(tl.int64) + at, mask=at < n, other=0.0) * scale
    tl.store(out + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        row_sums[(x.shape[0],)](x.contiguous(), out, x.shape[1], self.scale)
        return out
