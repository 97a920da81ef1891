# Names of Triton that newt lacks are told as such, and names of nobody as such.
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def blocks(x, z, n, B: tl.constexpr):
    v = tl.load(x)
    tl.async_task(v)  # error: not-in-newt "`tl.async_task`"
    tl.store(z, libdevice.erfinv(v))  # error: not-in-newt "erfinv"
    tl.store(z, tl.lode(x))  # error: unknown-name "`tl` has no `lode`"
    tl.extra.other.wait()
