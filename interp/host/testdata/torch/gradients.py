# The memory of a gradient: a sum gives every element the same one, a mean divides it first.
import torch


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        print(tuple(dy.shape), dy.stride(), dy.is_contiguous())
        return dy


x = torch.ones(2, 3, requires_grad=True)
Same.apply(x).sum().backward()
Same.apply(x).mean().backward()
Same.apply(x).mean(1).sum().backward()
Same.apply(x).mean(0, keepdim=True).mean().backward()
print(x.grad)
