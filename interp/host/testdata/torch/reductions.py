import torch

x = torch.tensor([100, 100, 100], dtype=torch.int8)
print(x.sum(dtype=torch.int8), x.sum(), x.prod(dtype=torch.int16), x.sum(dtype=torch.float16))
print(x.cumsum(0, dtype=torch.int8), torch.cumprod(x, 0, dtype=torch.int32), x.cumsum(0))
print(torch.sum(x > 0, dtype=torch.uint8), (x > 0).sum())

nan = float("nan")
y = torch.tensor([[1.0, 3.0, 2.0], [nan, 1.0, nan]])
print(y.median(), y.median(1), y.median(dim=0).values)
print(y[0].median(), torch.tensor([4, 1, 3, 2]).median(), torch.tensor(3.0).median())
print(torch.quantile(y, 0.5), torch.quantile(y, 0.5, dim=1), torch.quantile(y[0], 0.25))
