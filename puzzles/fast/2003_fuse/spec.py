import torch
from jaxtyping import Float32
from torch import Tensor


def fused_spec(x: Float32[Tensor, "N0"], y: Float32[Tensor, "N0"]) -> Float32[Tensor, "N0"]:
    return torch.relu(x * x - y)
