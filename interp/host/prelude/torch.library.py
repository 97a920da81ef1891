"""torch.library: operators of a script's own. They run as they are; what torch.compile needs of them is kept, but unused."""
import torch


class CustomOpDef:
    def __init__(self, name, fn):
        self._qualname, self._fn, self._backward, self._setup = name, fn, None, None
        self.__name__ = name.split("::")[-1]
        space, _, short = name.partition("::")
        setattr(_space(space), short, self)

    def __call__(self, *args, **kwargs):
        if self._backward is None:
            return self._fn(*args, **kwargs)
        return _differentiable(self)(*args)

    @property
    def default(self):
        return self

    def register_fake(self, fn):
        return fn

    def register_kernel(self, device_types, fn=None):
        return fn if fn is not None else lambda fn: fn

    def register_autograd(self, backward, *, setup_context=None):
        self._backward, self._setup = backward, setup_context


def _differentiable(op):
    class Differentiable(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            out = op._fn(*args)
            if op._setup is not None:
                op._setup(ctx, args, out)
            return out

        @staticmethod
        def backward(ctx, *grads):
            return op._backward(ctx, *grads)
    return Differentiable.apply


class _Namespace:
    pass


class _Aten:
    "An operator of torch's own: torch's function of its name, whose overloads are one."

    def __init__(self, name, fn):
        self._name, self._fn = name, fn

    def __call__(self, *args, **kwargs):
        return self._fn(*args, **kwargs)

    def __getattr__(self, overload):
        if overload.startswith("_"):
            raise AttributeError(overload)
        return self


class _AtenSpace:
    def __getattr__(self, name):
        fn = getattr(_operators, name, None) or getattr(torch, name, None) or getattr(torch.nn.functional, name, None)
        if fn is None:
            raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
        setattr(self, name, _Aten(name, fn))
        return getattr(self, name)


class _operators:
    "Operators whose arguments are not those of torch's functions."

    @staticmethod
    def randint(low, high, size, out):
        return out.copy_(torch.randint(low, high, size, dtype=out.dtype, device=out.device))

    @staticmethod
    def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
        if transposed:
            raise NotImplementedError("newt has no transposed convolution")
        conv = (torch.nn.functional.conv1d, torch.nn.functional.conv2d)[len(stride) - 1]
        return conv(input, weight, bias, stride, padding, dilation, groups)

    @staticmethod
    def convolution_backward(grad, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
                             groups, output_mask):
        x, w = input.detach().requires_grad_(output_mask[0]), weight.detach().requires_grad_(output_mask[1])
        with torch.enable_grad():
            y = _operators.convolution(x, w, None, stride, padding, dilation, transposed, output_padding, groups)
        found = iter(torch.autograd.grad(y, [t for t in (x, w) if t.requires_grad], grad))
        bias = grad.sum([0, *range(2, grad.dim())]) if output_mask[2] else None
        return tuple(next(found).contiguous() if wanted else None for wanted in output_mask[:2]) + (bias,)


def _alloc_from_pool(pool, offset_bytes, dtype, size, stride):
    return torch.as_strided(pool.view(torch.uint8)[offset_bytes:].view(dtype), size, stride)


class _Spaces:
    pass


ops = _Spaces()
ops.aten, ops.inductor, ops._quantized = _AtenSpace(), _Namespace(), _Namespace()
ops.inductor._alloc_from_pool = _alloc_from_pool


def _space(name):
    if not hasattr(ops, name):
        setattr(ops, name, _Namespace())
    return getattr(ops, name)


def custom_op(name, fn=None, *, mutates_args=(), device_types=None, schema=None, tags=None):
    if fn is not None:
        return CustomOpDef(name, fn)
    return lambda fn: CustomOpDef(name, fn)


def triton_op(name, fn=None, *, mutates_args=(), schema=None):
    return custom_op(name, fn, mutates_args=mutates_args)


def wrap_triton(kernel):
    return kernel


def register_fake(op, fn=None, **kwargs):
    return fn if fn is not None else lambda fn: fn


impl_abstract = register_fake


def register_autograd(op, backward, *, setup_context=None, lib=None):
    target = op if isinstance(op, CustomOpDef) else getattr(_space(op.split("::")[0]), op.split("::")[1])
    target.register_autograd(backward, setup_context=setup_context)


def opcheck(op, args, kwargs=None, **options):
    op(*args, **(kwargs or {}))
