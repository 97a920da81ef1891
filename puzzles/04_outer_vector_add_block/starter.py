import triton
import triton.language as tl


@triton.jit
def add_vec_block_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[j, i] = x[i] + y[j],
    # in tiles of B1 rows and B0 columns.
    # Axis 0 of the grid is along i, axis 1 along j.
    pid_0 = tl.program_id(0)
    pid_1 = tl.program_id(1)
    # Your code:
    