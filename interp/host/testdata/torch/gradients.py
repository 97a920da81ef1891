# The memory of a gradient: a sum gives every element the same one, a mean divides it first, a view gives a view.
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
Same.apply(x).sum(1).sum().backward()
Same.apply(x).t().sum().backward()
Same.apply(x).view(6).sum().backward()
Same.apply(x).unsqueeze(0).permute(2, 0, 1).sum().backward()
Same.apply(x)[1].sum().backward()
(Same.apply(x).t() * torch.ones(3, 2)).sum().backward()
print(x.grad)
