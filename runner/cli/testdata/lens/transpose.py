import torch
import triton
import triton.language as tl


@triton.jit
def transpose(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :])
    tl.store(y_ptr + cols[:, None] * N + rows[None, :], x.T)


@triton.jit
def scattered(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i % N * N + i // N, tl.load(x_ptr + i))


x = torch.randn(128, 128, device="cuda")
y, z = torch.empty_like(x), torch.empty_like(x)
transpose[(4, 4)](x, y, N=128, BLOCK=32)
scattered[(16,)](x, z, N=128, BLOCK=1024)
assert torch.equal(y, x.T) and torch.equal(z, x.T)
