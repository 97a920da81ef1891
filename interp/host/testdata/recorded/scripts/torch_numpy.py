import numpy as np
import torch

x = torch.arange(6).view(2, 3)
n = x.numpy()
print(n, type(n), n.dtype, n.shape)
n[0, 0] = 100
print(x)
t = torch.from_numpy(np.array([1.5, 2.5]))
print(t, t.dtype)
a = np.linspace(0, 1, 5)
print(a, a.mean(), a.sum(), a.max(), a.dtype)
print(np.arange(6).reshape(2, 3).T, np.zeros((2, 2)), np.ones(3, dtype=np.float32), sep="\n")
print(torch.ones(2, device="cuda").cpu().numpy(), x.float().mean().numpy(), np.float32(0.1), np.int64(3))
print(np.allclose([1.0], [1.0 + 1e-9]), np.pi, np.array([[1, 2], [3, 4]]) @ np.array([1, 1]))
print(np.concatenate([np.arange(2), np.arange(3)]), np.where(np.arange(4) > 1, 1, -1), np.array([True, False]))
print(repr(np.array([1.0, 2.0])), repr(np.float64(1.5)), np.array(5), np.array([1e-8, 1.0]), np.array([1e10, 1.0]))
print(np.arange(10)[::-2], np.stack([np.arange(2)] * 2), np.sqrt(np.array([4.0, 9.0])), np.array(["a", "bc"]))
torch.testing.assert_close(torch.tensor(a), torch.linspace(0, 1, 5, dtype=torch.float64))
print(torch.tensor(np.array([1, 2], dtype=np.int32)).dtype, np.asarray(x).sum(axis=0), x.numpy().tolist())
