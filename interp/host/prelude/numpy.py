"""numpy on torch's tensors: an array and its tensor share one storage."""
import math
import torch

nan, inf, pi, e, newaxis = math.nan, math.inf, math.pi, math.e, None
__version__ = "2.5.2"


class dtype:
    def __init__(self, of):
        self.torch = _torch_dtype(of)
        self.name = str(self.torch)[6:]
        self.itemsize = self.torch.itemsize
        self.kind = "b" if self.torch == torch.bool else "f" if self.torch.is_floating_point else "i" if self.torch.is_signed else "u"

    @property
    def type(self):
        return _scalars[self.torch]

    def __eq__(self, other):
        try:
            return self.torch == _torch_dtype(other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"dtype('{self.name}')"


def _printing():
    import numpy._core.arrayprint
    return numpy._core.arrayprint


_builtin = {float: torch.float64, int: torch.int64, bool: torch.bool}
_names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


def _torch_dtype(of):
    if isinstance(of, torch.dtype):
        return of
    if isinstance(of, dtype):
        return of.torch
    if isinstance(of, str) and of in _names:
        return getattr(torch, of)
    if isinstance(of, type):
        if of in _builtin:
            return _builtin[of]
        if hasattr(of, "_dtype"):
            return of._dtype
    raise TypeError(f"Cannot interpret '{of}' as a data type")


def _plain(x):
    """x for torch: the tensor of an array, or a number."""
    if isinstance(x, ndarray):
        return x._tensor
    if isinstance(x, (list, tuple)):
        return array(x)._tensor
    return x


def _wrap(x):
    if isinstance(x, torch.Tensor):
        return ndarray(x) if x.dim() > 0 else _scalars[x.dtype](x)
    return x


def _common(a, b):
    """Both operands in numpy's common dtype, where torch's differs."""
    def kind(x):
        if isinstance(x, torch.Tensor):
            return x.dtype
        return torch.bool if isinstance(x, bool) else int if isinstance(x, int) else float
    ka, kb = kind(a), kind(b)
    for x, kx, ky in ((a, ka, kb), (b, kb, ka)):
        whole = isinstance(kx, torch.dtype) and not kx.is_floating_point
        if whole and (ky is float or isinstance(ky, torch.dtype) and ky.is_floating_point and kx.itemsize >= 4):
            a = a.double() if isinstance(a, torch.Tensor) else a
            b = b.double() if isinstance(b, torch.Tensor) else b
    return a, b


def _floating(x):
    x = _plain(x)
    if not isinstance(x, torch.Tensor):
        return torch.tensor(x, dtype=torch.float64)
    return x if x.is_floating_point() else x.double()


def _axes(t, axis):
    return tuple(range(t.dim())) if axis is None else axis


def _turned(tensor, index):
    "The view by the slices whose step is negative, which torch has not, and the rest of the index."
    if not isinstance(index, tuple):
        index = (index,)
    items = [_plain(i) for i in index]
    used = len([i for i in items if i is not None and i is not Ellipsis])
    dim = 0
    for at, i in enumerate(items):
        if i is None:
            continue
        if i is Ellipsis:
            dim += tensor.ndim - used
            continue
        if isinstance(i, slice) and i.step is not None and i.step < 0:
            places = range(tensor.shape[dim])[i]
            tensor = tensor._step_back(dim, places.start, len(places), places.step)
            items[at] = slice(None)
        dim += 1
    return tensor, tuple(items)


class ndarray:
    def __init__(self, tensor):
        self._tensor = tensor

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @property
    def ndim(self):
        return self._tensor.dim()

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def nbytes(self):
        return self._tensor.nbytes

    @property
    def itemsize(self):
        return self._tensor.itemsize

    @property
    def dtype(self):
        return dtype(self._tensor.dtype)

    @property
    def strides(self):
        return tuple([s * self.itemsize for s in self._tensor.stride()])

    @property
    def T(self):
        return ndarray(self._tensor.permute(*range(self.ndim - 1, -1, -1)))

    @property
    def flat(self):
        return iter(self.ravel())

    def __str__(self):
        return _printing().array_str(self._tensor)

    def __repr__(self):
        return _printing().array_repr(self._tensor)

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return iter([_wrap(t) for t in self._tensor])

    def __getitem__(self, index):
        tensor, index = _turned(self._tensor, index)
        return _wrap(tensor[index])

    def __setitem__(self, index, value):
        tensor, index = _turned(self._tensor, index)
        tensor[index] = _plain(value)

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        return bool(self._tensor)

    def __float__(self):
        return float(self._tensor.item())

    def __int__(self):
        return int(self._tensor.item())

    def __index__(self):
        return int(self._tensor.item())

    def __format__(self, spec):
        return format(self._tensor.item(), spec) if self.ndim == 0 and spec else str(self)

    def __eq__(self, other): return _binary(torch.eq, self, other)
    def __ne__(self, other): return _binary(torch.ne, self, other)
    def __lt__(self, other): return _binary(torch.lt, self, other)
    def __le__(self, other): return _binary(torch.le, self, other)
    def __gt__(self, other): return _binary(torch.gt, self, other)
    def __ge__(self, other): return _binary(torch.ge, self, other)
    def __add__(self, other): return _binary(torch.add, self, other)
    def __radd__(self, other): return _binary(torch.add, other, self)
    def __sub__(self, other): return _binary(torch.sub, self, other)
    def __rsub__(self, other): return _binary(torch.sub, other, self)
    def __mul__(self, other): return _binary(torch.mul, self, other)
    def __rmul__(self, other): return _binary(torch.mul, other, self)
    def __truediv__(self, other): return divide(self, other)
    def __rtruediv__(self, other): return divide(other, self)
    def __floordiv__(self, other): return _binary(torch.floor_divide, self, other)
    def __rfloordiv__(self, other): return _binary(torch.floor_divide, other, self)
    def __mod__(self, other): return _binary(torch.remainder, self, other)
    def __pow__(self, other): return _binary(torch.pow, self, other)
    def __rpow__(self, other): return _binary(torch.pow, other, self)
    def __and__(self, other): return _binary(torch.bitwise_and, self, other)
    def __or__(self, other): return _binary(torch.bitwise_or, self, other)
    def __xor__(self, other): return _binary(torch.bitwise_xor, self, other)
    def __matmul__(self, other): return matmul(self, other)
    def __neg__(self): return _wrap(-self._tensor)
    def __abs__(self): return _wrap(self._tensor.abs())
    def __invert__(self): return _wrap(~self._tensor)

    def _assign(self, value):
        self._tensor.copy_(value._tensor)
        return self

    def __iadd__(self, other): return self._assign(self + other)
    def __isub__(self, other): return self._assign(self - other)
    def __imul__(self, other): return self._assign(self * other)
    def __itruediv__(self, other): return self._assign(self / other)

    def astype(self, to, copy=True): return _wrap(self._tensor.to(_torch_dtype(to)).clone())
    def copy(self): return ndarray(self._tensor.clone())
    def item(self, *index): return self._tensor[index].item() if index else self._tensor.item()
    def tolist(self): return self._tensor.tolist()
    def reshape(self, *shape): return ndarray(self._tensor.reshape(*shape))
    def ravel(self): return ndarray(self._tensor.reshape(-1))
    def flatten(self): return ndarray(self._tensor.reshape(-1).clone())
    def squeeze(self): return _wrap(self._tensor.squeeze())
    def transpose(self, *axes): return ndarray(self._tensor.permute(*axes)) if axes else self.T
    def fill(self, value): self._tensor.fill_(value)
    def sum(self, axis=None, keepdims=False): return _wrap(self._tensor.sum(_axes(self._tensor, axis), keepdims))
    def mean(self, axis=None, keepdims=False): return _wrap(_floating(self).mean(_axes(self._tensor, axis), keepdims))
    def std(self, axis=None, ddof=0): return _wrap(_floating(self).std(_axes(self._tensor, axis), correction=ddof))
    def var(self, axis=None, ddof=0): return _wrap(_floating(self).var(_axes(self._tensor, axis), correction=ddof))
    def max(self, axis=None, keepdims=False): return _wrap(self._tensor.amax(_axes(self._tensor, axis), keepdims))
    def min(self, axis=None, keepdims=False): return _wrap(self._tensor.amin(_axes(self._tensor, axis), keepdims))
    def argmax(self, axis=None): return _wrap(self._tensor.argmax(axis))
    def argmin(self, axis=None): return _wrap(self._tensor.argmin(axis))
    def all(self, axis=None): return _wrap(self._tensor.all(_axes(self._tensor, axis)))
    def any(self, axis=None): return _wrap(self._tensor.any(_axes(self._tensor, axis)))
    def prod(self, axis=None): return _wrap(self._tensor.prod(_axes(self._tensor, axis)))
    def cumsum(self, axis=None): return _wrap(self._tensor.reshape(-1).cumsum(0) if axis is None else self._tensor.cumsum(axis))
    def clip(self, low=None, high=None): return _wrap(self._tensor.clamp(low, high))
    def round(self, decimals=0): return _wrap(self._tensor.round(decimals=decimals))
    def dot(self, other): return matmul(self, other)


class generic(ndarray):
    """A scalar: an array without dimensions that prints its type."""

    def __init__(self, value=0):
        if isinstance(value, ndarray):
            value = value._tensor
        self._tensor = value.to(self._dtype) if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=self._dtype)

    def __str__(self):
        return _printing().number(self._tensor)

    def __repr__(self):
        if self._dtype == torch.bool:
            return "np.True_" if self._tensor.item() else "np.False_"
        return "np." + type(self).__name__ + "(" + _printing().number(self._tensor) + ")"

    def __hash__(self):
        return hash(self._tensor.item())


