import contextlib as _contextlib
import importlib as _importlib
import os as _os
import re
import sys as _sys
import warnings as _warnings


class Failed(BaseException):
    pass


class Skipped(BaseException):
    pass


class XFailed(BaseException):
    pass


Failed.__module__ = Skipped.__module__ = "builtins"


def fail(reason="", pytrace=True):
    raise Failed(reason)


def skip(reason="", *, allow_module_level=False):
    raise Skipped(reason)


def xfail(reason=""):
    raise XFailed(reason)


def importorskip(modname, minversion=None, reason=None):
    try:
        return __import__(modname)
    except ImportError as e:
        raise Skipped(reason or f"could not import {modname!r}: {e}") from None


class ExceptionInfo:
    def __init__(self):
        self.value = None

    @property
    def type(self):
        return type(self.value)

    @property
    def typename(self):
        return type(self.value).__name__

    def match(self, pattern):
        text = str(self.value)
        if not re.search(pattern, text):
            raise AssertionError(f"Regex pattern did not match.\n  Expected regex: {pattern!r}\n  Actual message: {text!r}")
        return True

    def exconly(self):
        return f"{self.typename}: {self.value}"


class _Raises:
    def __init__(self, expected, match):
        self.expected, self.pattern, self.info = expected, match, ExceptionInfo()

    def __enter__(self):
        return self.info

    def __exit__(self, kind, value, trace):
        if kind is None:
            names = self.expected if isinstance(self.expected, tuple) else (self.expected,)
            fail(f"DID NOT RAISE {' or '.join(n.__name__ for n in names)}")
        if not isinstance(value, self.expected):
            return False
        self.info.value = value
        if self.pattern is not None:
            self.info.match(self.pattern)
        return True


def raises(expected_exception, *args, match=None, **kwargs):
    context = _Raises(expected_exception, match)
    if not args:
        return context
    with context as info:
        args[0](*args[1:], **kwargs)
    return info


class _Warns:
    def __init__(self, expected, match):
        self.expected, self.pattern = expected, match
        self.catcher = _warnings.catch_warnings(record=True)

    def __enter__(self):
        self.log = self.catcher.__enter__()
        _warnings.simplefilter("always")
        return self.log

    def __exit__(self, kind, value, trace):
        self.catcher.__exit__(kind, value, trace)
        if kind is not None:
            return False
        for w in self.log:
            if issubclass(w.category, self.expected) and (self.pattern is None or re.search(self.pattern, str(w.message))):
                return False
        fail(f"DID NOT WARN. No warnings of type {self.expected} were emitted.")


def warns(expected_warning=Warning, *, match=None):
    return _Warns(expected_warning, match)


class approx:
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def _tolerance(self, expected):
        absolute = 1e-12 if self.abs is None else self.abs
        if self.rel is None and self.abs is not None:
            return absolute
        size = expected if expected >= 0 else -expected
        return max((1e-6 if self.rel is None else self.rel) * size, absolute)

    def _near(self, actual, expected):
        if not isinstance(expected, (int, float, complex)) or isinstance(expected, bool):
            return actual == expected
        if actual == expected:
            return True
        if expected != expected:
            return self.nan_ok and actual != actual
        difference = actual - expected
        size = difference if difference >= 0 else -difference
        return size <= self._tolerance(expected)

    def __eq__(self, actual):
        expected = self.expected
        if hasattr(expected, "tolist"):
            expected = expected.tolist()
        if hasattr(actual, "tolist"):
            actual = actual.tolist()
        if isinstance(expected, dict):
            return set(actual) == set(expected) and all(self._near(actual[k], expected[k]) for k in expected)
        if isinstance(expected, (list, tuple)):
            return len(actual) == len(expected) and all(approx(e, self.rel, self.abs, self.nan_ok) == a
                                                        for a, e in zip(actual, expected))
        return bool(self._near(actual, expected))

    def __ne__(self, actual):
        return not self == actual

    def _text(self, expected):
        if isinstance(expected, (int, float)) and not isinstance(expected, bool):
            return f"{expected} ± {self._tolerance(expected):.1e}"
        return repr(expected)

    def __repr__(self):
        if isinstance(self.expected, dict):
            return "approx({" + ", ".join(f"{k!r}: {self._text(v)}" for k, v in self.expected.items()) + "})"
        if isinstance(self.expected, (list, tuple)):
            return "approx([" + ", ".join(self._text(v) for v in self.expected) + "])"
        return self._text(self.expected)


