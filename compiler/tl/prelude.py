# Functions of the language that are written in the language itself. _promote and _axis are the
# compiler's: the one converts the input as Triton does for that collective, the other checks an
# axis and counts it from 0. So are _log2, of a constexpr, _flip_without_dim, which says what
# Triton makes of that, _since, which says whether the version of Triton has a change, _needs, which
# warns where it has not, and _require, which asserts what Triton has other words for. Names that triton.language.standard has, private ones too, mean the same here.


def _is_power_of_two(i):
    return i > 0 and i & (i - 1) == 0


def cdiv(x, div):
    return (x + (div - 1)) // div


def zeros_like(input):
    return tl.zeros(input.shape, input.dtype)


def ravel(x, can_reorder=False):
    return tl.reshape(x, [x.numel])


# The place of a dimension among n, counted from the end if it is negative.
def _dimension(dim, n):
    _require(-n <= dim and dim < n, f"dim must be in [-{n}, {n}), and is {dim}")
    return dim + n if dim < 0 else dim


def squeeze(x, dim):
    n: tl.constexpr = len(x.shape)
    d: tl.constexpr = _dimension(dim, n) if _since("NegativeDim") else dim
    _require(-n <= d and d < n, f"index {dim} is out of range of {n} dimensions")
    _require(x.shape[d] == 1, f"squeeze needs a dimension of size 1, and dimension {dim} has size {x.shape[d]}")
    return tl.reshape(x, x.shape[:d] + x.shape[d + 1 :])


def unsqueeze(x, dim):
    d: tl.constexpr = _dimension(dim, len(x.shape) + 1) if _since("NegativeDim") else dim
    return tl.reshape(x, x.shape[:d] + (1,) + x.shape[d:])


def expect_zero(x, mask):
    tl.device_assert(tl.where(mask, x, 0) == 0, "expect_zero expected x == 0 where mask is true")
    return x


def _all(x):
    return x if len(x.shape) == 0 else min(x.to(tl.int32)) != 0


def atomic_poll(pointer, expected_value, sem=None, scope=None, timeout_ns=None):
    tl.static_assert(
        sem is None or sem == "acquire" or sem == "relaxed", "atomic_poll only supports acquire and relaxed semantics"
    )
    found = tl.atomic_load(pointer, None, sem, scope)
    word: tl.constexpr = found.dtype
    tl.static_assert(
        word.is_int() and word.primitive_bitwidth >= 16,
        "atomic_poll only supports integer elements with width {16, 32, 64}",
    )
    expected = tl.to_tensor(expected_value).to(word)
    tl.static_assert(len(expected.shape) == 0, "Expected value argument cannot be block type")
    seen = found == expected
    if timeout_ns is None:
        while not _all(seen):
            seen = seen | (tl.atomic_load(pointer, None, sem, scope) == expected)
        return seen
    start = globaltimer()
    limit = tl.to_tensor(timeout_ns)
    tl.static_assert(limit.dtype.is_int() and len(limit.shape) == 0, "atomic_poll timeout_ns must be a scalar integer")
    if not isinstance(timeout_ns, tl.tensor):
        tl.static_assert(timeout_ns >= 0, "atomic_poll timeout_ns must be non-negative")
    while not _all(seen) and (globaltimer() - start).to(tl.uint64) < limit.to(tl.uint64):
        seen = seen | (tl.atomic_load(pointer, None, sem, scope) == expected)
    return seen


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
    kept: tl.constexpr = True if _since("SoftmaxDim") else keep_dims
    x = _promote(x, "softmax")
    e = tl.exp(x - max(x, d, keep_dims=kept))
    return tl.fdiv(e, sum(e, d, keep_dims=kept), ieee_rounding)


# The places of a tile's elements along an axis, in the tile's own shape.
def _places(x, axis):
    n: tl.constexpr = x.shape[axis]
    line = tl.reshape(tl.arange(0, n), [n if d == axis else 1 for d in range(len(x.shape))])
    return tl.broadcast_to(line, x.shape)


def _sum_combine(a, b):
    return a + b


def _prod_combine(a, b):
    return a * b


def _xor_combine(a, b):
    return a ^ b


def _or_combine(a, b):
    return a | b


def _elementwise_max(a, b):
    return tl.maximum(a, b)


def _elementwise_min(a, b):
    return tl.minimum(a, b)


