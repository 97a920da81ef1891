import torch

x = torch.ones(4, device="cuda")
y = x
x += 1
print(x, y is x)
x.mul_(3).sub_(1).div_(5)
print(y)
x.fill_(2).clamp_(max=1.5)
print(x, x.zero_(), x.copy_(torch.arange(4)))
x[1:3].neg_()
print(x)
torch.add(x, 10, out=x)
print(x)
x.masked_fill_(x > 10, 0)
print(x)
z = torch.zeros(2, 2, device="cuda")
z.add_(torch.eye(2, device="cuda"), alpha=3)
print(z, z.t_().is_contiguous())
z.index_add_(0, torch.tensor([0, 0], device="cuda"), torch.ones(2, 2, device="cuda"))
print(z)
w = torch.ones(2, requires_grad=True)
try:
    w += 1
except RuntimeError as e:
    print(e)
try:
    torch.ones(3, dtype=torch.int32).add_(0.5)
except RuntimeError as e:
    print(e)
print(torch.relu_(torch.tensor([-1., 1.])), torch.tensor([1., 4.]).sqrt_(), torch.tensor([0.]).uniform_(2, 2))
