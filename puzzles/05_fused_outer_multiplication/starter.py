import triton
import triton.language as tl


@triton.jit
def mul_relu_block_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1,
    B0: tl.constexpr, B1: tl.constexpr,
):
    # z[j, i] = relu(x[i] * y[j]),
    # in tiles of B1 rows and B0 columns.
    # relu(a) is a where a > 0, and 0 elsewhere.
    pid_0 = tl.program_id(0)
    pid_1 = tl.program_id(1)
    # Your code:
    