def _argmax_combine_tie_break_left(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmax_combine_tie_break_fast(a, i, b, j):
    first = a > b
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmin_combine_tie_break_left(a, i, b, j):
    first = (a < b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmin_combine_tie_break_fast(a, i, b, j):
    first = a < b
    return tl.where(first, a, b), tl.where(first, i, j)


def _argmax_combine(tie_break_left):
    return _argmax_combine_tie_break_left if tie_break_left else _argmax_combine_tie_break_fast


def _argmin_combine(tie_break_left):
    return _argmin_combine_tie_break_left if tie_break_left else _argmin_combine_tie_break_fast


def sum(input, axis=None, keep_dims=False, dtype=None):
    if dtype is None:
        x = _promote(input, "sum")
    else:
        x = input.to(dtype)
    return tl.reduce(x, axis, _sum_combine, keep_dims)


def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        x = _promote(input, "argmax")
        return _extreme(x, axis, _argmax_combine(return_indices_tie_break_left), keep_dims)
    return tl.reduce(_promote(input, "max"), axis, _elementwise_max, keep_dims)


def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        x = _promote(input, "argmin")
        return _extreme(x, axis, _argmin_combine(return_indices_tie_break_left), keep_dims)
    return tl.reduce(_promote(input, "min"), axis, _elementwise_min, keep_dims)


def _extreme(x, axis, combine, keep_dims):
    if axis is None:
        flat = ravel(x)
        return tl.reduce((flat, _places(flat, 0)), 0, combine, keep_dims)
    d: tl.constexpr = _axis(x, axis)
    return tl.reduce((x, _places(x, d)), d, combine, keep_dims)


def argmax(input, axis, tie_break_left=True, keep_dims=False):
    x = _promote(input, "argmax")
    _, place = _extreme(x, axis, _argmax_combine(tie_break_left), keep_dims)
    return place


def argmin(input, axis, tie_break_left=True, keep_dims=False):
    x = _promote(input, "argmin")
    _, place = _extreme(x, axis, _argmin_combine(tie_break_left), keep_dims)
    return place


def xor_sum(input, axis=None, keep_dims=False):
    return tl.reduce(_promote(input, "xor_sum"), axis, _xor_combine, keep_dims)


def reduce_or(input, axis, keep_dims=False):
    return tl.reduce(_promote(input, "xor_sum"), axis, _or_combine, keep_dims)


def cumsum(input, axis=0, reverse=False, dtype=None):
    if dtype is None:
        x = _promote(input, "cumsum")
    else:
        x = input.to(dtype)
    return tl.associative_scan(x, axis, _sum_combine, reverse)


def cumprod(input, axis=0, reverse=False):
    return tl.associative_scan(_promote(input, "cumprod"), axis, _prod_combine, reverse)


def _last(x, dim):
    return _axis(x, -1 if dim is None else dim)


def flip(x, dim=None):
    if dim is None:
        _flip_without_dim()
    n: tl.constexpr = len(x.shape)
    if _since("FlipLastDim"):
        tl.static_assert(dim is None or (-n <= dim and dim < n), "flip: dim must be None or in [-rank, rank)")
    else:
        _require(dim is None or (-n <= dim and dim < n), "flip: dim must be None or in [-rank, rank)")
    d: tl.constexpr = _last(x, dim)
    return tl.gather(x, (x.shape[d] - 1) - _places(x, d), d)


# Bitonic sort: in step (k, j) each element meets the one 2**j places away, and keeps the smaller
# or the larger of the two, as bit k+1 of its place says.
# The k-th merge of a bitonic sort (Batcher, "Sorting networks and their applications", 1968): runs of
# 2**(k + 1) elements, whose halves are sorted in opposite directions, become sorted in alternating directions.
def _merge_runs(x, d, k, descending):
    place = _places(x, d)
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


def _bitonic(x, d, descending):
    for k in tl.static_range(_log2(x.shape[d])):
        x = _merge_runs(x, d, k, descending)
    return x


def _only_last(x, dim):
    d: tl.constexpr = _last(x, dim)
    tl.static_assert(d == len(x.shape) - 1, "only minor dimension is currently supported")
    return d


def bitonic_merge(x, dim=None, descending=False):
    x = _promote(x, "sort")
    d: tl.constexpr = _only_last(x, dim)
    return _merge_runs(x, d, _log2(x.shape[d]) - 1, descending)


def sort(x, dim=None, descending=False):
    x = _promote(x, "sort")
    return _bitonic(x, _only_last(x, dim), descending)


def topk(x, k, dim=None, descending=True):
    d: tl.constexpr = _only_last(x, dim)
    if _since("TopKOne"):
        tl.static_assert(k > 0, "topk: k must be greater than 0")
        tl.static_assert(_is_power_of_two(k), "topk: k must be a power of two")
        tl.static_assert(k <= x.shape[d], "topk: k must not exceed the size of the selected dimension")
    else:
        _require(k > 0, "topk: k must be greater than 0")
        _require(_is_power_of_two(k), "topk: k must be a power of two")
        _require(k <= x.shape[d], "topk: k must not exceed the size of the selected dimension")
    if k == 1:
        _needs("TopKOne", "k=1", "'dtype' object has no attribute 'numel'")
    x = _promote(x, "max" if k < x.shape[d] else "sort")  # Triton drops the others by tl.max or tl.min
    x = _bitonic(x, d, descending)
    first = tl.zeros([k if a == d else x.shape[a] for a in range(len(x.shape))], tl.int32)
    return tl.gather(x, _places(first, d), d)


# Philox (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) on words of 32 or of 64 bits.
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds=10):
    word: tl.constexpr = c0.dtype
    wide: tl.constexpr = word == tl.uint64
    tl.static_assert(wide or word == tl.uint32, "philox_impl needs counters of uint32 or uint64")
    a = tl.full([], 0xD2E7470EE14C6C93 if wide else 0xD2511F53, word)
    b = tl.full([], 0xCA5A826395121157 if wide else 0xCD9E8D57, word)
    for _ in tl.static_range(n_rounds):
        old0 = c0
        old2 = c2
        c0 = tl.umulhi(b, old2) ^ c1 ^ k0
        c2 = tl.umulhi(a, old0) ^ c3 ^ k1
        c1 = b * old2
        c3 = a * old0
        k0 = k0 + (0x9E3779B97F4A7C15 if wide else 0x9E3779B9)
        k1 = k1 + (0xBB67AE8584CAA73B if wide else 0xBB67AE85)
    return c0, c1, c2, c3


def philox(seed, c0, c1, c2, c3, n_rounds=10):
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int(), f"a seed of random numbers is an integer, and this one is {seed.dtype}")
    seed = seed.to(tl.uint64)
    c0 = tl.to_tensor(c0)
    if c0.dtype.primitive_bitwidth == 32:
        word: tl.constexpr = tl.uint32
        k0 = (seed & 0xFFFFFFFF).to(tl.uint32)
        k1 = ((seed >> 32) & 0xFFFFFFFF).to(tl.uint32)
    else:
        tl.static_assert(c0.dtype.primitive_bitwidth == 64, "philox needs counters of 32 or 64 bits")
        word: tl.constexpr = tl.uint64
        k0 = seed
        k1 = tl.full((1,), 0, tl.uint64)
    c0 = c0.to(word)
    c1 = tl.to_tensor(c1).to(word) + c0 * 0
    c2 = tl.to_tensor(c2).to(word) + c0 * 0
    c3 = tl.to_tensor(c3).to(word) + c0 * 0
    return philox_impl(c0, c1, c2, c3, k0, k1, n_rounds)


