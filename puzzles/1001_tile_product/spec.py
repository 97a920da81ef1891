from jaxtyping import Float32
from torch import Tensor


def tile_product_spec(x: Float32[Tensor, "N0 MID"], y: Float32[Tensor, "MID N1"]) -> Float32[Tensor, "N0 N1"]:
    return x @ y
