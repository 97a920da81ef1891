# Functions of the language that are written in the language itself. _promote and _axis are the
# compiler's: the one converts the input as Triton does for that collective, the other checks an
# axis and counts it from 0. So are _log2, of a constexpr power of two, and _flip_without_dim, which
# says what Triton makes of that.


def cdiv(x, div):
    return (x + (div - 1)) // div


def zeros_like(input):
    return tl.zeros(input.shape, input.dtype)


def ravel(x, can_reorder=False):
    return tl.reshape(x, [x.numel])


def squeeze(input, dim):
    d: tl.constexpr = _axis(input, dim)
    tl.static_assert(input.shape[d] == 1, "squeeze needs a dimension of size 1")
    return tl.reshape(input, input.shape[:d] + input.shape[d + 1 :])


def unsqueeze(input, dim):
    return tl.expand_dims(input, dim)


def interleave(a, b):
    c = tl.join(a, b)
    if len(c.shape) == 1:
        return c
    return tl.reshape(c, c.shape[:-2] + (2 * c.shape[-2],))


def swizzle2d(i, j, size_i, size_j, size_g):
    flat = i * size_j + j
    size_gj = size_g * size_j
    group = flat // size_gj
    first = group * size_g
    rows = tl.minimum(size_i - first, size_g)
    flat = flat % size_gj
    return first + flat % rows, flat // rows


def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    d: tl.constexpr = 0 if dim is None else dim
    x = _promote(x, "softmax")
    e = tl.exp(x - max(x, d, keep_dims=True))
    return tl.fdiv(e, sum(e, d, keep_dims=True), ieee_rounding)


# The places of a tile's elements along an axis, in the tile's own shape.
def _places(x, axis):
    n: tl.constexpr = x.shape[axis]
    line = tl.reshape(tl.arange(0, n), [n if d == axis else 1 for d in range(len(x.shape))])
    return tl.broadcast_to(line, x.shape)


def _add(a, b):
    return a + b


def _mul(a, b):
    return a * b


def _xor(a, b):
    return a ^ b


def _or(a, b):
    return a | b


def _max(a, b):
    return tl.maximum(a, b)


def _min(a, b):
    return tl.minimum(a, b)


