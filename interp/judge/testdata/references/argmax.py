import torch


def inputs(M, N):
    assert N > 0
    return torch.randn(M, N)


def argmax(x):
    return x.argmax(dim=1)
