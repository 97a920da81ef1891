import torch
import triton
import triton.language as tl


@triton.jit
def bad_shapes(x_ptr):
    a = tl.load(x_ptr + tl.arange(0, 8))
    b = tl.load(x_ptr + tl.arange(0, 16))
    tl.store(x_ptr + tl.arange(0, 8), a + b)


@triton.jit
def bad_arange(x_ptr, n):
    offs = tl.arange(0, n)
    tl.store(x_ptr + offs, offs)


@triton.jit
def bad_power(x_ptr):
    offs = tl.arange(0, 10)
    tl.store(x_ptr + offs, offs)


@triton.jit
def bad_name(x_ptr):
    tl.store(x_ptr, undefined_name)


@triton.jit
def bad_assert(x_ptr, N: tl.constexpr):
    tl.static_assert(N == 4, "N must be four")
    tl.store(x_ptr + tl.arange(0, N), 1.0)


x = torch.ones(16, device="cuda")
for name, run in [("shapes", lambda: bad_shapes[(1,)](x)), ("arange", lambda: bad_arange[(1,)](x, 7)),
                  ("power", lambda: bad_power[(1,)](x)), ("name", lambda: bad_name[(1,)](x)),
                  ("assert", lambda: bad_assert[(1,)](x, N=8))]:
    try:
        run()
    except triton.CompilationError as e:
        print(name, type(e).__mro__[1].__name__)
        print(e)
        print("-" * 20)