def randint4x(seed, offset, n_rounds=10):
    offset = tl.to_tensor(offset)
    high = (offset >> 32).to(tl.uint32) if offset.dtype.primitive_bitwidth > 32 else 0
    return philox(seed, offset.to(tl.uint32), high, 0, 0, n_rounds)


def randint(seed, offset, n_rounds=10):
    a, _, _, _ = randint4x(seed, offset, n_rounds)
    return a


# An integer as a float in [0, 1): the sign folded away, times the largest fp32 below 2**-31 or 2**-63.
def uint_to_uniform_float(x):
    wide: tl.constexpr = x.dtype.primitive_bitwidth == 64
    narrow: tl.constexpr = x.dtype == tl.int32 or x.dtype == tl.uint32
    tl.static_assert(narrow or wide and x.dtype.is_int(), "uint_to_uniform_float needs integers of 32 or 64 bits")
    x = x.to(tl.int64 if wide else tl.int32, bitcast=True)
    return tl.where(x < 0, ~x, x) * (1.0842020432385337e-19 if wide else 4.6566127342e-10)


def rand(seed, offset, n_rounds=10):
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


def rand4x(seed, offsets, n_rounds=10):
    a, b, c, d = randint4x(seed, offsets, n_rounds)
    return uint_to_uniform_float(a), uint_to_uniform_float(b), uint_to_uniform_float(c), uint_to_uniform_float(d)


