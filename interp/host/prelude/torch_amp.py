"""torch.amp: the decorators of custom functions, and a switch for automatic precision, which newt does not change."""


def _decorator(fn, wrap):
    return wrap if fn is None else wrap(fn)


def custom_fwd(fwd=None, *, device_type=None, cast_inputs=None):
    def wrap(fn):
        if cast_inputs is None:
            return fn

        def casting(*args, **kwargs):
            return fn(*[_cast(a, cast_inputs) for a in args], **kwargs)
        return casting
    return _decorator(fwd, wrap)


def _cast(value, dtype):
    floating = isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64
    return value.to(dtype) if floating and torch.is_autocast_enabled() else value


def custom_bwd(bwd=None, *, device_type=None):
    return _decorator(bwd, lambda fn: fn)


class autocast:
    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        if enabled:
            raise NotImplementedError("newt has no torch.autocast: convert tensors with .to(dtype)")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, fn):
        return fn


import torch
