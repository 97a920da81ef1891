import torch


def inputs(N):
    assert N > 0
    return torch.randn(N)


def total(x):
    return x.sum()
