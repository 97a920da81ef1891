# TRITON_F32_DEFAULT is read when a kernel is compiled, and overrides allow_tf32; input_precision overrides it.
import os
import torch
import triton
import triton.language as tl


@triton.jit
def product(x_ptr, z_ptr, PRECISION: tl.constexpr, ALLOW: tl.constexpr):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    x = tl.load(x_ptr + i * 16 + j)
    identity = (i == j).to(tl.float32)
    tl.store(z_ptr + i * 16 + j, tl.dot(x, identity, input_precision=PRECISION, allow_tf32=ALLOW))


x = torch.full((16, 16), 1 + 2**-12 + 2**-13, device="cuda")
z = torch.empty_like(x)
for default in (None, "ieee", "tf32"):
    if default:
        os.environ["TRITON_F32_DEFAULT"] = default
    for precision, allow in ((None, None), (None, False), ("tf32", None), ("ieee", None)):
        product[(1,)](x, z, PRECISION=precision, ALLOW=allow)
        print(default, precision, allow, "fp32" if torch.equal(x, z) else "tf32")
