"""torch.autograd: functions that a script differentiates itself, and a check of derivatives."""
import enum

import torch


class DeviceType(enum.Enum):
    """Where an event of torch.profiler ran."""
    CPU = 0
    CUDA = 1


class FunctionCtx:
    """What forward leaves for backward."""

    def __init__(self):
        self._saved = ()
        self._freed = False
        self._constant = ()
        self._dirty = ()
        self._materialize = True

    def save_for_backward(self, *tensors):
        for t in tensors:
            if t is not None and not isinstance(t, torch.Tensor):
                raise TypeError(f"save_for_backward can only save variables, but argument {tensors.index(t)} is of type {type(t).__name__}")
        self._saved = tensors

    @property
    def saved_tensors(self):
        if self._freed:
            raise RuntimeError("Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.")
        return self._saved

    def mark_non_differentiable(self, *tensors):
        self._constant = tensors

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


class Function:
    """An operation with a forward and a backward of its own."""

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx, *grads):
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.")

    @classmethod
    def apply(cls, *args):
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple([isinstance(a, torch.Tensor) and a.requires_grad for a in args])
        with torch.no_grad():
            if hasattr(cls, "setup_context"):
                out = cls.forward(*args)
                cls.setup_context(ctx, args, out)
            else:
                out = cls.forward(ctx, *args)
        return _attach(cls.__name__ + "Backward", ctx, cls.backward, args, out)


def once_differentiable(fn):
    return fn


class _Functions:
    pass


function = _Functions()
function.Function = Function
function.FunctionCtx = FunctionCtx
function.once_differentiable = once_differentiable


def Variable(data, requires_grad=False):
    return data.detach().requires_grad_(requires_grad)


class GradcheckError(RuntimeError):
    pass


def _outputs(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _numerical(fn, inputs, x, eps):
    """The Jacobian of every output by central differences: one row an element of x."""
    flat = x.data.view(-1)
    rows = []
    for i in range(flat.numel()):
        old = flat[i].item()
        flat[i] = old + eps
        high = [o.detach().clone() for o in _outputs(fn(*inputs))]
        flat[i] = old - eps
        low = [o.detach().clone() for o in _outputs(fn(*inputs))]
        flat[i] = old
        rows.append([(h - l).view(-1) / (2 * eps) for h, l in zip(high, low)])
    return rows


def _analytical(out, x):
    """The Jacobian by backward: one column an element of out."""
    columns = torch.zeros(x.numel(), out.numel(), dtype=out.dtype, device=out.device)
    for i in range(out.numel()):
        seed = torch.zeros_like(out)
        seed.view(-1)[i] = 1
        g = torch.autograd.grad(out, x, seed, retain_graph=True, allow_unused=True)[0]
        if g is not None:
            columns[:, i] = g.reshape(-1)
    return columns


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, fast_mode=False, check_undefined_grad=True, check_batched_grad=False):
    """Compare backward with central differences."""
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    for k, x in enumerate(inputs):
        if not isinstance(x, torch.Tensor) or not x.requires_grad:
            continue
        numeric = _numerical(func, inputs, x, eps)
        outputs = _outputs(func(*inputs))
        for j, out in enumerate(outputs):
            if not out.requires_grad:
                continue
            analytic = _analytical(out, x)
            if not torch.allclose(analytic, _analytical(out, x), rtol=0, atol=nondet_tol):
                raise GradcheckError("Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, although analytical gradient matches numerical gradient. The tolerance for nondeterminism was " + str(nondet_tol) + ".\n")
            expected = torch.stack([row[j] for row in numeric])
            if not torch.allclose(analytic, expected, rtol=rtol, atol=atol):
                if not raise_exception:
                    return False
                raise GradcheckError(f"Jacobian mismatch for output {j} with respect to input {k},\nnumerical:{expected}\nanalytical:{analytic}\n")
    outputs = [o for o in _outputs(func(*inputs)) if o.requires_grad]
    wanted = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    # A gradient of zeros must give zeros, and so must one that is not there.
    for _ in range(2 if check_undefined_grad else 1):
        zeros = [torch.zeros_like(o) for o in outputs]
        for g in torch.autograd.grad(outputs, wanted, zeros, retain_graph=True, allow_unused=True):
            if g is not None and bool((g != 0).any()):
                raise GradcheckError("backward not multiplied by grad_output")
    return True
