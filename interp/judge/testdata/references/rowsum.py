import torch


def inputs(M, N):
    return torch.randn(M, N)


def rowsum(x):
    return x.sum(dim=1)
