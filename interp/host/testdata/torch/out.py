import torch
a = torch.ones(3)
o = torch.empty(3)
print(torch.add(a, a, out=o) is o, o)
print(torch.matmul(torch.eye(2), torch.ones(2, 2), out=torch.empty(2, 2)))
print(torch.tensor([1.0, 2.0]).view(torch.int32), torch.arange(4, dtype=torch.int8).view(torch.int16), torch.zeros(2, dtype=torch.int32).view(torch.int8).shape)
print(torch.ones(2, 2, device="cuda").view(4).view(2, 2), torch.ones(4).view(dtype=torch.int32))
