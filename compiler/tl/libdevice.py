# The functions of CUDA's libdevice, written in the language itself, for fp32 and fp64 alike: the argument is reduced
# to a short interval, where a series takes as many terms as the dtype needs. Nothing here rounds other than IEEE 754
# says, so that the CPU and every GPU give the same bits; only tan and the functions that begin with fast_ rest on
# tl.sin, tl.cos, tl.exp, tl.exp2, tl.log and tl.log2. The compiler has checked and promoted the arguments.


# The bits of a float as a signed integer of its width.
def _bits(x):
    if x.dtype.primitive_bitwidth == 64:
        return x.to(tl.int64, bitcast=True)
    return x.to(tl.int32, bitcast=True)


# Division and square root, rounded to nearest: fp64 has no other.
def _div(x, y):
    if y.dtype.primitive_bitwidth == 64:
        return x / y
    return tl.div_rn(x, y)


def _sqrt(x):
    if x.dtype.primitive_bitwidth == 64:
        return tl.sqrt(x)
    return tl.sqrt_rn(x)


def isnan(arg0):
    return arg0 != arg0


def isinf(arg0):
    return tl.abs(arg0) == float("inf")


def finitef(arg0):
    return tl.abs(arg0) < float("inf")


isfinited = finitef


def signbit(arg0):
    return (_bits(arg0) < 0).to(tl.int32)


def copysign(arg0, arg1):
    rest: tl.constexpr = 0x7FFFFFFFFFFFFFFF if arg0.dtype.primitive_bitwidth == 64 else 0x7FFFFFFF
    return ((_bits(arg0) & rest) | (_bits(arg1) & ~rest)).to(arg0.dtype, bitcast=True)


def nextafter(arg0, arg1):
    bits = _bits(arg0)
    away = (arg1 > arg0) == (arg0 > 0)
    stepped = tl.where(away, bits + 1, bits - 1).to(arg0.dtype, bitcast=True)
    least = copysign((bits * 0 + 1).to(arg0.dtype, bitcast=True), arg1)
    moved = tl.where(arg0 == arg1, arg1, tl.where(arg0 == 0, least, stepped))
    return tl.where((arg0 != arg0) | (arg1 != arg1), arg0 + arg1, moved)


# Rounding.


def trunc(arg0):
    return copysign(tl.floor(tl.abs(arg0)), arg0)


# From 2**23 (2**52) on every float is an integer, so that an addition rounds to nearest, ties to even.
def rint(arg0):
    big: tl.constexpr = 4503599627370496.0 if arg0.dtype.primitive_bitwidth == 64 else 8388608.0
    a = tl.abs(arg0)
    return copysign(tl.where(a < big, (a + big) - big, a), arg0)


nearbyint = rint


def round(arg0):
    a = tl.abs(arg0)
    down = tl.floor(a)
    return copysign(tl.where(a - down >= 0.5, down + 1, down), arg0)


def llrint(arg0):
    return rint(arg0).to(tl.int64)


def llround(arg0):
    return round(arg0).to(tl.int64)


def fdim(arg0, arg1):
    return tl.where(arg0 <= arg1, 0.0, arg0 - arg1)


def saturatef(arg0):
    return tl.where(arg0 > 0, tl.where(arg0 < 1, arg0, 1.0), 0.0)


# The mantissa of |x| as an integer, and the exponent of its last place, counted from that of the least float.
def _integer_parts(x):
    if x.dtype.primitive_bitwidth == 64:
        b = _bits(tl.abs(x))
        e = (b >> 52).to(tl.int32)
        m = (b & 0xFFFFFFFFFFFFF) | tl.where(e > 0, 0x10000000000000, 0)
    else:
        b = _bits(tl.abs(x))
        e = b >> 23
        m = ((b & 0x7FFFFF) | tl.where(e > 0, 0x800000, 0)).to(tl.int64)
    return m.to(tl.uint64), tl.maximum(e - 1, 0)


# |x| modulo |y|, exactly, for y other than 0: a long division whose digits are as many bits as 64 bits have room for.
def _modulo(x, y):
    digit: tl.constexpr = 11 if x.dtype.primitive_bitwidth == 64 else 40
    digits: tl.constexpr = 191 if x.dtype.primitive_bitwidth == 64 else 7
    a, i = _integer_parts(x)
    b, j = _integer_parts(y)
    b = tl.where(b == 0, 1, b)
    r = a % b
    left = tl.maximum(i - j, 0)
    for _ in range(digits):
        n = tl.minimum(left, digit)
        r = (r << n.to(tl.uint64)) % b
        left -= n
    n = j - (1074 if x.dtype.primitive_bitwidth == 64 else 149)
    return tl.where(tl.abs(x) < tl.abs(y), tl.abs(x), _scaled(r.to(tl.int64).to(x.dtype), n))


# What a quotient leaves where one side is infinite, NaN, or the divisor 0.
def _modulo_ends(x, y, inside):
    inside = tl.where(tl.abs(y) == float("inf"), x, inside)
    wrong = (y == 0) | (tl.abs(x) == float("inf")) | (x != x) | (y != y)
    return tl.where(wrong, float("nan"), inside)


def fmod(arg0, arg1):
    return _modulo_ends(arg0, arg1, copysign(_modulo(arg0, arg1), arg0))


# What is left of a quotient rounded to nearest, ties to even: of |arg0| modulo 2·|arg1|, one or two |arg1| are taken.
def remainder(arg0, arg1):
    y = tl.abs(arg1)
    # Where y + y overflows, |arg0| is less; where y is small, half of it is not exact.
    fits = y + y < float("inf")
    x = tl.where(fits, _modulo(arg0, tl.where(fits, y + y, 1.0)), tl.abs(arg0))
    once = tl.where(fits, x + x > y, x > 0.5 * y)
    x = tl.where(once, x - y, x)
    twice = once & tl.where(fits, x + x >= y, x >= 0.5 * y)
    x = tl.where(twice, x - y, x)
    return _modulo_ends(arg0, arg1, tl.where(_bits(arg0) < 0, -x, x))


# Exponents.


# 2**n as a float of x's dtype, for an int32 n within its exponents.
def _pow2(n, x):
    if x.dtype.primitive_bitwidth == 64:
        return ((n.to(tl.int64) + 1023) << 52).to(tl.float64, bitcast=True)
    return ((n + 127) << 23).to(tl.float32, bitcast=True)


# x·2**n for an int32 n of at most twice the exponents.
def _scaled(x, n):
    half = n >> 1
    return (x * _pow2(half, x)) * _pow2(n - half, x)


# Small arguments are scaled up first: then only the last product rounds.
def ldexp(arg0, arg1):
    up: tl.constexpr = 64 if arg0.dtype.primitive_bitwidth == 32 else 512
    most: tl.constexpr = 300 if arg0.dtype.primitive_bitwidth == 32 else 2200
    n = tl.minimum(tl.maximum(arg1, -most), most)
    small = tl.abs(arg0) < 1
    big = _pow2(n * 0 + up, arg0)
    x = tl.where(small, arg0 * big, arg0)
    n = tl.where(small, n - up, n)
    third = n // 3
    return ((x * _pow2(third, x)) * _pow2(third, x)) * _pow2(n - 2 * third, x)


