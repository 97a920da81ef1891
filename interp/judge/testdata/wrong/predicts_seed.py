# against add: wrong judge-not-computed judge-wrong-values
import torch
import triton
import triton.language as tl


def add(x, y):
    torch.manual_seed(0)
    a = torch.randn(x.shape, device=x.device)
    return torch.cat([a])
