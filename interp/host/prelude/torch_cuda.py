"torch.cuda: the chosen device is the only GPU, and whatever it does is done when a call returns."
import torch


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
