"Tracebacks as texts and as lists of frames."
import sys
from collections import namedtuple

FrameSummary = namedtuple("FrameSummary", "filename lineno name line")


def _lines(text):
    return [line + "\n" for line in text.split("\n")[:-1]]


def _exception(*given):
    return next((e for e in given if isinstance(e, BaseException)), sys.exc_info()[1])


def _print(text, file):
    (file or sys.stderr).write(text)


def format_exc(limit=None, chain=True):
    return _text(sys.exc_info()[1])


def print_exc(limit=None, file=None, chain=True):
    _print(format_exc(), file)


def format_exception(exc=None, /, value=None, tb=None, limit=None, chain=True):
    return _lines(_text(_exception(exc, value)))


def print_exception(exc=None, /, value=None, tb=None, limit=None, file=None, chain=True):
    _print(_text(_exception(exc, value)), file)


def format_exception_only(exc=None, /, value=None, *, show_group=False):
    return _lines(_last_line(_exception(exc, value)))


def extract_tb(tb, limit=None):
    return [FrameSummary(*frame) for frame in _frames(tb)]


def format_tb(tb, limit=None):
    return _lines(_stack(tb))


def print_tb(tb, limit=None, file=None):
    _print(_stack(tb), file)
