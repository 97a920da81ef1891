import torch
import triton
import triton.language as tl


@triton.jit
def lora_kernel(x_ptr, w_ptr, a_ptr, b_ptr, y_ptr, alpha, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr, R: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, K)
    n = tl.arange(0, N)
    r = tl.arange(0, R)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :])
    w = tl.load(w_ptr + k[:, None] * N + n[None, :])
    a = tl.load(a_ptr + k[:, None] * R + r[None, :])
    b = tl.load(b_ptr + r[:, None] * N + n[None, :])
    base = tl.dot(x, w)
    low = tl.dot(x, a).to(tl.float16)
    y = base + alpha * tl.dot(low, b)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y)


M, K, N, R = 16, 32, 64, 16
shape = lambda *s: ((torch.arange(s[0] * s[1], device="cuda") * 13 % 7) - 3).view(s).half() / 4
x, w, a, b = shape(M, K), shape(K, N), shape(K, R), shape(R, N)
y = torch.empty(M, N, device="cuda")
lora_kernel[(1,)](x, w, a, b, y, 0.5, M=M, K=K, N=N, R=R)
ref = x.float() @ w.float() + 0.5 * ((x.float() @ a.float()).half().float() @ b.float())
print(torch.allclose(y, ref, atol=1e-3))
print(y[:2, :6])
