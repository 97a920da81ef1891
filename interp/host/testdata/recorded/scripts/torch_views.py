import torch

a = torch.arange(12, device="cuda")
b = a.view(3, 4)
c = b.t()
print(b.shape, b.stride(), c.shape, c.stride(), c.is_contiguous(), b.is_contiguous())
b[0, 0] = 100
print(a[0], c[0, 0], a.data_ptr() == b.data_ptr(), c.storage_offset())
d = c.contiguous()
d[0, 0] = -5
print(a[0].item(), d.stride())
print(a.reshape(2, -1), a.unflatten(0, (2, 6)).shape, a.unsqueeze(0).shape, a.view(1, 12, 1).squeeze().shape)
print(b.permute(1, 0).shape, b.transpose(0, 1).stride(), torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape)
print(a.view(3, 4)[1:, ::2].storage_offset(), a.view(3, 4)[1:, ::2].stride())
print(b.expand(2, 3, 4).stride(), torch.ones(3, 1).expand(-1, 4).shape, torch.broadcast_to(torch.tensor([1, 2]), (2, 2)))
print([t.tolist() for t in a.split(5)], [t.tolist() for t in a.chunk(3)], [t.shape for t in b.unbind(1)])
print(torch.cat([a[:2], a[-2:]]), torch.stack([a[:2], a[2:4]]), torch.stack([a[:2], a[2:4]], dim=1))
try:
    c.view(12)
except RuntimeError as e:
    print(e)
try:
    a.view(5, 3)
except RuntimeError as e:
    print(e)
print(a.unfold(0, 4, 4), torch.as_strided(a, (2, 2), (1, 3), 1))
print(a.is_cuda, a.device, a.get_device(), a.layout, a.dim(), a.ndim, a.size(0), len(a), a.T.shape)
