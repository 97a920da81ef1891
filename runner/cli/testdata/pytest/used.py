"""What the kernels of test_kernels use of another module, under a name that they have for something else."""
import triton
import triton.language as tl

SCALE = tl.constexpr(10)


@triton.jit
def moved(x):
    # of two lines

    return x * SCALE
