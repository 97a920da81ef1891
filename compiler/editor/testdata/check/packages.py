# The language may come from a package of one's own; what a decorator of another library makes is no kernel, and the
# functions of the host may take any keywords.
import jax
import torch
import other.tune
from my_package.triton_utils import tl, triton

from .kernels import swizzle


def options(**given):
    return True


CHECKED = tl.constexpr(options())
GIVEN = tl.constexpr(options(level=2))


@triton.jit
def kernel(x, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    if CHECKED and GIVEN:
        tl.store(z + i, tl.lod(x + i, mask=i < n))  # error: unknown-name "`tl` has no `lod`"
    tl.store(z + swizzle(i), i)


@jax.jit
def host(x, **options):
    with open("log") as log:
        log.write(str(options))
    return kernel(x, **options)


@other.tune.autotune(configs=[1], key_fn=options)
def tuned(x):
    def allocate(size, alignment, stream):
        return bytes(size)

    triton.set_allocator(allocate)
    with open("log") as log:
        log.write(str(x))


class Counter:
    def make(self):
        return __class__()


@triton.jit
def elsewhere(x, z, tag, query_scale_stride: tl.int64, sem: tl.constexpr):
    with other.tasks() as task:
        with other.task():
            v = tl.load(x + query_scale_stride)
    tl._experimental_descriptor_store(task, v)
    tl.atomic_add(z, 1, sem=sem)
    tl.stor(z, v)  # error: unknown-name "`tl` has no `stor`"
    tl.store(z, v, foo=1)  # error: unknown-keyword "`foo`"
    tl.store(z, -torch.inf)
