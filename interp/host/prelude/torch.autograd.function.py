"""torch.autograd.function: what torch.autograd has it from."""
import functools
import torch
from torch.autograd import Function, FunctionCtx


def once_differentiable(fn):
    @functools.wraps(fn)
    def backward(ctx, *grads):
        with torch.no_grad():
            return fn(ctx, *grads)
    return backward
