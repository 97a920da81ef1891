import torch

a = torch.tensor([1.0, 2.0, 3.0], device="cuda")
b = a + torch.tensor([0.0, 1e-7, 0.1], device="cuda")
print(a == b, a != b, a < b, torch.eq(a, b).sum(), torch.isclose(a, b), torch.allclose(a, b, atol=0.2), torch.equal(a, a.clone()))
print(torch.maximum(a, b), torch.minimum(a, b), torch.max(a, b), torch.clamp(a, 1.5, 2.5), a.lerp(b, 0.5), torch.sign(-a))
print(torch.logical_and(a > 1, a < 3), (a > 1) | (a < 2), ~(a > 1), (a > 1) ^ True, torch.where(a > 2, 1, 0), a.gt(1).all())
print(torch.nan_to_num(torch.tensor([float("nan"), float("inf")])), torch.isnan(a).any().item(), torch.tensor(float("nan")) == torch.tensor(float("nan")))
print(torch.floor(a / 2), torch.ceil(a / 2), torch.round(torch.tensor([0.5, 1.5, 2.5])), torch.trunc(-a / 2), torch.frac(a / 2), torch.abs(-a))
print(torch.exp(a), torch.log(a), torch.sin(a), torch.sqrt(a), torch.rsqrt(a), torch.pow(a, 2), a ** 0.5, torch.reciprocal(a), torch.tanh(a), torch.sigmoid(a), torch.erf(a), sep="\n")
print(torch.bitwise_and(torch.tensor([12]), torch.tensor([10])), torch.tensor([5]) & 3, torch.roll(a, 1), torch.flip(a, [0]), a.repeat(2), a.repeat_interleave(2), torch.tile(a, (2, 1)), sep="\n")
print(torch.nonzero(a > 1).squeeze(), torch.diff(a), torch.triu_indices(3, 3), torch.combinations(torch.arange(3)), torch.vander(torch.arange(3)), sep="\n")
x = torch.tensor([[3, 1], [2, 4]], device="cuda")
print(x.sum().item() == 10, x.tolist(), x.max().item(), (x > 1).tolist(), int(x[0, 0]), float(x[1, 1]), x[0][1].item(), bool(x[0, 0] > 2), [int(v) for v in x.flatten()], x.numel(), x.nelement(), len(x))
for row in x:
    print(row, row.sum())
print(torch.is_tensor(x), isinstance(x, torch.Tensor), x.type(), hasattr(x, "foo"), x.dtype == torch.int64, id(x) == id(x), x in [x], hash(x) == hash(x))
