import triton
import triton.language as tl


@triton.jit
def quant_dot_kernel(
    scale_ptr, offset_ptr, weight_ptr, activation_ptr, z_ptr, N0, N1, MID,
    B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr,
):
    j = tl.program_id(0) * B0 + tl.arange(0, B0)[:, None]
    k = tl.program_id(1) * B1 + tl.arange(0, B1)[None, :]
    offsets = tl.load(offset_ptr + j, mask=j < N0, other=0)
    acc = tl.zeros((B0, B1), tl.float32)
    for m in range(0, MID // 8):
        scale = tl.load(scale_ptr + j * (MID // 8) + m, mask=j < N0, other=0.0)
        word = tl.load(weight_ptr + j * (MID // 8) + m, mask=j < N0, other=0)
        offset = (offsets >> (4 * m)) & 0xF
        for n in range(8):
            w = ((word >> (4 * n)) & 0xF) - offset
            a = tl.load(activation_ptr + (m * 8 + n) * N1 + k, mask=k < N1, other=0.0)
            acc += scale * w.to(tl.float32) * a
    tl.store(z_ptr + j * N1 + k, acc, mask=(j < N0) & (k < N1))
