# Not recorded: a method whose only positional parameter is a list of integers takes the integers themselves, too.
import torch

x = torch.arange(4.).view(2, 1, 2, 1)
print(x.broadcast_to(2, 3, 2, 1).shape, x.broadcast_to((2, 3, 2, 1)).shape, torch.broadcast_to(x, size=(2, 1, 2, 2)).shape)
print(x.squeeze(1, 3).shape, x.squeeze((1, 3)).shape, x.squeeze(1).shape, x.squeeze().shape, x.squeeze(dim=1).shape)
print(x.count_nonzero(0, 2), x.count_nonzero((0, 2)), x.count_nonzero(), x.count_nonzero(dim=0), torch.squeeze(x, 0).shape)
