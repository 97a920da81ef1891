import triton
import triton.language as tl


@triton.jit
def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    # A program goes on with the block that lies a whole grid further, as long as there is one.
    for start in tl.range(tl.program_id(0) * B0, N0, tl.num_programs(0) * B0):
        i = start + tl.arange(0, B0)
        mask = i < N0
        x = tl.load(x_ptr + i, mask=mask)
        tl.store(z_ptr + i, x + 10.0, mask=mask)
