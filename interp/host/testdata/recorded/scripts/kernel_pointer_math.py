import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, stride, M: tl.constexpr, N: tl.constexpr):
    rows = tl.expand_dims(tl.arange(0, M), 1)
    cols = tl.arange(0, N)[None, :]
    ptrs = x_ptr + rows * stride + cols
    tile = tl.load(ptrs)
    tile = tl.where(rows >= cols, tile, 0)
    flat = tl.reshape(tile, (M * N,))
    tl.store(out_ptr + tl.arange(0, M * N), tl.flip(flat, 0))
    corner = tl.load(x_ptr + stride * (M - 1) + N - 1)
    tl.store(out_ptr + M * N, corner)


x = torch.arange(1, 65, device="cuda", dtype=torch.int32).view(8, 8)
out = torch.zeros(17, dtype=torch.int32, device="cuda")
kernel[(1,)](x, out, x.stride(0), M=4, N=4)
print(out)
kernel[(1,)](x[2:, 1:], out, x.stride(0), M=4, N=4)
print(out)
print(torch.equal(out[:16], torch.tril(x[2:6, 1:5]).flatten().flip(0)))
