"The comparison of torch.testing, with the words of torch 2.11 (torch/testing/_comparison.py)."
import math as _math

import torch as _torch

# rtol and atol by dtype; others must be equal.
_TOLERANCES = {_torch.float16: (1e-3, 1e-5), _torch.bfloat16: (1.6e-2, 1e-5), _torch.float32: (1.3e-6, 1e-5),
               _torch.float64: (1e-7, 1e-7)}


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    wrong = _Comparison(rtol, atol, equal_nan, check_device, check_dtype, check_stride).compare(actual, expected)
    if wrong:
        raise AssertionError(msg if isinstance(msg, str) else wrong if msg is None else msg(wrong))


class _Comparison:
    def __init__(self, rtol, atol, equal_nan, check_device, check_dtype, check_stride):
        self.rtol, self.atol, self.equal_nan = rtol, atol, equal_nan
        self.check_device, self.check_dtype, self.check_stride = check_device, check_dtype, check_stride

    def compare(self, x, y, item=""):
        "What is wrong with the first pair of values that is not close, None if all are; item is the place in containers."
        if isinstance(x, (list, tuple, range)) and isinstance(y, (list, tuple, range)) and len(x) == len(y):
            pairs = [(a, b, f"{item}[{i}]") for i, (a, b) in enumerate(zip(x, y))]
        elif isinstance(x, dict) and isinstance(y, dict) and x.keys() == y.keys():
            pairs = [(x[key], y[key], f"{item}[{key!r}]") for key in sorted(x)]
        else:
            where = f"\n\nThe failure occurred for item {item}" if item else ""
            try:
                wrong = self._pair(x, y)
            except (TypeError, ValueError) as e:
                raise type(e)(str(e) + where) from None
            return wrong and wrong + where
        for a, b, place in pairs:
            if wrong := self.compare(a, b, place):
                return wrong

    def _pair(self, x, y):
        if isinstance(x, (list, tuple, range)) and isinstance(y, (list, tuple, range)):
            return f"The length of the sequences mismatch: {len(x)} != {len(y)}"
        if isinstance(x, dict) and isinstance(y, dict):
            missing, additional = sorted(y.keys() - x.keys()), sorted(x.keys() - y.keys())
            return (f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {missing}\n"
                    f"Additional keys in the actual mapping: {additional}")
        if x is None or y is None:
            return None if x is y else f"None mismatch: {x} is not {y}"
        if isinstance(x, bool) and isinstance(y, bool):
            return None if x is y else f"Booleans mismatch: {x} is not {y}"
        if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (x, y)):
            return self._numbers(x, y)
        if isinstance(x, _torch.Tensor) and isinstance(y, _torch.Tensor):
            return self._tensors(x, y)
        raise TypeError(f"No comparison pair was able to handle inputs of type {type(x)} and {type(y)}.")

    def _tolerances(self, *dtypes):
        "As given, or the loosest of the dtypes."
        if (self.rtol is None) != (self.atol is None):
            raise ValueError("Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                             f"{'atol' if self.atol is None else 'rtol'}.")
        if self.rtol is not None:
            return self.rtol, self.atol
        return tuple(max(loose) for loose in zip(*(_TOLERANCES.get(d, (0.0, 0.0)) for d in dtypes)))

    def _numbers(self, x, y):
        rtol, atol = self._tolerances(*(_torch.float64 if isinstance(v, float) else None for v in (x, y)))
        if self.check_dtype and type(x) is not type(y):
            return f"The (d)types do not match: {type(x)} != {type(y)}."
        difference = abs(x - y)
        if x == y or self.equal_nan and x != x and y != y or (
                _math.isfinite(difference) and difference <= atol + rtol * abs(y)):
            return None
        return self._scalars(x, y, rtol, atol)

    def _scalars(self, x, y, rtol, atol):
        absolute = abs(x - y)
        relative = absolute / abs(y) if y != 0 else _math.inf
        return (_headline("Scalars", rtol, atol) + f"Expected {y} but got {x}.\n"
                f"Absolute difference: {absolute}{_allowed(atol, rtol, atol)}\n"
                f"Relative difference: {relative}{_allowed(rtol, rtol, atol)}")

    def _tensors(self, x, y):
        rtol, atol = self._tolerances(x.dtype, y.dtype)
        for name, checked in (("shape", True), ("stride()", self.check_stride), ("device", self.check_device),
                              ("dtype", self.check_dtype)):
            a, b = (t.stride() if name == "stride()" else getattr(t, name) for t in (x, y))
            if checked and a != b:
                return f"The values for attribute '{name}' do not match: {a} != {b}."
        if x.dtype != y.dtype:
            common = _torch.promote_types(x.dtype, y.dtype)
            x, y = x.to(common), y.to(common)
        if x.device != y.device:
            x, y = x.cpu(), y.cpu()
        # torch compares the bits of 8-bit floats, whatever the tolerances, and names no differences.
        bits = x.dtype.is_floating_point and x.dtype.itemsize == 1
        if bits:
            x, y = x.float(), y.float()
            near = _torch.isclose(x, y, 0, 0, True)
        else:
            near = _torch.isclose(x, y, rtol, atol, self.equal_nan)
        if x.numel() == 0 or near.all():
            return None
        if x.ndim == 0 and not bits:
            return self._scalars(x.item(), y.item(), rtol, atol)
        shape, near = x.shape, near.flatten()
        wrong = x.numel() - near.sum().item()
        count = f"Mismatched elements: {wrong} / {x.numel()} ({100 * wrong / x.numel():.1f}%)\n"
        if bits:
            first = _index(near.logical_not().int().argmax().item(), shape)
            return f"Tensor-likes are not 'equal'!\n\n{count}The first mismatched element is at index {first}."
        x, y = x.flatten(), y.flatten()
        if not x.dtype.is_floating_point:
            x, y = x.to(_torch.int64), y.to(_torch.int64)
        absolute = (x - y).abs().masked_fill(near, 0)
        relative = (absolute / y.abs()).masked_fill(near, 0)
        greatest = []
        for kind, differences, tolerance in (("absolute", absolute, atol), ("relative", relative, rtol)):
            i = differences.argmax().item()
            greatest.append(f"Greatest {kind} difference: {differences[i].item()} at index {_index(i, shape)}"
                            f"{_allowed(tolerance, rtol, atol)}")
        return _headline("Tensor-likes", rtol, atol) + count + "\n".join(greatest)


def _headline(what, rtol, atol):
    return f"{what} are not {'close' if rtol or atol else 'equal'}!\n\n"


def _allowed(tolerance, rtol, atol):
    return f" (up to {tolerance} allowed)" if rtol or atol else ""


def _index(i, shape):
    "The index of element i, counted in row-major order."
    index = []
    for n in reversed(shape):
        i, at = divmod(i, n)
        index.insert(0, at)
    return tuple(index)
