from jaxtyping import Float32
from torch import Tensor


def affine_spec(
    x: Float32[Tensor, "N0 T"], w: Float32[Tensor, "T"], b: Float32[Tensor, "T"]
) -> Float32[Tensor, "N0 T"]:
    return x * w + b
