"The distributions of random, on the words of the Mersenne Twister."
import math as _math
from bisect import bisect_right as _bisect_right
from itertools import accumulate as _accumulate
from operator import index as _index


class Random(_Twister):
    VERSION = 3  # of the state

    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        "Without a seed of its own a run is repeatable: None is 0."
        self.gauss_next = None  # the second value of the pair that gauss made
        if isinstance(a, (str, bytes, bytearray)):
            from hashlib import sha512  # the text and its hash are one big-endian integer

            a = a.encode() if isinstance(a, str) else bytes(a)
            a = int.from_bytes(a + sha512(a).digest(), "big")
        elif isinstance(a, float):
            a = hash(a)
        elif a is not None and not isinstance(a, int):
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
        self._seed(abs(a or 0))

    def getstate(self):
        return self.VERSION, self._state(), self.gauss_next

    def setstate(self, state):
        version, words, gauss_next = state
        if version != self.VERSION:
            raise ValueError(f"state with version {version} passed to Random.setstate() of version {self.VERSION}")
        self._set_state(words)
        self.gauss_next = gauss_next

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def randrange(self, start, stop=None, step=1):
        start, step = _index(start), _index(step)
        if not step:
            raise ValueError("zero step for randrange()")
        low, high = (0, start) if stop is None else (start, _index(stop))
        n = (high - low + step - (1 if step > 0 else -1)) // step
        if n <= 0:
            raise ValueError("empty range for randrange()" +
                             (f" ({low}, {high}, {high - low})" if stop is not None and step == 1 else ""))
        return low + step * self._below(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for i in range(len(x) - 1, 0, -1):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            population = [x for x, n in zip(population, counts) for _ in range(n)]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        # Whether the rest is a list or what was drawn a set decides the numbers that are drawn, so it is CPython's choice.
        if n <= 21 + (4 ** _math.ceil(_math.log(k * 3, 4)) if k > 5 else 0):
            pool, result = list(population), []
            for i in range(n, n - k, -1):
                j = self._below(i)
                result.append(pool[j])
                pool[j] = pool[i - 1]
            return result
        drawn = {}
        while len(drawn) < k:
            drawn[self._below(n)] = None
        return [population[j] for j in drawn]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if weights is not None and cum_weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if weights is None and cum_weights is None:
            return [population[_math.floor(self.random() * n)] for _ in range(k)]
        sums = list(_accumulate(weights) if weights is not None else cum_weights)
        if len(sums) != n:
            raise ValueError("The number of weights does not match the population")
        total = sums[-1] + 0.0 if sums else 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        return [population[_bisect_right(sums, self.random() * total, 0, n - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        if high == low:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * _math.sqrt(u * c)

    def _normal(self):
        "The ratio of uniform deviates (Kinderman and Monahan 1977)."
        while True:
            u, v = self.random(), 1.0 - self.random()
            z = 4 * _math.exp(-0.5) / _math.sqrt(2.0) * (u - 0.5) / v
            if z * z / 4.0 <= -_math.log(v):
                return z

    def normalvariate(self, mu=0.0, sigma=1.0):
        return mu + self._normal() * sigma

    def lognormvariate(self, mu, sigma):
        return _math.exp(self.normalvariate(mu, sigma))

    def gauss(self, mu=0.0, sigma=1.0):
        "The Box-Muller transform, which makes two values at once."
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            angle = self.random() * (2.0 * _math.pi)
            radius = _math.sqrt(-2.0 * _math.log(1.0 - self.random()))
            z, self.gauss_next = _math.cos(angle) * radius, _math.sin(angle) * radius
        return mu + z * sigma

    def expovariate(self, lambd=1.0):
        return -_math.log(1.0 - self.random()) / lambd

    def gammavariate(self, alpha, beta):
        "Cheng 1977 where alpha is above 1, the exponential at 1, Kennedy and Gentle's ALGORITHM GS below."
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha == 1.0:
            return -_math.log(1.0 - self.random()) * beta
        root, b = _math.sqrt(max(2.0 * alpha - 1.0, 0.0)), (_math.e + alpha) / _math.e
        while alpha > 1.0:
            u = self.random()
            if not 1e-7 < u < 0.9999999:
                continue
            w = 1.0 - self.random()
            v = _math.log(u / (1.0 - u)) / root
            x = alpha * _math.exp(v)
            z, r = u * u * w, alpha - _math.log(4.0) + (alpha + root) * v - x
            if r + (1.0 + _math.log(4.5)) - 4.5 * z >= 0.0 or r >= _math.log(z):
                return x * beta
        while True:
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -_math.log((b - p) / alpha)
            u = self.random()
            if u <= (x ** (alpha - 1.0) if p > 1.0 else _math.exp(-x)):
                return x * beta

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_math.log(1.0 - self.random())) ** (1.0 / beta)


_shared = Random()
for _name in dir(Random):
    if not _name.startswith("_") and callable(getattr(Random, _name)):
        globals()[_name] = getattr(_shared, _name)
