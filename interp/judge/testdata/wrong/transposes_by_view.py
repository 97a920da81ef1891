# against transpose: wrong judge-not-computed
import torch
import triton
import triton.language as tl


def transpose(x):
    return x.t().contiguous()
