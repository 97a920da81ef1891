from jaxtyping import Float32
from torch import Tensor


def norm_spec(x: Float32[Tensor, "N0"]) -> Float32[Tensor, "1"]:
    return (x * x).sum().reshape(1)
