import torch


def inputs(M, N):
    assert N > 0
    return -1 - torch.rand(M, N)


def rowmax(x):
    return x.max(dim=1).values
