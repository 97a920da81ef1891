import torch
from jaxtyping import Float32
from torch import Tensor


def mul_relu_block_spec(x: Float32[Tensor, "N0"], y: Float32[Tensor, "N1"]) -> Float32[Tensor, "N1 N0"]:
    return torch.relu(x[None, :] * y[:, None])
