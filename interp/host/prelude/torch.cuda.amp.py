"""torch.cuda.amp: torch.amp under its older name, for the GPU."""
import torch
from torch.amp import GradScaler, custom_bwd, custom_fwd


def autocast(enabled=True, dtype=torch.float16, cache_enabled=True):
    return torch.amp.autocast("cuda", dtype, enabled)
