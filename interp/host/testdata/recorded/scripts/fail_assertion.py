import torch

x = torch.tensor([1.0, 2.0], device="cuda")
y = torch.tensor([1.0, 2.5], device="cuda")
print("checking")
assert torch.allclose(x, y), f"max difference {(x - y).abs().max().item()}"
