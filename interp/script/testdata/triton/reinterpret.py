# triton.reinterpret: a kernel takes the bytes of a tensor for elements of another dtype.
import torch, triton, triton.language as tl
@triton.jit
def to_fp8(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n).to(z_ptr.dtype.element_ty), mask=i < n)
x = torch.arange(4, dtype=torch.float32, device="cuda")
z = torch.zeros(4, dtype=torch.uint8, device="cuda")
w = triton.reinterpret(z, tl.float8e5)
to_fp8[(1,)](x, w, 4, BLOCK=4)
print(z, w.dtype, w.shape, w.base is z, z.view(torch.float8_e5m2).float())
same = triton.reinterpret(w, torch.uint8)
print(same is z, triton.reinterpret(z[2:], tl.int8).data_ptr() - z.data_ptr(), w.stride())
try:
    triton.reinterpret(3, tl.int8)
except TypeError as e:
    print(e)
