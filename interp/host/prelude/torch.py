"""What torch has beside its operations, as far as it is Python."""
from torch.amp import autocast
from torch.func import vmap
from torch.library import ops


def load(f, map_location=None, **kwargs):
    if isinstance(f, str):
        open(f).close()
    raise NotImplementedError("newt has no torch.load: a document's tensors are made by its cells")


def save(obj, f, **kwargs):
    raise NotImplementedError("newt has no torch.save: print tensors, or save the document with its outputs")


_deterministic = False


def use_deterministic_algorithms(mode, *, warn_only=False):
    global _deterministic
    _deterministic = mode


def are_deterministic_algorithms_enabled():
    return _deterministic
