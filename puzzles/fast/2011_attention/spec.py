import torch
from jaxtyping import Float16, Float32
from torch import Tensor


def attention_spec(
    q: Float16[Tensor, "N0 32"], k: Float16[Tensor, "T 32"], v: Float16[Tensor, "T 32"]
) -> Float32[Tensor, "N0 32"]:
    scores = q.to(torch.float32) @ k.to(torch.float32).t()
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return (e @ v.to(torch.float32)) / e.sum(dim=1, keepdim=True)
