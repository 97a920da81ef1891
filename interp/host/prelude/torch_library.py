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


class _Spaces:
    pass


ops = _Spaces()


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