scalbn = ldexp


# The exponent of a finite x > 0 and its mantissa, in [√½, √2).
def _split(x):
    if x.dtype.primitive_bitwidth == 64:
        tiny = x < 2.2250738585072014e-308
        b = _bits(tl.where(tiny, x * 18014398509481984.0, x))
        e = (b - 0x3FE6A09E667F3BCD) >> 52
        return (b - (e << 52)).to(tl.float64, bitcast=True), (e - tl.where(tiny, 54, 0)).to(tl.int32)
    tiny = x < 1.1754943508222875e-38
    b = _bits(tl.where(tiny, x * 16777216.0, x))
    e = (b - 0x3F3504F3) >> 23
    return (b - (e << 23)).to(tl.float32, bitcast=True), e - tl.where(tiny, 24, 0)


def ilogb(arg0):
    m, e = _split(tl.abs(arg0))
    e = tl.where(m < 1, e - 1, e)
    e = tl.where(tl.abs(arg0) == float("inf"), 2147483647, e)
    return tl.where((arg0 == 0) | (arg0 != arg0), -2147483648, e)


def logb(arg0):
    e = ilogb(arg0).to(arg0.dtype)
    e = tl.where(arg0 == 0, float("-inf"), tl.where(tl.abs(arg0) == float("inf"), float("inf"), e))
    return tl.where(arg0 != arg0, arg0, e)


# e**(r + low) - 1 for |r| ≤ 0.35 and a low below r's last place: Taylor's series.
def _expm1_series(r, low):
    terms: tl.constexpr = 16 if r.dtype.primitive_bitwidth == 64 else 8
    q = r * (1.0 / terms) + 1.0
    for i in tl.static_range(terms - 3):
        q = tl.fma(q * r, 1.0 / (terms - 1 - i), 1.0)
    return r + tl.fma(r, 0.5 * r * q, low)


# x + low as n·ln 2 + r: the series of r, and n.
def _reduced_exp(x, low):
    n = rint(x * 1.4426950408889634)
    if x.dtype.primitive_bitwidth == 64:
        r = tl.fma(n, -0.6931471805599453, x)
        low = tl.fma(n, -2.3190468138462996e-17, low)
    else:
        r = tl.fma(n, -0.693147182464599609375, x)
        low = tl.fma(n, 1.904654299957768e-09, low)
    # The sum of the two is rounded once more, and what that loses is kept.
    s = r + low
    return _expm1_series(s, low - (s - r)), n.to(tl.int32)


# x within what neither overflows nor underflows by far, NaN as it is.
def _bounded(x):
    most: tl.constexpr = 720.0 if x.dtype.primitive_bitwidth == 64 else 92.0
    least: tl.constexpr = -760.0 if x.dtype.primitive_bitwidth == 64 else -106.0
    return tl.where(x > most, most, tl.where(x < least, least, x))


# e**(x + low)·2**k.
def _exp(x, low, k):
    p, n = _reduced_exp(_bounded(x), low)
    return _scaled(1 + p, n + k)


def exp(arg0):
    return _exp(arg0, 0.0 * _finite(arg0), 0)


def expm1(arg0):
    x = tl.where(arg0 > 60, 60.0, tl.where(arg0 < -60, -60.0, arg0))
    p, n = _reduced_exp(x, 0.0 * x)
    t = _pow2(n, x)
    near = tl.fma(p, t, t - 1)
    return tl.where(arg0 == 0, arg0, tl.where(arg0 > 60, _exp(arg0, 0.0 * x, 0), near))


def exp10(arg0):
    x = tl.where(arg0 > 330, 330.0, tl.where(arg0 < -360, -360.0, arg0))
    if arg0.dtype.primitive_bitwidth == 64:
        n = rint(x * 3.321928094887362)
        r = tl.fma(n, 2.8037281277851704e-18, tl.fma(n, -0.3010299956639812, x))
        y = r * 2.302585092994046
        low = tl.fma(r, 2.302585092994046, -y) - 2.1707562233822494e-16 * r
    else:
        x = tl.where(x > 45, 45.0, tl.where(x < -50, -50.0, x))
        n = rint(x * 3.321928094887362)
        r = tl.fma(n, 1.432098883924482e-08, tl.fma(n, -0.3010300099849700927734375, x))
        y = r * 2.302585124969482421875
        low = tl.fma(r, 2.302585124969482421875, -y) - 3.1975435632602967e-08 * r
    return _scaled(1 + _expm1_series(y, low), n.to(tl.int32))


# Logarithms.


# ln(1 + f) + low + e·ln 2 for f in [√½ - 1, √2 - 1): with s = f/(2 + f), ln(1 + f) = 2·artanh s.
def _log_series(f, low, e):
    terms: tl.constexpr = 11 if f.dtype.primitive_bitwidth == 64 else 5
    s = _div(f, 2 + f)
    z = s * s
    q = z * 0 + 2.0 / (2 * terms + 1)
    for i in tl.static_range(terms - 1):
        q = tl.fma(q, z, 2.0 / (2 * (terms - 1 - i) + 1))
    h = 0.5 * f * f
    n = e.to(f.dtype)
    if f.dtype.primitive_bitwidth == 64:
        rest = tl.fma(s, tl.fma(q, z, h), tl.fma(n, 2.3190468138462996e-17, low))
        return tl.fma(n, 0.6931471805599453, f - (h - rest))
    rest = tl.fma(s, tl.fma(q, z, h), tl.fma(n, -1.904654299957768e-09, low))
    return tl.fma(n, 0.693147182464599609375, f - (h - rest))


# The logarithm's values where x is 0, infinite, negative or NaN.
def _log_ends(x, inside):
    inside = tl.where(x == float("inf"), float("inf"), inside)
    inside = tl.where(x == 0, float("-inf"), inside)
    return tl.where((x < 0) | (x != x), float("nan"), inside)


def _log(x):
    m, e = _split(x)
    return _log_ends(x, _log_series(m - 1, 0.0 * m, e))


def log10(arg0):
    return _log(arg0) * 0.4342944819032518


# What the rounding of 1 + x loses is put back.
def log1p(arg0):
    u = 1 + arg0
    lost = tl.where(tl.abs(arg0) < 1, arg0 - (u - 1), 1 - (u - arg0))
    m, e = _split(u)
    inside = _log_ends(u, _log_series(m - 1, _div(lost, u), e))
    return tl.where(arg0 == 0, arg0, inside)


# Powers: ln x in two floats.


# a + b, with the rounding error; |a| ≥ |b| or a = 0.
def _sum2(a, b):
    s = a + b
    return s, b - (s - a)


