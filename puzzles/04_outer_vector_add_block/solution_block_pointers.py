# triton: 3.6
import triton
import triton.language as tl


@triton.jit
def add_vec_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0
    j = tl.program_id(1) * B1
    # A block pointer knows the whole tensor and where its block begins; boundary_check makes the mask.
    x_block = tl.make_block_ptr(x_ptr, (N0,), (1,), (i,), (B0,), (0,))
    y_block = tl.make_block_ptr(y_ptr, (N1,), (1,), (j,), (B1,), (0,))
    z_block = tl.make_block_ptr(z_ptr, (N1, N0), (N0, 1), (j, i), (B1, B0), (1, 0))
    x = tl.load(x_block, boundary_check=(0,))
    y = tl.load(y_block, boundary_check=(0,))
    tl.store(z_block, x[None, :] + y[:, None], boundary_check=(0, 1))
