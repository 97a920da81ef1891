# against add: wrong judge-not-computed judge-wrong-values
import torch
import triton
import triton.language as tl


def add(x, y):
    return torch.zeros_like(x)
