"What requires_grad says of a view that is made where gradients are off: what its base says (torch's variable.h)."
import torch

x = torch.arange(6.0).requires_grad_()
with torch.no_grad():
    view, sum, part = x.view(2, 3), x + 1, x[1:3]
print(view.requires_grad, view.is_leaf, view.grad_fn)
print(sum.requires_grad, part.requires_grad, x.detach().requires_grad, x.data.requires_grad)
print(part)


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        rows = x.view(2, 3)
        ctx.save_for_backward(rows)
        print("in forward", x.requires_grad, rows.requires_grad)
        return (rows * 2).view(-1)

    @staticmethod
    def backward(ctx, grad):
        rows, = ctx.saved_tensors
        print("in backward", rows.requires_grad)
        return grad * 2 if rows.requires_grad else None


Double.apply(x).sum().backward()
print(x.grad)
