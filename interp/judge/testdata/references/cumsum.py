import torch


def inputs(N):
    return torch.randn(N)


def cumsum(x):
    return x.cumsum(0)
