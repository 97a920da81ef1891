import numpy as np
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Subset, TensorDataset

# The first samples are those of numpy's documentation.
print(np.random.default_rng(12345).random(), np.random.default_rng(12345).integers(low=0, high=10, size=3))
print(np.random.default_rng(42).random(3), np.random.default_rng(0).standard_normal(3))
try:
    np.testing.assert_allclose([1.0, 2.0, 3.1], [1.0, 2.0, 3.0])
except AssertionError as e:
    print(e)
data = TensorDataset(torch.arange(5), torch.arange(5.0))
print([batch[0].tolist() for batch in DataLoader(data, batch_size=2)], len(DataLoader(data, batch_size=2, drop_last=True)))
print(sorted([int(x) for x, _ in DataLoader(data, shuffle=True)]), len(Subset(data, [1, 3])))
with torch.autocast("cuda", dtype=torch.bfloat16):
    layer = nn.Linear(2, 2).cuda()
    y = layer(torch.ones(1, 2, device="cuda"))
    print(y.dtype, torch.softmax(y, -1).dtype, torch.is_autocast_enabled("cuda"))
y.sum().backward()
print(layer.weight.grad.dtype, torch.is_autocast_enabled("cuda"))
x = torch.tensor([3.0], requires_grad=True)
handle = x.register_hook(lambda g: g * 10)
checkpoint(torch.square, x, use_reentrant=False).backward()
handle.remove()
print(x.grad)
print(torch.nn.utils.clip_grad_norm_([x], 1.0), f"{x.grad.item():.4f}")
node = (x * 2).grad_fn
print(node.name(), node.next_functions[0][0].name())


@torch.library.custom_op("mine::double", mutates_args=())
def double(t: torch.Tensor) -> torch.Tensor:
    return t * 2


def scripted(t: torch.Tensor) -> torch.Tensor:
    return t.relu()


print(torch.ops.mine.double(torch.ones(1)), torch.jit.script(scripted)(torch.tensor(-1.0)))
state = torch.get_rng_state()
first = torch.randn(3)
torch.set_rng_state(state)
print(first.equal(torch.randn(3)), torch.zeros(1, dtype=float).dtype, torch.Tensor([1, 2]).dtype, torch.LongTensor(2, 0).shape)
optimizer = torch.optim.SGD([x], lr=1.0)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
rates = []
for _ in range(4):
    optimizer.step()
    schedule.step()
    rates.append(schedule.get_last_lr()[0])
print(rates)
