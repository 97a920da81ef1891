import torch
from torch import nn
import torch.nn.functional as F

x = torch.arange(2 * 3 * 5 * 6 * 4, dtype=torch.float32).reshape(2, 3, 5, 6, 4).sin()
for f in (lambda: F.max_pool3d(x, 2), lambda: F.max_pool3d(x, (2, 3, 2), (1, 2, 2), (1, 1, 0), ceil_mode=True),
          lambda: F.max_pool3d(x, 2, dilation=2, stride=1), lambda: F.avg_pool3d(x, 2), lambda: F.avg_pool3d(x, 3, 2, 1),
          lambda: F.avg_pool3d(x, 3, 2, 1, True, False), lambda: F.avg_pool3d(x[0], (1, 2, 4)),
          lambda: F.adaptive_avg_pool3d(x, (2, 3, 4)), lambda: F.adaptive_avg_pool3d(x, 1), lambda: F.adaptive_avg_pool3d(x, (None, 2, 1))):
    y = f()
    print(tuple(y.shape), [round(v, 4) for v in y.flatten()[:6].tolist()], round(y.abs().sum().item(), 2))
v, i = F.max_pool3d(x, 2, return_indices=True)
print(i.dtype, tuple(i.shape), i.flatten()[:8].tolist(), i.sum().item())
for m in (nn.MaxPool3d(2), nn.MaxPool3d((1, 2, 2), stride=1, padding=(0, 1, 1)), nn.AvgPool3d(2, padding=1, count_include_pad=False), nn.AdaptiveAvgPool3d((1, 2, None))):
    print(m, tuple(m(x).shape), round(m(x).sum().item(), 3))
z = x.clone().requires_grad_()
(F.avg_pool3d(F.max_pool3d(z, 2, 1), 2) ** 2).sum().backward()
print(tuple(z.grad.shape), [round(v, 4) for v in z.grad.flatten()[::97].tolist()], round(z.grad.abs().sum().item(), 3))
try:
    F.max_pool3d(x, 2, padding=2)
except RuntimeError as e:
    print("RuntimeError:", str(e)[:60])
