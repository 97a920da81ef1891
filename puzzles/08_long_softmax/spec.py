import torch
from jaxtyping import Float32
from torch import Tensor


def softmax_spec(x: Float32[Tensor, "N0 T"]) -> Float32[Tensor, "N0 T"]:
    largest = x.max(dim=1, keepdim=True)[0]
    e = torch.exp(x - largest)
    return e / e.sum(dim=1, keepdim=True)
