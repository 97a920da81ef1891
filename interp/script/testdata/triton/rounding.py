# Where torch's kernels round: RMS norm, sigmoid and silu.
import torch, torch.nn.functional as F


def near(values):
    "Halves as they are; float32 to six digits, where devices add in another order."
    return [float(f"{v:.6g}") if values.dtype == torch.float32 else v for v in values.tolist()]


for device in "cuda", "cpu":
    for dtype in torch.float32, torch.float16, torch.bfloat16:
        x = ((torch.arange(48, device=device) * 37 % 64 - 31) / 8).to(dtype).view(3, 16).requires_grad_()
        w = ((torch.arange(16, device=device) * 11 % 16 + 3) / 7).to(dtype).requires_grad_()
        y = F.rms_norm(x, (16,), w, 1e-6)
        print(device, dtype, y.grad_fn.name(), near(y[1, :4]))
        y.backward((torch.arange(48, device=device) % 5 - 2).to(dtype).view(3, 16))
        print(near(x.grad[2, :4]), near(w.grad[:4]))
    x = torch.full((2, 4), 2.0 ** -12, device=device)
    for eps in None, 1e-3:
        print(near(F.rms_norm(x, (4,), eps=eps)[0, :1]), F.rms_norm(x.half(), (4,), eps=eps)[0, 0].item(), near(torch.nn.RMSNorm(4, eps=eps, device=device)(x)[0, :1]))
for shape, weight in ((5,), None), ((4,), torch.ones(3)):
    try:
        F.rms_norm(torch.ones(2, 4), shape, weight)
    except RuntimeError as e:
        print(e)
x = torch.tensor([-20.0, 3.0, 15.0, 16.2, 16.5, 17.0, 17.5, 90.0])
for device in "cuda", "cpu":
    y = x.to(device)
    print(near(torch.sigmoid(y[:2])), torch.sigmoid(y[2:]).tolist(), near(F.silu(y[:2])), F.silu(y[2:]).tolist())
    print(torch.topk(torch.sigmoid(y), 4).values.tolist(), torch.sigmoid(y.half()).tolist())
x = torch.tensor([-6.0, -3.3, -1.7, -0.4, -0.001, 0.3, 0.7, 2.9, 5.5])
for device in "cuda", "cpu":
    y = x.to(device)
    print(F.gelu(y)[0].item(), near(F.gelu(y)[2:]), F.gelu(y.half()).tolist(), F.gelu(y.bfloat16())[1:].tolist())
    print(F.gelu(y, approximate="tanh")[0].item(), near(F.gelu(y, approximate="tanh")[2:]), F.gelu(y.half(), approximate="tanh").tolist())
    for d in torch.float32, torch.float16, torch.bfloat16:
        z = y.to(d)
        print([(z ** p).tolist() for p in (2, 3, 0.5)], near((z.float() ** -0.5)[5:]))
    print((torch.tensor([-0.0, -float("inf"), 4.0], device=device) ** 0.5).tolist(), torch.pow(torch.tensor([1.5, -2.0], device=device, dtype=torch.float64), 3).tolist())
print(F.gelu(torch.tensor([-3.3], device="cuda")).item())