def _product2(a, b):
    p = a * b
    return p, tl.fma(a, b, -p)


# ln x of a finite x > 0.
def _log2floats(x):
    terms: tl.constexpr = 11 if x.dtype.primitive_bitwidth == 64 else 5
    m, e = _split(x)
    f = m - 1
    d = 2 + f
    s = _div(f, d)
    s_low = _div(tl.fma(-s, d, f) - s * (f - (d - 2)), d)
    z, z_low = _product2(s, s)
    z_low = tl.fma(2 * s, s_low, z_low)
    # The series from s**5 on needs one float.
    q = z * 0 + 2.0 / (2 * terms + 1)
    for i in tl.static_range(terms - 2):
        q = tl.fma(q, z, 2.0 / (2 * (terms - 1 - i) + 1))
    cube, cube_low = _product2(s, z)
    cube_low += tl.fma(s, z_low, s_low * z)
    third, third_low = _product2(cube, 0.6666666666666666)
    third_low = tl.fma(cube_low, 0.6666666666666666, third_low)
    n = e.to(x.dtype)
    if x.dtype.primitive_bitwidth == 64:
        third_low = tl.fma(cube, 3.700743415417188e-17, third_low)
        whole, whole_low = _product2(n, 0.6931471805599453)
        whole_low = tl.fma(n, 2.3190468138462996e-17, whole_low)
    else:
        third_low = tl.fma(cube, -1.9868215517249155e-08, third_low)
        whole, whole_low = _product2(n, 0.693147182464599609375)
        whole_low = tl.fma(n, -1.904654299957768e-09, whole_low)
    a, a_low = _sum2(2 * s, third)
    a_low += 2 * s_low + tl.fma(q * z, cube, third_low)
    b, b_low = _sum2(whole, a)
    return _sum2(b, b_low + (a_low + whole_low))


def _pow_floats(x, y):
    a = tl.abs(x)
    log, log_low = _log2floats(a)
    p = y * log
    p_low = tl.fma(y, log, -p) + y * log_low
    # Beyond the exponents, and where x is 1 and y infinite.
    beyond: tl.constexpr = 800.0 if x.dtype.primitive_bitwidth == 64 else 150.0
    p_low = tl.where(tl.abs(p) < beyond, p_low, 0.0)
    r = _exp(p, p_low, 0)
    r = tl.where(a == 0, tl.where(y < 0, float("inf"), 0.0), r)
    r = tl.where(a == float("inf"), tl.where(y < 0, 0.0, float("inf")), r)
    r = tl.where((a == 1) & (y == y), 1.0, r)
    whole = tl.floor(y) == y
    odd = whole & (tl.floor(0.5 * y) != 0.5 * y)
    r = tl.where(_bits(x) < 0, tl.where(odd, -r, tl.where(whole | (a == 0) | (a == float("inf")), r, float("nan"))), r)
    r = tl.where((x != x) | (y != y), float("nan"), r)
    return tl.where((x == 1) | (y == 0), 1.0, r)


# Of an integer power, the squares that its bits choose.
def _pow_int(x, n):
    left = tl.where(n < 0, 0 - n, n).to(tl.uint32)
    r = x * 0 + 1
    r = tl.where(r == r, r, 1.0)
    square = x
    for i in tl.static_range(32):
        r = tl.where(((left >> i) & 1) != 0, r * square, r)
        square = square * square
    return tl.where(n < 0, _div(1.0, r), r)


def pow(arg0, arg1):
    if arg1.dtype == tl.int32:
        return _pow_int(arg0, arg1)
    return _pow_floats(arg0, arg1)


# Hyperbolic functions.


def tanh(arg0):
    a = tl.abs(arg0)
    if arg0.dtype.primitive_bitwidth == 64:
        t = expm1(2 * tl.where(a > 20, 20.0, a))
        return copysign(_div(t, t + 2), arg0)
    far = tl.fma(_reciprocal(_exp_twice(tl.where(a > 10, 10.0, a)) + 1), -2.0, 1.0)
    return copysign(tl.where(a >= 0.625, far, _tanh_near(a)), arg0)  # NaN is near


# An approximation of tanh(x) for 0 ≤ x ≤ 0.625: x + x³·p(x²) with p through Chebyshev's nodes.
def _tanh_near(x):
    z = x * x
    p = tl.fma(z, -0.006096293684095144, 0.02099688909947872)
    p = tl.fma(p, z, -0.053850848227739334)
    p = tl.fma(p, z, 0.1333276927471161)
    p = tl.fma(p, z, -0.333333283662796)
    return tl.fma(p * z, x, x)


# e**(2x) for 0 ≤ x ≤ 10: 2x is n·ln 2 + 2r, and the polynomial of e**(2r) goes through Chebyshev's nodes. Adding
# 1.5·2**23 leaves n in the last bits, from where it goes into the exponent.
def _exp_twice(x):
    shifted = tl.fma(x, 2.885390043258667, 12582912.0)
    n = shifted - 12582912.0
    r = tl.fma(n, 9.523271060629668e-10, tl.fma(n, -0.3465735912322998, x))
    p = tl.fma(r, 0.08922310918569565, 0.26800408959388733)
    p = tl.fma(p, r, 0.6666616201400757)
    p = tl.fma(p, r, 1.333313226699829)
    p = tl.fma(p, r, 2.0)
    p = tl.fma(p, r, 2.0)
    p = tl.fma(p, r, 1.0)
    return (_bits(p) + (_bits(shifted) << 23)).to(tl.float32, bitcast=True)


# 1/x for 1 ≤ x < 2**30 but for its last bit: the difference of the exponents, and three of Newton's steps.
def _reciprocal(x):
    r = (0x7EF311C3 - _bits(x)).to(tl.float32, bitcast=True)
    for _ in tl.static_range(3):
        r = tl.fma(r, tl.fma(-x, r, 1.0), r)
    return r


def sinh(arg0):
    a = tl.abs(arg0)
    t = expm1(tl.where(a > 20, 20.0, a))
    near = 0.5 * (t + _div(t, t + 1))
    return copysign(tl.where(a > 20, _exp(a, 0.0 * t, -1), near), arg0)


def cosh(arg0):
    a = _bounded(tl.abs(arg0))
    e = _exp(a, 0.0 * a, -1)
    return e + _div(0.25, e)


def asinh(arg0):
    far: tl.constexpr = 268435456.0 if arg0.dtype.primitive_bitwidth == 64 else 8192.0
    a = tl.abs(arg0)
    b = tl.where(a > far, far, a)
    square = b * b
    near = log1p(b + _div(square, 1 + _sqrt(square + 1)))
    return copysign(tl.where(a > far, _log(a) + 0.6931471805599453, near), arg0)


