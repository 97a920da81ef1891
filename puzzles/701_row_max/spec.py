from jaxtyping import Float32
from torch import Tensor


def row_max_spec(x: Float32[Tensor, "N0 T"]) -> Float32[Tensor, "N0"]:
    return x.max(dim=1).values