class bool_(generic): _dtype = torch.bool
class int8(generic): _dtype = torch.int8
class int16(generic): _dtype = torch.int16
class int32(generic): _dtype = torch.int32
class int64(generic): _dtype = torch.int64
class uint8(generic): _dtype = torch.uint8
class uint16(generic): _dtype = torch.uint16
class uint32(generic): _dtype = torch.uint32
class uint64(generic): _dtype = torch.uint64
class float16(generic): _dtype = torch.float16
class float32(generic): _dtype = torch.float32
class float64(generic): _dtype = torch.float64


half, single, double, int_ = float16, float32, float64, int64
_scalars = {c._dtype: c for c in (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64)}


def _binary(op, a, b):
    a, b = _common(_plain(a), _plain(b))
    return _wrap(op(a, b))


def divide(a, b):
    a, b = _plain(a), _plain(b)
    a, b = _common(a, b)
    if not (isinstance(a, torch.Tensor) and a.is_floating_point() or isinstance(b, torch.Tensor) and b.is_floating_point()):
        a = _floating(a)
        b = b.double() if isinstance(b, torch.Tensor) else b
    return _wrap(torch.div(a, b))


class _objects(ndarray):
    """An array of Python's objects, or of strings: it is looked at, not computed with."""

    def __init__(self, items, kind):
        self._items, self._kind = items, kind

    @property
    def shape(self): return (len(self._items),)
    @property
    def ndim(self): return 1
    @property
    def size(self): return len(self._items)
    @property
    def dtype(self): return self._kind
    def __len__(self): return len(self._items)
    def __iter__(self): return iter(self._items)
    def __getitem__(self, index): return _objects(self._items[index], self._kind) if isinstance(index, slice) else self._items[index]
    def __str__(self): return "[" + " ".join([repr(x) for x in self._items]) + "]"
    def __repr__(self): return "array([" + ", ".join([repr(x) for x in self._items]) + "], dtype=" + (f"'{self._kind}'" if self._kind != "object" else "object") + ")"
    def tolist(self): return list(self._items)
    def __eq__(self, other): return array([x == other for x in self._items])


