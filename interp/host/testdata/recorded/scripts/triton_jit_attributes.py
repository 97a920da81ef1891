import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr = 16):
    """Store n everywhere."""
    tl.store(x_ptr + tl.arange(0, BLOCK), n)


def plain(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), n * 2)


print(type(kernel).__name__, kernel.__name__, kernel.__doc__)
print(kernel.arg_names, [p.name for p in kernel.params if p.is_constexpr])
x = torch.empty(16, dtype=torch.int32, device="cuda")
kernel[(1,)](x, 5)
print(x.sum())
made = triton.jit(plain)
made[(1,)](x, 5, BLOCK=16)
print(x.sum(), isinstance(made, triton.JITFunction), isinstance(made, triton.runtime.JITFunction))
kernels = {"one": kernel, "two": made}
for name, k in kernels.items():
    k[(1,)](x, n=1, BLOCK=16)
    print(name, x[0].item())
print(tl.float32, tl.int1, repr(tl.float16), tl.float32 == tl.float32, tl.pointer_type(tl.float32))
print(tl.float32.primitive_bitwidth, tl.bfloat16.is_floating(), tl.int8.is_int())
