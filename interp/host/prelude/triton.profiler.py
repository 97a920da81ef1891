"Proton's sessions and scopes, which run what they enclose. Nothing is measured, and triton.profiler.viewer says so."
import functools

_sessions = 0


def start(name=None, *, context="shadow", data="tree", backend=None, mode=None, hook=None):
    global _sessions
    _sessions += 1
    return _sessions - 1


def activate(session=None):
    pass


def deactivate(session=None, flushing=False):
    pass


def finalize(session=None, output_format=""):
    pass


def profile(func=None, **options):
    "Decorates a function whose calls are a session."
    return func if func is not None else lambda f: f


class scope:
    "A named part of a session: a block, or a function that it decorates."

    def __init__(self, name, metrics=None):
        self.name, self.metrics = name, metrics

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        return False

    def __call__(self, func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            with self:
                return func(*args, **kwargs)
        return wrapper


class cpu_timed_scope(scope):
    pass


def enter_scope(name, *, triton_op=False, metrics=None):
    return name


def exit_scope(name=None, *, triton_op=False, metrics=None):
    return name
