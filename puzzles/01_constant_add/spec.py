from jaxtyping import Float32
from torch import Tensor


def add_spec(x: Float32[Tensor, "N0"]) -> Float32[Tensor, "N0"]:
    return x + 10.0
