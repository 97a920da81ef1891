"""triton.tools.mxfp: elements and scales of the OCP Microscaling formats, a uint8 each.

An element is E2M1: a sign and an index into _MAGNITUDES. A scale is E8M0: 2 to the power of its value less 127; 255 is NaN.
"""
import torch

_MAGNITUDES = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
_BIAS = 127
_NAN = 255


class _Microscaled:
    def __init__(self, data=None, size=None, device=None):
        self.device = device
        if data is not None:
            assert isinstance(data, torch.Tensor), "Parameter data must be a torch tensor"
            self.device = data.device
            self.data = self._from_float(data)
        elif size is not None:
            self.size = size if isinstance(size, tuple) else (size,)
        else:
            raise ValueError("Either parameter data or size must be provided")

    def _draw(self, low, high):
        return torch.randint(low, high, size=self.size, dtype=torch.uint8, device=self.device)


class MXFP4Tensor(_Microscaled):
    """Elements of four bits, from floats or of a size to be drawn."""

    def random(self):
        sign, exponent, mantissa = self._draw(0, 2), self._draw(0, 4), self._draw(0, 2)
        self.data = sign << 3 | exponent << 1 | mantissa
        return self

    def to(self, dtype):
        assert dtype == torch.float32, "Currently only float32 is supported for fp4e2m1 to float conversion"
        magnitudes = torch.tensor(_MAGNITUDES, device=self.data.device)[(self.data & 7).long()]
        return torch.where(self.data >= 8, -magnitudes, magnitudes)

    def _from_float(self, values):
        """The nearest elements; of two that are as near the even one, and the greatest for what is beyond it."""
        sizes = torch.where(torch.isfinite(values), values.abs(), _MAGNITUDES[-1])
        code = torch.zeros_like(values, dtype=torch.uint8)
        for i, (low, high) in enumerate(zip(_MAGNITUDES, _MAGNITUDES[1:])):
            middle = (low + high) / 2
            code += (sizes >= middle if i % 2 else sizes > middle).to(torch.uint8)
        return torch.signbit(values).to(torch.uint8) << 3 | code

    def to_packed_tensor(self, dim):
        """Two elements a byte along a dimension, the first in the lower half; a zero after an odd number of them."""
        data = self.data
        assert 0 <= dim < data.ndim, "The dimension to pack along is not within the range of tensor dimensions"
        if data.shape[dim] % 2:
            data = torch.cat([data, torch.zeros_like(data.narrow(dim, 0, 1))], dim)
        pairs = data.unflatten(dim, (data.shape[dim] // 2, 2))
        return pairs.select(dim + 1, 1) << 4 | pairs.select(dim + 1, 0)

    def unpack_packed_tensor(self, packed_tensor, dim, original_shape):
        data = torch.stack((packed_tensor & 15, packed_tensor >> 4), dim + 1).flatten(dim, dim + 1)
        return data.narrow(dim, 0, original_shape[dim])


class MXScaleTensor(_Microscaled):
    """Scales of eight bits, from floats or of a size to be drawn."""

    def random(self, low=None, high=None):
        """Draws scales from low to high, NaN not among them."""
        least = 0 if low is None else max(0, int(torch.log2(torch.tensor(low))) + _BIAS)
        greatest = 254 if high is None else min(254, max(0, int(torch.log2(torch.tensor(high))) + _BIAS))
        assert least <= greatest, "Low must be less than or equal to high"
        self.data = self._draw(least, greatest + 1)
        return self

    def to(self, dtype):
        assert dtype == torch.float32, "Currently only float32 is supported for f8e8m0 to float conversion"
        return torch.where(self.data == _NAN, torch.nan, torch.pow(2.0, self.data.to(dtype) - _BIAS))

    def _from_float(self, values):
        """The greatest powers of two that are not above the values; NaN for what is not positive and finite."""
        fits = torch.isfinite(values) & (values > 0)
        exponents = torch.floor(torch.log2(torch.where(fits, values, 1.0))) + _BIAS
        return torch.where(fits, exponents.clamp(0, 254), float(_NAN)).to(torch.uint8)
