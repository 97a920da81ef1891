import triton
import triton.language as tl


@triton.jit
def dot_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, N2, MID,
    B0: tl.constexpr, B1: tl.constexpr,
    B2: tl.constexpr, B_MID: tl.constexpr,
):
    # z[b] = x[b] @ y[b], with b from 0 to N2 - 1.
    # x[b]: N0 by MID, y[b]: MID by N1,
    # z[b]: N0 by N1; B2 is 1.
    # A program owns a tile of one z[b],
    # B0 rows and B1 columns.
    pid_0 = tl.program_id(0)
    pid_1 = tl.program_id(1)
    pid_2 = tl.program_id(2)
    # Your code:
    