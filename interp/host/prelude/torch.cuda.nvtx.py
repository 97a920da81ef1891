"Ranges for NVIDIA's profilers, which do not look here: they nest and show nothing."
import contextlib

_depth = 0


def range_push(msg):
    "Begins a range and gives how many are around it."
    global _depth
    _depth += 1
    return _depth - 1


def range_pop():
    global _depth
    _depth -= 1
    return _depth


def range_start(msg):
    return 0


def range_end(range_id):
    pass


def mark(msg):
    pass


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
