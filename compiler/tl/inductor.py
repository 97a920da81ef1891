# What the kernels that torch.compile writes call from torch's triton_helpers: each formula is its definition.
import triton.language as tl


def promote_to_tensor(x):
    return x + tl.zeros((1,), tl.int1)


def is_floating(x):
    return promote_to_tensor(x).dtype.is_floating()


def div_floor_integer(a, b):
    quotient = a // b
    return tl.where((a % b != 0) & ((a < 0) != (b < 0)), quotient - 1, quotient)


def remainder_integer(a, b):
    rest = a % b
    return tl.where((rest != 0) & ((a < 0) != (b < 0)), rest + b, rest)


def device_assert_then(cond, msg, r):
    tl.device_assert(cond, msg)
    return r


# Of two values the first that is NaN, else the smaller or the larger one.


def minimum(a, b):
    first = a < b
    if is_floating(a):
        first |= a != a
    return tl.where(first, a, b)


def maximum(a, b):
    first = a > b
    if is_floating(a):
        first |= a != a
    return tl.where(first, a, b)


def _first(before, a_value, a_index, b_value, b_index):
    equal = a_value == b_value
    if is_floating(a_value):
        before |= (a_value != a_value) & (b_value == b_value)
        equal |= (a_value != a_value) & (b_value != b_value)
    before |= equal & (a_index < b_index)
    return tl.where(before, a_value, b_value), tl.where(before, a_index, b_index)


def minimum_with_index(a_value, a_index, b_value, b_index):
    return _first(a_value < b_value, a_value, a_index, b_value, b_index)


def maximum_with_index(a_value, a_index, b_value, b_index):
    return _first(a_value > b_value, a_value, a_index, b_value, b_index)


def min2(a, dim):
    return tl.reduce(a, dim, minimum)


def max2(a, dim):
    return tl.reduce(a, dim, maximum)


def min_with_index(value, index, dim):
    return tl.reduce((value, index), dim, minimum_with_index)


def max_with_index(value, index, dim):
    return tl.reduce((value, index), dim, maximum_with_index)


def _product(a, b):
    return a * b


def prod(input, axis):
    return tl.reduce(input, axis, _product)


def _either(a, b):
    return a | b


def any(a, dim):
    return tl.reduce(a, dim, _either)


# The mask has one element: the sum of the bits is the bits of that one, whatever it holds.


def select_one(x, mask, dim, keep_dims=False):
    bits = x.to(tl.core.get_int_dtype(x.dtype.primitive_bitwidth, signed=False), bitcast=True)
    return tl.sum(bits * mask, dim, keep_dims=keep_dims).to(x.dtype, bitcast=True)


# Mean, sum of squared distances from it (m2) and weight (Welford, 1962; Chan, Golub and LeVeque, 1979).


def welford_reduce(value, mean, m2, weight, first_iteration):
    if first_iteration:
        new_weight = tl.full(weight.shape, 1, weight.dtype)
        new_mean = value
        new_m2 = tl.zeros_like(m2)
    else:
        delta = value - mean
        new_weight = weight + 1
        new_mean = mean + delta / new_weight
        new_m2 = m2 + delta * (value - new_mean)
    return new_mean, new_m2, new_weight


def welford_combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    part = tl.where(weight == 0.0, 0.0, weight_2 / weight)
    return mean_1 + delta * part, m2_1 + m2_2 + delta * delta * weight_1 * part, weight


def welford(mean, m2, weight, dim):
    return tl.reduce((mean, m2, weight), dim, welford_combine)
