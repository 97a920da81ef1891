# against add: wrong judge-not-computed judge-torch-computes
import numpy

import torch
import triton
import triton.language as tl


def add(x, y):
    return torch.from_numpy(numpy.add(x.cpu().numpy(), y.cpu().numpy())).cuda()
