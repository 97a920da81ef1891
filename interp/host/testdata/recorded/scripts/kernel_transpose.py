import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, y_ptr, M, N, stride_xm, stride_xn, stride_ym, stride_yn, BLOCK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    rm = pid_m * BLOCK + tl.arange(0, BLOCK)
    rn = pid_n * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x_ptr + rm[:, None] * stride_xm + rn[None, :] * stride_xn,
                   mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(y_ptr + rn[:, None] * stride_ym + rm[None, :] * stride_yn, tl.trans(tile),
             mask=(rn[:, None] < N) & (rm[None, :] < M))


for M, N in [(4, 4), (5, 9), (33, 20)]:
    x = torch.arange(M * N, device="cuda", dtype=torch.int32).view(M, N)
    y = torch.empty((N, M), device="cuda", dtype=torch.int32)
    grid = (triton.cdiv(M, 16), triton.cdiv(N, 16))
    transpose_kernel[grid](x, y, M, N, *x.stride(), *y.stride(), BLOCK=16)
    print((M, N), "->", tuple(y.shape), torch.equal(y, x.T), x.T.is_contiguous(), y.is_contiguous())
print(y)