def _is_objects(data, dtype):
    flat = isinstance(data, (list, tuple)) and len(data) > 0 and not isinstance(data[0], (list, tuple, ndarray))
    return flat and (dtype is object or isinstance(data[0], str))


def array(data, dtype=None, copy=True):
    if _is_objects(data, dtype):
        width = 0
        for x in data:
            width = len(str(x)) if len(str(x)) > width else width
        return _objects(list(data), "object" if dtype is object else f"<U{width}")
    if isinstance(data, ndarray):
        data = data._tensor.clone()
    if isinstance(data, torch.Tensor):
        return ndarray(data.cpu().detach().clone() if dtype is None else data.cpu().detach().to(_torch_dtype(dtype)))
    if isinstance(data, (list, tuple)):
        data = [_nested(x) for x in data]
    if dtype is not None:
        return ndarray(torch.tensor(data, dtype=_torch_dtype(dtype)))
    t = torch.tensor(data)
    return ndarray(torch.tensor(data, dtype=torch.float64) if t.dtype == torch.float32 else t)


def _nested(x):
    if isinstance(x, ndarray):
        return x.tolist()
    return [_nested(y) for y in x] if isinstance(x, (list, tuple)) else x


def asarray(data, dtype=None):
    if isinstance(data, ndarray) and (dtype is None or data.dtype == dtype):
        return data
    return array(data, dtype)


ascontiguousarray = asarray


def _made(make, shape, dtype, otherwise=torch.float64):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(make(shape, dtype=otherwise if dtype is None else _torch_dtype(dtype)))


