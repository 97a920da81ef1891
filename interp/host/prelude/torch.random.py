"""torch.random: what is written in Python."""
import torch


class fork_rng:
    """A context that puts the random streams back as they were."""

    def __init__(self, devices=None, enabled=True, device_type="cuda"):
        self.enabled = enabled

    def __enter__(self):
        self.states = torch.get_rng_state(), torch.cuda.get_rng_state()
        return self

    def __exit__(self, *error):
        if self.enabled:
            torch.set_rng_state(self.states[0])
            torch.cuda.set_rng_state(self.states[1])
        return False
