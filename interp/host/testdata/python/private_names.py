# Names in class bodies that begin with two underscores.
class A:
    __count = 3
    __slots__ = ("__dict__",)

    def __init__(self):
        self.__x = 1
        self.__dict = {}

    def get(self):
        return self.__x

    def __hidden(self, __arg=2):
        return __arg

    def call(self):
        return self.__hidden(), self.__hidden.__name__

    @classmethod
    def count(cls):
        return cls.__count

    def local(self):
        __y = 5
        try:
            raise ValueError("no")
        except ValueError as __e:
            text = str(__e)
        return __y, [__y for __y in range(2)], text, (lambda __z: __z + 1)(1)

    def own(self):
        return self.__class__.__name__


class B(A):
    def __init__(self):
        super().__init__()
        self.__x = 2

    def get_own(self):
        return self.__x


b = B()
print(b.get(), b.get_own(), sorted(vars(b)))
print(b.call(), B.count(), b.local(), b.own())
print(b._A__x, b._B__x, hasattr(A, "__hidden"), hasattr(A, "_A__hidden"))
try:
    b.__x
except AttributeError as e:
    print(e)


class _P:
    class __Inner:
        __v = 1

    def __init__(self):
        self.__v = self.__Inner._Inner__v
        self.__w = f"{self.__v}!"


print(vars(_P()), _P._P__Inner.__name__)


class __:
    __v = 1


print(__.__v)


class Slots:
    __slots__ = "__a", "b"

    def __init__(self):
        self.__a, self.b = 1, 2
        try:
            self.__c = 3
        except AttributeError as e:
            print(e)


print(Slots()._Slots__a)