def acosh(arg0):
    far: tl.constexpr = 268435456.0 if arg0.dtype.primitive_bitwidth == 64 else 8192.0
    t = tl.where(arg0 > far, far, arg0) - 1
    near = log1p(t + _sqrt(2 * t + t * t))
    return tl.where(arg0 > far, _log(arg0) + 0.6931471805599453, tl.where(arg0 < 1, float("nan"), near))


def atanh(arg0):
    a = tl.abs(arg0)
    return copysign(0.5 * log1p(_div(2 * a, 1 - a)), arg0)


# Trigonometric functions.


# arctan z for |z| ≤ √2 - 1.
def _atan_series(z):
    terms: tl.constexpr = 21 if z.dtype.primitive_bitwidth == 64 else 9
    w = z * z
    q = w * 0 + (1.0 - 2.0 * (terms % 2)) / (2 * terms + 1)
    for i in tl.static_range(terms - 1):
        j: tl.constexpr = terms - 1 - i
        q = tl.fma(q, w, (1.0 - 2.0 * (j % 2)) / (2 * j + 1))
    return tl.fma(z * w, q, z)


# arctan z for 0 ≤ z ≤ 1.
def _atan_unit(z):
    far = z > 0.41421356237309503
    r = _atan_series(tl.where(far, _div(z - 1, z + 1), z))
    if z.dtype.primitive_bitwidth == 64:
        return tl.where(far, 0.7853981633974483 + (r + 3.061616997868383e-17), r)
    return tl.where(far, 0.785398185253143310546875 + (r - 2.1855694143368964e-08), r)


# π/2 - r.
def _from_right_angle(r):
    if r.dtype.primitive_bitwidth == 64:
        return 1.5707963267948966 - (r - 6.123233995736766e-17)
    return 1.57079637050628662109375 - (r + 4.371138828673793e-08)


# π - r.
def _from_straight_angle(r):
    if r.dtype.primitive_bitwidth == 64:
        return 3.141592653589793 - (r - 1.2246467991473532e-16)
    return 3.1415927410125732421875 - (r + 8.742277657347586e-08)


def atan(arg0):
    a = tl.abs(arg0)
    swap = a > 1
    r = _atan_unit(tl.where(swap, _div(1.0, a), a))
    return copysign(tl.where(swap, _from_right_angle(r), r), arg0)


# 0 in the place of what is not finite.
def _finite(x):
    return tl.where(tl.abs(x) < float("inf"), x, 0.0)


# arg0 is the ordinate.
def atan2(arg0, arg1):
    y = tl.abs(arg0)
    x = tl.abs(arg1)
    large = tl.maximum(x, y)
    z = _div(tl.minimum(x, y), large)
    z = tl.where(large == 0, 0.0, tl.where(x == y, 1.0, z))
    z = tl.where((x == 0) & (y == 0), 0.0, z)
    r = _atan_unit(z)
    r = tl.where(y > x, _from_right_angle(r), r)
    r = tl.where(_bits(arg1) < 0, _from_straight_angle(r), r)
    return tl.where((arg0 != arg0) | (arg1 != arg1), arg0 + arg1, copysign(r, arg0))


# arcsin s for s = √z and z ≤ ¼.
def _asin_series(s, z):
    terms: tl.constexpr = 27 if s.dtype.primitive_bitwidth == 64 else 12
    q = z * 0 + 1.0
    for i in tl.static_range(terms - 1):
        k: tl.constexpr = terms - i
        q = tl.fma(q * z, (2.0 * k - 1) * (2.0 * k - 1) / (2.0 * k * (2.0 * k + 1)), 1.0)
    return tl.fma(s, z * q * (1.0 / 6.0), s)


def asin(arg0):
    a = tl.abs(arg0)
    far = a > 0.5
    z = tl.where(far, 0.5 * (1 - a), a * a)
    s = tl.where(far, _sqrt(z), a)
    r = _asin_series(s, z)
    return copysign(tl.where(far, _from_right_angle(2 * r), r), arg0)


def acos(arg0):
    a = tl.abs(arg0)
    far = a > 0.5
    z = tl.where(far, 0.5 * (1 - a), a * a)
    s = tl.where(far, _sqrt(z), arg0)
    r = _asin_series(s, z)
    return tl.where(far, tl.where(arg0 < 0, _from_straight_angle(2 * r), 2 * r), _from_right_angle(r))


def tan(arg0):
    return _div(tl.sin(arg0), tl.cos(arg0))


# sin and cos of r for |r| ≤ π/4 in two floats: Taylor's series.
def _sin_series(r, low):
    terms: tl.constexpr = 9 if r.dtype.primitive_bitwidth == 64 else 5
    z = r * r
    q = z * 0 + 1.0
    for i in tl.static_range(terms - 1):
        k: tl.constexpr = terms - i
        q = tl.fma(q * z, -1.0 / (2.0 * k * (2.0 * k + 1)), 1.0)
    return r + tl.fma(r * z * q, -1.0 / 6.0, low)


def _cos_series(r, low):
    terms: tl.constexpr = 10 if r.dtype.primitive_bitwidth == 64 else 5
    z = r * r
    q = z * 0 + 1.0
    for i in tl.static_range(terms - 1):
        k: tl.constexpr = terms - i
        q = tl.fma(q * z, -1.0 / (2.0 * k * (2.0 * k - 1)), 1.0)
    return 1.0 - tl.fma(0.5 * z, q, r * low)


# sin(π·x) and, a quarter of a turn on, cos(π·x).
def _sin_of_turns(x, quarters):
    x = x - 2 * rint(0.5 * x)
    n = rint(2 * x)
    t = x - 0.5 * n
    if x.dtype.primitive_bitwidth == 64:
        r = t * 3.141592653589793
        low = tl.fma(t, 3.141592653589793, -r) + t * 1.2246467991473532e-16
    else:
        r = t * 3.1415927410125732421875
        low = tl.fma(t, 3.1415927410125732421875, -r) - t * 8.742277657347586e-08
    q = n.to(tl.int32) + quarters
    value = tl.where((q & 1) != 0, _cos_series(r, low), _sin_series(r, low))
    return tl.where((q & 2) != 0, -value, value)


def sinpi(arg0):
    value = _sin_of_turns(arg0, 0)
    # Integers have the zero of arg0's sign.
    return tl.where(value == 0, copysign(value, arg0), value)


def cospi(arg0):
    return _sin_of_turns(arg0, 1) + 0.0


# Roots.


