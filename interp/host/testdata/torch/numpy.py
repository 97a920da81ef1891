import numpy as np
import torch
np.random.seed(0)
print(np.random.randn(3))
print(np.array([1, 2, 3]), repr(np.array([1.0, 2.5])), repr(np.linspace(0, 1, 7)))
print(repr(np.arange(2000)), np.arange(20), repr(np.arange(20)))
np.random.seed(0)
print(np.random.rand(3), np.random.randn(3), np.random.randint(0, 10, 5))
x = torch.arange(6.).view(2, 3)
a = x.numpy()
a[0, 0] = 7
print(x, a.dtype, a.shape, repr(a[0, 1]), a.sum(), a / 2, (a > 3).any())
print(torch.from_numpy(np.arange(3)), torch.tensor(np.float32(0.1)), np.mean(np.array([1, 2, 4])))
print(f"{np.float32(0.1):.3f}", [np.float32(1.5)], float(np.float64(2.5)), np.float64(1.5) * 2)
print(np.allclose(a, x.numpy()), np.sqrt(np.array([4, 9])), np.array([[1.5, -2.25], [1000.0, 0.001]]))

from numpy.random import RandomState
np.random.seed(42)
print(np.random.permutation(10))
np.random.seed(42)
print(np.random.randint(0, 100, 5))
np.random.seed(0)
print(np.random.choice(5, 3), RandomState(0).randn(3))
