# Names that libraries import from where torch defines them.
import torch
from torch.autograd.function import Function, FunctionCtx, once_differentiable


class Square(Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x):
        ctx.save_for_backward(x)
        with torch.cuda._DeviceGuard(x.device.index):
            return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        x, = ctx.saved_tensors
        return 2 * x * dy


x = torch.arange(3.0, device="cuda", requires_grad=True)
Square.apply(x).sum().backward()
print(x.grad, Square.backward.__name__, Function is torch.autograd.Function)
from torch.nn.modules.utils import _pair, _single

print(_single(3), _pair(3), _pair([1, 2]))
print(torch.are_deterministic_algorithms_enabled())
torch.use_deterministic_algorithms(True, warn_only=True)
print(torch.are_deterministic_algorithms_enabled())
for layer in torch.nn.BatchNorm1d(2), torch.nn.BatchNorm2d(2):
    try:
        layer(torch.ones(2, 2, 2, 2, 2))
    except ValueError as e:
        print(e)
conv = torch.nn.Conv2d(1, 2, 3, 1, "same", 1, 1, False, "zeros", None, torch.float32)
print(conv(torch.ones(1, 1, 4, 4)).shape, conv.padding_mode)
