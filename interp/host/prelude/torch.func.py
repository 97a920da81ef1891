"""torch.func: functions of functions. vmap calls its function once for each element and stacks what it gives."""
import torch


def _nested(values, f):
    "f of each tensor in tuples, lists and dicts."
    if isinstance(values, (tuple, list)):
        return type(values)([_nested(v, f) for v in values])
    if isinstance(values, dict):
        return {k: _nested(v, f) for k, v in values.items()}
    return f(values)


def _stacked(results, dims):
    if isinstance(results[0], (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else [dims] * len(results[0])
        return type(results[0])([_stacked(list(parts), d) for parts, d in zip(zip(*results), each)])
    if not isinstance(results[0], torch.Tensor):
        raise ValueError(f"vmap(...): must only return Tensors, got type {type(results[0])}.")
    return results[0] if dims is None else torch.stack(results, dims)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    def mapped(*args, **kwargs):
        dims = tuple(in_dims) if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(dims) != len(args):
            raise ValueError("vmap: in_dims is not compatible with the structure of inputs")
        sizes = []

        def at(value, dim, i):
            return value if dim is None else _nested(value, lambda t: t.select(dim, i))

        for value, dim in zip(args, dims):
            if dim is not None:
                _nested(value, lambda t: sizes.append(t.shape[dim]))
        _nested(kwargs, lambda t: sizes.append(t.shape[0]))
        if not sizes:
            raise ValueError("vmap: at least one input must be mapped over")
        if len(set(sizes)) > 1:
            raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension")
        return _stacked([func(*[at(v, d, i) for v, d in zip(args, dims)], **{k: at(v, 0, i) for k, v in kwargs.items()})
                         for i in range(sizes[0])], out_dims)
    return mapped


def grad_and_value(func, argnums=0, has_aux=False):
    def of(*args, **kwargs):
        numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        args = list(args)
        nested = any(args[n].requires_grad for n in numbers)  # in a function that is differentiated itself
        for n in numbers:
            args[n] = args[n].view_as(args[n]) if args[n].requires_grad else args[n].detach().requires_grad_(True)
        with torch.enable_grad():
            out = func(*args, **kwargs)
        value, aux = out if has_aux else (out, None)
        if value.dim() != 0:
            raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                               f"{value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
        grads = torch.autograd.grad(value, [args[n] for n in numbers], create_graph=nested, allow_unused=True)
        grads = tuple(torch.zeros_like(args[n]) if g is None else g for n, g in zip(numbers, grads))
        grads = grads if isinstance(argnums, tuple) else grads[0]
        value = value if nested else value.detach()
        return (grads, (value, _nested(aux, _detached))) if has_aux else (grads, value)
    return of


def _detached(value):
    if not isinstance(value, torch.Tensor):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
    return value.detach()


def grad(func, argnums=0, has_aux=False):
    def of(*args, **kwargs):
        grads, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads
    return of
