import torch


def inputs(N):
    return torch.randn(N)


def relu_(x):
    return x.relu_()
