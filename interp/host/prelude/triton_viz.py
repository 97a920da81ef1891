"""triton_viz: newt keeps every launch, so that its clients, which choose what a trace is for, choose nothing here."""
from triton.runtime.autotuner import _Wrapper


class _Client:
    def __init__(self, *args, **kwargs):
        pass


class Tracer(_Client):
    pass


class Sanitizer(_Client):
    pass


class Profiler(_Client):
    pass


class RaceDetector(_Client):
    pass


class _RecordBuilder:
    reset = staticmethod(clear)


class _Config:
    pass


record_builder, config = _RecordBuilder(), _Config()


class Trace(_Wrapper):
    "A kernel whose launches go on after accesses out of bounds."

    def run(self, *args, **kwargs):
        return _tracing(lambda: self.fn.run(*args, **kwargs))


def trace(*clients, **options):
    "Of a kernel, or a decorator with the clients that are to see its launches."
    if clients and hasattr(clients[0], "run"):
        return Trace(clients[0], clients[0].arg_names)
    return trace
