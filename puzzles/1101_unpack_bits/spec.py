import torch
from jaxtyping import Int32
from torch import Tensor


def unpack_spec(w: Int32[Tensor, "words"], N0: int) -> Int32[Tensor, "N0"]:
    shifts = torch.arange(8, dtype=torch.int32) * 4
    values = (w[:, None] >> shifts) & 15
    return values.flatten()[:N0]
