"""torch.jit: scripting changes how torch runs a function, not what it computes, so that functions stay as they are."""


def script(obj=None, *args, **kwargs):
    return obj


def script_if_tracing(fn):
    return fn


def trace(func, example_inputs=None, **kwargs):
    return func


def ignore(fn=None, **kwargs):
    return fn if callable(fn) else lambda fn: fn


unused = export = script_method = ignore


def is_scripting():
    return False


def is_tracing():
    return False


def annotate(the_type, value):
    return value
