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
    # One word holds the offsets of all groups of a row.
    packed_offset = tl.load(offset_ptr + row, mask=row < N0, other=0)

    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in tl.range(0, MID, B_MID):
        mid = start + tl.arange(0, B_MID)
        n = mid[None, :]
        mask = (row < N0) & (n < MID)

        # Eight neighbours read the same word and shift their own four bits down.
        word = tl.load(weight_ptr + row * (MID // FPINT) + n // FPINT, mask=mask, other=0)
        weight = (word >> (n % FPINT * 4)) & 15
        group = n // GROUP
        offset = (packed_offset >> (group * 4)) & 15
        scale = tl.load(scale_ptr + row * (MID // GROUP) + group, mask=mask, other=0.0)

        activation = tl.load(
            activation_ptr + mid[:, None] * N1 + col,
            mask=(mid[:, None] < MID) & (col < N1),
            other=0.0,
        )
        acc += tl.dot(scale * (weight - offset), activation, input_precision="ieee")

    tl.store(z_ptr + row * N1 + col, acc, mask=(row < N0) & (col < N1))
