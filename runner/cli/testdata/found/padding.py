import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    block = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))  # warning: name-deprecated
    # boundary_check alone leaves what is past the end undefined: padding_option="zero" makes it 0.
    x = tl.load(block, boundary_check=(0,))
    tl.store(out_ptr, tl.sum(x, axis=0))  # warning: undefined-lane-store


total[(1,)](torch.ones(5, device="cuda"), torch.empty(1, device="cuda"), 5, BLOCK=8)
