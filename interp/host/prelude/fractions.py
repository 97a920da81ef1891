import math
import numbers
import operator
import re

_format = re.compile(r"\s*([-+]?)(\d*)(?:/(\d+)|(?:\.(\d*))?(?:[eE]([-+]?\d+))?)\s*$")


class Fraction(numbers.Rational):
    def __new__(cls, numerator=0, denominator=None):
        self = super().__new__(cls)
        if denominator is None:
            if isinstance(numerator, int):
                self._numerator, self._denominator = int(numerator), 1
                return self
            if isinstance(numerator, Fraction):
                self._numerator, self._denominator = numerator._numerator, numerator._denominator
                return self
            if isinstance(numerator, float):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if isinstance(numerator, str):
                m = _format.match(numerator)
                if m is None or not (m.group(2) or m.group(4)):
                    raise ValueError(f"Invalid literal for Fraction: {numerator!r}")
                sign, whole, below, decimals, exponent = m.groups()
                n, d = int(whole or "0"), int(below or 1)
                if below is None:
                    if decimals:
                        n, d = n * 10 ** len(decimals) + int(decimals), 10 ** len(decimals)
                    if exponent:
                        e = int(exponent)
                        n, d = (n * 10 ** e, d) if e >= 0 else (n, d * 10 ** -e)
                numerator, denominator = -n if sign == "-" else n, d
            elif hasattr(numerator, "as_integer_ratio"):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      denominator.numerator * numerator.denominator)
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        g = math.gcd(numerator, denominator)
        if denominator < 0:
            g = -g
        self._numerator, self._denominator = numerator // g, denominator // g
        return self

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def as_integer_ratio(self):
        return (self._numerator, self._denominator)

    def is_integer(self):
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self._denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)

    def __repr__(self):
        return f"Fraction({self._numerator}, {self._denominator})"

    def __str__(self):
        if self._denominator == 1:
            return str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    def __format__(self, spec):
        return format(float(self), spec) if spec else str(self)

    def _operate(self, other, exact, inexact, swapped=False):
        if isinstance(other, int):
            other = Fraction(other)
        if isinstance(other, Fraction):
            return exact(other, self) if swapped else exact(self, other)
        if isinstance(other, (float, complex)):
            return inexact(other, float(self)) if swapped else inexact(float(self), other)
        return NotImplemented

    def __add__(self, o):
        return self._operate(o, _add, operator.add)

    def __radd__(self, o):
        return self._operate(o, _add, operator.add, True)

    def __sub__(self, o):
        return self._operate(o, _sub, operator.sub)

    def __rsub__(self, o):
        return self._operate(o, _sub, operator.sub, True)

    def __mul__(self, o):
        return self._operate(o, _mul, operator.mul)

    def __rmul__(self, o):
        return self._operate(o, _mul, operator.mul, True)

    def __truediv__(self, o):
        return self._operate(o, _div, operator.truediv)

    def __rtruediv__(self, o):
        return self._operate(o, _div, operator.truediv, True)

    def __floordiv__(self, o):
        return self._operate(o, _floordiv, operator.floordiv)

    def __rfloordiv__(self, o):
        return self._operate(o, _floordiv, operator.floordiv, True)

    def __mod__(self, o):
        return self._operate(o, _mod, operator.mod)

    def __rmod__(self, o):
        return self._operate(o, _mod, operator.mod, True)

    def __divmod__(self, o):
        return (self // o, self % o)

    def __pow__(self, o):
        if isinstance(o, Fraction) and o._denominator == 1:
            o = o._numerator
        if isinstance(o, int):
            if o >= 0:
                return Fraction(self._numerator ** o, self._denominator ** o)
            if self._numerator == 0:
                raise ZeroDivisionError(f"Fraction({self._denominator ** -o}, 0)")
            return Fraction(self._denominator ** -o, self._numerator ** -o)
        return float(self) ** float(o)

    def __rpow__(self, o):
        return o ** self._numerator if self._denominator == 1 else o ** float(self)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __pos__(self):
        return self

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __trunc__(self):
        return -(-self._numerator // self._denominator) if self._numerator < 0 else self._numerator // self._denominator

    __int__ = __trunc__

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 < self._denominator or rest * 2 == self._denominator and floor % 2 == 0:
                return floor
            return floor + 1
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __float__(self):
        return self._numerator / self._denominator

    def __bool__(self):
        return self._numerator != 0

    def __hash__(self):
        if self._denominator == 1:
            return hash(self._numerator)
        return hash(float(self)) if Fraction(float(self)) == self else hash((self._numerator, self._denominator))

    def __eq__(self, o):
        if isinstance(o, int):
            return self._numerator == o and self._denominator == 1
        if isinstance(o, Fraction):
            return self._numerator == o._numerator and self._denominator == o._denominator
        if isinstance(o, float):
            return math.isfinite(o) and self == Fraction(o)
        return NotImplemented

    def _compare(self, o, op):
        if isinstance(o, int):
            o = Fraction(o)
        if isinstance(o, Fraction):
            return op(self._numerator * o._denominator, o._numerator * self._denominator)
        if isinstance(o, float):
            return op(0.0, o) if not math.isfinite(o) else op(self, Fraction(o))
        return NotImplemented

    def __lt__(self, o):
        return self._compare(o, operator.lt)

    def __le__(self, o):
        return self._compare(o, operator.le)

    def __gt__(self, o):
        return self._compare(o, operator.gt)

    def __ge__(self, o):
        return self._compare(o, operator.ge)


def _add(a, b):
    return Fraction(a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator)


def _sub(a, b):
    return Fraction(a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator)


def _mul(a, b):
    return Fraction(a._numerator * b._numerator, a._denominator * b._denominator)


def _div(a, b):
    return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)


def _floordiv(a, b):
    return (a._numerator * b._denominator) // (a._denominator * b._numerator)


def _mod(a, b):
    return a - b * _floordiv(a, b)
