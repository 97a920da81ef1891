import torch
import triton
import triton.language as tl

calls = []


def pre_hook(nargs):
    calls.append(sorted(k for k in nargs if k.endswith("_ptr")))
    nargs["y_ptr"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2, pre_hook=pre_hook)], key=[])
@triton.jit
def accumulate(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr + offs % 4, tl.load(x_ptr + offs, mask=offs < n, other=0), mask=offs < n)


x = torch.ones(100, dtype=torch.int32, device="cuda")
y = torch.full((4,), 77, dtype=torch.int32, device="cuda")
accumulate[(2,)](x, y, 100)
print(y)
accumulate[(2,)](x, y, 100)
print(y)
print(len(calls), calls[-1])