def zeros(shape, dtype=None): return _made(torch.zeros, shape, dtype)
def ones(shape, dtype=None): return _made(torch.ones, shape, dtype)
def empty(shape, dtype=None): return _made(torch.zeros, shape, dtype)


def full(shape, fill_value, dtype=None):
    of = array(fill_value).dtype.torch if dtype is None else _torch_dtype(dtype)
    return ndarray(torch.full((shape,) if isinstance(shape, int) else tuple(shape), fill_value, dtype=of))


def zeros_like(a, dtype=None): return zeros(a.shape, a.dtype if dtype is None else dtype)
def ones_like(a, dtype=None): return ones(a.shape, a.dtype if dtype is None else dtype)
def empty_like(a, dtype=None): return zeros_like(a, dtype)
def full_like(a, fill_value, dtype=None): return full(a.shape, fill_value, a.dtype if dtype is None else dtype)
def eye(n, m=None, dtype=None): return ndarray(torch.eye(n, n if m is None else m, dtype=torch.float64 if dtype is None else _torch_dtype(dtype)))


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    whole = isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)
    of = _torch_dtype(dtype) if dtype is not None else torch.int64 if whole else torch.float64
    return ndarray(torch.arange(start, stop, step, dtype=of))


def linspace(start, stop, num=50, dtype=None):
    return ndarray(torch.linspace(start, stop, num, dtype=torch.float64).to(torch.float64 if dtype is None else _torch_dtype(dtype)))


def _unary(name):
    op = getattr(torch, name)
    return lambda x: _wrap(op(_floating(asarray(x))))


