import re

ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN = "ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_HALF_DOWN"
ROUND_DOWN, ROUND_UP, ROUND_FLOOR, ROUND_CEILING = "ROUND_DOWN", "ROUND_UP", "ROUND_FLOOR", "ROUND_CEILING"


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN):
        self.prec, self.rounding = prec, rounding

    def copy(self):
        return Context(self.prec, self.rounding)


_context = Context()


def getcontext():
    return _context


def setcontext(ctx):
    global _context
    _context = ctx


class localcontext:
    def __init__(self, ctx=None, **kwargs):
        self.new = (ctx or _context).copy()
        for k, v in kwargs.items():
            setattr(self.new, k, v)

    def __enter__(self):
        self.saved = getcontext()
        setcontext(self.new)
        return self.new

    def __exit__(self, *exc_info):
        setcontext(self.saved)


_literal = re.compile(r"([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$")


def _divide(n, d, rounding, negative):
    "The quotient of two positive integers, rounded."
    q, rest = divmod(n, d)
    up = {
        ROUND_HALF_EVEN: 2 * rest > d or 2 * rest == d and q % 2 == 1,
        ROUND_HALF_UP: 2 * rest >= d,
        ROUND_HALF_DOWN: 2 * rest > d,
        ROUND_DOWN: False,
        ROUND_UP: rest > 0,
        ROUND_FLOOR: rest > 0 and negative,
        ROUND_CEILING: rest > 0 and not negative,
    }[rounding]
    return q + up


