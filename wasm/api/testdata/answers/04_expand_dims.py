import triton
import triton.language as tl


@triton.jit
def add_vec_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.expand_dims(tl.program_id(0) * B0 + tl.arange(0, B0), 0)
    j = tl.expand_dims(tl.program_id(1) * B1 + tl.arange(0, B1), 1)
    x = tl.load(x_ptr + i, mask=i < N0, other=0.0)
    y = tl.load(y_ptr + j, mask=j < N1, other=0.0)
    tl.store(z_ptr + j * N0 + i, x + y, mask=(i < N0) & (j < N1))
