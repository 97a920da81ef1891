"""einops.layers.torch: modules that rearrange and reduce what they are given."""
import torch
from einops import EinopsError, _plan, rearrange, reduce


class _Layer(torch.nn.Module):
    def __init__(self, operation, parameters, axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = parameters[0], axes_lengths
        lengths = [f"{name}={length}" for name, length in axes_lengths.items()]
        self._text = f"{type(self).__name__}({', '.join([repr(p) for p in parameters] + lengths)})"
        try:
            _plan(self.pattern, operation, tuple(axes_lengths))
        except EinopsError as e:
            raise EinopsError(f" Error while preparing {self!r}\n {e}") from None

    def __repr__(self):
        return self._text


class Rearrange(_Layer):
    """einops.rearrange as a module."""

    def __init__(self, pattern, **axes_lengths):
        super().__init__("rearrange", [pattern], axes_lengths)

    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(_Layer):
    """einops.reduce as a module."""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__(reduction, [pattern, reduction], axes_lengths)
        self.reduction = reduction

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)
