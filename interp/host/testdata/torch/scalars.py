# Not recorded: where torch 2.11 takes infinity for a number that is too large (one element on the CPU), and how
# numpy's testing names elements that differ.
import numpy as np
import torch


def attempt(f, *args):
    try:
        print(f(*args))
    except (AssertionError, RuntimeError) as e:
        print(e)


half = torch.zeros(2, dtype=torch.float16)
attempt(lambda: torch.full((2,), 1e9, dtype=torch.float16))
attempt(lambda: torch.full((1,), 1e9, dtype=torch.float16))
attempt(lambda: torch.full((), 1e9, dtype=torch.float16, device="cuda"))
attempt(lambda: half.clone().fill_(1e9))
attempt(lambda: half[:1].clone().fill_(-1e9))
attempt(lambda: half[:1].masked_fill(torch.tensor([True]), 1e9))
half[0] = 1e9
print(half)
same = np.testing.assert_array_equal
attempt(same, np.array([1, 2], dtype=np.uint8), np.array([2, 1], dtype=np.uint8))
attempt(same, [True, False], [True, True])
attempt(np.testing.assert_allclose, np.arange(8.).reshape(2, 4), 3.0)
print(repr(np.array(1 / 3)), repr(np.array(True)), np.array([True, True]))
try:
    torch.gcd_(0.5, torch.tensor([1]))
except TypeError as e:
    print(e)
