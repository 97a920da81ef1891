import cmath
import math
import statistics

print(math.sqrt(2), math.exp(1), math.log(10), math.log2(1024), math.log10(1000), math.log(8, 2), math.sin(1), math.atan2(1, -1))
print(math.ceil(2.1), math.floor(-2.1), math.trunc(-2.9), math.gcd(12, 18), math.lcm(4, 6), math.factorial(20), math.comb(10, 3), math.perm(5, 2))
print(math.pi, math.e, math.inf, math.nan, math.tau, math.isnan(math.nan), math.isinf(-math.inf), math.isclose(0.1 + 0.2, 0.3))
print(math.prod([1, 2, 3, 4]), math.fsum([0.1] * 10), sum([0.1] * 10), math.hypot(3, 4), math.dist([0, 0], [1, 1]), math.copysign(1, -0.0))
print(math.degrees(math.pi), math.radians(180), math.erf(0.5), math.gamma(5), math.isqrt(17), math.fmod(-7, 3), math.modf(2.5), math.frexp(8.0), math.ldexp(0.5, 4))
print(abs(-3), pow(2, 10, 1000), pow(2, -1), 10 ** -2, 7 // -2, -7 % 5, 5.5 // 2, 2 ** 0.5, int(1e20), 0x1f, 1_000, 0b101, 1e3, 3 & 5, 3 | 5, 3 ^ 5, ~3, 1 << 10, -16 >> 2)
print(statistics.mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), statistics.stdev([1, 2, 3, 4]), statistics.pstdev([1, 2, 3]), statistics.mode([1, 1, 2]))
print((3 + 4j) * 2, abs(3 + 4j), (1j) ** 2, complex(1, -1).conjugate(), cmath.sqrt(-1))
print((255).bit_length(), (10).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (0.5).as_integer_ratio(), (3.0).is_integer(), float.hex(1.5), (5).bit_count())
for bad in [lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.ceil(math.inf), lambda: math.exp(1000), lambda: int(math.nan)]:
    try:
        bad()
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
from fractions import Fraction
from decimal import Decimal

print(Fraction(1, 3) + Fraction(1, 6), Fraction(0.5), Decimal("0.1") + Decimal("0.2"))
