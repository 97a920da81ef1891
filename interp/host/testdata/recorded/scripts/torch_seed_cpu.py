import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


seed_everything(42)
print(torch.rand(3), torch.randn(2, 2), torch.randint(0, 10, (5,)), torch.randperm(6))
print(random.random(), random.randint(1, 100), random.choice("abcdef"), random.sample(range(20), 4))
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), torch.randn(2, generator=g), g.initial_seed())
state = torch.get_rng_state()
a = torch.rand(4)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(4)))
with torch.random.fork_rng():
    torch.manual_seed(0)
    print(torch.rand(1))
print(torch.bernoulli(torch.tensor([0.0, 1.0, 0.5])), torch.initial_seed())
x = [1, 2, 3, 4, 5]
random.shuffle(x)
print(x, random.uniform(0, 1), random.gauss(0, 1))
