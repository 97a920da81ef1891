import torch


def inputs(M, N):
    assert N > 0
    return 4 * torch.randn(M, N)


def softmax(x):
    return torch.softmax(x, dim=1)
