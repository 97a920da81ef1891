"The chosen device by torch's names that fit every kind of accelerator."
import torch
from torch.cuda import (current_stream, device_count, empty_cache, is_available, max_memory_allocated, max_memory_reserved,
                        memory_allocated, memory_reserved, reset_peak_memory_stats, set_stream, synchronize)
from torch.cuda import current_device as current_device_index, mem_get_info as get_memory_info
from torch.cuda import set_device as set_device_index

current_device_idx, set_device_idx = current_device_index, set_device_index
reset_accumulated_memory_stats = reset_peak_memory_stats


def current_accelerator(check_available=False):
    return torch.device("cuda")


class device_index:
    "Makes a device the current one for the block below; None changes nothing."

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        self._before = current_device_index()
        if self.idx is not None:
            set_device_index(self.idx)

    def __exit__(self, *exc_info):
        set_device_index(self._before)
