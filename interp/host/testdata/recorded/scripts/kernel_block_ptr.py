import torch
import triton
import triton.language as tl


@triton.jit
def tile_sum(x_ptr, out_ptr, M, N, stride_m, stride_n, BM: tl.constexpr, BN: tl.constexpr):
    block = tl.make_block_ptr(base=x_ptr, shape=(M, N), strides=(stride_m, stride_n),
                              offsets=(tl.program_id(0) * BM, 0), block_shape=(BM, BN), order=(1, 0))
    acc = tl.zeros((BM,), dtype=tl.float32)
    for _ in range(0, tl.cdiv(N, BN)):
        acc += tl.sum(tl.load(block, boundary_check=(0, 1), padding_option="zero"), axis=1)
        block = tl.advance(block, (0, BN))
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out_ptr + rows, acc, mask=rows < M)


x = torch.arange(10 * 37, device="cuda").float().view(10, 37) / 8
out = torch.empty(10, device="cuda")
tile_sum[(triton.cdiv(10, 4),)](x, out, 10, 37, *x.stride(), BM=4, BN=16)
print(out)
print(torch.allclose(out, x.sum(1)))
