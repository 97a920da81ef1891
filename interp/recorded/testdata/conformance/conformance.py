"""Operations of triton.language over dtypes, broadcasts, masks and special values, as launches to record:

    with newt_record.to("conformance.launch", launches=200):
        conformance.launch_all()

Each kernel writes one row of its results for each operation. Left out is what has no defined result: integers divided
by zero, shifts by the width or more, floats converted to integers that do not hold them, and the order of NaNs. Left
out are also sums of products, which a compiler may contract, and subnormals as arguments of functions such as tl.rsqrt
and those of libdevice, which Triton flushes to zero.
"""
import sys

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

INTS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
FP8 = [torch.float8_e4m3fn, torch.float8_e5m2]
WIDE = [torch.float32, torch.float64]
WORDS = [torch.int32, torch.uint32, torch.int64, torch.uint64]
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def put(out_ptr, row: tl.constexpr, r):
    """Stores a row of results of the very dtype of out_ptr, but for every sixteenth."""
    tl.static_assert(r.dtype == out_ptr.dtype.element_ty)
    i = tl.arange(0, r.numel)
    tl.store(out_ptr + row * r.numel + i, tl.ravel(r), mask=i % 16 != 15)


@triton.jit
def each(x_ptr, N: tl.constexpr):
    """Loads N elements, the last but one masked off."""
    i = tl.arange(0, N)
    return tl.load(x_ptr + i, mask=i != N - 2, other=1.0)


@triton.jit
def pairs(x_ptr, y_ptr):
    """Loads a column and a row, of which operators make all pairs."""
    i = tl.arange(0, 16)
    return tl.load(x_ptr + i)[:, None], tl.load(y_ptr + i)[None, :]


# Elementwise operations.


@triton.jit
def arithmetic(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, x + y)
    put(out_ptr, 1, x - y)
    put(out_ptr, 2, x * y)
    put(out_ptr, 3, tl.where(x < y, x, y))
    put(out_ptr, 4, tl.abs(x) + y)
    put(out_ptr, 5, tl.add(x, tl.mul(y, 1)))
    put(out_ptr, 6, -x - -y)
    put(out_ptr, 7, tl.sub(x, y) * 3)
    put(out_ptr, 8, 2 - tl.where(x != y, y, x))


