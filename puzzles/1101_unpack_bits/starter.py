import triton
import triton.language as tl


@triton.jit
def unpack_kernel(
    w_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = the four bits of word i // 8
    # that begin at bit i % 8 * 4.
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    # Your code:
    