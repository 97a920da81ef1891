"""einops: patterns of named axes over torch's tensors and NumPy's arrays.

A pattern is parsed into groups, a list of axes for each dimension; an axis is a name, or a Number that stands for itself.
"""
import functools
import keyword
import math
import re
import string
import types
import warnings

import numpy
import torch

__version__ = "0.8.1"
__all__ = ["EinopsError", "asnumpy", "einsum", "pack", "parse_shape", "rearrange", "reduce", "repeat", "unpack"]

_ELLIPSIS = "..."


class EinopsError(RuntimeError):
    """A pattern that is malformed or does not fit the tensor."""


class _Number:
    """An axis without a name, of a given length; no two are the same axis."""

    def __init__(self, length):
        self.length = length

    def __repr__(self):
        return str(self.length)


def _check_name(name, underscore):
    if name == "_" and underscore:
        return
    if not name.isidentifier():
        raise EinopsError(f"{name!r} is not a valid name for an axis: it is no identifier")
    if name[0] == "_" or name[-1] == "_":
        raise EinopsError(f"{name!r} is not a valid name for an axis: it begins or ends with an underscore")
    if keyword.iskeyword(name):
        warnings.warn(f"the axis {name} has the name of a keyword of Python", RuntimeWarning, stacklevel=2)


def _parse(text, underscore=False, duplicates=False):
    """The groups of one side of a pattern. An ellipsis outside of parentheses is itself a group."""
    groups, inside, seen = [], None, set()
    for word in re.findall(r"[()]|[^()\s]+", text):
        if word == "(":
            if inside is not None:
                raise EinopsError(f"parentheses inside parentheses in {text!r}")
            inside = []
            continue
        if word == ")":
            if inside is None:
                raise EinopsError(f"a closing parenthesis without an opening one in {text!r}")
            groups.append(inside)
            inside = None
            continue
        if word in seen and not duplicates and not (word == "_" and underscore) or word == _ELLIPSIS and word in seen:
            raise EinopsError(f"the axis {word!r} is there twice in {text!r}")
        if word.isdecimal():
            length = int(word)
            if length == 0:
                raise EinopsError(f"an axis of length 0 in {text!r}")
            axes = [_Number(length)] if length > 1 else []
        else:
            if word != _ELLIPSIS:
                _check_name(word, underscore)
            seen.add(word)
            axes = [word]
        if inside is not None:
            inside += axes
        else:
            groups.append(_ELLIPSIS if word == _ELLIPSIS else axes)
    if inside is not None:
        raise EinopsError(f"an opening parenthesis without a closing one in {text!r}")
    return groups


def _axes(groups):
    return [axis for group in groups for axis in ([group] if group == _ELLIPSIS else group)]


def _expand(groups, axes):
    """The groups with some axes in the place of the ellipsis."""
    out = []
    for group in groups:
        if group == _ELLIPSIS:
            out += [[axis] for axis in axes]
        else:
            out.append([a for axis in group for a in (axes if axis == _ELLIPSIS else [axis])])
    return out


def _sides(pattern):
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError(f"a pattern has one '->': {pattern!r}")
    return [_parse(side) for side in sides]


@functools.lru_cache(256)
def _plan(pattern, operation, names, ndim=None):
    """The groups of both sides for a tensor of ndim dimensions; without ndim, of as many as the pattern shows."""
    left, right = _sides(pattern)
    before, after = _axes(left), _axes(right)
    if _ELLIPSIS in after and _ELLIPSIS not in before:
        raise EinopsError(f"an ellipsis on the right side alone: {pattern}")
    if _ELLIPSIS in before and _ELLIPSIS not in left:
        raise EinopsError(f"an ellipsis in parentheses on the left side: {pattern}")
    gone = [a for a in before if a not in after]
    new = [a for a in after if a not in before]
    if operation == "rearrange":
        if any(isinstance(a, _Number) for a in before + after):
            raise EinopsError("rearrange takes no axes of a given length but 1")
        if gone or new:
            raise EinopsError(f"axes on one side of the pattern alone: {gone + new}")
    elif operation == "repeat":
        if gone:
            raise EinopsError(f"axes on the left side of repeat alone: {gone}")
        unsized = [a for a in new if not isinstance(a, _Number) and a not in names]
        if unsized:
            raise EinopsError(f"new axes of repeat have no length: {unsized}")
    elif callable(operation) or operation in _REDUCTIONS:
        if new:
            raise EinopsError(f"axes on the right side of reduce alone: {new}")
    else:
        raise EinopsError(f"there is no reduction {operation!r}, only {', '.join(_REDUCTIONS)}")
    for name in names:
        if name not in before + after:
            raise EinopsError(f"the axis {name} is not in the pattern")
    for group in left:
        unknown = [a for a in group if group != _ELLIPSIS and not isinstance(a, _Number) and a not in names]
        if len(unknown) > 1:
            raise EinopsError(f"the lengths of {unknown} cannot be told apart")
    if ndim is None:
        ndim = len(left)
    if _ELLIPSIS in left:
        extra = ndim - len(left) + 1
        if extra < 0:
            raise EinopsError(f"the pattern needs at least {len(left) - 1} dimensions, the tensor has {ndim}")
        axes = [f"{_ELLIPSIS}{i}" for i in range(extra)]
        return _expand(left, axes), _expand(right, axes)
    if ndim != len(left):
        raise EinopsError(f"the pattern needs {len(left)} dimensions, the tensor has {ndim}")
    return left, right


