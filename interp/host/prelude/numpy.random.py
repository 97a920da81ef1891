"""numpy.random: RandomState on MT19937, whose methods are also the module's functions, and Generator on PCG64."""
import numpy
from numpy import arange, asarray, ndarray, _torch_dtype, _wrap


def _shape(size):
    return () if size is None else (size,) if isinstance(size, int) else tuple(size)


class _Distributions:
    "What both classes draw from their stream."

    def _shaped(self, kind, size, *bounds):
        shape = _shape(size)
        count = 1
        for n in shape:
            count *= n
        return _wrap(_draw(self._stream, kind, count, *bounds).reshape(shape))

    def uniform(self, low=0.0, high=1.0, size=None): return low + (high - low) * self._shaped("uniform", size)
    def normal(self, loc=0.0, scale=1.0, size=None): return loc + scale * self._shaped("normal", size)

    def permutation(self, x):
        if isinstance(x, int):
            return ndarray(_permutation(self._stream, x))
        a = asarray(x)
        return ndarray(a._tensor[_permutation(self._stream, len(a))])

    def shuffle(self, x):
        x[:] = self.permutation(x) if isinstance(x, ndarray) else [x[i] for i in _permutation(self._stream, len(x)).tolist()]


class RandomState(_Distributions):
    """The generator behind numpy.random.rand and the like."""

    def __init__(self, seed=None):
        self.seed(seed)

    def seed(self, seed=None):
        self._stream = _twister(5489 if seed is None else seed)  # a run is the same each time

    def rand(self, *shape): return self._shaped("uniform", shape)
    def randn(self, *shape): return self._shaped("normal", shape)
    def random(self, size=None): return self._shaped("uniform", size)
    def random_sample(self, size=None): return self._shaped("uniform", size)
    def standard_normal(self, size=None): return self._shaped("normal", size)

    def randint(self, low, high=None, size=None, dtype=int):
        if high is None:
            low, high = 0, low
        return self._shaped("integer", size, low, high).astype(dtype)

    def choice(self, a, size=None, replace=True, p=None):
        a = arange(a) if isinstance(a, int) else asarray(a)
        if p is not None:
            if not replace:
                raise NotImplementedError("newt's numpy.random.RandomState.choice takes p with replace=True alone")
            sums = numpy.cumsum(asarray(p))
            return a[numpy.searchsorted(sums / sums[-1], self.random(size), side="right")]
        if replace:
            return a[self.randint(0, len(a), size)]
        count = 1
        for n in _shape(size):
            count *= n
        if count > len(a):
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        return a[self.permutation(len(a))[:count].reshape(_shape(size))]


class Generator(_Distributions):
    """numpy.random.Generator on PCG64."""

    def __init__(self, stream):
        self._stream = stream

    def _double(self, dtype):
        if dtype is not None and _torch_dtype(dtype) != _torch_dtype(float):
            raise NotImplementedError("newt's numpy.random.Generator draws float64 alone: use .astype(np.float32)")

    def random(self, size=None, dtype=None):
        self._double(dtype)
        return self._shaped("uniform", size)

    def standard_normal(self, size=None, dtype=None):
        self._double(dtype)
        return self._shaped("normal", size)

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        if high is None:
            low, high = 0, low
        return self._shaped("integer", size, low, high + 1 if endpoint else high).astype(dtype)

    def choice(self, a, size=None, replace=True, p=None):
        if p is not None or not replace:
            raise NotImplementedError("newt's numpy.random.Generator.choice takes neither p nor replace=False")
        a = arange(a) if isinstance(a, int) else asarray(a)
        return a[self.integers(0, len(a), size)]


def default_rng(seed=None):
    return seed if isinstance(seed, Generator) else Generator(_pcg(0 if seed is None else seed))  # a run is the same each time


_state = RandomState()
seed, rand, randn, random, random_sample = _state.seed, _state.rand, _state.randn, _state.random, _state.random_sample
uniform, normal, standard_normal, randint = _state.uniform, _state.normal, _state.standard_normal, _state.randint
choice, permutation, shuffle = _state.choice, _state.permutation, _state.shuffle
