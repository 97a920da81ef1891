import torch
import triton
import triton.language as tl


@triton.jit
def all_atomics(x_ptr, add_ptr, max_ptr, min_ptr, or_ptr, and_ptr, xor_ptr, N: tl.constexpr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * N + tl.arange(0, N))
    s = tl.sum(x, 0)
    tl.atomic_add(add_ptr, s)
    tl.atomic_max(max_ptr, tl.max(x, 0))
    tl.atomic_min(min_ptr, tl.min(x, 0))
    tl.atomic_or(or_ptr, s)
    tl.atomic_and(and_ptr, s | 256)
    tl.atomic_xor(xor_ptr, s)


x = (torch.arange(128, device="cuda", dtype=torch.int32) * 37) % 101
cells = torch.tensor([0, -1000, 1000, 0, -1, 0], dtype=torch.int32, device="cuda")
all_atomics[(8,)](x, *(cells[i:] for i in range(6)), N=16)
print(cells)
print([x.sum().item(), x.max().item(), x.min().item()])


@triton.jit
def float_sum(x_ptr, out_ptr, N: tl.constexpr):
    pid = tl.program_id(0)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + pid * N + tl.arange(0, N)), 0))


total = torch.zeros((), device="cuda")
float_sum[(8,)](x.float(), total, N=16)
print(total, total.item() == x.sum().item())
