import os

os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton
import triton.language as tl

log = []


def remember(label, value):
    log.append((label, str(value)))


@triton.jit
def kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + offs)
    remember("shape", x.shape)
    total = tl.sum(x, axis=1)
    remember("total", total)
    if BLOCK == 2:
        remember("max", tl.max(x))
    tl.store(y_ptr + tl.arange(0, BLOCK), total)


for n in (2, 4):
    x = torch.arange(n * n).float().view(n, n)
    y = torch.empty(n)
    kernel[(1,)](x, y, BLOCK=n)
    print(y)
for label, value in log:
    print(f"{label:>6}: {value}")
