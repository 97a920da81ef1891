import triton
import triton.language as tl

FPINT = tl.constexpr(8)  # 4-bit values in one int32
GROUP = tl.constexpr(8)  # weights that share a scale and an offset


@triton.jit
def quant_dot_kernel(
    scale_ptr,
    offset_ptr,
    weight_ptr,
    activation_ptr,
    z_ptr,
    N0,
    N1,
    MID,
    B0: tl.constexpr,
    B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    j = tl.program_id(0) * B0 + tl.arange(0, B0)
    k = tl.program_id(1) * B1 + tl.arange(0, B1)
    row = j[:, None]
    col = k[None, :]
    nibble = tl.arange(0, FPINT)[None, None, :] * 4
    packed_offset = tl.load(offset_ptr + row, mask=row < N0, other=0)

    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in tl.range(0, MID, B_MID):
        # A group of eight weights is one word, and has one scale and one offset: each is loaded once.
        group = start // GROUP + tl.arange(0, B_MID // GROUP)[None, :]
        mask = (row < N0) & (group < MID // GROUP)
        word = tl.load(weight_ptr + row * (MID // FPINT) + group, mask=mask, other=0)
        scale = tl.load(scale_ptr + row * (MID // GROUP) + group, mask=mask, other=0.0)
        offset = (packed_offset >> (group * 4)) & 15
        # [B0, groups, 8], flattened to the tile that the product needs.
        weight = ((word[:, :, None] >> nibble) & 15) - offset[:, :, None]
        weight = tl.reshape(scale[:, :, None] * weight, (B0, B_MID))

        mid = start + tl.arange(0, B_MID)[:, None]
        activation = tl.load(activation_ptr + mid * N1 + col, mask=(mid < MID) & (col < N1), other=0.0)
        acc += tl.dot(weight, activation, input_precision="ieee")

    tl.store(z_ptr + row * N1 + col, acc, mask=(row < N0) & (col < N1))
