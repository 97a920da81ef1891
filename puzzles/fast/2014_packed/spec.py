import torch
from jaxtyping import Float32, Int32
from torch import Tensor


def packed_spec(
    x: Float32[Tensor, "MID"],
    q: Int32[Tensor, "N0 MID//8"],
    s: Float32[Tensor, "N0"],
    work: Float32[Tensor, "N0 MID"],
) -> Float32[Tensor, "N0"]:
    # Eight values of four bits in each int32, the lowest bits first.
    shifts = torch.arange(8) * 4
    w = ((q[:, :, None] >> shifts) & 15).reshape(work.shape)
    return s * ((w - 8) * x).sum(1)
