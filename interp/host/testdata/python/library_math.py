import math
print(math.factorial(20), math.comb(10, 3), math.perm(5, 2), math.perm(4), math.gcd(12, 18), math.lcm(4, 6, 10))
print(math.hypot(3, 4), math.dist((1, 2), (4, 6)), math.fsum([0.1] * 10), math.isclose(1, 1 + 1e-10))
print(math.frexp(10.5), math.ldexp(0.5, 3), math.modf(-3.25), math.fmod(-7, 3), math.remainder(7, 4))
print(math.copysign(3, -0.0), math.atan2(1, -2), math.degrees(1.5), math.radians(90), math.isqrt(99))
print(math.log(10), math.log(8, 2), math.log2(1024), math.log10(1000), math.log1p(0.5), math.expm1(1e-5))
print(math.exp(1), math.exp(0.1), math.sin(1), math.cos(1), math.tan(1), math.asin(0.5), math.acos(0.3))
print(math.sinh(1.5), math.cosh(1.5), math.tanh(0.7), math.asinh(2.5), math.acosh(2.5), math.atanh(0.5))
print(math.erf(0.5), math.nextafter(1.0, 2.0), math.ulp(1.0), math.prod([2, 3, 4], start=2))
print(math.trunc(-2.7), math.floor(-2.7), math.ceil(2.1), math.inf, math.tau)
for f, x in ((math.sqrt, -1), (math.log, 0), (math.exp, 1000), (math.factorial, -1)):
    try:
        f(x)
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
