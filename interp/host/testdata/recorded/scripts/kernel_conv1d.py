import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def conv1d_kernel(x_ptr, w_ptr, y_ptr, L, K: tl.constexpr, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    L_out = L - K + 1
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(K):
        x = tl.load(x_ptr + batch * L + offs + k, mask=offs < L_out, other=0.0)
        acc += x * tl.load(w_ptr + k)
    tl.store(y_ptr + batch * L_out + offs, acc, mask=offs < L_out)


x = torch.arange(60, dtype=torch.float32, device="cuda").view(3, 20)
w = torch.tensor([1., 0., -1.], device="cuda")
y = torch.empty(3, 18, device="cuda")
conv1d_kernel[(3, 2)](x, w, y, 20, K=3, BLOCK=16)
ref = F.conv1d(x[:, None, :], w[None, None, :])[:, 0]
print(y[0])
print(torch.allclose(y, ref), ref.shape)
