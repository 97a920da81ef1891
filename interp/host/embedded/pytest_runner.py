"Collects and runs the tests of a document, and reports them as pytest -q does."
import inspect
import io
import os
import sys
import time

from pytest import Failed, Skipped, XFailed, _Fixture, _Param, approx

WIDTH = 80
SCOPES = ["function", "class", "module", "package", "session"]
LETTERS = {"passed": ".", "failed": "F", "error": "E", "skipped": "s", "xfailed": "x", "xpassed": "X"}
ORDER = ["failed", "passed", "skipped", "xfailed", "xpassed", "error"]


def short(value, size=240):
    "The repr of a value on one line, its middle left out where it is long."
    try:
        text = repr(value)
    except Exception as e:
        text = f"<[{type(e).__name__}({str(e)!r}) raised in repr()] {type(value).__name__} object>"
    if len(text) > size:
        head = (size - 3) // 2
        text = text[:head] + "..." + text[len(text) - (size - 3 - head):]
    return text.replace("\n", "\\n")


def differences(op, left, right):
    "The lines that follow a failed comparison."
    if op != "==":
        return []
    for side, other in [(left, right), (right, left)]:
        if isinstance(side, approx) and isinstance(side.expected, (int, float)):
            return ["", "comparison failed", f"Obtained: {other}", f"Expected: {side}"]
    if isinstance(left, str) and isinstance(right, str) and "\n" not in left + right:
        return ["", f"- {right}", f"+ {left}"]
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        lines = [""]
        for i, (a, b) in enumerate(zip(left, right)):
            if not a == b:
                lines.append(f"At index {i} diff: {a!r} != {b!r}")
                break
        n, m = len(left), len(right)
        if n != m:
            more, rest = ("Left", left[m:]) if n > m else ("Right", right[n:])
            if len(rest) == 1:
                lines.append(f"{more} contains one more item: {short(rest[0])}")
            else:
                lines.append(f"{more} contains {len(rest)} more items, first extra item: {short(rest[0])}")
        return lines + ["Use -v to get more diff"]
    return []


def idOf(value, name, index):
    "The part of a test's id that a parameter's value gives."
    if isinstance(value, (bool, int, float, complex, str)) or value is None:
        return str(value)
    return value.__name__ if isinstance(getattr(value, "__name__", None), str) else name + str(index)


def rows(names, values, ids):
    "The cases of one parametrize mark: values by name, id, marks."
    for i, v in enumerate(values):
        marks, label = [], None
        if isinstance(v, _Param):
            marks, label = v.marks, v.id
            v = v.values if len(names) > 1 else v.values[0]
        row = list(v) if len(names) > 1 else [v]
        if label is None and ids is not None:
            label = "-".join(str(ids(x) or idOf(x, n, i)) for n, x in zip(names, row)) if callable(ids) else ids[i]
        if label is None:
            label = "-".join(idOf(x, n, i) for n, x in zip(names, row))
        yield dict(zip(names, row)), str(label), marks


class Item:
    "One test: a function with its parameters, those of its fixtures, and its marks."

    def __init__(self, function, path, owner, given, params, ids, marks):
        self.function, self.owner, self.given, self.params, self.marks = function, owner, given, params, marks
        self.path = path[:-1] + [path[-1] + ("[" + "-".join(ids) + "]" if ids else "")]

    @property
    def name(self):
        return self.path[-1]

    @property
    def keywords(self):
        return {m.name: m for m in self.marks}

    def get_closest_marker(self, name):
        return next(iter(self.marked(name)), None)

    def iter_markers(self, name=None):
        return iter(self.marks if name is None else self.marked(name))

    def add_marker(self, mark):
        self.marks = self.marks + [mark.mark]

    def condition(self, mark):
        return bool(mark.args[0]) if mark.args else mark.kwargs.get("condition", True)

    def marked(self, name):
        return [m for m in self.marks if m.name == name]


