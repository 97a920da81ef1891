import torch
import triton
import triton.language as tl


@triton.jit
def draw(out_ptr, seed, N: tl.constexpr, KIND: tl.constexpr):
    i = tl.arange(0, N)
    if KIND == 0:
        v = tl.rand(seed, i)
    elif KIND == 1:
        v = tl.randint(seed, i).to(tl.float32)
    else:
        v = tl.rand(seed, i, n_rounds=7)
    tl.store(out_ptr + i, v)


out = torch.empty(8, device="cuda")
for kind in range(3):
    for seed in (0, 42):
        draw[(1,)](out, seed, N=8, KIND=kind)
        print(kind, seed, out)
