import triton
import triton.language as tl


@triton.jit
def sum_kernel(
    x_ptr, z_ptr, N0, N1, T,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[i] = x[i, 0] + x[i, 1] + ... + x[i, T - 1].
    # A program owns row i and walks along it,
    # B1 elements at a time:
    #     for start in tl.range(0, T, B1):
    pid = tl.program_id(0)
    # Your code:
    