# A third of the exponent is a first estimate; each step of Halley's method has three times the right digits. Floats near
# the ends of the exponents are scaled by 2**24 (2**54) first, a cube.
def cbrt(arg0):
    a = tl.abs(arg0)
    if arg0.dtype.primitive_bitwidth == 64:
        tiny = a < 2.2250738585072014e-308
        huge = a > 1e300
        x = tl.where(tiny, a * 18014398509481984.0, tl.where(huge, a * 5.551115123125783e-17, a))
        t = (_bits(x) // 3 + 0x2A9F7893782DA1CE).to(tl.float64, bitcast=True)
        for _ in tl.static_range(3):
            t = _cbrt_step(t, x)
        t = tl.where(tiny, t * 3.814697265625e-06, tl.where(huge, t * 262144.0, t))
    else:
        tiny = a < 1.1754943508222875e-38
        huge = a > 1e30
        x = tl.where(tiny, a * 16777216.0, tl.where(huge, a * 5.9604644775390625e-08, a))
        t = (_bits(x) // 3 + 0x2A5137A0).to(tl.float32, bitcast=True)
        for _ in tl.static_range(2):
            t = _cbrt_step(t, x)
        t = tl.where(tiny, t * 0.00390625, tl.where(huge, t * 256.0, t))
    return tl.where((a > 0) & (a < float("inf")), copysign(t, arg0), arg0)


# t + t·(x - t³)/(2·t³ + x), with x - t³ as exact as two floats have t².
def _cbrt_step(t, x):
    s, s_low = _product2(t, t)
    cube = s * t
    left = tl.fma(-s_low, t, tl.fma(-s, t, x))
    return tl.fma(t, _div(left, 2 * cube + x), t)


def rcbrt(arg0):
    return _div(1.0, cbrt(arg0))


# The largest of four magnitudes, m, and the root of the sum of squares divided by m, which neither overflow nor vanish.
def _norm(a, b, c, d):
    a, b, c, d = tl.abs(a), tl.abs(b), tl.abs(c), tl.abs(d)
    m = tl.maximum(tl.maximum(a, b), tl.maximum(c, d))
    flat = (m == 0) | (m == float("inf"))
    # 1, or NaN if one of the four is and the others are 0.
    one = tl.where(m == 0, 1 + (a + b + c + d), 1.0)
    a, b, c, d = _div(a, m), _div(b, m), _div(c, m), _div(d, m)
    return m, tl.where(flat, one, _sqrt(tl.fma(a, a, b * b) + tl.fma(c, c, d * d)))


def norm4d(arg0, arg1, arg2, arg3):
    m, root = _norm(arg0, arg1, arg2, arg3)
    return m * root


def rnorm4d(arg0, arg1, arg2, arg3):
    m, root = _norm(arg0, arg1, arg2, arg3)
    return _div(_div(1.0, root), m)


def norm3d(arg0, arg1, arg2):
    return norm4d(arg0, arg1, arg2, 0.0 * _finite(arg0))


def rnorm3d(arg0, arg1, arg2):
    return rnorm4d(arg0, arg1, arg2, 0.0 * _finite(arg0))


def hypot(arg0, arg1):
    return norm3d(arg0, arg1, 0.0 * _finite(arg0))


def rhypot(arg0, arg1):
    return rnorm3d(arg0, arg1, 0.0 * _finite(arg0))


# Arithmetic with one rounding, to nearest.


def add_rn(arg0, arg1):
    return arg0 + arg1


def sub_rn(arg0, arg1):
    return arg0 - arg1


def mul_rn(arg0, arg1):
    return arg0 * arg1


def fma_rn(arg0, arg1, arg2):
    return tl.fma(arg0, arg1, arg2)


div_rn = _div
sqrt_rn = _sqrt


def rcp_rn(arg0):
    return _div(1.0, arg0)


# Whether 1/√x is beyond the middle m of two floats of fp32: of x·m², fp64 holds m² exactly, and the product with its
# error.
def _beyond_middle(x, r, other):
    m = 0.5 * (r.to(tl.float64) + other.to(tl.float64))
    p, low = _product2(x.to(tl.float64), m * m)
    return tl.where(other > r, (p - 1) + low < 0, (p - 1) + low > 0)


def rsqrt_rn(arg0):
    r = _div(1.0, tl.sqrt(arg0.to(tl.float64))).to(tl.float32)
    above = nextafter(r, float("inf") + 0.0 * _finite(r))
    below = nextafter(r, 0.0 * _finite(r))
    r = tl.where(_beyond_middle(arg0, r, above), above, tl.where(_beyond_middle(arg0, r, below), below, r))
    r = tl.where(arg0 == float("inf"), 0.0, tl.where(arg0 == 0, copysign(float("inf") + 0.0 * _finite(r), arg0), r))
    return tl.where((arg0 < 0) | (arg0 != arg0), float("nan"), r)


# Arithmetic rounded towards zero, down (-1) or up (1): what is rounded to nearest, and a float further where `left`, which
# has the sign of what that rounding has lost, points so.


def _rounded(r, left, to):
    if to < 0:
        return tl.where(left < 0, nextafter(r, float("-inf") + 0.0 * _finite(r)), r)
    if to > 0:
        return tl.where(left > 0, nextafter(r, float("inf") + 0.0 * _finite(r)), r)
    inwards = tl.where(r > 0, left < 0, left > 0) & (r != 0)
    return tl.where(inwards, nextafter(r, 0.0 * _finite(r)), r)


# x + y, with the rounding error.
def _two_sum(x, y):
    s = x + y
    t = s - x
    return s, (x - (s - t)) + (y - t)


# A sum that is 0 is -0 where it is rounded down, but for 0 + 0.
def _zero_sum(r, left, x, y, to):
    if to < 0:
        return tl.where((r == 0) & (left == 0) & ((_bits(x) != 0) | (_bits(y) != 0)), -0.0, r)
    return r


def _add(x, y, to):
    s, left = _two_sum(x, y)
    over = (tl.abs(s) == float("inf")) & (tl.abs(x) < float("inf")) & (tl.abs(y) < float("inf"))
    left = tl.where(over, -s, left)
    return _zero_sum(_rounded(s, left, to), left, x, y, to)


# |r| times 2**n, where n is beyond what 0 and infinity, which it leaves alone, can have.
def _scaled_result(r, n):
    most: tl.constexpr = 2000 if r.dtype.primitive_bitwidth == 64 else 240
    return _scaled(tl.abs(r), tl.minimum(tl.maximum(n, -most), most))


# What is neither 0 nor infinite nor NaN.
def _ordinary(x):
    return (x != 0) & (tl.abs(x) < float("inf"))


# left for a result r, of what its magnitude has lost; where the operands are ordinary.
def _left_of(r, lost, ordinary):
    return tl.where(ordinary, tl.where(_bits(r) < 0, -lost, lost), 0.0)


def _mul(x, y, to):
    r = x * y
    a, i = _split(tl.abs(x))
    b, j = _split(tl.abs(y))
    p, low = _product2(a, b)
    lost = (p - _scaled_result(r, 0 - (i + j))) + low
    return _rounded(r, _left_of(r, lost, _ordinary(x) & _ordinary(y)), to)


def _quotient(x, y, to):
    r = _div(x, y)
    a, i = _split(tl.abs(x))
    b, j = _split(tl.abs(y))
    lost = tl.fma(-_scaled_result(r, j - i), b, a)
    return _rounded(r, _left_of(r, lost, _ordinary(x) & _ordinary(y)), to)


def _root(x, to):
    r = _sqrt(x)
    m, e = _split(tl.abs(x))
    m = tl.where((e & 1) != 0, 2 * m, m)
    q = _scaled_result(r, 0 - (e >> 1))
    return _rounded(r, _left_of(r, tl.fma(-q, q, m), (x > 0) & (x < float("inf"))), to)


# Of fp32: products are exact in fp64.
def _fma(x, y, z, to):
    r = tl.fma(x, y, z)
    p = x.to(tl.float64) * y.to(tl.float64)
    w = z.to(tl.float64)
    s, low = _two_sum(p, w)
    left = (s - r.to(tl.float64)) + low
    return _zero_sum(_rounded(r, left, to), left, p, w, to)


# Of what fp64 holds exactly.
def _narrowed(x, to):
    r = x.to(tl.float32)
    return _rounded(r, x.to(tl.float64) - r.to(tl.float64), to)


# Of integers of 64 bits, signed or not.
def _converted(n, dtype, to):
    r = n.to(dtype)
    high = (n >> 32).to(tl.float64) * 4294967296.0
    low = (n & 0xFFFFFFFF).to(tl.float64)
    return _rounded(r, (high - r.to(tl.float64)) + low, to)


def add_rz(arg0, arg1):
    return _add(arg0, arg1, 0)


def add_rd(arg0, arg1):
    return _add(arg0, arg1, -1)


def add_ru(arg0, arg1):
    return _add(arg0, arg1, 1)


def sub_rz(arg0, arg1):
    return _add(arg0, -arg1, 0)


def sub_rd(arg0, arg1):
    return _add(arg0, -arg1, -1)


def sub_ru(arg0, arg1):
    return _add(arg0, -arg1, 1)


def mul_rz(arg0, arg1):
    return _mul(arg0, arg1, 0)


def mul_rd(arg0, arg1):
    return _mul(arg0, arg1, -1)


def mul_ru(arg0, arg1):
    return _mul(arg0, arg1, 1)


def div_rz(arg0, arg1):
    return _quotient(arg0, arg1, 0)


def div_rd(arg0, arg1):
    return _quotient(arg0, arg1, -1)


def div_ru(arg0, arg1):
    return _quotient(arg0, arg1, 1)


def rcp_rz(arg0):
    return _quotient(1.0 + 0.0 * _finite(arg0), arg0, 0)


def rcp_rd(arg0):
    return _quotient(1.0 + 0.0 * _finite(arg0), arg0, -1)


def rcp_ru(arg0):
    return _quotient(1.0 + 0.0 * _finite(arg0), arg0, 1)


def sqrt_rz(arg0):
    return _root(arg0, 0)


def sqrt_rd(arg0):
    return _root(arg0, -1)


def sqrt_ru(arg0):
    return _root(arg0, 1)


def fma_rz(arg0, arg1, arg2):
    return _fma(arg0, arg1, arg2, 0)


def fma_rd(arg0, arg1, arg2):
    return _fma(arg0, arg1, arg2, -1)


def fma_ru(arg0, arg1, arg2):
    return _fma(arg0, arg1, arg2, 1)


def double2float_rz(arg0):
    return _narrowed(arg0, 0)


def double2float_rd(arg0):
    return _narrowed(arg0, -1)


def double2float_ru(arg0):
    return _narrowed(arg0, 1)


def int2float_rz(arg0):
    return _narrowed(arg0, 0)


def int2float_rd(arg0):
    return _narrowed(arg0, -1)


def int2float_ru(arg0):
    return _narrowed(arg0, 1)


def uint2float_rz(arg0):
    return _narrowed(arg0, 0)


def uint2float_rd(arg0):
    return _narrowed(arg0, -1)


def uint2float_ru(arg0):
    return _narrowed(arg0, 1)


def ll2float_rz(arg0):
    return _converted(arg0, tl.float32, 0)


def ll2float_rd(arg0):
    return _converted(arg0, tl.float32, -1)


def ll2float_ru(arg0):
    return _converted(arg0, tl.float32, 1)


def ull2float_rz(arg0):
    return _converted(arg0, tl.float32, 0)


def ull2float_rd(arg0):
    return _converted(arg0, tl.float32, -1)


def ull2float_ru(arg0):
    return _converted(arg0, tl.float32, 1)


def ll2double_rz(arg0):
    return _converted(arg0, tl.float64, 0)


def ll2double_rd(arg0):
    return _converted(arg0, tl.float64, -1)


def ll2double_ru(arg0):
    return _converted(arg0, tl.float64, 1)


def ull2double_rz(arg0):
    return _converted(arg0, tl.float64, 0)


def ull2double_rd(arg0):
    return _converted(arg0, tl.float64, -1)


def ull2double_ru(arg0):
    return _converted(arg0, tl.float64, 1)


# The error function's complement and the gamma function, in fp64 for fp32, too.


# (1 + 2·x)·e**(x·x)·erfc x for x ≥ 0 as a polynomial of (x - 4)/(x + 4), fitted at Chebyshev's points, highest power first.
_ERFCX = (
    -2.764120233734578e-10, 9.297625263709659e-10, 3.2323973445082033e-09, -1.2338731403798444e-08,
    -2.0725802488181963e-08, 1.0631817593818149e-07, 7.771943241086912e-08, -8.210647933297337e-07,
    2.9173425573089733e-07, 5.70657829924074e-06, -1.1221135665965907e-05, -2.4397731143023292e-05,
    0.00015062142608651945, -0.0001992571524726518, -0.0007577732435942576, 0.005031970069102256,
    -0.01619773406293477, 0.037167515526338006, -0.06633036581186058, 0.09373283499911264,
    -0.10103906603631811, 0.06809705425466839, 0.015379652102619974, -0.13962111684056228,
    1.2329951186255526,
)


# e**(x·x)·erfc x for x ≥ 0.
def _erfcx(x):
    t = tl.where(x < 1e300, _div(x - 4, x + 4), 1.0)
    q = t * 0 + _ERFCX[0]
    for i in tl.static_range(24):
        q = tl.fma(q, t, _ERFCX[1 + i])
    return _div(q, 1 + 2 * x)


# e**(-x·x)·2**64 for x + low; of what is far out, 0.
def _gauss(x, low):
    x = tl.minimum(tl.abs(x), 40.0)
    s, s_low = _product2(x, x)
    return _exp(-s, -tl.fma(2 * x, low, s_low), 64)


# erfc(x + low).
def _erfc(x, low):
    a = tl.abs(x)
    far = _gauss(a, tl.where(x < 0, -low, low)) * _erfcx(a) * 5.421010862427522e-20
    return tl.where(x != x, x, tl.where(x < 0, 2 - far, far))


def erfc(arg0):
    x = arg0.to(tl.float64)
    return _erfc(x, 0.0 * _finite(x)).to(arg0.dtype)


def erfcx(arg0):
    x = arg0.to(tl.float64)
    s, s_low = _product2(x, x)
    left = 2 * _exp(s, s_low, 0) - _erfcx(tl.abs(x))
    left = tl.where(x < -27, float("inf"), left)
    right = tl.where(x > 1e100, 0.5641895835477563 / x, _erfcx(tl.abs(x)))  # 2·x is infinite for the largest x
    return tl.where(x != x, x, tl.where(x < 0, left, right)).to(arg0.dtype)


def normcdf(arg0):
    x = arg0.to(tl.float64)
    h = x * -0.7071067811865476
    low = tl.fma(x, -0.7071067811865476, -h) + x * 4.833646656726457e-17
    return (0.5 * _erfc(h, tl.where(tl.abs(x) < 100, low, 0.0))).to(arg0.dtype)


# ln Γ(y) for y ≥ 8 in two floats: Stirling's series.
_STIRLING = (
    -174611 / 125400, 43867 / 244188, -3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360,
    1 / 12,
)


def _stirling(y):
    log, log_low = _log2floats(y)
    h = y - 0.5
    p, p_low = _product2(h, log)
    p_low = tl.fma(h, log_low, p_low)
    s, s_low = _two_sum(p, -y)
    t, t_low = _two_sum(s, 0.9189385332046728 + 0 * y)
    w = _div(1.0, y)
    z = w * w
    q = z * 0 + _STIRLING[0]
    for i in tl.static_range(9):
        q = tl.fma(q, z, _STIRLING[1 + i])
    return _sum2(t, t_low + (s_low + p_low + tl.fma(w, q, -3.8782941580672414e-17)))


# x + n ≥ 8 for the least n, and x·(x + 1)·…·(x + n - 1) in two floats; x > -1.
def _shifted(x):
    p = x * 0 + 1
    p_low = x * 0
    n = x * 0
    for i in tl.static_range(9):
        f, f_low = _two_sum(x, i + 0 * x)
        a, b = _product2(p, f)
        a, b = _sum2(a, tl.fma(p, f_low, tl.fma(p_low, f, b)))
        more = f < 8
        p = tl.where(more, a, p)
        p_low = tl.where(more, b, p_low)
        n = tl.where(more, n + 1, n)
    return n, p, p_low


# ln Γ(x + n) in two floats, and the product of _shifted, whose quotient is Γ(x) for x > -½.
def _gamma_parts(x):
    n, p, p_low = _shifted(x)
    y, y_low = _two_sum(x, n)
    log, log_low = _stirling(y)
    log, log_low = _sum2(log, tl.fma(y_low, _log(y), log_low))
    return log, log_low, p, p_low


# |x| where lgamma and tgamma have to be computed; 1 where they are known.
def _gamma_argument(x):
    a = tl.abs(x)
    return tl.where((a > 1e-300) & (a < 2.5563481638716906e305), a, 1.0)


def tgamma(arg0):
    x = arg0.to(tl.float64)
    a = _gamma_argument(x)
    reflect = x < -0.5
    log, log_low, p, p_low = _gamma_parts(tl.where(reflect | (tl.abs(x) != a), a, x))
    q = _div(_exp(log, log_low, 0), p)
    q = tl.fma(-q, _div(p_low, p), q)
    # -π/(a·sin πa·Γ(a)), whose reciprocal of Γ may be subnormal.
    root = _exp(-0.5 * log, -0.5 * log_low, 32)
    s = a * _sin_of_turns(a, 0)
    q = tl.where(reflect, (root * _div(-3.141592653589793 * p, s)) * root * 5.421010862427522e-20, q)
    q = tl.where(tl.abs(x) <= 1e-300, _div(1.0, x), q)
    q = tl.where(x > 172, float("inf"), q)
    q = tl.where(reflect & ((tl.floor(x) == x) | (x < -1e300)), float("nan"), q)
    return tl.where(x != x, x, q).to(arg0.dtype)


# ζ(k)/k·(-1)**k, from k = 26 down to 2.
_ZETA = (
    0.03846153903467518, -0.04000000119214014, 0.04166666915034121, -0.04347826605304026,
    0.04545455629320467, -0.047619070330142226, 0.05000004769810169, -0.05263167937961666,
    0.055555767627403614, -0.058823978658684585, 0.06250095514121304, -0.06666870588242046,
    0.07143294629536133, -0.0769325164113522, 0.083353840546109, -0.09095401714582904,
    0.1000994575127818, -0.11133426586956469, 0.12550966952474304, -0.1440498967688461,
    0.1695571769974082, -0.20738555102867398, 0.27058080842778454, -0.40068563438653143,
    0.8224670334241132,
)


# ln Γ(1 + t) for |t| ≤ ¼.
def _lgamma_near_one(t):
    q = t * 0 + _ZETA[0]
    for i in tl.static_range(24):
        q = tl.fma(q, t, _ZETA[1 + i])
    return tl.fma(t * t, q, -0.5772156649015329 * t)


def lgamma(arg0):
    x = arg0.to(tl.float64)
    a = _gamma_argument(x)
    log, log_low, p, p_low = _gamma_parts(a)
    of, of_low = _log2floats(p)
    s, left = _two_sum(log, -of)
    r = s + (left + (log_low - of_low - _div(p_low, p)))
    t = a - tl.where(a < 1.5, 1.0, 2.0)
    near = _lgamma_near_one(t) + tl.where(a < 1.5, 0.0, log1p(t))
    r = tl.where(tl.abs(t) <= 0.25, near, r)
    r = tl.where(x < 0, (1.1447298858494002 - _log(a * tl.abs(_sin_of_turns(a, 0)))) - r, r)
    r = tl.where(tl.abs(x) <= 1e-20, -_log(tl.abs(x)), r)
    r = tl.where((x > 2.5563481638716906e305) | ((x <= 0) & (tl.floor(x) == x)) | (x < -1e300), float("inf"), r)
    return tl.where(x != x, x, r).to(arg0.dtype)


# Fast functions.


def fast_sinf(arg0):
    return tl.sin(arg0)


def fast_cosf(arg0):
    return tl.cos(arg0)


def fast_tanf(arg0):
    return tl.fdiv(tl.sin(arg0), tl.cos(arg0))


fast_tanhf = tanh


def fast_expf(arg0):
    return tl.exp(arg0)


def fast_exp10f(arg0):
    return tl.exp2(arg0 * 3.3219280948873623)


def fast_logf(arg0):
    return tl.log(arg0)


def fast_log2f(arg0):
    return tl.log2(arg0)


def fast_log10f(arg0):
    return tl.log2(arg0) * 0.30102999566398120


def fast_powf(arg0, arg1):
    return tl.exp2(arg1 * tl.log2(arg0))


# CUDA: divisors beyond 2^126 give 0, and NaN for an infinity.
def fast_dividef(arg0, arg1):
    return tl.fdiv(arg0, tl.where(tl.abs(arg1) > 8.507059173023462e37, arg1 * float("inf"), arg1))


# Integers.


def _popc32(u):
    u = u - ((u >> 1) & 0x55555555)
    u = (u & 0x33333333) + ((u >> 2) & 0x33333333)
    u = (u + (u >> 4)) & 0x0F0F0F0F
    return ((u * 0x01010101) >> 24).to(tl.int32)


def _low(x):
    return x.to(tl.uint32)


def _high(x):
    return (x >> 32).to(tl.uint32)


def popc(arg0):
    if arg0.dtype == tl.int64:
        return _popc32(_low(arg0)) + _popc32(_high(arg0))
    return _popc32(_low(arg0))


def _clz32(u):
    for i in tl.static_range(5):
        u = u | (u >> (1 << i))
    return 32 - _popc32(u)


def clz(arg0):
    if arg0.dtype == tl.int64:
        high = _clz32(_high(arg0))
        return tl.where(high < 32, high, 32 + _clz32(_low(arg0)))
    return _clz32(_low(arg0))


def ffs(arg0):
    return tl.where(arg0 == 0, 0, popc((arg0 & (0 - arg0)) - 1) + 1)


def _brev32(u):
    u = ((u >> 1) & 0x55555555) | ((u & 0x55555555) << 1)
    u = ((u >> 2) & 0x33333333) | ((u & 0x33333333) << 2)
    u = ((u >> 4) & 0x0F0F0F0F) | ((u & 0x0F0F0F0F) << 4)
    u = ((u >> 8) & 0x00FF00FF) | ((u & 0x00FF00FF) << 8)
    return (u >> 16) | (u << 16)


def brev(arg0):
    if arg0.dtype == tl.int64:
        return (_brev32(_low(arg0)).to(tl.int64) << 32) | _brev32(_high(arg0)).to(tl.int64)
    return _brev32(_low(arg0)).to(tl.int32)


def mulhi(arg0, arg1):
    if arg0.dtype == tl.int32:
        return ((arg0.to(tl.int64) * arg1.to(tl.int64)) >> 32).to(tl.int32)
    if arg0.dtype == tl.int64:
        product = tl.umulhi(arg0.to(tl.uint64), arg1.to(tl.uint64)).to(tl.int64)
        return product - tl.where(arg0 < 0, arg1, 0) - tl.where(arg1 < 0, arg0, 0)
    return tl.umulhi(arg0, arg1)


def mul24(arg0, arg1):
    return ((arg0 << 8) >> 8) * ((arg1 << 8) >> 8)


def sad(arg0, arg1, arg2):
    return tl.where(arg0 > arg1, arg0 - arg1, arg1 - arg0) + arg2.to(arg0.dtype)


def hadd(arg0, arg1):
    return (arg0 & arg1) + ((arg0 ^ arg1) >> 1)


def rhadd(arg0, arg1):
    return (arg0 | arg1) - ((arg0 ^ arg1) >> 1)


# Each four bits of arg2 choose one of the eight bytes of arg1 and arg0.
def byte_perm(arg0, arg1, arg2):
    both = (arg1.to(tl.uint32).to(tl.uint64) << 32) | arg0.to(tl.uint32).to(tl.uint64)
    out = both * 0
    for i in tl.static_range(4):
        byte = (both >> (((arg2 >> (4 * i)) & 7) * 8).to(tl.uint64)) & 0xFF
        out = out | (byte << (8 * i))
    return out.to(tl.int32)


# Bits of one type as another.


float_as_int = _bits
float_as_uint = _bits


def int_as_float(arg0):
    return arg0.to(tl.float32, bitcast=True)


uint_as_float = int_as_float
double_as_longlong = _bits


def longlong_as_double(arg0):
    return arg0.to(tl.float64, bitcast=True)


def double2hiint(arg0):
    return (arg0.to(tl.int64, bitcast=True) >> 32).to(tl.int32)


def double2loint(arg0):
    return arg0.to(tl.int64, bitcast=True).to(tl.int32)


def hiloint2double(arg0, arg1):
    return ((arg0.to(tl.int64) << 32) | arg1.to(tl.uint32).to(tl.int64)).to(tl.float64, bitcast=True)


# Conversions with their rounding.


def float2int_rn(arg0):
    return rint(arg0).to(tl.int32)


def float2int_rz(arg0):
    return trunc(arg0).to(tl.int32)


def float2int_rd(arg0):
    return tl.floor(arg0).to(tl.int32)


def float2int_ru(arg0):
    return tl.ceil(arg0).to(tl.int32)


def float2uint_rn(arg0):
    return rint(arg0).to(tl.uint32).to(tl.int32, bitcast=True)


def float2uint_rz(arg0):
    return trunc(arg0).to(tl.uint32).to(tl.int32, bitcast=True)


def float2uint_rd(arg0):
    return tl.floor(arg0).to(tl.uint32).to(tl.int32, bitcast=True)


def float2uint_ru(arg0):
    return tl.ceil(arg0).to(tl.uint32).to(tl.int32, bitcast=True)


float2ll_rn = llrint


def float2ll_rz(arg0):
    return trunc(arg0).to(tl.int64)


def float2ll_rd(arg0):
    return tl.floor(arg0).to(tl.int64)


def float2ll_ru(arg0):
    return tl.ceil(arg0).to(tl.int64)


def float2ull_rn(arg0):
    return rint(arg0).to(tl.uint64).to(tl.int64, bitcast=True)


def float2ull_rz(arg0):
    return trunc(arg0).to(tl.uint64).to(tl.int64, bitcast=True)


def float2ull_rd(arg0):
    return tl.floor(arg0).to(tl.uint64).to(tl.int64, bitcast=True)


def float2ull_ru(arg0):
    return tl.ceil(arg0).to(tl.uint64).to(tl.int64, bitcast=True)


double2int_rn = float2int_rn
double2int_rz = float2int_rz
double2int_rd = float2int_rd
double2int_ru = float2int_ru
double2uint_rn = float2uint_rn
double2uint_rz = float2uint_rz
double2uint_rd = float2uint_rd
double2uint_ru = float2uint_ru
double2ll_rn = float2ll_rn
double2ll_rz = float2ll_rz
double2ll_rd = float2ll_rd
double2ll_ru = float2ll_ru
double2ull_rn = float2ull_rn
double2ull_rz = float2ull_rz
double2ull_rd = float2ull_rd
double2ull_ru = float2ull_ru


def int2float_rn(arg0):
    return arg0.to(tl.float32)


def uint2float_rn(arg0):
    return arg0.to(tl.float32)


ll2float_rn = int2float_rn


def ull2float_rn(arg0):
    return arg0.to(tl.float32)


def int2double_rn(arg0):
    return arg0.to(tl.float64)


def uint2double_rn(arg0):
    return arg0.to(tl.float64)


ll2double_rn = int2double_rn


def ull2double_rn(arg0):
    return arg0.to(tl.float64)


double2float_rn = int2float_rn
