from jaxtyping import Float32
from torch import Tensor


def row_sum_spec(x: Float32[Tensor, "N0"]) -> Float32[Tensor, "1"]:
    return x.sum(dim=0, keepdim=True)
