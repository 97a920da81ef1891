import triton
import triton.language as tl

# 4-bit values in one int32
FPINT = tl.constexpr(8)
# weights that share a scale and an offset
GROUP = tl.constexpr(8)


@triton.jit
def quant_dot_kernel(
    scale_ptr, offset_ptr, weight_ptr,
    activation_ptr, z_ptr, N0, N1, MID,
    B0: tl.constexpr, B1: tl.constexpr,
    B_MID: tl.constexpr,
):
    # z = (scale * (weight - offset)) @ activation,
    # with weight and offset unpacked:
    # value n of a packed row is
    #     (row[n // FPINT] >> (n % FPINT * 4)) & 15.
    # Row j has MID weights in MID // FPINT words,
    # MID // GROUP scales, and one word
    # with an offset for each group.
    pid_0 = tl.program_id(0)
    pid_1 = tl.program_id(1)
    # Your code:
    