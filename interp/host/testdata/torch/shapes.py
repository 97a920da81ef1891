import torch
x = torch.arange(24).reshape(2, 3, 4)
print(x.permute(2, 0, 1).shape, x.transpose(0, 2).stride(), x.flatten(1).shape, x.unsqueeze(-1).shape, x.movedim(0, -1).shape)
print(x.view(-1, 4).shape, x.reshape(6, -1).shape, x[..., 1:3].shape, x[:, ::2].shape, x[0, None].shape)
print(torch.cat([x, x], 1).shape, torch.stack([x, x]).shape, torch.chunk(x, 3, 2)[0].shape, [t.shape for t in x.split([1, 2], 1)])
print(x.expand(5, 2, 3, 4).shape, x.repeat(1, 2, 1).shape, torch.tile(torch.tensor([1, 2]), (2, 2)), torch.repeat_interleave(torch.tensor([1, 2]), torch.tensor([2, 3])))
print(torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij'))
print(torch.arange(0, 1, 0.25), torch.linspace(0, 1, 3), torch.logspace(0, 2, 3), torch.eye(2), torch.full((2,), 7), torch.empty(0))
print(torch.broadcast_shapes((3, 1), (1, 4)), torch.broadcast_to(torch.tensor([1, 2]), (2, 2)), torch.atleast_2d(torch.tensor(3)))
print(x.unfold(2, 2, 1).shape, x.diagonal(dim1=1, dim2=2), torch.block_diag(torch.ones(1, 2), torch.ones(2, 1)), torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])))
print(x.is_contiguous(), x.t().shape if x.dim() == 2 else None, x.mT.shape, x.numel(), x.nelement(), x.element_size(), x.size(1), x.ndim)
try:
    x.view(5, 5)
except RuntimeError as e:
    print(e)
try:
    torch.ones(2, 3) @ torch.ones(2, 3)
except RuntimeError as e:
    print(e)
try:
    torch.ones(2) + torch.ones(3)
except RuntimeError as e:
    print(e)
print(torch.vsplit(torch.arange(8).view(4, 2), 2), torch.hsplit(torch.arange(8).view(2, 4), 2), torch.unbind(torch.arange(4).view(2, 2)))
print(torch.swapaxes(x, 0, 1).shape, torch.squeeze(torch.ones(1, 2, 1)).shape, torch.narrow(x, 1, 0, 2).shape, torch.select(x, 0, 1).shape, torch.take(x, torch.tensor([0, 5])))
print(torch.triu_indices(3, 3), torch.combinations(torch.tensor([1, 2, 3])), torch.vander(torch.tensor([1, 2])), torch.dstack([torch.ones(2), torch.ones(2)]).shape)
