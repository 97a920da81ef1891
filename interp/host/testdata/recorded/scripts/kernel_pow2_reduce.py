import torch
import triton
import triton.language as tl


@triton.jit
def reduce_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + m * N + n)
    r = tl.arange(0, N)
    tl.store(out_ptr + 0 * N + r, tl.sum(x, 0))
    tl.store(out_ptr + 1 * N + r, tl.max(x, 0))
    tl.store(out_ptr + 2 * N + r, tl.min(x, 0))
    tl.store(out_ptr + 3 * N + r, tl.argmax(x, 0))
    tl.store(out_ptr + 4 * N + r, tl.xor_sum(x, 0))


x = torch.tensor([[(i * j + 3 * i + j) % 11 for j in range(8)] for i in range(4)], dtype=torch.int32, device="cuda")
out = torch.empty(5, 8, dtype=torch.int32, device="cuda")
reduce_kernel[(1,)](x, out, M=4, N=8)
print(x)
print(out)
for name, fn in [("sum", torch.sum), ("amax", torch.amax), ("amin", torch.amin), ("argmax", torch.argmax)]:
    print(name, fn(x, dim=0).tolist())
