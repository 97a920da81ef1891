import functools
import math
import operator


def plain(self, n):
    return n


class A:
    size, root, plus, method, append = len, math.sqrt, operator.add, plain, list.append
    count = functools.partial(len)


a = A()
print(a.size([1, 2]), a.root(4), a.plus(1, 2), a.method(3), A.size("abc"), a.count("ab"))
a.own = len
print(a.own("xyz"))
try:
    a.append([], 1)
except TypeError as e:
    print("not a list")


class L(list):
    size = len
    add = list.append


x = L([1])
x.add(5)
print(x, x.size(x))
