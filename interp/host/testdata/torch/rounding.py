# Where sums of products of 16-bit numbers are rounded. All sums are exact in float32.
import torch
import torch.nn.functional as F

for dtype in torch.bfloat16, torch.float16:
    x = (torch.arange(8 * 16, device="cuda").reshape(8, 16) * 37 % 101 - 50).to(dtype)
    w = (torch.arange(4 * 16, device="cuda").reshape(4, 16) * 53 % 97 - 48).to(dtype)
    b = torch.tensor([0.5, 3, -7.25, 11], device="cuda", dtype=dtype)
    exact = x.float() @ w.float().T + b.float()
    print(F.linear(x, w).tolist()[0])
    print(F.linear(x, w, b).tolist()[0])
    print((F.linear(x, w, b) == exact.to(dtype)).all().item())
    print((torch.addmm(b, x, w.T) == exact.to(dtype)).all().item())
    print(torch.addmm(b, x, w.T, beta=3, alpha=0.5).tolist()[1])
    print(torch.baddbmm(b.expand(2, 8, 4), x.expand(2, 8, 16), w.T.expand(2, 16, 4), beta=3, alpha=0.5)[1].tolist()[2])
    leaves = [t.clone().requires_grad_() for t in (x, w, b)]
    F.linear(*leaves).sum().backward()
    print([t.grad.dtype for t in leaves], leaves[2].grad.tolist())
