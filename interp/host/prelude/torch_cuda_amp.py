"""torch.cuda.amp: the older name of torch.amp."""
from torch.amp import autocast, custom_bwd, custom_fwd
