import re
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
            names = self.expected
            if isinstance(names, tuple):
                fail(f"DID NOT RAISE any of ({', '.join(n.__name__ for n in names)})")
            fail(f"DID NOT RAISE {names.__name__}")
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
    def __init__(self, function, params, autouse, name, scope):
        self.function, self.params, self.autouse, self.scope = function, params, autouse, scope
        self.name = name or function.__name__
        self.__name__ = self.name

    def __call__(self, *args, **kwargs):
        fail(f'Fixture "{self.name}" called directly. Fixtures are not meant to be called directly')


def fixture(function=None, *, scope="function", params=None, autouse=False, ids=None, name=None):
    if function is not None:
        return _Fixture(function, params, autouse, name, scope)
    return lambda f: _Fixture(f, params, autouse, name, scope)


class FixtureRequest:
    def __init__(self, param):
        self.param = param


def _id(value, name, index):
    if isinstance(value, (bool, int, float, str)) or value is None:
        return str(value)
    if hasattr(value, "__name__"):
        return value.__name__
    text = str(value)
    if text.startswith("torch.") and " " not in text:
        return name + str(index)
    return name + str(index)


def _cases(marks):
    cases = [({}, [], [])]
    for m in marks:
        if m.name != "parametrize":
            continue
        names, values = m.args[0], m.args[1] if len(m.args) > 1 else m.kwargs["argvalues"]
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        ids = m.kwargs.get("ids")
        more = []
        for kwargs, ids_so_far, extra in cases:
            for i, v in enumerate(values):
                own, label = [], None
                if isinstance(v, _Param):
                    own, label = v.marks, v.id
                    v = v.values if len(names) > 1 else v.values[0]
                row = list(v) if len(names) > 1 else [v]
                if ids is not None and label is None:
                    label = ids(v) if callable(ids) else ids[i]
                if label is None:
                    label = "-".join(_id(x, n, i) for n, x in zip(names, row))
                more.append(({**kwargs, **dict(zip(names, row))}, ids_so_far + [str(label)], extra + own))
        cases = more
    return cases


class _Monkeypatch:
    def __init__(self):
        self.undone = []

    def setattr(self, target, name, value, raising=True):
        old = getattr(target, name)
        self.undone.append(lambda: setattr(target, name, old))
        setattr(target, name, value)

    def setitem(self, mapping, key, value):
        had, old = key in mapping, mapping.get(key)
        self.undone.append(lambda: mapping.__setitem__(key, old) if had else mapping.pop(key, None))
        mapping[key] = value

    def setenv(self, name, value, prepend=None):
        import os
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        import os
        old = os.environ.pop(name, None)
        if old is not None:
            self.undone.append(lambda: os.environ.__setitem__(name, old))

    def undo(self):
        for f in reversed(self.undone):
            f()
        self.undone = []


class _Capture:
    def __init__(self):
        import io, sys
        self.sys, self.io = sys, io
        self.saved = sys.stdout
        sys.stdout = io.StringIO()

    def readouterr(self):
        import collections
        text = self.sys.stdout.getvalue()
        self.sys.stdout = self.io.StringIO()
        return collections.namedtuple("CaptureResult", "out err")(text, "")

    def close(self):
        self.sys.stdout = self.saved


