import torch

draws = {
    'uniform_': lambda t: t.uniform_(),
    'normal_': lambda t: t.normal_(),
    'exponential_': lambda t: t.exponential_(),
    'bernoulli_': lambda t: t.bernoulli_(0.5),
    'random_': lambda t: t.random_(),
    'cauchy_': lambda t: t.cauchy_(),
    'log_normal_': lambda t: t.log_normal_(),
    'geometric_': lambda t: t.geometric_(0.5),
    'init.uniform_': torch.nn.init.uniform_,
    'init.normal_': torch.nn.init.normal_,
    'init.xavier_uniform_': torch.nn.init.xavier_uniform_,
}
for name, draw in draws.items():
    w = torch.zeros(2, 3, requires_grad=True)
    for kind, t in ('leaf', w), ('view', w[0:1]), ('result', w * 2), ('plain', torch.zeros(2, 3)):
        try:
            print(name, kind, draw(t).shape, t.requires_grad)
        except RuntimeError as e:
            print(name, kind, e)
    with torch.no_grad():
        print(name, draw(w).requires_grad, (w != 0).any().item())