def _lengths(left, right, shape, given):
    """The length of each axis."""
    lengths = dict(given)
    lengths.update((a, a.length) for a in _axes(left) + _axes(right) if isinstance(a, _Number))
    for group, length in zip(left, shape):
        known = math.prod(lengths[a] for a in group if a in lengths)
        unknown = [a for a in group if a not in lengths]
        if not unknown and known != length:
            raise EinopsError(f"a dimension of {length} is not the {known} of its axes")
        if unknown:
            if known == 0 or length % known:
                raise EinopsError(f"a dimension of {length} cannot be divided by {known}")
            lengths[unknown[0]] = length // known
    return lengths


def _one_by_one(reduction):
    def reduce_all(x, axes):
        for axis in sorted(axes, reverse=True):
            x = reduction(x, axis)
        return x
    return reduce_all


_REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")
_TORCH = types.SimpleNamespace(
    stack=torch.stack, concat=torch.cat, einsum=torch.einsum, permute=torch.permute, is_float=torch.is_floating_point,
    expand=lambda x, shape: x.expand(shape), to_numpy=lambda x: x.detach().cpu().numpy(),
    reductions=dict(min=torch.amin, max=torch.amax, sum=torch.sum, mean=torch.mean, prod=_one_by_one(torch.prod),
                    any=_one_by_one(torch.any), all=_one_by_one(torch.all)))
_NUMPY = types.SimpleNamespace(
    stack=numpy.stack, concat=numpy.concatenate, einsum=numpy.einsum, permute=numpy.transpose,
    expand=numpy.broadcast_to, to_numpy=lambda x: x, is_float=lambda x: "float" in str(x.dtype),
    reductions={name: lambda x, axes, name=name: getattr(x, name)(axis=axes) for name in _REDUCTIONS})


def _library(tensor):
    if isinstance(tensor, torch.Tensor):
        return _TORCH
    if isinstance(tensor, numpy.ndarray):
        return _NUMPY
    raise RuntimeError(f"einops works on tensors and arrays, not on {type(tensor)}")


def _reshape(x, shape):
    return x if tuple(x.shape) == tuple(shape) else x.reshape(tuple(shape))


def _apply(x, left, right, operation, lengths):
    library, axes, results = _library(x), _axes(left), _axes(right)
    same = [a for a in results if a in axes]
    reduced = [a for a in axes if a not in results]
    x = _reshape(x, [lengths[a] for a in axes])
    order = [axes.index(a) for a in same + reduced]
    if order != sorted(order):
        x = library.permute(x, order)
    if reduced:
        dims = tuple(range(len(same), len(axes)))
        if operation == "mean" and not library.is_float(x):
            raise NotImplementedError("a mean of numbers that are no floats")
        x = operation(x, dims) if callable(operation) else library.reductions[operation](x, dims)
    if len(results) > len(same):
        x = x[tuple(slice(None) if a in axes else None for a in results)]
        x = library.expand(x, tuple(lengths[a] for a in results))
    return _reshape(x, [math.prod(lengths[a] for a in group) for group in right])


def reduce(tensor, pattern, reduction, **axes_lengths):
    """Rearranges a tensor, or a list of alike ones, and reduces the axes that the right side has not.

    The reduction is one of _REDUCTIONS or a function of a tensor and a tuple of dimensions.
    """
    if isinstance(tensor, list):
        if not tensor:
            raise TypeError("einops has nothing to do with an empty list")
        tensor = _library(tensor[0]).stack(tensor)
    _library(tensor)
    shape = tuple(tensor.shape)
    try:
        left, right = _plan(pattern, reduction, tuple(axes_lengths), len(shape))
        return _apply(tensor, left, right, reduction, _lengths(left, right, shape, axes_lengths))
    except EinopsError as e:
        raise EinopsError(f' Error while processing {reduction}-reduction pattern "{pattern}".\n'
                          f" Input tensor shape: {shape}. Additional info: {axes_lengths}.\n {e}") from None


