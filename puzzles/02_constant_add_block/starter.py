import triton
import triton.language as tl


@triton.jit
def add_mask2_kernel(
    x_ptr, z_ptr, N0, B0: tl.constexpr
):
    # z[i] = x[i] + 10, with i from 0 to N0 - 1.
    # cdiv(N0, B0) programs own B0 elements each.
    # Which elements are this program's,
    # and which of them exist?
    pid = tl.program_id(0)
    # Your code:
    