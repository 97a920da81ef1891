import torch
from jaxtyping import Float32
from torch import Tensor


def online_sum_spec(x: Float32[Tensor, "N0 T"]) -> Float32[Tensor, "N0"]:
    largest = x.max(dim=1, keepdim=True).values
    return torch.exp(x - largest).sum(dim=1)
