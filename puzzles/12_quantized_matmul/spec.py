import torch
from jaxtyping import Float32, Int32
from torch import Tensor

FPINT = 8  # 4-bit values in one int32
GROUP = 8  # weights that share a scale and an offset


def extract(x):
    """The eight 4-bit values of each int32, lowest bits first, in a new last dimension."""
    shifts = torch.arange(FPINT) * 4
    return (x[..., None] >> shifts) & 15


def quant_dot_spec(
    scale: Float32[Tensor, "N0 MID//8"],
    offset: Int32[Tensor, "N0"],
    weight: Int32[Tensor, "N0 MID//8"],
    activation: Float32[Tensor, "MID N1"],
) -> Float32[Tensor, "N0 N1"]:
    n0, groups = scale.shape
    w = extract(weight).view(n0, groups * GROUP)
    o = extract(offset)[:, :groups]
    o = o[..., None].expand(-1, -1, GROUP).contiguous().view(n0, groups * GROUP)
    s = scale[..., None].expand(-1, -1, GROUP).contiguous().view(n0, groups * GROUP)
    return (s * (w - o)) @ activation