class Config:
    "The options that a conftest.py adds, which have their defaults here; it is the parser that adds them, too."

    def __init__(self):
        self.options = {}

    def addoption(self, *names, **how):
        name = how.get("dest") or [n for n in names if n.startswith("--")][0]
        self.options[self.key(name)] = how.get("default", False if how.get("action") == "store_true" else None)

    def getgroup(self, *names):
        return self

    def key(self, name):
        return name.lstrip("-").replace("-", "_")

    def getoption(self, name, default=None, skip=False):
        value = self.options.get(self.key(name))
        return default if value is None else value

    def addinivalue_line(self, name, line):
        pass

    addini = addinivalue_line


class Request:
    "What a fixture may ask of who wants it."

    def __init__(self, runner, item, fixture, param):
        self.runner, self.node, self.function, self.scope = runner, item, item.function, fixture.scope if fixture else "function"
        self.config = runner.config
        self.cls = item.owner
        if param:
            self.param = param[0]

    def getfixturevalue(self, name):
        return self.runner.fixture(name, self.node)

    def addfinalizer(self, end):
        self.runner.ends[self.scope].append(end)


class Monkeypatch:
    def __init__(self):
        self.undone = []

    def setattr(self, target, name, value, raising=True):
        old = getattr(target, name)
        self.undone.append(lambda: setattr(target, name, old))
        setattr(target, name, value)

    def delattr(self, target, name, raising=True):
        old = getattr(target, name)
        self.undone.append(lambda: setattr(target, name, old))
        delattr(target, name)

    def setitem(self, mapping, key, value):
        had, old = key in mapping, mapping.get(key)
        self.undone.append(lambda: mapping.__setitem__(key, old) if had else mapping.pop(key, None))
        mapping[key] = value

    def setenv(self, name, value, prepend=None):
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        old = os.environ.pop(name, None)
        if old is not None:
            self.undone.append(lambda: os.environ.__setitem__(name, old))

    def undo(self):
        for f in reversed(self.undone):
            f()
        self.undone = []


class Capture:
    "The standard output of a test, kept from the terminal."

    def __init__(self):
        self.saved, self.all = sys.stdout, []
        sys.stdout = io.StringIO()

    def readouterr(self):
        import collections
        text = sys.stdout.getvalue()
        sys.stdout = io.StringIO()
        return collections.namedtuple("CaptureResult", "out err")(text, "")

    def close(self):
        text = sys.stdout.getvalue()
        sys.stdout = self.saved
        return text


