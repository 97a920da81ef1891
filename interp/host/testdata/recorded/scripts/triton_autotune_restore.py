import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"],
                 restore_value=["x_ptr"])
@triton.jit
def increment(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) + 1, mask=offs < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"],
                 reset_to_zero=["total_ptr"])
@triton.jit
def total(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(total_ptr, tl.sum(tl.load(x_ptr + offs, mask=offs < n, other=0.0), 0))


grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
x = torch.zeros(100, device="cuda")
increment[grid](x, 100)
print(x.unique())
increment[grid](x, 100)
print(x.unique())
t = torch.zeros(1, device="cuda")
total[grid](x, t, 100)
print(t)