def _argmax_left(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmax_any(a, i, b, j):
    first = a > b
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmin_left(a, i, b, j):
    first = (a < b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmin_any(a, i, b, j):
    first = a < b
    return tl.where(first, a, b), tl.where(first, i, j)


def sum(input, axis=None, keep_dims=False, dtype=None):
    if dtype is None:
        x = _promote(input, "sum")
    else:
        x = input.to(dtype)
    return tl.reduce(x, axis, _add, keep_dims)


def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        x = _promote(input, "argmax")
        return _extreme(x, axis, _argmax_left if return_indices_tie_break_left else _argmax_any, keep_dims)
    return tl.reduce(_promote(input, "max"), axis, _max, keep_dims)


def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        x = _promote(input, "argmin")
        return _extreme(x, axis, _argmin_left if return_indices_tie_break_left else _argmin_any, keep_dims)
    return tl.reduce(_promote(input, "min"), axis, _min, keep_dims)


def _extreme(x, axis, combine, keep_dims):
    if axis is None:
        flat = ravel(x)
        return tl.reduce((flat, _places(flat, 0)), 0, combine, keep_dims)
    d: tl.constexpr = _axis(x, axis)
    return tl.reduce((x, _places(x, d)), d, combine, keep_dims)


def argmax(input, axis, tie_break_left=True, keep_dims=False):
    x = _promote(input, "argmax")
    _, place = _extreme(x, axis, _argmax_left if tie_break_left else _argmax_any, keep_dims)
    return place


def argmin(input, axis, tie_break_left=True, keep_dims=False):
    x = _promote(input, "argmin")
    _, place = _extreme(x, axis, _argmin_left if tie_break_left else _argmin_any, keep_dims)
    return place


def xor_sum(input, axis=None, keep_dims=False):
    return tl.reduce(_promote(input, "xor_sum"), axis, _xor, keep_dims)


def reduce_or(input, axis, keep_dims=False):
    return tl.reduce(_promote(input, "xor_sum"), axis, _or, keep_dims)


def cumsum(input, axis=0, reverse=False, dtype=None):
    if dtype is None:
        x = _promote(input, "cumsum")
    else:
        x = input.to(dtype)
    return tl.associative_scan(x, axis, _add, reverse)


def cumprod(input, axis=0, reverse=False):
    return tl.associative_scan(_promote(input, "cumprod"), axis, _mul, reverse)


def _last(x, dim):
    return _axis(x, -1 if dim is None else dim)


def flip(x, dim=None):
    if dim is None:
        _flip_without_dim()
    d: tl.constexpr = _last(x, dim)
    return tl.gather(x, (x.shape[d] - 1) - _places(x, d), d)


# Bitonic sort: in step (k, j) each element meets the one 2**j places away, and keeps the smaller
# or the larger of the two, as bit k+1 of its place says.
def _bitonic(x, d, descending):
    n: tl.constexpr = x.shape[d]
    place = _places(x, d)
    for k in tl.static_range(_log2(n)):
        for i in tl.static_range(k + 1):
            j: tl.constexpr = k - i
            other = tl.gather(x, place ^ (1 << j), d)
            low = ((place >> j) & 1) == ((place >> (k + 1)) & 1)
            if descending:
                take = ((other > x) & low) | ((other < x) & ~low)
            else:
                take = ((other < x) & low) | ((other > x) & ~low)
            x = tl.where(take, other, x)
    return x


def sort(x, dim=None, descending=False):
    x = _promote(x, "sort")
    return _bitonic(x, _last(x, dim), descending)


def topk(x, k, dim=None):
    x = _promote(x, "sort")
    d: tl.constexpr = _last(x, dim)
    x = _bitonic(x, d, True)
    first = tl.zeros([k if a == d else x.shape[a] for a in range(len(x.shape))], tl.int32)
    return tl.gather(x, _places(first, d), d)


# Philox 4x32 with 10 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
def philox(seed, c0, c1, c2, c3, n_rounds=10):
    seed = tl.to_tensor(seed).to(tl.uint64)
    k0 = (seed & 0xFFFFFFFF).to(tl.uint32)
    k1 = ((seed >> 32) & 0xFFFFFFFF).to(tl.uint32)
    c0 = tl.to_tensor(c0).to(tl.uint32)
    c1 = tl.to_tensor(c1).to(tl.uint32) + c0 * 0
    c2 = tl.to_tensor(c2).to(tl.uint32) + c0 * 0
    c3 = tl.to_tensor(c3).to(tl.uint32) + c0 * 0
    a = tl.full([], 0xD2511F53, tl.uint32)
    b = tl.full([], 0xCD9E8D57, tl.uint32)
    for _ in tl.static_range(n_rounds):
        old0 = c0
        old2 = c2
        c0 = tl.umulhi(b, old2) ^ c1 ^ k0
        c2 = tl.umulhi(a, old0) ^ c3 ^ k1
        c1 = b * old2
        c3 = a * old0
        k0 = k0 + 0x9E3779B9
        k1 = k1 + 0xBB67AE85
    return c0, c1, c2, c3


def _random4(seed, offset, n_rounds):
    offset = tl.to_tensor(offset)
    if offset.dtype.primitive_bitwidth > 32:
        wide = offset.to(tl.uint64)
        return philox(seed, wide & 0xFFFFFFFF, wide >> 32, 0, 0, n_rounds)
    return philox(seed, offset, 0, 0, 0, n_rounds)


def randint(seed, offset, n_rounds=10):
    a, _, _, _ = _random4(seed, offset, n_rounds)
    return a


# A 32-bit integer as a float in [0, 1): the sign folded away, times the largest fp32 below 2**-31.
def _unit(x):
    x = x.to(tl.int32, bitcast=True)
    return tl.where(x < 0, ~x, x) * 4.6566127342e-10


def rand(seed, offset, n_rounds=10):
    return _unit(randint(seed, offset, n_rounds))


# Box and Muller, "A note on the generation of random normal deviates", 1958.
def randn(seed, offset, n_rounds=10):
    a, b, _, _ = _random4(seed, offset, n_rounds)
    u = tl.maximum(_unit(a), 1.0e-7)
    return tl.sqrt(-2.0 * tl.log(u)) * tl.cos(6.283185307179586 * _unit(b))