exp, exp2, log, log2, log10, log1p, expm1, sqrt = [_unary(n) for n in ("exp", "exp2", "log", "log2", "log10", "log1p", "expm1", "sqrt")]
sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, tanh = [_unary(n) for n in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")]
floor, ceil, trunc, isnan, isinf, isfinite = [_unary(n) for n in ("floor", "ceil", "trunc", "isnan", "isinf", "isfinite")]


def _of(name):
    op = getattr(torch, name)
    return lambda a, b: _binary(op, asarray(a), b)


add, subtract, multiply, power, maximum, minimum = [_of(n) for n in ("add", "sub", "mul", "pow", "maximum", "minimum")]
equal, not_equal, less, less_equal, greater, greater_equal = [_of(n) for n in ("eq", "ne", "lt", "le", "gt", "ge")]
logical_and, logical_or, mod = [_of(n) for n in ("logical_and", "logical_or", "remainder")]
true_divide = divide


def _number_of(name):
    """A function of whole numbers as well."""
    op = getattr(torch, name)
    return lambda x: _wrap(op(_plain(asarray(x))))


absolute, negative, sign, invert = [_number_of(n) for n in ("abs", "neg", "sign", "bitwise_not")]
abs = fabs = absolute
bitwise_and, bitwise_or, bitwise_xor, floor_divide, remainder, fmod = [_of(n) for n in ("bitwise_and", "bitwise_or", "bitwise_xor", "floor_divide", "remainder", "fmod")]
logical_xor, left_shift, right_shift = [_of(n) for n in ("logical_xor", "bitwise_left_shift", "bitwise_right_shift")]
arctan2, hypot, copysign, logaddexp = [_of(n) for n in ("atan2", "hypot", "copysign", "logaddexp")]
sinh, cosh, arcsinh, arccosh, arctanh = [_unary(n) for n in ("sinh", "cosh", "asinh", "acosh", "atanh")]
rint, reciprocal, signbit, deg2rad, rad2deg = [_unary(n) for n in ("round", "reciprocal", "signbit", "deg2rad", "rad2deg")]


def matmul(a, b): return _wrap(torch.matmul(*_common(_plain(asarray(a)), _plain(asarray(b)))))
def dot(a, b): return matmul(a, b)
def square(x): return asarray(x) * asarray(x)
def logical_not(x): return _wrap(torch.logical_not(_plain(asarray(x))))
def sum(a, axis=None, keepdims=False): return asarray(a).sum(axis, keepdims)
def mean(a, axis=None, keepdims=False): return asarray(a).mean(axis, keepdims)
def std(a, axis=None, ddof=0): return asarray(a).std(axis, ddof)
def var(a, axis=None, ddof=0): return asarray(a).var(axis, ddof)
def prod(a, axis=None): return asarray(a).prod(axis)
def max(a, axis=None, keepdims=False): return asarray(a).max(axis, keepdims)
def min(a, axis=None, keepdims=False): return asarray(a).min(axis, keepdims)
def argmax(a, axis=None): return asarray(a).argmax(axis)
def argmin(a, axis=None): return asarray(a).argmin(axis)
def all(a, axis=None): return asarray(a).all(axis)
def any(a, axis=None): return asarray(a).any(axis)
def cumsum(a, axis=None): return asarray(a).cumsum(axis)
def round(a, decimals=0): return asarray(a).round(decimals)
def clip(a, low, high): return asarray(a).clip(low, high)
def reshape(a, shape): return asarray(a).reshape(shape)
def transpose(a, axes=None): return asarray(a).T if axes is None else asarray(a).transpose(*axes)
def sort(a, axis=-1): return ndarray(asarray(a)._tensor.sort(axis).values)
def argsort(a, axis=-1): return ndarray(asarray(a)._tensor.argsort(axis))
def unique(a): return ndarray(asarray(a)._tensor.unique())
def median(a): return quantile(a, 0.5)
def quantile(a, q): return _wrap(_floating(asarray(a)).quantile(q))
def percentile(a, q): return quantile(a, q / 100)
def where(c, x, y): return _wrap(torch.where(_plain(asarray(c)), *_common(_plain(asarray(x)), _plain(asarray(y)))))
def concatenate(arrays, axis=0): return ndarray(torch.cat([_plain(asarray(a)) for a in arrays], axis))
def stack(arrays, axis=0): return ndarray(torch.stack([_plain(asarray(a)) for a in arrays], axis))
def triu(a, k=0): return ndarray(asarray(a)._tensor.triu(k))
def tril(a, k=0): return ndarray(asarray(a)._tensor.tril(k))
def outer(a, b): return ndarray(torch.outer(asarray(a)._tensor, asarray(b)._tensor))
def einsum(equation, *operands): return _wrap(torch.einsum(equation, *[asarray(a)._tensor for a in operands]))
def expand_dims(a, axis): return ndarray(asarray(a)._tensor.unsqueeze(axis))
def squeeze(a, axis=None): return _wrap(asarray(a)._tensor.squeeze() if axis is None else asarray(a)._tensor.squeeze(axis))
def ravel(a): return asarray(a).ravel()
def copy(a): return asarray(a).copy()
def flip(a, axis=None): return ndarray(asarray(a)._tensor.flip(_axes(asarray(a)._tensor, axis)))
def roll(a, shift, axis=None): return ndarray(asarray(a)._tensor.roll(shift) if axis is None else asarray(a)._tensor.roll(shift, axis))
def repeat(a, repeats, axis=None): return ndarray(asarray(a)._tensor.repeat_interleave(repeats, axis))
def tile(a, reps): return ndarray(asarray(a)._tensor.tile((reps,) if isinstance(reps, int) else tuple(reps)))
def vstack(arrays): return ndarray(torch.vstack([_plain(asarray(a)) for a in arrays]))
def hstack(arrays): return ndarray(torch.hstack([_plain(asarray(a)) for a in arrays]))
def split(a, sections, axis=0): return [ndarray(t) for t in asarray(a)._tensor.tensor_split(sections, axis)]
def swapaxes(a, i, j): return ndarray(asarray(a)._tensor.transpose(i, j))
def moveaxis(a, source, destination): return ndarray(asarray(a)._tensor.movedim(source, destination))
def broadcast_to(a, shape): return ndarray(asarray(a)._tensor.broadcast_to(shape))
def diag(a, k=0): return ndarray(asarray(a)._tensor.diag(k))
def trace(a): return _wrap(asarray(a)._tensor.trace())
def nonzero(a): return tuple([ndarray(t) for t in asarray(a)._tensor.nonzero(as_tuple=True)])
def count_nonzero(a): return int(asarray(a)._tensor.count_nonzero())
def diff(a, n=1, axis=-1): return ndarray(asarray(a)._tensor.diff(n, axis))
def cumprod(a, axis=None): return _wrap(asarray(a)._tensor.reshape(-1).cumprod(0) if axis is None else asarray(a)._tensor.cumprod(axis))
def bincount(a, minlength=0): return ndarray(asarray(a)._tensor.bincount(minlength=minlength))
def searchsorted(a, v, side="left"): return _wrap(torch.searchsorted(asarray(a)._tensor, _plain(asarray(v)), side=side))
def meshgrid(*arrays, indexing="xy"): return tuple([ndarray(t.clone()) for t in torch.meshgrid(*[asarray(a)._tensor for a in arrays], indexing=indexing)])
def logspace(start, stop, num=50, base=10.0): return ndarray(torch.logspace(start, stop, num, base=base, dtype=torch.float64))
def identity(n, dtype=None): return eye(n, dtype=dtype)
def shape(a): return asarray(a).shape
def ndim(a): return asarray(a).ndim
def size(a): return asarray(a).size
def isscalar(x): return isinstance(x, (int, float, str, bool, generic))
def inner(a, b): return _wrap(torch.inner(*_common(_plain(asarray(a)), _plain(asarray(b)))))
def tensordot(a, b, axes=2): return _wrap(torch.tensordot(asarray(a)._tensor, asarray(b)._tensor, axes))
def nan_to_num(a, nan=0.0, posinf=None, neginf=None): return _wrap(_plain(asarray(a)).nan_to_num(nan, posinf, neginf))
def nansum(a): return _wrap(asarray(a)._tensor.nansum())
def average(a, axis=None): return mean(a, axis)
def array_equal(a, b): return bool(torch.equal(asarray(a)._tensor.double(), asarray(b)._tensor.double()))
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False): return _wrap(torch.isclose(_floating(asarray(a)).double(), _floating(asarray(b)).double(), rtol=rtol, atol=atol, equal_nan=equal_nan))
def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False): return bool(isclose(a, b, rtol, atol, equal_nan).all())


