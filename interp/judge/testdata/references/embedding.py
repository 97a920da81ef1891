import torch


def inputs(rows, width, n):
    assert rows > 0
    return torch.randn(rows, width), torch.randint(0, rows, (n,))


def embedding(weight, index):
    return weight[index]
