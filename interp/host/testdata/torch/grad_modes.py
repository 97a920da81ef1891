# Decorators of the gradient mode keep the function's name, parameters and attributes.
import inspect
import pytest
import torch


@pytest.mark.parametrize("n", [1, 2])
@torch.inference_mode()
def test_a(n, scale: float = 2.0):
    assert torch.ones(n).sum() == n
    return torch.is_grad_enabled()


class Model:
    @torch.no_grad()
    def step(self, x):
        return (x * 2).requires_grad


print(test_a(2), torch.is_grad_enabled(), test_a.__name__, inspect.signature(test_a), test_a.pytestmark[0].args)
print(Model().step(torch.ones(2, requires_grad=True)), Model.step.__name__, torch.no_grad()(lambda: torch.is_grad_enabled())())
from torch.autograd import Function
print(Function.__name__)
