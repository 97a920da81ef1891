# Names of Triton that newt lacks are told as such, and names of nobody as such.
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def blocks(x, z, n, B: tl.constexpr):
    p = tl.make_tensor_descriptor(x, (n,), (1,), (B,))  # error: not-in-newt "`tl.make_tensor_descriptor`"
    v = tl.load(p)
    tl.store(z, libdevice.lgamma(tl.sum(v)))  # error: not-in-newt "lgamma"
    tl.store(z, tl.lode(x))  # error: unknown-name "`tl` has no `lode`"
    tl.extra.other.wait()