def rearrange(tensor, pattern, **axes_lengths):
    """Permutes, joins and splits dimensions: all axes are on both sides. The result is a view where torch's would be."""
    return reduce(tensor, pattern, "rearrange", **axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """Rearranges a tensor and repeats it along the axes that the right side alone has."""
    return reduce(tensor, pattern, "repeat", **axes_lengths)


def parse_shape(x, pattern):
    """The lengths of the named axes of a tensor, by name; _ skips a dimension."""
    groups, shape = _parse(pattern, underscore=True), tuple(x.shape)
    if any(len(group) > 1 for group in groups if group != _ELLIPSIS):
        raise RuntimeError(f"axes in parentheses have no length of their own: {pattern} {shape}")
    if _ELLIPSIS in groups:
        groups = _expand(groups, ["_"] * (len(shape) - len(groups) + 1))
    if len(groups) != len(shape):
        raise RuntimeError(f"the pattern and the shape have different numbers of dimensions: {pattern} {shape}")
    lengths = {}
    for group, length in zip(groups, shape):
        axis = group[0] if group else _Number(1)
        if isinstance(axis, _Number):
            if axis.length != length:
                raise RuntimeError(f"an axis is not of the length {axis.length}: {pattern} {shape}")
        elif axis != "_":
            lengths[axis] = length
    return lengths


def asnumpy(tensor):
    """A tensor's elements as an array of NumPy's."""
    return _library(tensor).to_numpy(tensor)


@functools.lru_cache(256)
def _equation(pattern):
    """The pattern as torch.einsum takes it: a letter an axis."""
    if pattern.count("->") != 1:
        raise ValueError(f"a pattern of einsum has one '->': {pattern!r}")
    inputs, output = pattern.split("->")
    letters = {}

    def write(groups, new):
        text = ""
        for group in groups:
            if group == _ELLIPSIS:
                text += _ELLIPSIS
                continue
            if len(group) != 1 or isinstance(group[0], _Number):
                raise NotImplementedError(f"einsum takes named axes alone, neither numbers nor parentheses: {pattern}")
            if new and len(letters) == len(string.ascii_letters) and group[0] not in letters:
                raise RuntimeError(f"einsum takes {len(letters)} axes at most")
            if group[0] not in letters:
                if not new:
                    raise EinopsError(f"the axis {group[0]} is on the right side of einsum alone: {pattern}")
                letters[group[0]] = string.ascii_letters[len(letters)]
            text += letters[group[0]]
        return text

    terms = [write(_parse(term, underscore=True, duplicates=True), True) for term in inputs.split(",")]
    return ",".join(terms) + "->" + write(_parse(output, underscore=True), False)


def einsum(*tensors_and_pattern):
    """The sum of products of tensors over the axes that the right side of the pattern, which comes last, has not."""
    if len(tensors_and_pattern) < 2:
        raise ValueError("einsum takes one tensor or more, and a pattern after them")
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        raise ValueError("the last argument of einsum is its pattern, a str")
    return _library(tensors[0]).einsum(_equation(pattern), *tensors)


def _packing(pattern, function):
    """How many dimensions a pattern of pack has before its *, and after it."""
    axes = pattern.split()
    if len(set(axes)) != len(axes):
        raise EinopsError(f'an axis is there twice in {function}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'there is no * in {function}(..., "{pattern}")')
    for axis in axes:
        if axis != "*":
            _check_name(axis, False)
    before = axes.index("*")
    return before, len(axes) - before - 1


def pack(tensors, pattern):
    """One tensor of several, whose dimensions in the place of * become one; and those dimensions of each."""
    before, after = _packing(pattern, "pack")
    parts, shapes = [], []
    for i, tensor in enumerate(tensors):
        shape = tuple(tensor.shape)
        if len(shape) < before + after:
            raise EinopsError(f"tensor {i} of pack, of shape {shape}, has not the {before + after} axes of {pattern}")
        end = len(shape) - after
        shapes.append(tensor.shape[before:end])
        parts.append(tensor.reshape((*shape[:before], math.prod(shape[before:end]), *shape[end:])))
    return _library(tensors[0]).concat(parts, before), shapes


def unpack(tensor, packed_shapes, pattern):
    """What pack has packed, by the shapes that it gave; one length in them may be -1."""
    before, after = _packing(pattern, "unpack")
    shape = tuple(tensor.shape)
    if len(shape) != before + 1 + after:
        raise EinopsError(f"unpack(..., {pattern}) cannot take a tensor of shape {shape}")
    sizes = [-1 if -1 in s else math.prod(s) for s in packed_shapes]
    if sizes.count(-1) > 1:
        raise EinopsError(f"unpack(..., {pattern}) cannot find more than one length: {packed_shapes}")
    if -1 in sizes:
        sizes[sizes.index(-1)] = shape[before] - sum(sizes) - 1
    parts, begin = [], 0
    try:
        if sum(sizes) != shape[before] or min(sizes, default=0) < 0:
            raise ValueError
        for size, s in zip(sizes, packed_shapes):
            part = tensor[(slice(None),) * before + (slice(begin, begin + size),)]
            parts.append(part.reshape((*shape[:before], *s, *shape[before + 1:])))
            begin += size
    except Exception as e:
        raise EinopsError(f'unpack(..., "{pattern}") cannot cut {shape[before]} into {packed_shapes}') from e
    return parts
