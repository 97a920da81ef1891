from abc import ABC


class Number(ABC):
    pass


class Complex(Number):
    pass


class Real(Complex):
    pass


class Rational(Real):
    pass


class Integral(Rational):
    pass


for _kind in (Number, Complex):
    for _type in (complex, float, int):
        _kind.register(_type)
for _kind in (Real, Rational, Integral):
    _kind.register(int)
Real.register(float)
