import numpy as np, torch
a = np.arange(6)
b = a[::-1]; b[0] = 99; print(a, b)
print(a[4:1:-1], a[::-2], a[1::-1], a[:3:-1])
m = np.arange(12).reshape(3, 4)
print(m[::-1], m[:, ::-1], m[::-1, ::-2], m[..., ::-1][0], m[None, ::-1].shape)
m[::-1, 0] = [1, 2, 3]; print(m); print(m[::-1].sum(), m[::-1].T @ m[::-1], (m[::-1] + m).tolist(), m[::-1].copy().reshape(-1), m[::-1][1:], m[:, ::-1].max())
print(torch.isin(torch.tensor([2**53, 2**53 + 1]), torch.tensor([2**53 + 1])), torch.searchsorted(torch.tensor([2**53, 2**53 + 1, 2**53 + 2]), torch.tensor([2**53 + 1])))
print(torch.arange(2**62, 2**62 + 3), torch.arange(2**62 + 5, 2**62, -2), torch.arange(0, 10, 3), torch.arange(5, 5), torch.arange(-3, 3, 2))
