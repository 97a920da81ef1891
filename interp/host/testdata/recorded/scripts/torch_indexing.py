import torch

x = torch.arange(24, device="cuda").view(2, 3, 4)
print(x[0], x[-1, -1], x[0, 1, 2], x[:, 1], x[..., 0], x[0, :, ::2], sep="\n")
print(x[None].shape, x[:, None, :, 1:3].shape, x[..., None].shape)
print(x[torch.tensor([1, 0], device="cuda"), 0], x[:, [0, 2]][0])
print(x[x > 20], (x > 20).nonzero())
y = x.clone()
y[0] = -1
y[1, :, 0] = torch.tensor([7, 8, 9], device="cuda")
y[y == 13] = 1000
print(y)
y[..., 1:3] += 100
print(y[1])
print(x.flatten()[x.flatten() % 5 == 0])
rows = torch.arange(3, device="cuda")
m = x[0]
print(m[rows, rows], m.diagonal(), m.gather(1, torch.tensor([[0], [2], [3]], device="cuda")).squeeze())
z = torch.zeros(3, 5, device="cuda")
z.scatter_(1, torch.tensor([[0, 2], [1, 1], [4, 0]], device="cuda"), 1.0)
print(z)
print(torch.take(x, torch.tensor([0, 23], device="cuda")), x.index_select(2, torch.tensor([3], device="cuda")).shape)
print(torch.where(x > 11, x, -x)[1, 0], torch.masked_select(m, m % 2 == 0))
try:
    x[2]
except IndexError as e:
    print(e)
try:
    x[0, 0, 0, 0]
except IndexError as e:
    print(e)
