"torch.cuda: the chosen device is the only GPU, and whatever it does is done when a call returns."
import torch


def is_available():
    return True


is_initialized = is_available


def is_bf16_supported(including_emulation=True):
    return get_device_capability() >= (8, 0)


def init():
    pass


empty_cache = ipc_collect = init


def synchronize(device=None):
    pass


set_device = set_stream = synchronize


def device_count():
    return 1


def current_device():
    return 0


def get_device_name(device=None):
    return _device()[0]


def get_device_capability(device=None):
    return _device()[1:3]


class _CudaDeviceProperties:
    """Sizes are those of compute capability 9.0, from the table of technical specifications in the CUDA C++ Programming
    Guide; clocks, in kHz, the width of the bus and the cache are an H200's."""
    warp_size, max_threads_per_multi_processor, max_threads_per_block = 32, 2048, 1024
    regs_per_multiprocessor, L2_cache_size = 65536, 60 << 20
    shared_memory_per_block, shared_memory_per_block_optin, shared_memory_per_multiprocessor = 48 << 10, 227 << 10, 228 << 10
    is_integrated = is_multi_gpu_board = 0
    clock_rate, memory_clock_rate, memory_bus_width = 1980000, 3201000, 6144

    def __init__(self):
        self.name, self.major, self.minor, self.multi_processor_count, self.total_memory = _device()

    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor},"
                f" total_memory={self.total_memory >> 20}MB, multi_processor_count={self.multi_processor_count},"
                f" L2_cache_size={self.L2_cache_size >> 20}MB)")


def get_device_properties(device=None):
    return _CudaDeviceProperties()


memory_reserved, max_memory_reserved = memory_allocated, max_memory_allocated
reset_max_memory_allocated = reset_peak_memory_stats


def mem_get_info(device=None):
    total = _device()[4]
    return total - memory_allocated(), total


class device:
    "A context in which nothing is different, as those below."

    def __init__(self, device=None):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return False


class device_of(device):
    pass


class _DeviceGuard(device):
    pass


class StreamContext(device):
    pass


def stream(stream):
    return StreamContext(stream)


class Stream:
    "The one stream, on which everything happens in order."
    cuda_stream, device = 0, torch.device("cuda:0")

    def __new__(cls, *args, **kwargs):
        return _stream

    def __init__(self, *args, **kwargs):
        pass

    def __repr__(self):
        return "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>"

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return False

    def synchronize(self):
        pass

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def query(self):
        return True

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event


_stream = object.__new__(Stream)


def current_stream(device=None):
    return _stream


default_stream = current_stream


class Event:
    "A moment of the device's clock, once it is recorded."

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self._at = None

    def __repr__(self):
        return "<torch.cuda.Event 0x0>"

    def record(self, stream=None):
        self._at = _now()

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, end_event):
        if not isinstance(end_event, Event):
            raise TypeError("elapsed_time(): argument 'end_event' must be torch.cuda.Event, not "
                            + type(end_event).__name__)
        if self._at is None or end_event._at is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return max(end_event._at - self._at, 0.0)