# Box and Muller, "A note on the generation of random normal deviates", 1958.
def pair_uniform_to_normal(u1, u2):
    r = tl.sqrt(-2.0 * tl.log(tl.maximum(1.0e-7, u1)))
    angle = 6.283185307179586 * u2
    return r * tl.cos(angle), r * tl.sin(angle)


def randn(seed, offset, n_rounds=10):
    a, b, _, _ = randint4x(seed, offset, n_rounds)
    n, _ = pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b))
    return n


def randn4x(seed, offset, n_rounds=10):
    a, b, c, d = rand4x(seed, offset, n_rounds)
    return pair_uniform_to_normal(a, b) + pair_uniform_to_normal(c, d)


def get_int_dtype(bitwidth, signed):
    if bitwidth == 1:
        return tl.int1
    if bitwidth == 8:
        return tl.int8 if signed else tl.uint8
    if bitwidth == 16:
        return tl.int16 if signed else tl.uint16
    if bitwidth == 32:
        return tl.int32 if signed else tl.uint32
    tl.static_assert(bitwidth == 64, f"no integer type has {bitwidth} bits")
    return tl.int64 if signed else tl.uint64


def gdc_wait():
    pass


def gdc_launch_dependents():
    pass


def smid():
    return tl.inline_asm_elementwise("mov.u32 $0, %smid;", "=r", [], tl.int32, True, 1)


def globaltimer():
    return tl.inline_asm_elementwise("mov.u64 $0, %globaltimer;", "=l", [], tl.int64, False, 1)


def is_hip_gfx1250():
    return False


def is_cuda():
    return True


def is_hip():
    return False


def is_hip_cdna3():
    return False


def cuda_capability_geq(major, minor=0):
    return major < 9 or major == 9 and minor <= 0


def is_hip_cdna4():
    return False


def is_xpu():
    return False


# Microscaled products. The factors are exact in half, which is fp16 if one of the formats is, else bf16; a factor times
# its scale is rounded to half.


def _transposed(x):
    if len(x.shape) == 3:
        return tl.permute(x, (0, 2, 1))
    return tl.trans(x)


# The elements of e2m1, two in each uint8 along the last axis, as half: 0, ½, 1, 1½, 2, 3, 4, 6 and their negatives.
def _unpacked_e2m1(x, half):
    n = interleave(x & 15, x >> 4).to(tl.uint16)
    magnitude = n & 7
    bits = tl.where(magnitude < 2, magnitude * 0x3F00, 0x3F00 + (magnitude << 6)) | ((n & 8) << 12)
    return bits.to(tl.bfloat16, bitcast=True).to(half)


# x, whose last axis is K, times the scales of 32 elements each. 255 is NaN, which fast_math takes for infinity.
def _times_scale(x, scale, half, fast_math: tl.constexpr):
    if scale is None:
        return x
    s = tl.expand_dims(scale.to(tl.uint8, bitcast=True), len(scale.shape))
    s = tl.reshape(tl.broadcast_to(s, s.shape[:-1] + (x.shape[-1] // scale.shape[-1],)), x.shape)
    product = x * (s.to(tl.uint16) << 7).to(tl.bfloat16, bitcast=True).to(half)
    if fast_math:
        return product
    return tl.where(s == 255, float("nan"), product)


# An operand as half, K last, if it is so in memory (k_last).
def _scaled_operand(x, scale, format, k_pack, half, fast_math, k_last):
    if format == "e2m1":
        if k_pack == k_last:
            x = _unpacked_e2m1(x, half)
        else:
            x = _transposed(_unpacked_e2m1(_transposed(x), half))
    elif format == "e4m3":
        x = x.to(tl.float8e4nv, bitcast=True).to(half)
    elif format == "e5m2":
        x = x.to(tl.float8e5, bitcast=True).to(half)
    elif format == "fp16":
        x = x.to(tl.float16, bitcast=True).to(half)
    else:
        x = x.to(tl.bfloat16, bitcast=True).to(half)
    if not k_last:
        x = _transposed(x)
    return _times_scale(x, scale, half, fast_math)


def _dot_scaled(
    lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc, fast_math, lhs_k_pack, rhs_k_pack, out_dtype
):
    half: tl.constexpr = tl.float16 if lhs_format == "fp16" or rhs_format == "fp16" else tl.bfloat16
    x = _scaled_operand(lhs, lhs_scale, lhs_format, lhs_k_pack, half, fast_math, True)
    y = _scaled_operand(rhs, rhs_scale, rhs_format, rhs_k_pack, half, fast_math, False)
    return tl.dot(x, _transposed(y), acc, out_dtype=out_dtype)
