"Collects and runs the tests of a document or of the files of a suite, and reports them as pytest -q does."
import _imp
import fnmatch
import inspect
import io
import os
import re
import shlex
import sys
import time

from pytest import Failed, Mark, MonkeyPatch, Skipped, XFailed, _Fixture, _Param, approx

WIDTH = 80
SCOPES = ["function", "class", "module", "package", "session"]
LETTERS = {"passed": ".", "failed": "F", "error": "E", "skipped": "s", "xfailed": "x", "xpassed": "X"}
ORDER = ["failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "error"]


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

    def __init__(self, function, path, owner, given, params, ids, marks, module=None):
        self.function, self.owner, self.given, self.params, self.marks = function, owner, given, params, marks
        self.module = module
        self.path = path[:-1] + [path[-1] + ("[" + "-".join(ids) + "]" if ids else "")]

    @property
    def name(self):
        return self.path[-1]

    @property
    def nodeid(self):
        return "::".join([self.module.name] + self.path)

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
    "The options that a conftest.py adds, as --name=VALUE or their defaults; it is the parser that adds them, too."

    def __init__(self, given):
        self.options, self.given = {}, given

    def addoption(self, *names, **how):
        name = how.get("dest") or [n for n in names if n.startswith("--")][0]
        value = how.get("default", False if how.get("action") == "store_true" else None)
        for n in names:
            if n in self.given:
                value = self.given[n] if how.get("action") == "store_true" else how.get("type", str)(self.given[n])
        self.options[self.key(name)] = value

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


class Module:
    "The tests of one file: its name in reports, the module, and the conftest modules around it, the outermost first."

    def __init__(self, name, module, conftests):
        self.name, self.module, self.space, self.conftests = name, module, vars(module), [vars(m) for m in conftests]
        self.fixtures, self.hidden = {}, {}  # by name; those that others of their name hide, by these
        for s in self.conftests + [self.space]:
            self.add(self.fixtures, s)
        self.parts = [[]]  # of the node ids that name tests of it

    def add(self, fixtures, space):
        for v in space.values():
            if isinstance(v, _Fixture):
                if fixtures.get(v.name, v) is not v:
                    self.hidden[v] = fixtures[v.name]
                fixtures[v.name] = v

    def wants(self, item):
        own = item.path[:-1] + [item.function.__name__]
        return any(path[:len(parts)] == parts for parts in self.parts for path in (item.path, own))


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
    def __init__(self, modules, places, options):
        self.modules, self.places, self.options, self.config = modules, places, options, Config(options.given)
        self.settings = options.settings
        self.module, self.conftests = None, []
        for module in modules:
            self.conftests += [s for s in module.conftests if not any(s is other for other in self.conftests)]
        self.kept = {scope: {} for scope in SCOPES}
        self.ends = {scope: [] for scope in SCOPES}
        self.counts = {outcome: 0 for outcome in ORDER}
        self.reports = []  # of failures and errors: outcome, phase, item, text, line of the summary, captured output
        self.folders = self.column = 0
        self.capture = None

    # Collecting

    def collectAll(self):
        "The tests of all modules that the options select."
        items = []
        for self.module in self.modules:
            for item in self.collect():
                if not item.module.wants(item):
                    continue
                if self.options.selects(item):
                    items.append(item)
                else:
                    self.counts["deselected"] += 1
        return items

    def collect(self):
        module = [m.mark for m in self.listed(self.module.space.get("pytestmark", []))]
        for name, v in list(self.module.space.items()):
            if isinstance(v, type) and (self.settings.matches("python_classes", name, ["Test"]) or isCase(v)):
                yield from self.collectClass(name, v, module)
            elif self.isTest(name) and callable(v) and not isinstance(v, (type, _Fixture)):
                yield from self.items(v, [name], None, module)

    def collectClass(self, name, cls, outer):
        if cls is getattr(sys.modules.get("unittest"), "TestCase", None):
            return
        marks = outer + [m if hasattr(m, "args") else m.mark for m in self.listed(getattr(cls, "pytestmark", []))]
        names = []
        for c in reversed(cls.__mro__):
            names += [n for n in vars(c) if n not in names]
        for n in names:
            v = getattr(cls, n)
            if (n.startswith("test") if isCase(cls) else self.isTest(n)) and callable(v):
                yield from [Item(v, [name, n], cls, {}, {}, [], marks, self.module)] if isCase(cls) else \
                    self.items(v, [name, n], cls, marks)

    def isTest(self, name):
        return self.settings.matches("python_functions", name, ["test"])

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
            yield Item(function, path, owner, given, params, ids, marks + extra, self.module)

    def closure(self, names, owner, marks):
        "The fixtures that a test reaches, each once."
        found, names = [], list(names)
        names += [n for m in marks if m.name == "usefixtures" for n in m.args]
        names += [f.name for f in self.of(owner).values() if f.autouse]
        while names:
            f = self.of(owner).get(names.pop(0))
            while f is not None and f not in found:
                found.append(f)
                names += self.needs(f.function, None)
                f = self.module.hidden.get(f) if f.name in names else None
        return found

    def of(self, owner):
        "The fixtures that a test of a class sees."
        if owner is None:
            return self.module.fixtures
        fixtures = dict(self.module.fixtures)
        for c in reversed(owner.__mro__):
            self.module.add(fixtures, vars(c))
        return fixtures

    def needs(self, function, owner):
        "The names of a function's parameters that have no default."
        return [n for n, p in inspect.signature(function).parameters.items()
                if n != "self" and p.default is inspect.Parameter.empty and "VAR" not in str(p.kind)]

    # Running

    def fixture(self, name, item, f=None):
        "The value of a fixture: that of a name, or f of this name, which another one hides."
        if name == "request":
            return Request(self, item, None, [])
        if name == "monkeypatch":
            return self.keep("function", name, MonkeyPatch(), MonkeyPatch.undo)
        if name in ("capsys", "capfd"):
            return self.capture
        if name in ("tmp_path", "tmpdir"):
            import pathlib
            self.folders += 1
            return self.keep("function", name, pathlib.Path(f"/tmp/pytest-of-newt/{item.function.__name__}{self.folders - 1}"))
        f = f or self.of(item.owner).get(name)
        if f is None:
            raise FixtureLookupError(f"fixture '{name}' not found")
        if f in self.kept[f.scope]:
            param, value = self.kept[f.scope][f]
            if param == item.params.get(name):
                return value
            self.end(f.scope)
        param = item.params.get(name)
        args = [] if "self" not in inspect.signature(f.function).parameters else [item.object]
        request = Request(self, item, f, [param] if name in item.params else [])
        names = self.needs(f.function, None)
        v = f.function(*args, **{n: request if n == "request" else
                                 self.fixture(n, item, self.module.hidden.get(f) if n == name else None) for n in names})
        if inspect.isgenerator(v):
            generator, v = v, next(v)
            self.ends[f.scope].append(lambda: next(generator, None))
        self.kept[f.scope][f] = param, v
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
        items, done, owner, stopped = self.collectAll(), 0, None, ""
        self.plugin("pytest_collection_modifyitems", session=None, config=self.config, items=items)
        self.module = broken = last = None
        for item in items:
            if item.module is not self.module:
                self.apart(last, lambda: self.leaveModule(owner))
                owner, self.module = None, item.module
                broken = self.attempt(lambda: self.hook(self.module.space, "setup_module", self.module.module))
            if item.owner is not owner:
                self.apart(last, lambda: self.leave(owner))
                owner = item.owner
                if owner is not None and broken is None:
                    broken = self.attempt(lambda: self.hook(owner, "setUpClass" if isCase(owner) else "setup_class"))
            self.options.begin()
            done, last = done + 1, item
            self.note(self.test(item) if broken is None else self.unready(item, broken), done, len(items))
            if self.options.most and self.counts["failed"] + self.counts["error"] >= self.options.most:
                stopped = f"stopping after {self.options.most} failures"
                break
        self.apart(last, lambda: self.leaveModule(owner))
        self.apart(last, lambda: self.end("session"))
        self.report(time.time() - start, stopped)
        return 1 if self.counts["failed"] + self.counts["error"] else 0 if done else 5

    def attempt(self, f):
        "The exception that a call ends in, None for none."
        try:
            f()
        except (Exception, Failed, Skipped) as e:
            return e

    def apart(self, item, f):
        "Ends what several tests share, of which item was the last. Its output is not shown."
        capture = Capture()
        e = self.attempt(f)
        capture.close()
        if e is not None:
            self.counts["error"] += 1
            self.reports.append(("error", "teardown", item, *self.failure(e, item, "error"), ""))

    def unready(self, item, e):
        "The outcome of a test whose module or class could not be set up."
        if isinstance(e, Skipped):
            return ["skipped"]
        self.reports.append(("error", "setup", item, *self.failure(e, item, "error"), ""))
        return ["error"]

    def leave(self, owner):
        self.end("class")
        if owner is not None:
            self.hook(owner, "tearDownClass" if isCase(owner) else "teardown_class")

    def leaveModule(self, owner):
        if self.module is not None:
            self.leave(owner)
            self.end("module")
            self.hook(self.module.space, "teardown_module", self.module.module)

    def test(self, item):
        "Runs one test and gives its outcome; what goes wrong at its end is noted as an error of its own."
        expected = None
        for m in item.marks:
            if m.name == "skip" or m.name == "skipif" and item.condition(m):
                return ["skipped"]
            if m.name == "xfail" and item.condition(m):
                expected = m
        for part in (item.owner, item.function):
            if getattr(part, "__unittest_skip__", False):
                return ["skipped"]
            if getattr(part, "__unittest_expecting_failure__", False):
                expected = Mark("xfail", (), {})
        self.capture, outcome, failed = Capture(), "error", None
        try:
            call = self.prepared(item)
            outcome = "failed"
            call()
            outcome = "xpassed" if expected else "passed"
        except (Skipped, getattr(sys.modules.get("unittest"), "SkipTest", Skipped)):
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

    def prepared(self, item):
        "Sets a test up and gives the call that it is."
        if isCase(item.owner):
            item.object = item.owner(item.function.__name__)
            for f in self.module.fixtures.values():
                if f.autouse:
                    self.fixture(f.name, item)
            return item.object.debug
        item.object = item.owner() if item.owner else None
        if item.object is not None:
            self.hook(item.object, "setup_method", item.function)
        else:
            self.hook(self.module.space, "setup_function", item.function)
        names = [f.name for f in self.of(item.owner).values() if f.autouse]
        for name in names + [n for m in item.marked("usefixtures") for n in m.args]:
            self.fixture(name, item)
        wanted = {n: self.fixture(n, item) for n in self.needs(item.function, item.owner) if n not in item.given}
        item.values = {**item.given, **wanted}
        item.values = {n: item.values[n] for n in inspect.signature(item.function).parameters if n in item.values}
        return lambda: item.function(*([item.object] if item.object is not None else []), **item.values)

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
                self.hook(self.module.space, "teardown_function", item.function)
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
            name = item.module.name
            return f"file {name}, line {line}\n  {first.strip()}\nE       {e}\n\n{name}:{line}", ""
        frames = [f for f in self.places(e) if f[0] == item.module.name or os.path.isfile(f[0])]  # none of newt's own
        while frames and frames[0][0] != item.module.name:
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
        if first == 0 and not text[0].startswith(f"def {name}("):  # a lambda, or a module
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

    def report(self, took, stopped):
        if stopped and self.column:
            print()
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
                    print(cut(f"{word} {item.nodeid}", line))
        if stopped:
            print(rule("!", stopped))
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


def isCase(cls):
    "Reports whether a class is one of unittest's."
    case = getattr(sys.modules.get("unittest"), "TestCase", None)
    return case is not None and isinstance(cls, type) and issubclass(cls, case)


class Settings:
    """The file that configures pytest: the first of FILES that has its section, in the folder that holds all paths or above
    it (pytest's reference, "Initialization: determining rootdir and configfile")."""
    FILES = [("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("pyproject.toml", "tool.pytest.ini_options"),
             ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")]

    def __init__(self, paths):
        self.values, self.folder = {}, None
        places = [os.path.abspath(p.split("::")[0]) for p in paths] or [os.getcwd()]
        folder = os.path.commonpath([p if os.path.isdir(p) else os.path.dirname(p) for p in places])
        while self.folder is None and folder != os.path.dirname(folder):
            for name, section in self.FILES:
                file = os.path.join(folder, name)
                if self.folder is None and os.path.isfile(file):
                    with open(file) as f:
                        self.read(f.read(), section, folder, name.endswith(".toml"))
            folder = os.path.dirname(folder)

    def read(self, text, section, folder, toml):
        "Takes the keys of a section. A value goes on in lines that are indented, or in TOML until its bracket closes."
        inside, key = False, None
        for line in text.splitlines():
            if toml:
                line = re.sub(r"""("[^"]*"|'[^']*')|#.*""", lambda m: m[1] or "", line)
            elif line.lstrip()[:1] in ("#", ";"):
                continue
            goes_on = key and (self.values[key].count("[") > self.values[key].count("]") if toml else line[:1].isspace())
            name = re.match(r"\s*([\w-]+)\s*=(.*)", line)
            if goes_on:
                self.values[key] += "\n" + line
            elif re.match(r"\[[^\]]*\]\s*$", line):
                inside, key = line.strip() == f"[{section}]", None
                self.folder = folder if inside else self.folder
            elif inside and name:
                key = name[1]
                self.values[key] = name[2]

    def words(self, key, default=()):
        "A value's words. TOML has one text with all of them, or a list of texts."
        value = self.values.get(key, "").strip()
        if value[:1] == "[":
            return [a or b for a, b in re.findall(r"""["]([^"]*)["]|[']([^']*)[']""", value)]
        if value[:1] in ("'", '"') and value[-1:] == value[:1]:
            value = value[1:-1]
        return shlex.split(value) or list(default)

    def matches(self, key, name, default):
        "Whether a name begins with one of the words of a key, or matches it as a pattern."
        return any(name.startswith(w) or fnmatch.fnmatch(name, w) for w in self.words(key, default))

    def paths(self):
        "testpaths, where the run begins in the folder of the file."
        return [p for p in self.words("testpaths") if os.path.exists(p)] if self.folder == os.getcwd() else []


class Options:
    "What the words of a command line ask for: paths, -k, -m, -x and --maxfail; those that shape the report are ignored."
    valued = {"-p", "-c", "-W", "-r", "-o", "-n", "--tb", "--durations", "--rootdir", "--color", "--deselect", "--ignore",
              "--confcutdir", "--import-mode", "--cov", "--timeout"}

    def __init__(self, words, begin):
        self.paths, self.most, self.begin, self.given = [], 0, begin, {}
        self.keywords, self.marks, self.settings = "", "", None
        words = [str(w) for w in words]
        while words:
            word = words.pop(0)
            name, equals, value = word.partition("=")
            if not word.startswith("-"):
                self.paths.append(word)
                continue
            if name[:2] in ("-k", "-m", "-p", "-W", "-r", "-n") and len(name) > 2 and name[1] != "-":
                name, value, equals = name[:2], word[2:], "="
            if name in ("-k", "-m", "--maxfail") or name in self.valued:
                value = value if equals else words.pop(0) if words else ""
            if name == "-k":
                self.keywords = value
            elif name == "-m":
                self.marks = value
            elif name in ("-x", "--exitfirst"):
                self.most = 1
            elif name == "--maxfail":
                self.most = int(value)
            else:
                self.given[name] = value if equals else True

    def selects(self, item):
        names = [os.path.basename(item.module.name), *item.path, *item.keywords, *vars(item.function)]
        found = not self.keywords or holds(self.keywords, lambda w: any(w.lower() in n.lower() for n in names))
        return found and (not self.marks or holds(self.marks, item.keywords.__contains__))


def holds(expression, is_true):
    "The value of names under and, or, not and parentheses."
    words = re.findall(r"[()]|[^\s()]+", expression)
    return eval(" ".join(w if w in ("(", ")", "and", "or", "not") else str(is_true(w)) for w in words))


class Suite:
    "The modules that some paths name."

    def __init__(self, paths, settings):
        self.modules, self.failed, self.skipped, self.loaded, self.settings = [], [], 0, {}, settings
        for path in paths:
            file, *parts = path.split("::")
            for found in sorted(self.files(file)):
                self.load(found, parts)

    def files(self, path):
        if os.path.isfile(path):
            return [path]
        if not os.path.isdir(path):
            raise UsageError(f"file or directory not found: {path}")
        found = []
        for folder, folders, names in os.walk(path):
            folders[:] = [n for n in folders if not fnmatch.fnmatch(n, ".*") and not n.endswith(".egg") and n not in
                          ("build", "dist", "node_modules", "venv", "__pycache__", "site-packages")]
            found += [os.path.normpath(os.path.join(folder, n)) for n in names if n.endswith(".py") and
                      any(fnmatch.fnmatch(n, w) for w in self.settings.words("python_files", ["test_*.py", "*_test.py"]))]
        return found

    def place(self, path):
        "The name of a file as a module, of the packages around it, whose folder joins sys.path."
        folder, name = os.path.split(os.path.abspath(path))
        name = name[:-len(".py")]
        while os.path.isfile(os.path.join(folder, "__init__.py")):
            folder, package = os.path.split(folder)
            name = package + "." + name
        if folder not in sys.path:
            sys.path.insert(0, folder)
        return name

    def module(self, path):
        path = os.path.abspath(path)
        if path not in self.loaded:
            name = self.place(path)
            if "." in name:
                _imp.import_module(name.rpartition(".")[0])
            self.loaded[path] = _imp.load(name, path)
        return self.loaded[path]

    def load(self, path, parts):
        for m in self.modules:
            if os.path.abspath(m.name) == os.path.abspath(path):
                m.parts.append(parts)
                return
        folder, conftests = os.path.dirname(os.path.abspath(path)), []
        try:
            while True:
                conftest = os.path.join(folder, "conftest.py")
                if os.path.isfile(conftest):
                    conftests.insert(0, conftest)
                if folder == os.path.dirname(folder):
                    break
                folder = os.path.dirname(folder)
            conftests = [self.module(c) for c in conftests]
            found = Module(path, self.module(path), conftests)
        except Skipped:
            self.skipped += 1
            return
        except (Exception, Failed, SystemExit) as e:
            self.failed.append((path, e))
            return
        found.parts = [parts]
        self.modules.append(found)


class UsageError(Exception):
    pass


def main(places, begin, name, conftests, words):
    """Runs tests by the words of pytest's command line. places gives the frames of an exception: file, function, line,
    column, last line and its column, the file's text. begin is called before each test of other files than the document,
    whose name is given; conftests loads the conftest modules around it."""
    import __main__
    options, start = Options(words, begin), time.time()
    settings = Settings(options.paths)
    if settings.values:
        options = Options(settings.words("addopts") + list(words), begin)
        sys.path[:0] = [os.path.join(settings.folder, p) for p in settings.words("pythonpath")]
    options.settings = settings
    if options.paths == [""]:  # of newt test without a path
        options.paths = settings.paths() or ["."]
    if all(os.path.abspath(p.split("::")[0]) == __main__.__file__ for p in options.paths):
        options.begin = int
        module = Module(name, __main__, conftests())
        module.parts = [p.split("::")[1:] for p in options.paths] or module.parts
        return Runner([module], places, options).run()
    try:
        suite = Suite(options.paths, settings)
    except UsageError as e:
        print(f"\nno tests ran in {time.time() - start:.2f}s\nERROR: {e}\n")
        return 4
    runner = Runner(suite.modules, places, options)
    if not suite.failed:
        runner.counts["skipped"] += suite.skipped
        return runner.run()
    print("\n" + rule("=", "ERRORS"))
    for path, e in suite.failed:
        print(rule("_", f"ERROR collecting {path}"))
        if isinstance(e, ImportError):
            print(f"ImportError while importing test module '{os.path.abspath(path)}'.\n"
                  "Hint: make sure your test modules/packages have valid Python names.\nTraceback:")
        frames = [f for f in places(e) if not f[0].startswith("<")]
        for f in frames:
            print(f"{f[0]}:{f[2]}: in {f[1]}\n    {f[6].split(chr(10))[f[2] - 1].strip()}")
        print("E   " + f"{type(e).__name__}: {e}".replace("\n", "\nE   "))
    print(rule("=", "short test summary info"))
    for path, e in suite.failed:
        print(cut(f"ERROR {path}", "" if isinstance(e, ImportError) else f"{type(e).__name__}: {e}".split("\n")[0]))
    n = len(suite.failed)
    words = f"{n} error{'s' * (n > 1)}"
    print(rule("!", f"Interrupted: {words} during collection"))
    print(f"{words} in {time.time() - start:.2f}s")
    return 2
