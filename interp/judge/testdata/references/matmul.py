import torch

sizes = {"M": [1, 31, 64], "N": [17, 64], "K": [1, 33, 128]}


def inputs(M, N, K, dtype=torch.float16):
    return torch.randn(M, K, dtype=dtype), torch.randn(K, N, dtype=dtype)


def matmul(a, b):
    return a @ b
