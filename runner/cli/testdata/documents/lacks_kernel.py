"""What newt lacks is never quoted as Triton's refusal."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def k(x):
    a = tl.async_task(x)
    b = libdevice.cyl_bessel_i0(1.0)
    c = tl.lod(x)


k[(1,)](torch.zeros(4, device="cuda"))
