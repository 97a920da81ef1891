import torch

a = torch.ones(2, 3, device="cuda")
b = torch.ones(4, 5, device="cuda")
print(a.shape, b.shape)
c = a @ b
print(c)
