import torch
from jaxtyping import Float16, Float32
from torch import Tensor


def order_spec(x: Float16[Tensor, "N0 MID"], y: Float16[Tensor, "MID N1"]) -> Float32[Tensor, "N0 N1"]:
    return x.to(torch.float32) @ y.to(torch.float32)
