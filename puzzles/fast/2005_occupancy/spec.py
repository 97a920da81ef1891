from jaxtyping import Float32
from torch import Tensor


def panel_spec(x: Float32[Tensor, "N1 N0"]) -> Float32[Tensor, "N0 N1"]:
    return x.t().contiguous()
