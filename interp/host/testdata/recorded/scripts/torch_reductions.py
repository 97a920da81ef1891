import torch

x = torch.tensor([[1., 2., 3.], [4., -5., 6.]], device="cuda")
print(x.sum(), x.sum(0), x.sum(dim=1, keepdim=True), x.mean(), x.prod(), sep="\n")
print(x.max(), x.min(), x.max(dim=1), x.argmax(), x.argmin(dim=0), sep="\n")
print(x.std(), x.var(unbiased=False), x.norm(), x.norm(p=1, dim=1))
print(x.abs().amax(dim=(0, 1)), x.cumsum(1), x.cumprod(0), x.median(), sep="\n")
print((x > 0).all(), (x > 5).any(), (x > 0).sum(), (x > 0).all(dim=0), x.count_nonzero())
print(torch.logsumexp(x, 1), torch.softmax(x, 0).sum(0), x.unique(), sep="\n")
print(x.sort(descending=True), x.topk(2), torch.argsort(x, dim=1), sep="\n")
i = torch.arange(6, device="cuda")
print(i.sum(), i.sum().dtype, i.float().mean(), i.max().item(), i.prod())
try:
    i.mean()
except RuntimeError as e:
    print(e)
print(torch.bincount(torch.tensor([0, 1, 1, 3], device="cuda")), torch.histc(x, bins=3, min=-6, max=6))
print(torch.quantile(x, 0.5), torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([2, 3])))