def _violations(x, y, wrong):
    """What numpy.testing says of the elements that differ."""
    x, y = (t.broadcast_to(wrong.shape) for t in _common(x._tensor, y._tensor))
    count, places = int(wrong.sum()), wrong.nonzero()[:5].tolist() if wrong.dim() > 0 else []
    text = f"Mismatched elements: {count} / {wrong.numel()} ({100 * count / wrong.numel():.3g}%)"
    if places:
        text += "\nMismatch at index:" if count == 1 else "\nMismatch at indices:" if count <= 5 else "\nFirst 5 mismatches are at indices:"
    for place in places:
        text += f"\n {place}: {x[tuple(place)].item()} (ACTUAL), {y[tuple(place)].item()} (DESIRED)"
    if x.dtype == torch.bool and y.dtype == torch.bool:
        return text
    gap, nonzero = (torch.maximum(x, y) - torch.minimum(x, y))[wrong], y[wrong] != 0
    relative = (gap[nonzero] / y[wrong][nonzero].abs()).max().item() if bool(nonzero.any()) else inf
    for name, value in (("absolute", gap.max().item()), ("relative", relative)):
        text += f"\nMax {name} difference among violations: {str(array([value]))[1:-1]}"
    return text


def _shown(name, x):
    lines = repr(ndarray(x._tensor)).split("\n")
    return f" {name}: " + ("\n".join(lines[:3]) + "..." if len(lines) > 4 else "\n".join(lines))


class _Testing:
    def _compare(self, x, y, close, header, err_msg):
        x, y = asarray(x), asarray(y)
        text = "\n" + header + "\n" + err_msg
        if x.shape != y.shape and x.ndim > 0 and y.ndim > 0:
            text += f"\n(shapes {x.shape}, {y.shape} mismatch)"
        else:
            wrong = ~close(x, y)
            if not bool(wrong.any()):
                return
            text += "\n" + _violations(x, y, wrong)
        raise AssertionError(text + "\n" + _shown("ACTUAL", x) + "\n" + _shown("DESIRED", y))

    def assert_allclose(self, actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
        self._compare(actual, desired, lambda x, y: asarray(isclose(x, y, rtol, atol, equal_nan))._tensor,
                      f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", str(err_msg))

    def assert_array_equal(self, actual, desired, err_msg="", verbose=True):
        self._compare(actual, desired, lambda x, y: torch.eq(*_common(x._tensor, y._tensor)), "Arrays are not equal", str(err_msg))

    def assert_equal(self, actual, desired, err_msg="", verbose=True):
        if isinstance(actual, ndarray) or isinstance(desired, ndarray):
            self.assert_array_equal(actual, desired, err_msg)
        elif actual != desired:
            raise AssertionError(f"\nItems are not equal:\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")

    def assert_array_almost_equal(self, actual, desired, decimal=6, err_msg="", verbose=True):
        self._compare(actual, desired, lambda x, y: (_floating(x).double() - _floating(y).double()).abs() < 1.5 * 10.0 ** -decimal,
                      f"Arrays are not almost equal to {decimal} decimals", str(err_msg))


testing = _Testing()
