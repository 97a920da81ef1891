"""torch.amp: automatic precision, its decorators for custom functions, and the scaling of losses."""
import torch


def _decorator(fn, wrap):
    return wrap if fn is None else wrap(fn)


def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    def wrap(fn):
        if cast_inputs is None:
            return fn

        def casting(*args, **kwargs):
            if not torch.is_autocast_enabled(device_type):
                return fn(*args, **kwargs)
            with autocast(device_type, enabled=False):
                return fn(*[_cast(a, cast_inputs) for a in args], **{k: _cast(v, cast_inputs) for k, v in kwargs.items()})
        return casting
    return _decorator(fwd, wrap)


def _cast(value, dtype):
    floating = isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64
    return value.to(dtype) if floating else value


def custom_bwd(bwd=None, *, device_type="cuda"):
    return _decorator(bwd, lambda fn: fn)


class autocast:
    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device, self.enabled = device_type, enabled
        self.dtype = torch.get_autocast_dtype(device_type) if dtype is None else dtype

    def __enter__(self):
        self.before = torch._set_autocast(self.device, self.dtype if self.enabled else None)
        return self

    def __exit__(self, *error):
        torch._set_autocast(self.device, self.before)
        return False

    def __call__(self, fn):
        def casting(*args, **kwargs):
            with autocast(self.device, self.dtype, self.enabled):
                return fn(*args, **kwargs)
        return casting


class GradScaler:
    """Losses are multiplied by a scale so that gradients in float16 do not vanish; the optimizer sees them without it."""

    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._scale, self._growth_factor, self._backoff_factor = init_scale, growth_factor, backoff_factor
        self._growth_interval, self._enabled = growth_interval, enabled
        self._steps, self._overflow, self._unscaled = 0, False, False

    def scale(self, outputs):
        return outputs * self._scale if self._enabled else outputs

    def unscale_(self, optimizer):
        if not self._enabled or self._unscaled:
            return
        self._overflow, self._unscaled = False, True
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(1.0 / self._scale)
                    self._overflow = self._overflow or not bool(torch.isfinite(p.grad).all())

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        self.unscale_(optimizer)
        return None if self._overflow else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        self._unscaled = False
        if new_scale is not None:
            self._scale = float(new_scale)
        elif self._overflow:
            self._scale, self._steps = self._scale * self._backoff_factor, 0
        else:
            self._steps += 1
            if self._steps == self._growth_interval:
                self._scale, self._steps = self._scale * self._growth_factor, 0

    def get_scale(self):
        return self._scale if self._enabled else 1.0

    def is_enabled(self):
        return self._enabled
