import torch
from jaxtyping import Float32
from torch import Tensor


def gray_spec(x: Float32[Tensor, "N0 4"]) -> Float32[Tensor, "N0"]:
    r, g, b, a = torch.unbind(x, dim=1)
    return (r + 2 * g + b) * a
