import torch


def inputs(M, N):
    return torch.rand(M, N), 0.25


def dropout(x, p):
    return torch.softmax(torch.nn.functional.dropout(x, p), dim=1)


sizes = {"M": [1, 8], "N": [300]}