class Mark:
    def __init__(self, name, args, kwargs):
        self.name, self.args, self.kwargs = name, args, kwargs


class _Marker:
    "A decorator that marks a test; called with anything but a function or a class it is one with arguments."

    def __init__(self, mark):
        self.mark = mark

    def __call__(self, *args, **kwargs):
        f = args[0] if len(args) == 1 and not kwargs else None
        if callable(f) and hasattr(f, "__name__"):
            f.pytestmark = list(getattr(f, "pytestmark", [])) + [self.mark]
            return f
        return _Marker(Mark(self.mark.name, self.mark.args + args, {**self.mark.kwargs, **kwargs}))


class _Marks:
    def __getattr__(self, name):
        return _Marker(Mark(name, (), {}))


mark = _Marks()


class _Param:
    def __init__(self, values, marks, id):
        self.values, self.marks, self.id = values, marks, id


def param(*values, marks=(), id=None):
    if not isinstance(marks, (list, tuple)):
        marks = (marks,)
    return _Param(values, [m.mark for m in marks], id)


class _Fixture:
    def __init__(self, function, params, autouse, name, scope, ids):
        self.function, self.params, self.autouse, self.scope, self.ids = function, params, autouse, scope, ids
        self.name = name or function.__name__
        self.__name__ = self.name

    def __call__(self, *args, **kwargs):
        fail(f'Fixture "{self.name}" called directly. Fixtures are not meant to be called directly')


def fixture(function=None, *, scope="function", params=None, autouse=False, ids=None, name=None):
    if function is not None:
        return _Fixture(function, params, autouse, name, scope, ids)
    return lambda f: _Fixture(f, params, autouse, name, scope, ids)


_ABSENT = object()


def _importable(path):
    "The object that a dotted path names before its last name, and that name."
    words, target = path.split("."), None
    if len(words) < 2:
        raise TypeError(f"must be absolute import path string, not {path!r}")
    for n in range(1, len(words)):  # modules as far as there are any, then attributes
        try:
            target = _importlib.import_module(".".join(words[:n]))
        except ImportError:
            if n == 1:
                raise
            target = getattr(target, words[n - 1])
    return target, words[-1]


class MonkeyPatch:
    def __init__(self):
        self.undone = []

    def setattr(self, target, name, value=_ABSENT, raising=True):
        if value is _ABSENT:
            if not isinstance(target, str):
                raise TypeError("use setattr(target, name, value) or setattr(target, value) with target being a dotted "
                                "import string")
            value, (target, name) = name, _importable(target)
        self._remember(target, name, raising)
        setattr(target, name, value)

    def delattr(self, target, name=_ABSENT, raising=True):
        if name is _ABSENT:
            target, name = _importable(target)
        if raising or hasattr(target, name):
            self._remember(target, name, True)
            delattr(target, name)

    def _remember(self, target, name, raising):
        old = getattr(target, name, _ABSENT)
        if old is _ABSENT and raising:
            raise AttributeError(f"{target!r} has no attribute {name!r}")
        self.undone.append(lambda: delattr(target, name) if old is _ABSENT else setattr(target, name, old))

    def setitem(self, mapping, key, value):
        old = mapping.get(key, _ABSENT)
        self.undone.append(lambda: mapping.pop(key, None) if old is _ABSENT else mapping.__setitem__(key, old))
        mapping[key] = value

    def delitem(self, mapping, key, raising=True):
        if key in mapping:
            self.setitem(mapping, key, None)
            del mapping[key]
        elif raising:
            raise KeyError(key)

    def setenv(self, name, value, prepend=None):
        value = str(value)
        if prepend and name in _os.environ:
            value += prepend + _os.environ[name]
        self.setitem(_os.environ, name, value)

    def delenv(self, name, raising=True):
        self.delitem(_os.environ, name, raising)

    def syspath_prepend(self, path):
        before = _sys.path[:]
        self.undone.append(lambda: _sys.path.__setitem__(slice(None), before))
        _sys.path.insert(0, str(path))

    def chdir(self, path):
        self.undone.append(lambda before=_os.getcwd(): _os.chdir(before))
        _os.chdir(path)

    @classmethod
    @_contextlib.contextmanager
    def context(cls):
        patch = cls()
        try:
            yield patch
        finally:
            patch.undo()

    def undo(self):
        for f in reversed(self.undone):
            f()
        self.undone = []


class ExitCode:
    OK, TESTS_FAILED, NO_TESTS_COLLECTED = 0, 1, 5


class Config:
    pass


class Function:
    pass