@triton.jit
def extrema(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.maximum(x, y))
    put(out_ptr, 1, tl.minimum(x, y))
    put(out_ptr, 2, tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL))
    put(out_ptr, 3, tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def clamped(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.clamp(x, y, y))
    put(out_ptr, 1, tl.clamp(x, y, y, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def clamped_to_constants(x_ptr, out_ptr, N: tl.constexpr):
    put(out_ptr, 0, tl.clamp(each(x_ptr, N), -1.5, 0.1))


@triton.jit
def floats(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.fma(x, y, x))
    put(out_ptr, 1, tl.where(x != x, y, x) * 0.1)
    put(out_ptr, 2, x + 1 + y)
    put(out_ptr, 3, 0.1 - y + x)


@triton.jit
def quotients(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, x / y)
    put(out_ptr, 1, x % y)
    put(out_ptr, 2, x / 3 + y * 0)


@triton.jit
def wide_quotients(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.fdiv(x, y))
    put(out_ptr, 1, tl.math.fdiv(x, y, ieee_rounding=True))


@triton.jit
def rounded(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.div_rn(x, y))
    put(out_ptr, 1, tl.sqrt_rn(x) + y * 0)


@triton.jit
def integers(x_ptr, y_ptr, out_ptr):
    """y is neither 0 nor -1."""
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, x // y)
    put(out_ptr, 1, x % y)
    put(out_ptr, 2, x & y)
    put(out_ptr, 3, x | y)
    put(out_ptr, 4, x ^ y)
    put(out_ptr, 5, ~x ^ y)
    put(out_ptr, 6, x // 7 + y)
    put(out_ptr, 7, tl.cdiv(x, 4) + y)


@triton.jit
def shifts(x_ptr, y_ptr, out_ptr):
    """y is less than the width."""
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, x << y)
    put(out_ptr, 1, x >> y)


@triton.jit
def high_halves(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, tl.umulhi(x, y))


@triton.jit
def comparisons(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    put(out_ptr, 0, x == y)
    put(out_ptr, 1, x != y)
    put(out_ptr, 2, x < y)
    put(out_ptr, 3, x <= y)
    put(out_ptr, 4, x > y)
    put(out_ptr, 5, x >= y)
    put(out_ptr, 6, (x < y).logical_or(x == y))
    put(out_ptr, 7, (x <= y).logical_and(x != y))
    put(out_ptr, 8, (x < 2) & (y > 1))


@triton.jit
def mixed(x_ptr, y_ptr, sum_ptr, less_ptr, chosen_ptr):
    """Operands of two dtypes: what their results are is the first question."""
    x, y = pairs(x_ptr, y_ptr)
    put(sum_ptr, 0, x + y)
    put(sum_ptr, 1, x * y)
    put(less_ptr, 0, x < y)
    put(chosen_ptr, 0, tl.where(x < y, x, y))


@triton.jit
def functions(x_ptr, out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(out_ptr, 0, tl.exp(x))
    put(out_ptr, 1, tl.exp2(x))
    put(out_ptr, 2, tl.log(x))
    put(out_ptr, 3, tl.log2(x))
    put(out_ptr, 4, tl.sin(x))
    put(out_ptr, 5, tl.cos(x))
    put(out_ptr, 6, tl.sqrt(x))
    put(out_ptr, 7, tl.rsqrt(x))
    put(out_ptr, 8, tl.erf(x))
    put(out_ptr, 9, tl.floor(x))
    put(out_ptr, 10, tl.ceil(x))
    put(out_ptr, 11, tl.sigmoid(x))
    put(out_ptr, 12, tl.math.exp(x) + tl.math.log(x))


# Conversions.


@triton.jit
def to_integers(x_ptr, i8_ptr, i16_ptr, i32_ptr, i64_ptr, u8_ptr, u16_ptr, u32_ptr, u64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(i8_ptr, 0, x.to(tl.int8))
    put(i16_ptr, 0, x.to(tl.int16))
    put(i32_ptr, 0, x.to(tl.int32))
    put(i64_ptr, 0, x.to(tl.int64))
    put(u8_ptr, 0, x.to(tl.uint8))
    put(u16_ptr, 0, x.to(tl.uint16))
    put(u32_ptr, 0, tl.cast(x, tl.uint32))
    put(u64_ptr, 0, tl.cast(x, tl.uint64))


@triton.jit
def to_bool(x_ptr, bool_ptr, f64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(bool_ptr, 0, x.to(tl.int1))
    put(f64_ptr, 0, tl.cast(x, tl.float64))


@triton.jit
def to_floats(x_ptr, f16_ptr, bf16_ptr, f32_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(f16_ptr, 0, x.to(tl.float16))
    put(bf16_ptr, 0, x.to(tl.bfloat16))
    put(f32_ptr, 0, x.to(tl.float32))


@triton.jit
def to_fp8(x_ptr, e4_ptr, e5_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(e4_ptr, 0, x.to(tl.float8e4nv))
    put(e5_ptr, 0, x.to(tl.float8e5))


@triton.jit
def towards_zero(x_ptr, f16_ptr, bf16_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(f16_ptr, 0, x.to(tl.float16, fp_downcast_rounding="rtz"))
    put(bf16_ptr, 0, tl.cast(x, tl.bfloat16, fp_downcast_rounding="rtz"))


@triton.jit
def same_bits(x_ptr, out_ptr, N: tl.constexpr):
    put(out_ptr, 0, each(x_ptr, N).to(out_ptr.dtype.element_ty, bitcast=True))


# Memory.


@triton.jit
def memory(x_ptr, m_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    m = tl.load(m_ptr + i)
    put(out_ptr, 0, tl.load(x_ptr + i, mask=m, other=0.0))
    put(out_ptr, 1, tl.load(x_ptr + i, mask=i < 5, other=tl.load(x_ptr + 3)))
    put(out_ptr, 2, tl.load(x_ptr + (N - 1 - i), cache_modifier=".cg"))
    put(out_ptr, 3, tl.load(x_ptr + i // 4 * 4, volatile=True))
    put(out_ptr, 4, tl.where(m, tl.load(x_ptr + i), tl.load(x_ptr + 1)))
    tl.store(out_ptr + 5 * N + i, tl.load(x_ptr + i), mask=m & (i < N - 1))
    tl.store(out_ptr + 6 * N, tl.load(x_ptr + 2))
    tl.store(out_ptr + 6 * N + 1, tl.load(x_ptr + 4), mask=tl.load(m_ptr + 1))


@triton.jit
def block_pointers(x_ptr, out_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (ROWS, COLS), (COLS, 1), (0, 0), (4, 8), (1, 0))
    put(out_ptr, 0, tl.load(p))
    put(out_ptr, 1, tl.load(tl.advance(p, (ROWS - 2, COLS - 5)), boundary_check=(0, 1), padding_option="zero"))
    q = tl.make_block_ptr(x_ptr, (COLS, ROWS), (1, COLS), (1, 0), (8, 4), (0, 1))
    put(out_ptr, 2, tl.load(q, boundary_check=(1,)))
    r = tl.make_block_ptr(out_ptr + 3 * 32, (3, 7), (8, 1), (0, 0), (4, 8), (1, 0))
    tl.store(r, tl.load(p), boundary_check=(0, 1))


@triton.jit
def descriptors(x_ptr, out_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    """COLS elements are a multiple of 16 bytes, and a store reaches past the last row alone."""
    d = tl.make_tensor_descriptor(x_ptr, [ROWS, COLS], [COLS, 1], [4, 16])
    put(out_ptr, 0, d.load([0, 0]))
    put(out_ptr, 1, tl.load_tensor_descriptor(d, [ROWS - 2, 16]))
    e = tl.make_tensor_descriptor(out_ptr + 2 * 64, [7, 16], [16, 1], [4, 16])
    e.store([0, 0], d.load([1, 16]))
    tl.store_tensor_descriptor(e, [4, 0], d.load([2, 0]))


@triton.jit
def atomics(x_ptr, y_ptr, at_ptr, out_ptr, N: tl.constexpr):
    """Each lane has a place of its own, so that what was there before is known."""
    i = tl.arange(0, N)
    y = tl.load(y_ptr + i)
    put(out_ptr, 0, tl.atomic_add(at_ptr + i, y, mask=i < N - 2))
    put(out_ptr, 1, tl.atomic_add(at_ptr + i, tl.load(x_ptr + i), sem="relaxed", scope="cta"))


@triton.jit
def extremes(x_ptr, y_ptr, at_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x, y = tl.load(x_ptr + i), tl.load(y_ptr + i)
    put(out_ptr, 0, tl.atomic_max(at_ptr + i, y, mask=i < N - 2))
    put(out_ptr, 1, tl.atomic_min(at_ptr + i, x))
    put(out_ptr, 2, tl.atomic_xchg(at_ptr + i, y))


@triton.jit
def bitwise_atomics(x_ptr, y_ptr, at_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x, y = tl.load(x_ptr + i), tl.load(y_ptr + i)
    put(out_ptr, 0, tl.atomic_or(at_ptr + i, y))
    put(out_ptr, 1, tl.atomic_and(at_ptr + i, x, mask=i < N - 2))
    put(out_ptr, 2, tl.atomic_xor(at_ptr + i, y))
    put(out_ptr, 3, tl.atomic_add(at_ptr + i % 4, y) * 0)
    put(out_ptr, 4, tl.atomic_cas(at_ptr + i, x, y))


@triton.jit
def swaps(x_ptr, y_ptr, at_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    put(out_ptr, 0, tl.atomic_cas(at_ptr + i, tl.load(x_ptr + i), tl.load(y_ptr + i)))


# Shapes: values stay, bit by bit.


@triton.jit
def shapes(x_ptr, out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    m = tl.reshape(x, (4, N // 4))
    put(out_ptr, 0, tl.trans(m))
    put(out_ptr, 1, tl.permute(tl.reshape(x, (2, 2, N // 4)), (2, 0, 1)))
    put(out_ptr, 2, tl.flip(x, 0))
    put(out_ptr, 3, tl.flip(m, 1))
    put(out_ptr, 4, tl.broadcast_to(tl.expand_dims(each(x_ptr, N // 4), 0), (4, N // 4)))
    a, b = tl.split(tl.reshape(x, (N // 2, 2)))
    put(out_ptr, 5, tl.join(b, a))
    put(out_ptr, 6, tl.interleave(b, a))
    put(out_ptr, 7, tl.gather(x, (tl.arange(0, N) * 5 + 3) % N, 0))
    put(out_ptr, 8, tl.gather(m, tl.reshape(tl.arange(0, N) // 3 % 4, (4, N // 4)), 0))
    put(out_ptr, 9, tl.zeros_like(x))
    put(out_ptr, 10, tl.full((N,), 1, tl.float32).to(x.dtype))
    put(out_ptr, 11, tl.view(m.T, (N,)))
    put(out_ptr, 12, tl.ravel(tl.expand_dims(m, 0)))
    put(out_ptr, 13, tl.zeros((N,), x.dtype))
    p, q = tl.broadcast(tl.reshape(each(x_ptr, 4), (4, 1)), m)
    put(out_ptr, 14, tl.where(tl.reshape(tl.arange(0, N) % 3 == 0, (4, N // 4)), p, q))


# Reductions, scans and sorts.


@triton.jit
def first(a, b):
    return a


@triton.jit
def affine(a, b, c, d):
    """a * t + b, then c * t + d."""
    return a * c, b * c + d


@triton.jit
def reductions(x_ptr, out_ptr, N: tl.constexpr):
    m = tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (16, N // 16))
    put(out_ptr, 0, tl.max(m, 1))
    put(out_ptr, 1, tl.min(m, 1))
    put(out_ptr, 2, tl.ravel(tl.max(m, axis=1, keep_dims=True)))
    put(out_ptr, 3, tl.max(tl.trans(m), 0))
    put(out_ptr, 4, tl.zeros((16,), m.dtype) + tl.min(m))


@triton.jit
def largest(x_ptr, out_ptr, N: tl.constexpr):
    v, _ = tl.max(tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (16, N // 16)), 1, return_indices=True)
    put(out_ptr, 0, v)


@triton.jit
def firsts(x_ptr, out_ptr, N: tl.constexpr):
    put(out_ptr, 0, tl.reduce(tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (16, N // 16)), 1, first))


@triton.jit
def sums(x_ptr, out_ptr, N: tl.constexpr):
    m = tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (16, N // 16))
    put(out_ptr, 0, tl.sum(m, 1))
    put(out_ptr, 1, tl.sum(tl.trans(m), axis=0))
    put(out_ptr, 2, tl.zeros((16,), out_ptr.dtype.element_ty) + tl.sum(m))
    put(out_ptr, 3, tl.ravel(tl.sum(m, 1, keep_dims=True)))


@triton.jit
def places(x_ptr, out_ptr, N: tl.constexpr):
    m = tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (16, N // 16))
    put(out_ptr, 0, tl.argmax(m, 1))
    put(out_ptr, 1, tl.argmin(m, 1))
    put(out_ptr, 2, tl.argmax(tl.trans(m), 0))
    _, i = tl.min(m, 1, return_indices=True)
    put(out_ptr, 3, i)


@triton.jit
def bit_sums(x_ptr, xor_ptr, or_ptr, counts_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    m = tl.reshape(x, (16, N // 16))
    put(xor_ptr, 0, tl.xor_sum(m, 1))
    put(or_ptr, 0, tl.reduce_or(m, 1))
    put(counts_ptr, 0, tl.histogram((x & 15).to(tl.int32), 16))
    put(counts_ptr, 1, tl.histogram((x & 7).to(tl.int32), 16, mask=tl.arange(0, N) < N // 2))


@triton.jit
def scans(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    m = tl.reshape(x, (4, N // 4))
    put(out_ptr, 0, tl.cumsum(x, 0).to(x.dtype))
    put(out_ptr, 1, tl.cumsum(m, 1, reverse=True).to(x.dtype))
    put(out_ptr, 2, tl.cumprod(m, 0).to(x.dtype))
    a, b = tl.associative_scan((m, m + 1), 1, affine)
    put(out_ptr, 3, a)
    put(out_ptr, 4, b)
    put(out_ptr, 5, tl.associative_scan(x, 0, first, reverse=True))


@triton.jit
def sorts(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    m = tl.reshape(x, (4, N // 4))
    put(out_ptr, 0, tl.sort(x))
    put(out_ptr, 1, tl.sort(m, descending=True))


@triton.jit
def largest_few(x_ptr, out_ptr, N: tl.constexpr):
    put(out_ptr, 0, tl.topk(tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (4, N // 4)), N // 8))


@triton.jit
def maxima(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    put(out_ptr, 0, tl.map_elementwise(tl.standard._elementwise_max, tl.load(x_ptr + i), tl.load(y_ptr + i)))


@triton.jit
def softmaxes(x_ptr, out_ptr, N: tl.constexpr):
    m = tl.reshape(tl.load(x_ptr + tl.arange(0, N)), (8, N // 8))
    put(out_ptr, 0, tl.softmax(m))


# Products of matrices.


@triton.jit
def products(a_ptr, b_ptr, out_ptr, PRECISION: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a, b = tl.load(a_ptr + i), tl.load(b_ptr + i)
    acc = tl.full((N, N), 1, out_ptr.dtype.element_ty)
    put(out_ptr, 0, tl.dot(a, b, input_precision=PRECISION, out_dtype=out_ptr.dtype.element_ty))
    put(out_ptr, 1, tl.dot(a, tl.trans(b), acc=acc, input_precision=PRECISION, out_dtype=out_ptr.dtype.element_ty))


@triton.jit
def scaled_products(a_ptr, b_ptr, sa_ptr, sb_ptr, out_ptr, KIND: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, k, s = tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    a = tl.load(a_ptr + i[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + i[None, :])
    sa = tl.load(sa_ptr + i[:, None] * (K // 32) + s[None, :])
    sb = tl.load(sb_ptr + i[:, None] * (K // 32) + s[None, :])
    put(out_ptr, 0, tl.dot_scaled(a, sa, KIND, b, sb, KIND))


# libdevice, by what a function takes.


@triton.jit
def of_a_float(x_ptr, out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(out_ptr, 0, libdevice.trunc(x))
    put(out_ptr, 1, libdevice.rint(x))
    put(out_ptr, 2, libdevice.nearbyint(x))
    put(out_ptr, 3, libdevice.round(x))
    put(out_ptr, 4, libdevice.logb(x))
    put(out_ptr, 5, libdevice.exp(x))
    put(out_ptr, 6, libdevice.expm1(x))
    put(out_ptr, 7, libdevice.exp10(x))
    put(out_ptr, 8, libdevice.log1p(x))
    put(out_ptr, 9, libdevice.log10(x))
    put(out_ptr, 10, libdevice.sinh(x))
    put(out_ptr, 11, libdevice.cosh(x))
    put(out_ptr, 12, libdevice.tanh(x))
    put(out_ptr, 13, libdevice.asinh(x))
    put(out_ptr, 14, libdevice.acosh(x))
    put(out_ptr, 15, libdevice.atanh(x))
    put(out_ptr, 16, libdevice.tan(x))
    put(out_ptr, 17, libdevice.asin(x))
    put(out_ptr, 18, libdevice.acos(x))
    put(out_ptr, 19, libdevice.atan(x))
    put(out_ptr, 20, libdevice.sinpi(x))
    put(out_ptr, 21, libdevice.cospi(x))
    put(out_ptr, 22, libdevice.cbrt(x))
    put(out_ptr, 23, libdevice.rcbrt(x))
    put(out_ptr, 24, libdevice.erfc(x))
    put(out_ptr, 25, libdevice.erfcx(x))
    put(out_ptr, 26, libdevice.normcdf(x))
    put(out_ptr, 27, libdevice.tgamma(x))
    put(out_ptr, 28, libdevice.lgamma(x))
    put(out_ptr, 29, libdevice.sqrt_rn(x))
    put(out_ptr, 30, libdevice.sqrt_rz(x))
    put(out_ptr, 31, libdevice.sqrt_rd(x))
    put(out_ptr, 32, libdevice.sqrt_ru(x))
    put(out_ptr, 33, libdevice.rcp_rn(x))
    put(out_ptr, 34, libdevice.rcp_rz(x))
    put(out_ptr, 35, libdevice.rcp_rd(x))
    put(out_ptr, 36, libdevice.rcp_ru(x))


@triton.jit
def of_a_float32(x_ptr, out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(out_ptr, 0, libdevice.saturatef(x))
    put(out_ptr, 1, libdevice.rsqrt_rn(x))
    put(out_ptr, 2, libdevice.fast_sinf(x))
    put(out_ptr, 3, libdevice.fast_cosf(x))
    put(out_ptr, 4, libdevice.fast_tanf(x))
    put(out_ptr, 5, libdevice.fast_logf(x))
    put(out_ptr, 6, libdevice.fast_log2f(x))
    put(out_ptr, 7, libdevice.fast_log10f(x))
    put(out_ptr, 8, libdevice.fast_expf(x))
    put(out_ptr, 9, libdevice.fast_exp10f(x))


@triton.jit
def kinds_of_float(x_ptr, out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(out_ptr, 0, libdevice.isnan(x).to(tl.int32))
    put(out_ptr, 1, libdevice.isinf(x).to(tl.int32))
    put(out_ptr, 2, (libdevice.signbit(x) != 0).to(tl.int32))


@triton.jit
def float_to_int(x_ptr, i32_ptr, i64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(i32_ptr, 0, libdevice.ilogb(x))
    put(i64_ptr, 0, libdevice.llrint(x))
    put(i64_ptr, 1, libdevice.llround(x))


@triton.jit
def float32_to_int(x_ptr, i32_ptr, i64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(i32_ptr, 0, libdevice.float_as_int(x))
    put(i32_ptr, 1, libdevice.float2int_rn(x))
    put(i32_ptr, 2, libdevice.float2int_rz(x))
    put(i32_ptr, 3, libdevice.float2int_rd(x))
    put(i32_ptr, 4, libdevice.float2int_ru(x))
    put(i64_ptr, 0, libdevice.float2ll_rn(x))
    put(i64_ptr, 1, libdevice.float2ll_rz(x))
    put(i64_ptr, 2, libdevice.float2ll_rd(x))
    put(i64_ptr, 3, libdevice.float2ll_ru(x))
    put(i32_ptr, 5, libdevice.float_as_uint(x).to(tl.int32, bitcast=True))
    x = libdevice.trunc(tl.abs(x)) + 0.75
    put(i32_ptr, 6, libdevice.float2uint_rn(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 7, libdevice.float2uint_rz(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 8, libdevice.float2uint_rd(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 9, libdevice.float2uint_ru(x).to(tl.int32, bitcast=True))
    put(i64_ptr, 4, libdevice.float2ull_rn(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 5, libdevice.float2ull_rz(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 6, libdevice.float2ull_rd(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 7, libdevice.float2ull_ru(x).to(tl.int64, bitcast=True))
    put(i32_ptr, 10, (libdevice.finitef(x) != 0).to(tl.int32))


@triton.jit
def float64_to_int(x_ptr, i32_ptr, i64_ptr, f32_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(i32_ptr, 0, libdevice.double2hiint(x))
    put(i32_ptr, 1, libdevice.double2loint(x))
    put(i32_ptr, 2, libdevice.double2int_rn(x))
    put(i32_ptr, 3, libdevice.double2int_rz(x))
    put(i32_ptr, 4, libdevice.double2int_rd(x))
    put(i32_ptr, 5, libdevice.double2int_ru(x))
    put(i64_ptr, 0, libdevice.double2ll_rn(x))
    put(i64_ptr, 1, libdevice.double2ll_rz(x))
    put(i64_ptr, 2, libdevice.double2ll_rd(x))
    put(i64_ptr, 3, libdevice.double2ll_ru(x))
    put(i64_ptr, 4, libdevice.double_as_longlong(x))
    put(f32_ptr, 0, libdevice.double2float_rn(x))
    put(f32_ptr, 1, libdevice.double2float_rz(x))
    put(f32_ptr, 2, libdevice.double2float_rd(x))
    put(f32_ptr, 3, libdevice.double2float_ru(x))
    x = libdevice.trunc(tl.abs(x)) + 0.75
    put(i32_ptr, 6, libdevice.double2uint_rn(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 7, libdevice.double2uint_rz(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 8, libdevice.double2uint_rd(x).to(tl.int32, bitcast=True))
    put(i32_ptr, 9, libdevice.double2uint_ru(x).to(tl.int32, bitcast=True))
    put(i64_ptr, 5, libdevice.double2ull_rn(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 6, libdevice.double2ull_rz(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 7, libdevice.double2ull_rd(x).to(tl.int64, bitcast=True))
    put(i64_ptr, 8, libdevice.double2ull_ru(x).to(tl.int64, bitcast=True))
    put(i32_ptr, 10, (libdevice.isfinited(x) != 0).to(tl.int32))


@triton.jit
def of_two_floats(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.copysign(x, y))
    put(out_ptr, 1, libdevice.nextafter(x, y))
    put(out_ptr, 2, libdevice.fdim(x, y))
    put(out_ptr, 3, libdevice.fmod(x, y))
    put(out_ptr, 4, libdevice.remainder(x, y))
    put(out_ptr, 5, libdevice.atan2(x, y))
    put(out_ptr, 6, libdevice.hypot(x, y))
    put(out_ptr, 7, libdevice.rhypot(x, y))
    put(out_ptr, 8, libdevice.pow(x, y))
    put(out_ptr, 9, libdevice.add_rn(x, y))
    put(out_ptr, 10, libdevice.add_rz(x, y))
    put(out_ptr, 11, libdevice.add_rd(x, y))
    put(out_ptr, 12, libdevice.add_ru(x, y))
    put(out_ptr, 13, libdevice.mul_rn(x, y))
    put(out_ptr, 14, libdevice.mul_rz(x, y))
    put(out_ptr, 15, libdevice.mul_rd(x, y))
    put(out_ptr, 16, libdevice.mul_ru(x, y))
    put(out_ptr, 17, libdevice.div_rn(x, y))
    put(out_ptr, 18, libdevice.div_rz(x, y))
    put(out_ptr, 19, libdevice.div_rd(x, y))
    put(out_ptr, 20, libdevice.div_ru(x, y))
    put(out_ptr, 21, libdevice.fma_rn(x, y, x))
    put(out_ptr, 22, libdevice.norm3d(x, y, x))
    put(out_ptr, 23, libdevice.rnorm3d(x, y, x))
    put(out_ptr, 24, libdevice.norm4d(x, y, x, y))
    put(out_ptr, 25, libdevice.rnorm4d(x, y, x, y))


@triton.jit
def of_floats32(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.sub_rn(x, y))
    put(out_ptr, 1, libdevice.sub_rz(x, y))
    put(out_ptr, 2, libdevice.sub_rd(x, y))
    put(out_ptr, 3, libdevice.sub_ru(x, y))
    put(out_ptr, 4, libdevice.fast_powf(tl.abs(x), y))
    put(out_ptr, 5, libdevice.fast_dividef(x, y))
    put(out_ptr, 6, libdevice.fma_rz(x, y, x))
    put(out_ptr, 7, libdevice.fma_rd(x, y, x))
    put(out_ptr, 8, libdevice.fma_ru(x, y, x))


@triton.jit
def of_a_float_and_an_int(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.ldexp(x, y))
    put(out_ptr, 1, libdevice.scalbn(x, y))
    put(out_ptr, 2, libdevice.pow(x, y))


@triton.jit
def of_ints(x_ptr, out_ptr, wide_out_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(out_ptr, 0, libdevice.popc(x).to(tl.int32))
    put(out_ptr, 1, libdevice.clz(x).to(tl.int32))
    put(out_ptr, 2, libdevice.ffs(x).to(tl.int32))
    put(wide_out_ptr, 0, libdevice.brev(x))


@triton.jit
def of_two_ints(x_ptr, y_ptr, out_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.mulhi(x, y))


@triton.jit
def of_two_ints32(x_ptr, y_ptr, out_ptr, sad_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.hadd(x, y))
    put(out_ptr, 1, libdevice.rhadd(x, y))
    put(out_ptr, 2, libdevice.mul24(x & 0x7FFFFF, y & 0x7FFFFF))
    put(sad_ptr, 0, libdevice.sad(x, y, (x ^ y).to(tl.uint32)).to(tl.int32, bitcast=True))


@triton.jit
def bytes_of_ints(x_ptr, y_ptr, out_ptr, f64_ptr):
    x, y = pairs(x_ptr, y_ptr)
    x, y = tl.broadcast(x, y)
    put(out_ptr, 0, libdevice.byte_perm(x, y, x ^ 0x3715))
    put(f64_ptr, 0, libdevice.hiloint2double(x & 0x3FFFFFFF, y))


@triton.jit
def int32_to_float(x_ptr, f32_ptr, f64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(f32_ptr, 0, libdevice.int_as_float(x & 0x3FFFFFFF))
    u = x.to(tl.uint32)
    put(f32_ptr, 1, libdevice.uint_as_float(u & 0x3FFFFFFF))
    put(f32_ptr, 2, libdevice.int2float_rn(x))
    put(f32_ptr, 3, libdevice.int2float_rz(x))
    put(f32_ptr, 4, libdevice.int2float_rd(x))
    put(f32_ptr, 5, libdevice.int2float_ru(x))
    put(f32_ptr, 6, libdevice.uint2float_rn(u))
    put(f32_ptr, 7, libdevice.uint2float_rz(u))
    put(f32_ptr, 8, libdevice.uint2float_rd(u))
    put(f32_ptr, 9, libdevice.uint2float_ru(u))
    put(f64_ptr, 0, libdevice.int2double_rn(x))
    put(f64_ptr, 1, libdevice.uint2double_rn(u))


@triton.jit
def int64_to_float(x_ptr, f32_ptr, f64_ptr, N: tl.constexpr):
    x = each(x_ptr, N)
    put(f64_ptr, 0, libdevice.longlong_as_double(x & 0x3FFFFFFFFFFFFFFF))
    put(f32_ptr, 0, libdevice.ll2float_rn(x))
    put(f32_ptr, 1, libdevice.ll2float_rz(x))
    put(f32_ptr, 2, libdevice.ll2float_rd(x))
    put(f32_ptr, 3, libdevice.ll2float_ru(x))
    u = x.to(tl.uint64)
    put(f32_ptr, 4, libdevice.ull2float_rn(u))
    put(f32_ptr, 5, libdevice.ull2float_rz(u))
    put(f32_ptr, 6, libdevice.ull2float_rd(u))
    put(f32_ptr, 7, libdevice.ull2float_ru(u))
    put(f64_ptr, 1, libdevice.ll2double_rn(x))
    put(f64_ptr, 2, libdevice.ll2double_rz(x))
    put(f64_ptr, 3, libdevice.ll2double_rd(x))
    put(f64_ptr, 4, libdevice.ll2double_ru(x))
    put(f64_ptr, 5, libdevice.ull2double_rn(u))
    put(f64_ptr, 6, libdevice.ull2double_rz(u))
    put(f64_ptr, 7, libdevice.ull2double_rd(u))
    put(f64_ptr, 8, libdevice.ull2double_ru(u))


# Random numbers.


@triton.jit
def random(f32_ptr, i32_ptr, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    put(f32_ptr, 0, tl.rand(seed, i))
    put(f32_ptr, 1, tl.randn(seed, i))
    a, b, c, d = tl.rand4x(seed, i)
    put(f32_ptr, 2, a + b * c - d)
    a, b, c, d = tl.randn4x(seed, i)
    put(f32_ptr, 3, tl.maximum(tl.maximum(a, b), tl.maximum(c, d)))
    put(i32_ptr, 0, tl.randint(seed, i).to(tl.int32, bitcast=True))
    a, b, c, d = tl.randint4x(seed, i, 7)
    put(i32_ptr, 1, (a ^ b ^ c ^ d).to(tl.int32, bitcast=True))
    z = tl.zeros((N,), tl.uint32)
    a, b, c, d = tl.philox(seed, i.to(tl.uint32, bitcast=True), z, z, z)
    put(i32_ptr, 2, (a + b + c + d).to(tl.int32, bitcast=True))
    put(f32_ptr, 4, tl.uint_to_uniform_float(a))
    x, y = tl.pair_uniform_to_normal(tl.uint_to_uniform_float(b), tl.uint_to_uniform_float(c))
    put(f32_ptr, 5, x + y)


# Programs, loops and hints.


@triton.jit
def programs(x_ptr, out_ptr, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    tl.static_assert(BLOCK % 16 == 0)
    at = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    base = tl.multiple_of(at * BLOCK, 16)
    tl.assume(base >= 0)
    i = base + tl.max_contiguous(tl.arange(0, BLOCK), BLOCK)
    acc = tl.load(x_ptr + i)
    for k in tl.static_range(STEPS):
        acc = acc * 2 + k
    for k in tl.range(0, STEPS, num_stages=2):
        acc += k * at
    n = at
    while n > 0:
        acc ^= n
        n = n // 2
    a, b = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 2)
    tl.debug_barrier()
    tl.store(out_ptr + i, acc + a * 10 + b)


@triton.jit
def assembly(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x, y = tl.load(x_ptr + i), tl.load(y_ptr + i)
    put(out_ptr, 0, tl.inline_asm_elementwise("lop3.b32 $0, $1, $2, $1, 0x96;", "=r,r,r", [x, y], tl.int32, True, 1))
    a, b = tl.inline_asm_elementwise("add.s32 $0, $2, $3; sub.s32 $1, $2, $3;", "=&r,=r,r,r", [x, y],
                                     (tl.int32, tl.int32), True, 1)
    put(out_ptr, 1, a ^ b)


def normal(dtype, n=16):
    """The values without subnormals."""
    x = values(dtype, n)
    return torch.where(x.abs() < torch.finfo(dtype).tiny, torch.zeros_like(x), x)


def values(dtype, n=16):
    """The dtype's special values first, then others."""
    g = torch.Generator().manual_seed(n)
    if dtype == torch.bool:
        return torch.tensor([i % 3 == 0 for i in range(n)]).to(DEVICE)
    if dtype.is_floating_point:
        f = torch.finfo(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, f.max, f.min, f.tiny, f.tiny / 2, float("nan")]
        special += [100.0, 3.25, -0.1, f.eps]
        special += [] if dtype == torch.float8_e4m3fn else [float("inf"), float("-inf")]
        if n == 16:
            special = special[:10] + special[10:11] + special[15:] + special[11:14]
        rest = (torch.randn(n, generator=g, dtype=torch.float64) * 8).tolist()
        return torch.tensor((special + rest)[:n], dtype=torch.float64).to(dtype).to(DEVICE)
    f = torch.iinfo(dtype)
    special = [0, 1, f.max, f.min, 2, f.max - 1, f.min + 1, 3, 7, 10, f.max // 2, f.max // 3, 64, 5]
    rest = torch.randint(-(2**62), 2**62, (n,), generator=g).tolist()
    signed = [torch.int8, torch.int16, torch.int32, torch.int64][dtype.itemsize.bit_length() - 1]
    half = 2 ** (8 * dtype.itemsize - 1)
    wrapped = [(v + half) % (2 * half) - half for v in (special + rest)[:n]]
    return torch.tensor(wrapped, dtype=signed).view(dtype).to(DEVICE)


def small(dtype, n=64, low=-9, high=10):
    """Integers that every dtype holds, in any order, so that sums are exact."""
    if dtype == torch.bool:
        return values(dtype, n)
    low = max(low, 0) if not dtype.is_floating_point and torch.iinfo(dtype).min == 0 else low
    g = torch.Generator().manual_seed(n + 1)
    return torch.randint(low, high, (n,), generator=g).to(torch.float64).to(dtype).to(DEVICE)


def distinct(dtype, n=64):
    """Different values without NaN, in a random order."""
    g = torch.Generator().manual_seed(n + 2)
    low = 0 if dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64) else -(n // 2)
    return (torch.randperm(n, generator=g) + low).to(torch.float64).to(dtype).to(DEVICE)


def fitting(dtype, n=64):
    """Floats between -100 and 100, as int8 holds them; 0 to 100 if unsigned integers are to hold them, too."""
    g = torch.Generator().manual_seed(n + 3)
    return ((torch.rand(n, generator=g, dtype=torch.float64)) * 100).to(dtype).to(DEVICE)


def out(dtype, rows, columns):
    return torch.zeros(rows, columns, dtype=torch.uint8 if dtype in FP8 else dtype).to(DEVICE).view(dtype)


def launch(kernel, *args, grid=(1,), **constants):
    try:
        kernel[grid](*args, **constants)
    except Exception as e:
        while e.__cause__ is not None:
            e = e.__cause__
        dtypes = [str(a.dtype) for a in args if hasattr(a, "dtype")]
        print("not launched:", kernel.__name__, dtypes, type(e).__name__, str(e).strip().split("\n")[-1][:200])


def promoted(x, y):
    """The dtype of x + y, as Triton promotes two different ones."""
    kinds = {x, y}
    for wide in [torch.float64, torch.float32, torch.float16]:
        if wide in kinds:
            return wide
    if torch.bfloat16 in kinds:
        return torch.float32
    if x.itemsize != y.itemsize:
        return x if x.itemsize > y.itemsize else y
    return x if torch.iinfo(x).min == 0 else y


def launch_all():
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=DEVICE))
    for d in INTS + FLOATS:
        x, y = values(d), values(d).flip(0) if d not in (torch.uint16, torch.uint32, torch.uint64) else values(d)
        launch(arithmetic, x, y, out(d, 9, 256))
        launch(extrema, x, y, out(torch.float32 if d == torch.bfloat16 else d, 4, 256))
        launch(comparisons, x, y, out(torch.bool, 9, 256))
    for d in FLOATS:
        launch(floats, values(d), values(d), out(d, 4, 256))
        launch(clamped, values(d), values(d), out(torch.float32 if d == torch.bfloat16 else d, 2, 256))
        launch(clamped_to_constants, values(d, 64), out(d if d == torch.float64 else torch.float32, 1, 64), N=64)
    for d in WIDE:
        launch(quotients, values(d), values(d), out(d, 3, 256))
        launch(wide_quotients, values(d), values(d), out(d, 2, 256))
        launch(functions, normal(d, 64), out(d, 13, 64), N=64)
    launch(rounded, values(torch.float32), values(torch.float32), out(torch.float32, 2, 256))
    for d in INTS:
        divisors = torch.tensor([2, 3, 5, 7, 9, 11, 16, 31, 64, 100, 101, 113, 120, 126, 127, 1], dtype=d).to(DEVICE)
        launch(integers, values(d), divisors, out(d, 8, 256))
        widths = torch.tensor([i % (8 * d.itemsize) for i in range(0, 48, 3)], dtype=d).to(DEVICE)
        launch(shifts, values(d), widths, out(d, 2, 256))
    for d in WORDS:
        launch(high_halves, values(d), values(d), out(d, 1, 256))
    for x in INTS + FLOATS:
        for y in INTS + FLOATS:
            if x != y:
                z = promoted(x, y)
                launch(mixed, values(x), values(y), out(z, 2, 256), out(torch.bool, 1, 256), out(z, 1, 256))
    for d in INTS + FLOATS + FP8 + [torch.bool]:
        whole = fitting(d) if d.is_floating_point else values(d, 64)
        launch(to_floats, values(d, 64), *(out(f, 1, 64) for f in FLOATS[:3]), N=64)
        if d not in FP8:
            launch(to_integers, whole, *(out(i, 1, 64) for i in INTS), N=64)
            launch(to_bool, values(d, 64), out(torch.bool, 1, 64), out(torch.float64, 1, 64), N=64)
    for d in FLOATS[:3]:
        launch(to_fp8, values(d, 64), *(out(f, 1, 64) for f in FP8), N=64)
    launch(towards_zero, values(torch.float32, 64), out(torch.float16, 1, 64), out(torch.bfloat16, 1, 64), N=64)
    for x, y in [(torch.float32, torch.int32), (torch.int16, torch.bfloat16), (torch.uint64, torch.float64),
                 (torch.float16, torch.uint16)]:
        launch(same_bits, values(x, 64), out(y, 1, 64), N=64)
    for d in INTS + FLOATS + FP8 + [torch.bool]:
        launch(memory, values(d, 64), values(torch.bool, 64), out(d, 7, 64), N=64)
        launch(shapes, values(d, 64), out(d, 15, 64), N=64)
        if d != torch.bool:
            launch(block_pointers, values(d, 13 * 16), out(d, 4, 32), ROWS=13, COLS=16)
            launch(descriptors, values(d, 13 * 32), out(d, 4, 64), ROWS=13, COLS=32)
    for d in WORDS + [torch.float32, torch.float64, torch.float16, torch.bfloat16]:
        y = small(d).flip(0) if d not in WORDS[1::2] else small(d, 64, 1, 7)
        launch(atomics, small(d), y, small(d), out(d, 2, 64), N=64)
    for d in WORDS + WIDE:
        launch(extremes, distinct(d), small(d), small(d, 64, 1, 12), out(d, 3, 64), N=64)
    for d in WORDS:
        launch(bitwise_atomics, distinct(d), small(d), values(d, 64), out(d, 5, 64), N=64)
    for d in WORDS + [torch.int16, torch.uint16] + FLOATS:
        launch(swaps, small(d), distinct(d), small(d), out(d, 1, 64), N=64)
    for d in INTS + FLOATS:
        # Small types are widened.
        wider = d if d.itemsize >= 4 else torch.float32 if d.is_floating_point else torch.int32
        launch(reductions, distinct(d, 64), out(wider, 5, 16), N=64)
        launch(largest, distinct(d, 64), out(torch.float32 if d == torch.bfloat16 else d, 1, 16), N=64)
        launch(firsts, distinct(d, 64), out(d, 1, 16), N=64)
        short = not d.is_floating_point and d.itemsize < 4
        total = d if not short else torch.int32 if torch.iinfo(d).min < 0 else torch.uint32
        launch(sums, small(d), out(total, 4, 16), N=64)
        launch(places, distinct(d), out(torch.int32, 4, 16), N=64)
        launch(scans, small(d, 64, 0, 3), out(d, 6, 64), N=64)
        launch(sorts, distinct(d), out(d, 2, 64), N=64)
        launch(largest_few, distinct(d), out(wider, 1, 32), N=64)
        launch(maxima, distinct(d), small(d), out(torch.float32 if d == torch.bfloat16 else d, 1, 64), N=64)
    for d in INTS:
        launch(bit_sums, values(d, 64), out(d, 1, 16), out(d, 1, 16), out(torch.int32, 2, 16), N=64)
    for d in FLOATS:
        launch(softmaxes, fitting(d), out(torch.float32 if d.itemsize < 4 else d, 1, 64), N=64)
    for d in FLOATS[:3] + FP8 + [torch.int8]:
        total = torch.int32 if d == torch.int8 else torch.float32
        for precision in ["ieee", "tf32"] if d == torch.float32 else ["ieee"]:
            launch(products, small(d, 1024), small(d, 1024, -5, 6), out(total, 2, 1024), PRECISION=precision, N=32)
    for kind, d in [("e4m3", FP8[0]), ("e5m2", FP8[1])]:
        scales = small(torch.uint8, 64, 125, 130)
        a, b, c = small(d, 2048), small(d, 2048), out(torch.float32, 1, 1024)
        launch(scaled_products, a, b, scales, scales, c, KIND=kind, N=32, K=64)
    for d in WIDE:
        launch(of_a_float, normal(d, 64), out(d, 37, 64), N=64)
        launch(kinds_of_float, values(d, 64), out(torch.int32, 3, 64), N=64)
        launch(float_to_int, fitting(d), out(torch.int32, 1, 64), out(torch.int64, 2, 64), N=64)
        launch(of_two_floats, normal(d), normal(d), out(d, 26, 256))
        launch(of_a_float_and_an_int, normal(d), small(torch.int32, 16, -20, 21), out(d, 3, 256))
    launch(of_a_float32, fitting(torch.float32), out(torch.float32, 10, 64), N=64)
    launch(of_floats32, normal(torch.float32), normal(torch.float32), out(torch.float32, 9, 256))
    launch(float32_to_int, fitting(torch.float32), out(torch.int32, 11, 64), out(torch.int64, 8, 64), N=64)
    i32, i64, f32 = out(torch.int32, 11, 64), out(torch.int64, 9, 64), out(torch.float32, 4, 64)
    launch(float64_to_int, fitting(torch.float64), i32, i64, f32, N=64)
    for d in [torch.int32, torch.int64]:
        launch(of_ints, values(d, 64), out(torch.int32, 3, 64), out(d, 1, 64), N=64)
    for d in WORDS:
        launch(of_two_ints, values(d), values(d), out(d, 1, 256))
    for d in [torch.int32, torch.uint32]:
        launch(of_two_ints32, values(d), values(d), out(d, 3, 256), out(torch.int32, 1, 256))
    x = values(torch.int32)
    launch(bytes_of_ints, x, x, out(torch.int32, 1, 256), out(torch.float64, 1, 256))
    launch(int32_to_float, values(torch.int32, 64), out(torch.float32, 10, 64), out(torch.float64, 2, 64), N=64)
    launch(int64_to_float, values(torch.int64, 64), out(torch.float32, 8, 64), out(torch.float64, 9, 64), N=64)
    for seed in [0, 123, 2**40 + 5]:
        launch(random, out(torch.float32, 6, 64), out(torch.int32, 3, 64), seed, N=64)
    launch(programs, values(torch.int32, 192), out(torch.int32, 1, 192), grid=(2, 3), BLOCK=32, STEPS=4)
    launch(assembly, values(torch.int32, 64), small(torch.int32), out(torch.int32, 2, 64), N=64)


if __name__ == "__main__":
    launch_all()
    sys.stdout.flush()
