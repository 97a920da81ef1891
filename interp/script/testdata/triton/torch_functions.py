# torch.func, torch.nn.attention and torch._int_mm.
import torch, torch.nn.functional as F
print(torch.func.vmap(lambda x, y: x * y.sum(), in_dims=(0, None))(torch.arange(3.), torch.ones(2)))
print(torch.vmap(torch.dot)(torch.ones(2, 3), torch.arange(6.).view(2, 3)), torch.vmap(lambda x: (x, x + 1), out_dims=(0, 1))(torch.zeros(2, 3))[1].shape)
f = lambda x: (x ** 3).sum()
x = torch.tensor([1., 2.])
print(torch.func.grad(f)(x), torch.func.grad_and_value(f)(x))
print(torch.func.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x + 1), torch.func.grad(lambda a: ((a * a).sum(), a + 7), has_aux=True)(x))
try: torch.func.grad(lambda a: ((a * a).sum(), 7), has_aux=True)(x)
except RuntimeError as e: print(e)
print(torch.vmap(torch.func.grad(lambda x: (x * x).sum()))(torch.arange(4.).view(2, 2)), x.requires_grad)
try: torch.func.grad(lambda x: x)(x)
except RuntimeError as e: print(e)
try: torch.vmap(lambda x, y: x)(x, torch.ones(3))
except ValueError as e: print(e)
q = torch.randn(1, 2, 4, 8)
from torch.nn.attention import sdpa_kernel, SDPBackend
with sdpa_kernel(SDPBackend.FLASH_ATTENTION): print(F.scaled_dot_product_attention(q, q, q).shape)
with torch.backends.cuda.sdp_kernel(enable_flash=True, enable_math=False): pass
torch.backends.cuda.enable_flash_sdp(False); print(torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled())
a = torch.full((17, 32), 100, dtype=torch.int8); print(torch._int_mm(a, a.t())[0, :3], torch._int_mm(a, a.t()).dtype)
