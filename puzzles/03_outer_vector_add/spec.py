from jaxtyping import Float32
from torch import Tensor


def add_vec_spec(x: Float32[Tensor, "N0"], y: Float32[Tensor, "N1"]) -> Float32[Tensor, "N1 N0"]:
    return x[None, :] + y[:, None]
