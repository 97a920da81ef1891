import torch


def inputs(N):
    return torch.randn(N), torch.randn(N)


def square(x, dy):
    x = x.clone().requires_grad_()
    y = x * x
    y.backward(dy)
    return y.detach(), x.grad