class Decimal:
    def __new__(cls, value="0", context=None):
        self = super().__new__(cls)
        if isinstance(value, Decimal):
            self._sign, self._int, self._exp = value._sign, value._int, value._exp
        elif isinstance(value, int):
            self._sign, self._int, self._exp = int(value < 0), abs(value), 0
        elif isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                raise NotImplementedError("newt's Decimal has no infinities and no NaN")
            n, d = value.as_integer_ratio()
            k = d.bit_length() - 1
            self._sign, self._int, self._exp = int(n < 0), abs(n) * 5 ** k, -k
        elif isinstance(value, str):
            text = value.strip().replace("_", "")
            if text.lower().lstrip("+-") in ("inf", "infinity", "nan", "snan"):
                raise NotImplementedError("newt's Decimal has no infinities and no NaN")
            m = _literal.match(text)
            if m is None or not (m.group(2) or m.group(3)):
                raise InvalidOperation("[<class 'decimal.ConversionSyntax'>]")
            sign, whole, fraction, exponent = m.groups()
            fraction = fraction or ""
            self._sign, self._int = int(sign == "-"), int((whole + fraction) or "0")
            self._exp = int(exponent or 0) - len(fraction)
        elif isinstance(value, tuple):
            sign, digits, exponent = value
            self._sign, self._int, self._exp = sign, int("".join(map(str, digits)) or "0"), exponent
        else:
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        return self

    @classmethod
    def _make(cls, sign, number, exp):
        self = super().__new__(cls)
        self._sign, self._int, self._exp = sign, number, exp
        return self

    def _fix(self):
        digits = len(str(self._int))
        if digits <= _context.prec:
            return self
        cut = digits - _context.prec
        number = _divide(self._int, 10 ** cut, _context.rounding, self._sign)
        fixed = Decimal._make(self._sign, number, self._exp + cut)
        return fixed._fix()

    def _signed(self):
        return -self._int if self._sign else self._int

    @staticmethod
    def _of(value):
        if isinstance(value, Decimal):
            return value
        return Decimal(value) if isinstance(value, int) else None

    def __str__(self):
        digits = str(self._int)
        left = self._exp + len(digits)
        point = left if self._exp <= 0 and left > -6 else 1
        if point <= 0:
            whole, fraction = "0", "." + "0" * -point + digits
        elif point >= len(digits):
            whole, fraction = digits + "0" * (point - len(digits)), ""
        else:
            whole, fraction = digits[:point], "." + digits[point:]
        exponent = "" if left == point else f"E{left - point:+d}"
        return ("-" if self._sign else "") + whole + fraction + exponent

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, spec):
        if not spec:
            return str(self)
        m = re.match(r"(.*?)(?:\.(\d+))?([fFeEgGn%]?)$", spec)
        if m.group(3) in ("f", "F", "%"):
            value = self * 100 if m.group(3) == "%" else self
            if m.group(2) is not None:
                value = value.quantize(Decimal._make(0, 1, -int(m.group(2))))
            text = Decimal._make(0, value._int, value._exp)
            digits = str(text) if "E" not in str(text) else f"{value._int * 10 ** value._exp}"
            head = m.group(1)
            if "," in head:
                whole, dot, fraction = digits.partition(".")
                digits, head = f"{int(whole):,}" + dot + fraction, head.replace(",", "")
            sign = "-" if value._sign else "+" if "+" in head else ""
            text = sign + digits + ("%" if m.group(3) == "%" else "")
            head = head.replace("+", "")
            if head.startswith("0"):
                return text.zfill(int(head))
            return format(text, (head if head[:1] in "<>^" or head[1:2] in ("<", ">", "^") else ">" + head) if head else "")
        return format(float(self), spec)

    def __add__(self, o):
        o = Decimal._of(o)
        if o is None:
            return NotImplemented
        exp = min(self._exp, o._exp)
        n = self._signed() * 10 ** (self._exp - exp) + o._signed() * 10 ** (o._exp - exp)
        return Decimal._make(int(n < 0), abs(n), exp)._fix()

    __radd__ = __add__

    def __sub__(self, o):
        o = Decimal._of(o)
        return NotImplemented if o is None else self + (-o)

    def __rsub__(self, o):
        return Decimal(o) - self

    def __mul__(self, o):
        o = Decimal._of(o)
        if o is None:
            return NotImplemented
        return Decimal._make(self._sign ^ o._sign, self._int * o._int, self._exp + o._exp)._fix()

    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Decimal._of(o)
        if o is None:
            return NotImplemented
        if o._int == 0:
            if self._int == 0:
                raise InvalidOperation("[<class 'decimal.DivisionUndefined'>]")
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        sign, ideal = self._sign ^ o._sign, self._exp - o._exp
        shift = max(len(str(o._int)) - len(str(self._int)) + _context.prec + 1, 0)
        n, rest = divmod(self._int * 10 ** shift, o._int)
        exp = ideal - shift
        if rest:
            if n % 5 == 0:
                n += 1
        else:
            while exp < ideal and n % 10 == 0:
                n //= 10
                exp += 1
        return Decimal._make(sign, n, exp)._fix()

    def __rtruediv__(self, o):
        return Decimal(o) / self

    def __floordiv__(self, o):
        q, _ = divmod(self, o)
        return q

    def __mod__(self, o):
        _, r = divmod(self, o)
        return r

    def __divmod__(self, o):
        o = Decimal._of(o)
        if o is None:
            return NotImplemented
        if o._int == 0:
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        exp = min(self._exp, o._exp)
        a, b = self._int * 10 ** (self._exp - exp), o._int * 10 ** (o._exp - exp)
        return Decimal._make(self._sign ^ o._sign, a // b, 0), Decimal._make(self._sign, a % b, exp)

    def __pow__(self, o):
        if isinstance(o, Decimal) and o == o.to_integral_value():
            o = int(o)
        if not isinstance(o, int):
            raise NotImplementedError("newt's Decimal has powers with whole exponents alone")
        if o < 0:
            return Decimal(1) / self ** -o
        return Decimal._make(self._sign * (o % 2), self._int ** o, self._exp * o)._fix()

    def sqrt(self):
        if self._sign and self._int:
            raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")
        import math
        prec = _context.prec + 1
        n, e = self._int, self._exp
        if e % 2:
            n, e = n * 10, e - 1
        shift = max(prec - (len(str(n)) + 1) // 2, 0)
        root = math.isqrt(n * 100 ** shift)
        exact = root * root == n * 100 ** shift
        exp = e // 2 - shift
        if exact:
            while exp < self._exp // 2 and root % 10 == 0:
                root //= 10
                exp += 1
        elif root % 5 == 0:
            root += 1
        return Decimal._make(0, root, exp)._fix()

    def __neg__(self):
        return Decimal._make(0 if self._int == 0 else 1 - self._sign, self._int, self._exp)._fix()

    def __pos__(self):
        return self._fix()

    def __abs__(self):
        return Decimal._make(0, self._int, self._exp)._fix()

    def __bool__(self):
        return self._int != 0

    def __int__(self):
        n = self._int * 10 ** self._exp if self._exp >= 0 else self._int // 10 ** -self._exp
        return -n if self._sign else n

    __trunc__ = __int__

    def __float__(self):
        return float(str(self))

    def __round__(self, n=None):
        if n is None:
            return int(self.quantize(Decimal(1)))
        return self.quantize(Decimal._make(0, 1, -n))

    def quantize(self, exp, rounding=None, context=None):
        target = Decimal(exp)._exp
        if self._exp >= target:
            return Decimal._make(self._sign, self._int * 10 ** (self._exp - target), target)
        n = _divide(self._int, 10 ** (target - self._exp), rounding or _context.rounding, self._sign)
        return Decimal._make(self._sign, n, target)

    def to_integral_value(self, rounding=None, context=None):
        return self if self._exp >= 0 else self.quantize(Decimal(1), rounding)

    def normalize(self, context=None):
        n, exp = self._int, self._exp
        if n == 0:
            return Decimal._make(self._sign, 0, 0)
        while n % 10 == 0:
            n //= 10
            exp += 1
        return Decimal._make(self._sign, n, exp)._fix()

    def as_tuple(self):
        import collections
        return collections.namedtuple("DecimalTuple", "sign digits exponent")(
            self._sign, tuple(int(d) for d in str(self._int)), self._exp)

    def as_integer_ratio(self):
        from fractions import Fraction
        n = self._signed()
        return (Fraction(n) * Fraction(10) ** self._exp).as_integer_ratio()

    def copy_abs(self):
        return Decimal._make(0, self._int, self._exp)

    def is_zero(self):
        return self._int == 0

    def is_signed(self):
        return self._sign == 1

    def is_finite(self):
        return True

    def is_nan(self):
        return False

    def _difference(self, o):
        if isinstance(o, float):
            o = Decimal(o)
        o = Decimal._of(o)
        if o is None:
            return None
        exp = min(self._exp, o._exp)
        return self._signed() * 10 ** (self._exp - exp) - o._signed() * 10 ** (o._exp - exp)

    def __eq__(self, o):
        d = self._difference(o)
        return NotImplemented if d is None else d == 0

    def __lt__(self, o):
        d = self._difference(o)
        return NotImplemented if d is None else d < 0

    def __le__(self, o):
        d = self._difference(o)
        return NotImplemented if d is None else d <= 0

    def __gt__(self, o):
        d = self._difference(o)
        return NotImplemented if d is None else d > 0

    def __ge__(self, o):
        d = self._difference(o)
        return NotImplemented if d is None else d >= 0

    def __hash__(self):
        if self == self.to_integral_value():
            return hash(int(self))
        return hash(float(self)) if Decimal(float(self)) == self else hash(str(self.normalize()))