class Runner:
    def __init__(self, space, name, places, conftests):
        self.space, self.name, self.places, self.config = space, name, places, Config()
        self.conftests = [vars(m) for m in conftests]
        self.fixtures = {v.name: v for s in self.conftests + [space] for v in s.values() if isinstance(v, _Fixture)}
        self.kept = {scope: {} for scope in SCOPES}
        self.ends = {scope: [] for scope in SCOPES}
        self.counts = {outcome: 0 for outcome in LETTERS}
        self.reports = []  # of failures and errors: outcome, phase, item, text, line of the summary, captured output
        self.folders = self.column = 0
        self.capture = None

    # Collecting

    def collect(self):
        module = [m.mark for m in self.listed(self.space.get("pytestmark", []))]
        for name, v in list(self.space.items()):
            if isinstance(v, type) and name.startswith("Test") :
                yield from self.collectClass(name, v, module)
            elif name.startswith("test") and callable(v) and not isinstance(v, (type, _Fixture)):
                yield from self.items(v, [name], None, module)

    def collectClass(self, name, cls, outer):
        marks = outer + [m if hasattr(m, "args") else m.mark for m in self.listed(getattr(cls, "pytestmark", []))]
        names = []
        for c in reversed(cls.__mro__):
            names += [n for n in vars(c) if n not in names]
        for n in names:
            v = getattr(cls, n)
            if n.startswith("test") and callable(v):
                yield from self.items(v, [name, n], cls, marks)

    def listed(self, marks):
        return list(marks) if isinstance(marks, (list, tuple)) else [marks]

    def items(self, function, path, owner, outer):
        marks = list(getattr(function, "pytestmark", [])) + list(reversed(outer))
        cases = [({}, {}, [], [])]
        for m in marks:
            if m.name == "parametrize":
                names = m.args[0] if m.args else m.kwargs["argnames"]
                names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
                values = list(m.args[1] if len(m.args) > 1 else m.kwargs["argvalues"])
                indirect = m.kwargs.get("indirect", False)
                indirect = names if indirect is True else indirect or []
                cases = [({**given, **{n: v for n, v in row.items() if n not in indirect}},
                          {**params, **{n: v for n, v in row.items() if n in indirect}}, ids + [label], extra + own)
                         for given, params, ids, extra in cases
                         for row, label, own in rows(names, values, m.kwargs.get("ids"))]
        given = {n for c in cases for n in [*c[0], *c[1]]}
        for f in self.closure([n for n in self.needs(function, owner) if n not in given], owner, marks):
            if f.params is not None and f.name not in given:
                cases = [(g, {**params, f.name: row[f.name]}, ids + [label], extra + own) for g, params, ids, extra in cases
                         for row, label, own in rows([f.name], list(f.params), f.ids)]
        for given, params, ids, extra in cases:
            yield Item(function, path, owner, given, params, ids, marks + extra)

    def closure(self, names, owner, marks):
        "The fixtures that a test reaches, each once."
        found, names = [], list(names)
        names += [n for m in marks if m.name == "usefixtures" for n in m.args]
        names += [f.name for f in self.of(owner).values() if f.autouse]
        while names:
            f = self.of(owner).get(names.pop(0))
            if f is not None and f not in found:
                found.append(f)
                names += self.needs(f.function, None)
        return found

    def of(self, owner):
        "The fixtures that a test of a class sees."
        if owner is None:
            return self.fixtures
        own = {v.name: v for c in reversed(owner.__mro__) for v in vars(c).values() if isinstance(v, _Fixture)}
        return {**self.fixtures, **own}

    def needs(self, function, owner):
        "The names of a function's parameters that have no default."
        return [n for n, p in inspect.signature(function).parameters.items()
                if n != "self" and p.default is inspect.Parameter.empty and "VAR" not in str(p.kind)]

    # Running

    def fixture(self, name, item):
        if name == "request":
            return Request(self, item, None, [])
        if name == "monkeypatch":
            return self.keep("function", name, Monkeypatch(), Monkeypatch.undo)
        if name in ("capsys", "capfd"):
            return self.capture
        if name in ("tmp_path", "tmpdir"):
            import pathlib
            self.folders += 1
            return self.keep("function", name, pathlib.Path(f"/tmp/pytest-of-newt/{item.function.__name__}{self.folders - 1}"))
        f = self.of(item.owner).get(name)
        if f is None:
            raise FixtureLookupError(f"fixture '{name}' not found")
        if name in self.kept[f.scope]:
            param, value = self.kept[f.scope][name]
            if param == item.params.get(name):
                return value
            self.end(f.scope)
        param = item.params.get(name)
        args = [] if "self" not in inspect.signature(f.function).parameters else [item.object]
        request = Request(self, item, f, [param] if name in item.params else [])
        names = self.needs(f.function, None)
        v = f.function(*args, **{n: request if n == "request" else self.fixture(n, item) for n in names})
        if inspect.isgenerator(v):
            generator, v = v, next(v)
            self.ends[f.scope].append(lambda: next(generator, None))
        self.kept[f.scope][name] = param, v
        return v

    def keep(self, scope, name, value, end=None):
        if name in self.kept[scope]:
            return self.kept[scope][name][1]
        self.kept[scope][name] = None, value
        if end:
            self.ends[scope].append(lambda: end(value))
        return value

    def end(self, upTo):
        "Ends the fixtures of a scope and of those within it."
        for scope in SCOPES[:SCOPES.index(upTo) + 1]:
            while self.ends[scope]:
                self.ends[scope].pop()()
            self.kept[scope] = {}

    def hook(self, of, name, *args):
        f = of.get(name) if isinstance(of, dict) else getattr(of, name, None)
        if f is not None:
            f(*args[:len(self.needs(f, None))])

    def plugin(self, name, **values):
        "Calls a hook of each conftest.py, the outermost first, with the values that it takes."
        for s in self.conftests:
            if name in s:
                s[name](**{n: values[n] for n in inspect.signature(s[name]).parameters})

    def run(self):
        start = time.time()
        self.plugin("pytest_addoption", parser=self.config, pluginmanager=None)
        self.plugin("pytest_configure", config=self.config)
        items, done, owner = list(self.collect()), 0, None
        self.plugin("pytest_collection_modifyitems", session=None, config=self.config, items=items)
        self.hook(self.space, "setup_module", None)
        for item in items:
            if item.owner is not owner:
                self.leave(owner)
                owner = item.owner
                if owner is not None:
                    self.hook(owner, "setup_class")
            done += 1
            self.note(self.test(item), done, len(items))
        self.leave(owner)
        self.end("session")
        self.hook(self.space, "teardown_module", None)
        self.report(time.time() - start)
        return 1 if self.counts["failed"] + self.counts["error"] else 0 if items else 5

    def leave(self, owner):
        self.end("class")
        if owner is not None:
            self.hook(owner, "teardown_class")

    def test(self, item):
        "Runs one test and gives its outcome; what goes wrong at its end is noted as an error of its own."
        expected = None
        for m in item.marks:
            if m.name == "skip" or m.name == "skipif" and item.condition(m):
                return ["skipped"]
            if m.name == "xfail" and item.condition(m):
                expected = m
        self.capture, outcome, failed = Capture(), "error", None
        try:
            item.object = item.owner() if item.owner else None
            if item.object is not None:
                self.hook(item.object, "setup_method", item.function)
            else:
                self.hook(self.space, "setup_function", item.function)
            names = [f.name for f in self.of(item.owner).values() if f.autouse]
            for name in names + [n for m in item.marked("usefixtures") for n in m.args]:
                self.fixture(name, item)
            wanted = {n: self.fixture(n, item) for n in self.needs(item.function, item.owner) if n not in item.given}
            item.values = {**item.given, **wanted}
            item.values = {n: item.values[n] for n in inspect.signature(item.function).parameters if n in item.values}
            outcome = "failed"
            item.function(*([item.object] if item.object is not None else []), **item.values)
            outcome = "xpassed" if expected else "passed"
        except Skipped:
            outcome = "skipped"
        except XFailed:
            outcome = "xfailed"
        except (Exception, Failed, SystemExit) as e:
            failed = e
        end = self.finish(item)
        printed = self.capture.close()
        outcome = self.judge(item, outcome, failed, expected, printed)
        if end is None:
            return [outcome]
        self.reports.append(("error", "teardown", item, *self.failure(end, item, "error"), ""))
        return [outcome, "error"]

    def judge(self, item, outcome, failed, expected, printed):
        "The outcome in the light of xfail marks, with its report."
        if expected is not None and outcome in ("failed", "error") and isinstance(failed, expected.kwargs.get("raises") or BaseException):
            return "xfailed"
        if outcome == "xpassed" and expected.kwargs.get("strict"):
            reason = expected.kwargs.get("reason", "")
            self.reports.append(("failed", "call", item, f"[XPASS(strict)] {reason}", f"[XPASS(strict)] {reason}", printed))
            return "failed"
        if failed is not None and outcome in ("failed", "error"):
            self.reports.append((outcome, "setup", item, *self.failure(failed, item, outcome), printed))
        return outcome

    def finish(self, item):
        "Ends what belongs to one test; an exception of that is an error."
        try:
            if item.object is not None:
                self.hook(item.object, "teardown_method", item.function)
            else:
                self.hook(self.space, "teardown_function", item.function)
            self.end("function")
        except Exception as e:
            return e

    # Reporting

    def note(self, outcomes, done, total):
        "Prints the letters of a test, and at the end of a line how much is done."
        for outcome in outcomes:
            self.counts[outcome] += 1
            print(LETTERS[outcome], end="", flush=True)
            self.column += 1
            percent = f"[{100 * done // total:3d}%]"
            if done < total and self.column >= WIDTH - len(" [100%]") - 1:
                print(" " + percent)
                self.column = 0
        if done == total:
            print(percent.rjust(WIDTH - self.column - 1))

    def words(self, e):
        text = str(e)
        if isinstance(e, AssertionError) and repr(text).startswith("'assert "):
            return text
        return f"{type(e).__name__}: {text}" if text else type(e).__name__

    def failure(self, e, item, outcome):
        "The text about an exception, and its line in the summary."
        words = self.words(e)
        if isinstance(e, FixtureLookupError):
            line = item.function.__code__.co_firstlineno
            first = inspect.getsource(item.function).split("\n")[0]
            return f"file {self.name}, line {line}\n  {first.strip()}\nE       {e}\n\n{self.name}:{line}", ""
        frames = [f for f in self.places(e) if not f[0].startswith("<")]
        while frames and frames[0][0] != self.name:
            frames.pop(0)
        if not frames:
            return "E       " + words.replace("\n", "\nE       "), words.split("\n")[0]
        out = []
        values = getattr(item, "values", {}) if outcome == "failed" else {}
        if values:
            line = ""
            for n, v in values.items():
                part = f"{n} = {short(v)}"
                if line and len(line) + len(part) + 2 > WIDTH:
                    out.append(line)
                    line = part
                else:
                    line = line + ", " + part if line else part
            out += [line, ""]
        for i, f in enumerate(frames):
            last = i == len(frames) - 1
            lines, indent = self.excerpt(f)
            out += lines
            if last:
                out += ["E" + " " * (indent - 1) + w for w in words.split("\n")]
            out += ["", f"{f[0]}:{f[2]}: {type(e).__name__ if last else ''}"]
            if not last:
                out += ["_ " * (WIDTH // 2), ""]
        return "\n".join(out), words.split("\n")[0]

    def excerpt(self, f):
        "A frame's function up to the line where it is, and how far what follows is indented."
        _, name, line, start, last, end, text = f
        text, at = text.split("\n"), line - 1
        first, inner = at, len(text[last - 1]) - len(text[last - 1].lstrip())
        while first > 0 and not text[first].lstrip().startswith((f"def {name}(", f"async def {name}(")):
            first -= 1
        if first == 0:  # a lambda, or a module
            first = at
        if text[at].rstrip().endswith(":"):  # a block's own line stands for it
            last, inner, end = line, len(text[at]) - len(text[at].lstrip()), WIDTH + start
        outer = len(text[first]) - len(text[first].lstrip())
        while first > 0 and text[first - 1].startswith(" " * outer + "@"):
            first -= 1
        lines = [("    " + line[outer:]).rstrip() for line in text[first:at]]
        lines.append(">   " + text[at][outer:])
        if line == last and end - start < len(text[at].strip()):
            lines.append("    " + " " * (start - outer) + "^" * (end - start))
        return lines + ["    " + more[outer:] for more in text[line:last]], 4 + inner - outer

    def report(self, took):
        for kind, title in [("error", "ERRORS"), ("failed", "FAILURES")]:
            reports = [r for r in self.reports if r[0] == kind]
            if reports:
                print(rule("=", title))
            for _, when, item, text, line, printed in reports:
                print(rule("_", (f"ERROR at {when} of " if kind == "error" else "") + ".".join(item.path)))
                print(text if text.startswith(("[XPASS", "file ")) else "\n" + text)
                if printed:
                    print(rule("-", "Captured stdout call"))
                    print(printed, end="" if printed.endswith("\n") else "\n")
        if self.reports:
            print(rule("=", "short test summary info"))
        for kind, word in [("failed", "FAILED"), ("error", "ERROR")]:
            for outcome, when, item, text, line, printed in self.reports:
                if outcome == kind:
                    print(cut(f"{word} {self.name}::{'::'.join(item.path)}", line))
        counts = [f"{n} {k}{'s' if k == 'error' and n > 1 else ''}" for k in ORDER if (n := self.counts[k])]
        print(", ".join(counts or ["no tests ran"]) + f" in {took:.2f}s")


def cut(words, line):
    "A line of the summary, no longer than the terminal is wide."
    room = WIDTH - len(words) - 3
    if not line:
        return words
    if len(line) <= room:
        return f"{words} - {line}"
    return f"{words} - {line[:room - 3]}..." if room > 3 else words


class FixtureLookupError(LookupError):
    pass


def rule(sign, title):
    n = max((WIDTH - len(title) - 2) // 2, 1)
    line = f"{sign * n} {title} {sign * n}"
    return line + sign if len(line) < WIDTH else line


def run(places, name, conftests):
    """Runs the tests of the document. places gives the frames of an exception: file, function, line, column, last line and
    its column, the file's text. name is that of the document's file; conftests are modules."""
    import __main__
    return Runner(vars(__main__), name, places, conftests).run()
