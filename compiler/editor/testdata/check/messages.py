# What is wrong is named as what it is.
import triton
import triton.language as T


@triton.jit
def without_module(x_ptr, z_ptr, n, B0: T.constexpr):
    i = arange(0, B0)  # error: language-name-bare "the language has `T.arange`"
    T.store(z_ptr + i, load(x_ptr + i))  # error: language-name-bare "the language has `T.load`"


@triton.jit
def addresses(x_ptr, z_ptr, n, B0: T.constexpr):
    i = T.arange(0, B0)
    T.store(z_ptr + i, x_ptr + 10)  # error: address-stored "`x_ptr + 10` holds addresses"
    T.atomic_add(z_ptr + i, x_ptr + i, mask=i < n)  # error: address-stored "`x_ptr + i` holds addresses"


@triton.jit
def cut_short(x_ptr, z_ptr):
    T.sto(z_ptr, T.load(x_ptr))  # error: unknown-name "`tl` has no `sto`"


@triton.jit
def no_power_of_two(z_ptr):
    i = T.arange(0, 100)  # error: arange-power-of-two "is not a power of two"
    T.store(z_ptr + i, i)


@triton.jit
def tile_as_condition(z_ptr, n, B0: T.constexpr):
    i = T.arange(0, B0)
    if i < n:  # error: condition-tile "`i < n`"
        T.store(z_ptr + i, i)


@triton.jit
def tile_to_scalar(z_ptr, n, B0: T.constexpr):
    T.store(z_ptr, T.arange(0, B0))  # error: block-with-scalar-pointer "`T.arange(0, B0)`"


def host():
    return zeros(3)  # error: undefined-name "`zeros` is not defined"
