import torch
from jaxtyping import Float32
from torch import Tensor


def conv2d_spec(x: Float32[Tensor, "N0 H W"], k: Float32[Tensor, "KH KW"]) -> Float32[Tensor, "N0 H W"]:
    n0, height, width = x.shape
    kh, kw = k.shape
    padded = torch.nn.functional.pad(x, (0, kw, 0, kh), value=0.0)
    z = torch.zeros(n0, height, width)
    for h in range(height):
        for w in range(width):
            window = padded[:, h : h + kh, w : w + kw]
            z[:, h, w] = (k[None, :, :] * window).sum(dim=(1, 2))
    return z
