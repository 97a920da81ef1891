"Pictures resized as torch's upsample_bilinear2d does, with antialias=True as its upsample_bilinear2d_aa."
import torch


def _weights(inputs, outputs, antialias):
    """What each output (a column) takes of each input: a triangle around its center, two inputs wide, or with antialias
    two outputs wide where that is more."""
    scale = inputs / outputs
    reach = max(scale, 1.0) if antialias else 1.0
    center = (torch.arange(outputs, dtype=torch.float64) + 0.5) * scale
    if not antialias:  # the border is repeated
        center = center.clamp(0.5, inputs - 0.5)
    place = torch.arange(inputs, dtype=torch.float64)[:, None] + 0.5
    weights = (1 - (place - center).abs() / reach).clamp(min=0)
    return weights / weights.sum(0)


def resize(img, size, interpolation=None, max_size=None, antialias=True):
    if not isinstance(img, torch.Tensor) or img.dim() < 2:
        raise TypeError(f"Unexpected type {type(img)}")
    (h, w), sizes = img.shape[-2:], [size] if isinstance(size, int) else list(size)
    if len(sizes) > 2 or not sizes:
        raise ValueError(f"Size must be an int or a 1 or 2 element tuple/list, not a {len(sizes)} element tuple/list")
    short = min(h, w)  # one size is that of the shorter side
    height, width = map(int, sizes) if len(sizes) == 2 else (int(sizes[0]) * h // short, int(sizes[0]) * w // short)
    if height < 1 or width < 1:
        raise ValueError(f"Input and output sizes should be greater than 0, but got {height} × {width}")
    values = _weights(h, height, antialias).T @ (img.detach().cpu().double() @ _weights(w, width, antialias))
    return (values if img.is_floating_point() else values.round()).to(img.dtype).to(img.device)