class _Session:
    def __init__(self, space, name):
        self.space, self.name = space, name
        self.fixtures = {v.name: v for v in space.values() if isinstance(v, _Fixture)}
        self.kept = {}
        self.counts = {"passed": 0, "failed": 0, "skipped": 0, "xfailed": 0, "xpassed": 0}
        self.marks, self.summary, self.reports = "", [], []

    def needs(self, function):
        import inspect
        return [n for n in inspect.signature(function).parameters if n != "self"]

    def fixture(self, name, ends, param=None):
        if name == "monkeypatch":
            patch = _Monkeypatch()
            ends.append(patch.undo)
            return patch
        if name == "capsys":
            capture = _Capture()
            ends.append(capture.close)
            return capture
        if name == "tmp_path":
            import pathlib
            return pathlib.Path("/tmp/pytest")
        if name == "request":
            return FixtureRequest(param)
        f = self.fixtures.get(name)
        if f is None:
            raise LookupError(f"fixture '{name}' not found")
        if name in self.kept:
            return self.kept[name]
        args = {n: self.fixture(n, ends, param) for n in self.needs(f.function)}
        v = f.function(**args)
        if hasattr(v, "send") and hasattr(v, "throw"):
            generator, v = v, next(v)
            ends.append(lambda: next(generator, None))
        if f.scope != "function":
            self.kept[name] = v
        return v

    def run(self, label, function, kwargs, marks):
        import traceback
        expected = None
        for m in marks:
            if m.name == "skip" or m.name == "skipif" and m.args and m.args[0]:
                self.note("skipped", "s", label)
                return
            if m.name == "xfail" and (not m.args or m.args[0]):
                expected = m
        ends, outcome = [], None
        try:
            wanted = [n for n in self.needs(function) if n not in kwargs]
            for f in self.fixtures.values():
                if f.autouse:
                    self.fixture(f.name, ends)
            function(**kwargs, **{n: self.fixture(n, ends, kwargs.get("__param")) for n in wanted})
        except Skipped:
            outcome = "skipped"
        except XFailed:
            outcome = "xfailed"
        except (Exception, Failed) as e:
            outcome = "xfailed" if expected else "failed"
            text = "".join(f"{at.filename}:{at.lineno}: in {at.name}\n    {at.line}\n"
                           for at in traceback.extract_tb(e.__traceback__) if not at.filename.startswith("<frozen"))
            words = f"{type(e).__name__}: {e}".rstrip().removesuffix(":")
            text += "\n".join("E   " + line for line in words.split("\n"))
            line = words.split("\n")[0]
        finally:
            for f in reversed(ends):
                f()
        if outcome is None:
            outcome = "xpassed" if expected else "passed"
        if outcome == "failed":
            self.summary.append(f"FAILED {self.name}::{label} - {line}")
            self.reports.append((label, text))
        self.note(outcome, {"passed": ".", "failed": "F", "skipped": "s", "xfailed": "x", "xpassed": "X"}[outcome], label)

    def note(self, outcome, letter, label):
        self.counts[outcome] += 1
        self.marks += letter
        print(letter, end="")

    def function(self, label, function, outer=()):
        marks = list(outer) + list(getattr(function, "pytestmark", []))
        for kwargs, ids, extra in _cases(marks):
            self.run(label + ("[" + "-".join(ids) + "]" if ids else ""), function, kwargs, marks + extra)


def _run(space, name):
    session = _Session(space, name)
    tests = [(n, v) for n, v in space.items() if n.startswith("test") and callable(v) and not isinstance(v, (type, _Fixture))]
    classes = [(n, v) for n, v in space.items() if n.startswith("Test") and isinstance(v, type)]
    module_marks = space.get("pytestmark", [])
    module_marks = [m.mark for m in (module_marks if isinstance(module_marks, list) else [module_marks])]
    print(name, end=" ")
    for n, f in tests:
        session.function(n, f, module_marks)
    for n, c in classes:
        for method in [k for k in vars(c) if k.startswith("test")]:
            o = c()
            if hasattr(o, "setup_method"):
                o.setup_method(getattr(o, method))
            session.function(f"{n}::{method}", getattr(o, method), module_marks + list(getattr(c, "pytestmark", [])))
            if hasattr(o, "teardown_method"):
                o.teardown_method(getattr(o, method))
    print()
    if session.reports:
        print("\n" + " FAILURES ".center(80, "="))
        for label, text in session.reports:
            print(f" {label} ".center(80, "_"))
            print(text)
    if session.summary:
        print(" short test summary info ".center(80, "="))
        for line in session.summary:
            print(line)
    counts = ", ".join(f"{n} {k}" for k, n in sorted(session.counts.items(), key=lambda kv: kv[0] != "failed") if n)
    print(f" {counts or 'no tests ran'} ".center(80, "="))
    return 1 if session.counts["failed"] else 0 if sum(session.counts.values()) else 5


class ExitCode:
    OK, TESTS_FAILED, NO_TESTS_COLLECTED = 0, 1, 5


def main(args=None, plugins=None):
    import __main__
    return _run(vars(__main__), __main__.__file__)


class Config:
    pass


class Function:
    pass
