"""newt_pytest runs the launches of Triton kernels in a pytest suite on the CPU, by newt, under its sanitizers.

It is for suites that need CPython's packages, on a machine without a GPU: everything but the launches runs in CPython.
(`newt test` runs a suite that needs torch, NumPy and packages in Python alone, without any of them.) The suite needs
torch, and newt: in PATH, or named by the variable NEWT. Put this file where Python finds modules, and

    pytest -p newt_pytest

or make it the conftest.py at the root of the suite. It stands in for package triton where Triton is not installed or torch
has no GPU, and does nothing elsewhere; NEWT_PYTEST=always and NEWT_PYTEST=never decide otherwise.

As under TRITON_INTERPRET=1, which it sets, tensors are those of the CPU. Launches are made one after the other, with
the first config of an autotuner. A launch that Triton refuses raises CompilationError, and one that accesses memory out
of bounds RuntimeError, with the line of the kernel. A test in which the sanitizers find something else, such as a race, a
read of memory that nobody has written or an integer that wraps, fails when it has run. Which findings fail tests,
`--newt-error-on KINDS` says, as it does for newt run; the others are listed at the end.

Of a function under torch.compile, torch hands the kernels to Triton's compiler, which is not there; with
TORCHDYNAMO_DISABLE=1 it launches them itself.
"""

import ast
import ctypes
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import io
import json
import operator
import os
import re
import subprocess
import sys
import textwrap
import threading
import time
import types
import zipfile

import pytest

PROTOCOL = 1
MOST = 1 << 30  # the bytes of the storages of a launch, before and after it


def wanted():
    """Whether launches are to be made by newt."""
    asked = os.environ.get("NEWT_PYTEST", "")
    if asked in ("always", "never"):
        return asked == "always"
    if importlib.util.find_spec("triton") is None:
        return True
    import torch
    return not torch.cuda.is_available()


# The process that makes launches.


class Process:
    """newt pytest-plugin --serve."""

    def __init__(self, options=()):
        newt = os.environ.get("NEWT", "newt")
        try:
            self.process = subprocess.Popen([newt, "pytest-plugin", "--serve", *options], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
        except OSError as e:
            raise ImportError(f"newt_pytest starts {newt}, and cannot: {e.strerror}. Put newt into PATH, or name it in the "
                              "variable NEWT.") from None
        self.hello = self.read()
        if self.hello.get("protocol") != PROTOCOL:
            raise ImportError(f"newt_pytest.py was printed by another version of newt than {newt}: print it again, by "
                              "newt pytest-plugin")

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"newt has ended, with status {self.process.wait()}")
        return json.loads(line)

    def launch(self, recording):
        """Make a recorded launch: what it came to, and the storages that it has changed."""
        try:
            self.process.stdin.write(b"%d\n" % len(recording))
            self.process.stdin.write(recording)
            self.process.stdin.flush()
        except OSError:  # it has ended, as read says
            pass
        launched = self.read()
        return launched, [(w["storage"], self.process.stdout.read(w["bytes"])) for w in launched["written"]]


class State:
    """What the plugin knows while pytest runs."""

    options = []  # of the process
    found = None  # what the test that runs has come to: a dict that its report carries
    failures = []  # the texts of findings for which the phase of that test fails
    tests = []  # what the tests that have ended came to

    lock = threading.Lock()

    @functools.cached_property
    def process(self):
        return Process(self.options)

    def launch(self, recording):
        """Make a recorded launch. Of a process that has not answered, be it that the test was stopped, nothing is asked
        again."""
        with self.lock:
            try:
                return self.process.launch(recording)
            except BaseException:
                self.end()
                raise

    def end(self):
        if process := self.__dict__.pop("process", None):
            process.process.kill()
            process.process.communicate()

    @functools.cached_property
    def recorder(self):
        """The module newt_record, of the newt that reads what it writes."""
        module = types.ModuleType("newt_record")
        exec(compile(self.process.hello["recorder"], "newt_record.py", "exec"), module.__dict__)
        return module


state = State()


def of_module(name):
    """A decorator for what a module of triton defines: newt_record looks at where a value comes from."""
    def decorate(value):
        value.__module__ = name
        return value
    return decorate


# triton.language: what kernels are written in. Its names are never called here.


@of_module("triton.language")
class constexpr:
    def __init__(self, value):
        self.value = value.value if isinstance(value, constexpr) else value

    def __repr__(self):
        return f"constexpr[{self.value}]"

    def __bool__(self):
        return bool(self.value)

    def __index__(self):
        return operator.index(self.value)

    def __hash__(self):
        return hash(self.value)

    def __call__(self, *args, **kwargs):
        return self.value(*args, **kwargs)


def plain(value):
    return value.value if isinstance(value, constexpr) else value


def operators():
    """The operators of constexpr, whose results are constexprs."""
    def method(apply):
        return lambda *operands: constexpr(apply(*map(plain, operands)))

    def reflected(apply):
        return lambda x, y: constexpr(apply(plain(y), plain(x)))

    for name in "add sub mul truediv floordiv mod pow lshift rshift and or xor".split():
        apply = getattr(operator, f"__{name}__")
        setattr(constexpr, f"__{name}__", method(apply))
        setattr(constexpr, f"__r{name}__", reflected(apply))
    for name in "lt le gt ge eq ne neg pos invert".split():
        setattr(constexpr, f"__{name}__", method(getattr(operator, f"__{name}__")))


operators()


@of_module("triton.language")
class dtype:
    def __init__(self, name):
        row = next((r for r in state.process.hello["dtypes"] if r["name"] == name), None)
        if row is None:
            raise ValueError(f"{name} is no dtype of triton.language")
        self.name, self.primitive_bitwidth, self.itemsize = name, row["bits"], max(row["bits"] // 8, 1)
        self._row = row

    def __eq__(self, other):
        return isinstance(other, dtype) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return "triton.language." + self._row["attribute"]

    def is_floating(self):
        return self._row["float"]

    def is_int(self):
        return not self._row["float"]

    def is_int_signed(self):
        return self.is_int() and self._row["signed"]

    def is_int_unsigned(self):
        return self.is_int() and not self._row["signed"]

    def is_bool(self):
        return self.name == "int1"

    def is_fp8(self):
        return self.name.startswith("fp8")

    def is_ptr(self):
        return False


@of_module("triton.language")
class pointer_type:
    def __init__(self, element_ty, address_space=1):
        self.element_ty, self.address_space = element_ty, address_space

    def __repr__(self):
        return f"pointer<{self.element_ty}>"


@of_module("triton.language")
class tensor:
    """What kernels compute with; no value of Python is one."""


class Name:
    """A function of triton.language."""

    def __init__(self, module, name):
        self.__module__, self.__name__ = module, name

    def __repr__(self):
        return f"<{self.__module__}.{self.__name__}>"

    def __call__(self, *args, **kwargs):
        raise ValueError(f"{self.__module__}.{self.__name__} is called outside of a kernel. Did you forget to add @triton.jit?")


def language(module):
    """The members of triton.language, or of a module below it."""
    hello = state.process.hello
    members = {name: Name(module, name) for name in hello["language"][module]}
    known = {"constexpr": constexpr, "dtype": dtype, "pointer_type": pointer_type, "tensor": tensor,
             **{row["attribute"]: dtype(row["name"]) for row in hello["dtypes"]},
             **{name: constexpr(value) for name, value in hello["constants"].items()}}
    members.update({name: value for name, value in known.items() if name in members})
    if module == "triton.language":
        members.update(dtype=dtype, pointer_type=pointer_type, tensor=tensor, cdiv=of_module(module)(cdiv))
    return members


# triton, triton.runtime.jit, triton.errors: kernels and their launches.


@of_module("triton.runtime.jit")
class KernelInterface:
    """What can be launched: it has run."""

    def __getitem__(self, grid):
        def launched(*args, **kwargs):
            __tracebackhide__ = True
            return self.run(*args, grid=grid, warmup=False, **kwargs)

        return launched

    def warmup(self, *args, grid, **kwargs):
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")


def definition(fn):
    """The text of a function from def on, and the line of its file at which that begins."""
    lines, first = inspect.getsourcelines(fn)
    text = textwrap.dedent("".join(lines))
    begin = re.search(r"^def\s+\w+\s*\(", text, re.MULTILINE)
    if begin is None:
        raise ValueError(f"{fn.__qualname__} is no function that is defined by def")
    return text[begin.start():], first + text.count("\n", 0, begin.start())


@of_module("triton.runtime.jit")
class JITFunction(KernelInterface):
    def __init__(self, fn, version=None, do_not_specialize=None, do_not_specialize_on_alignment=None, debug=None,
                 noinline=None, repr=None, launch_metadata=None):
        functools.update_wrapper(self, fn, updated=())
        self.fn, self.signature = fn, inspect.signature(fn)
        self.src, self.line = definition(fn)
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment
        self.noinline = noinline
        self.params = [types.SimpleNamespace(name=name, num=i, default=p.default, annotation=p.annotation,
                                             is_constexpr=p.annotation in (constexpr, "tl.constexpr", "constexpr"))
                       for i, (name, p) in enumerate(self.signature.parameters.items())]
        self.arg_names = list(self.signature.parameters)
        self.constexprs = [p.num for p in self.params if p.is_constexpr]

    def __repr__(self):
        return f"JITFunction({self.__module__}:{self.__qualname__})"

    def run(self, *args, grid, warmup, **kwargs):
        __tracebackhide__ = True
        if not warmup:
            launch(self, args, kwargs, grid)


@of_module("triton.runtime.jit")
class ConstexprFunction:
    """A function that is called while kernels are compiled."""

    def __init__(self, fn):
        functools.update_wrapper(self, fn, updated=())
        self.fn, (self.src, self.line) = fn, definition(fn)

    def __call__(self, *args, **kwargs):
        return self.fn(*map(plain, args), **{name: plain(v) for name, v in kwargs.items()})


def jit(fn=None, **options):
    return JITFunction(fn, **options) if fn is not None else lambda f: JITFunction(f, **options)


@of_module("triton.runtime.jit")
class TensorWrapper:
    """A tensor whose memory a kernel takes for elements of another dtype."""

    def __init__(self, base, dtype):
        self.base, self.dtype, self.data, self.device, self.shape = base, dtype, base.data, base.device, base.shape

    def data_ptr(self):
        return self.base.data_ptr()

    def stride(self, *args):
        return self.base.stride(*args)

    def element_size(self):
        return self.base.element_size()

    def __repr__(self):
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor, dtype):
    base = tensor.base if isinstance(tensor, TensorWrapper) else tensor
    return base if dtype == base.dtype else TensorWrapper(base, dtype)


@of_module("triton.tools.tensor_descriptor")
class TensorDescriptor:
    def __init__(self, base, shape, strides, block_shape, padding="zero"):
        self.base, self.shape, self.strides = base, shape, strides
        self.block_shape, self.padding = block_shape, padding

    @staticmethod
    def from_tensor(tensor, block_shape, padding="zero"):
        return TensorDescriptor(tensor, tensor.shape, tensor.stride(), block_shape, padding)


def cdiv(x, y):
    x, y = plain(x), plain(y)
    return (x + y - 1) // y


def next_power_of_2(n):
    return 1 << (n - 1).bit_length() if n > 0 else 0


def error(name, parent):
    return type(name, (parent,), {"__module__": "triton.errors"})


@of_module("triton.compiler")
class CompiledKernel:
    """What Triton's launches give; newt's give none."""


TritonError = error("TritonError", Exception)
CompilationError = error("CompilationError", TritonError)
ERRORS = {e.__name__: e for e in (
    TritonError, CompilationError, error("CompileTimeAssertionFailure", CompilationError),
    error("UnsupportedLanguageConstruct", CompilationError),
    *(error(name, TritonError) for name in ("OutOfResources", "AutotunerError", "PTXASError", "InterpreterError")))}


def samples(call, warmup, rep):
    """One call and its time: nothing is to be learned here of a GPU's."""
    began = time.perf_counter()
    call()
    return [(time.perf_counter() - began) * 1e3]


# What modules of triton have besides the parts that newt has written in Python.
MEMBERS = {
    "triton": lambda: {"JITFunction": JITFunction, "KernelInterface": KernelInterface, "jit": jit, "cdiv": cdiv,
                       "next_power_of_2": next_power_of_2, "reinterpret": reinterpret, "TensorWrapper": TensorWrapper,
                       "constexpr_function": ConstexprFunction, "set_allocator": lambda allocator: None,
                       "__version__": state.process.hello["triton"], **ERRORS},
    "triton.compiler": lambda: {"CompiledKernel": CompiledKernel, **ERRORS},
    "triton.compiler.errors": lambda: dict(ERRORS),
    "triton.errors": lambda: dict(ERRORS),
    "triton.runtime": lambda: {},
    "triton.runtime.errors": lambda: dict(ERRORS),
    "triton.runtime.autotuner": lambda: {"_promising": lambda tuner, name, key, configs, *more: configs[:1],
                                         "_place": lambda: None, "_prints": lambda: False, "_tuning": None,
                                         "_first": lambda launch, *more: launch()},
    "triton.runtime.jit": lambda: {"JITFunction": JITFunction, "KernelInterface": KernelInterface, "jit": jit,
                                   "TensorWrapper": TensorWrapper, "reinterpret": reinterpret,
                                   "constexpr_function": ConstexprFunction},
    "triton.testing": lambda: {"_samples": samples},
    "triton.tools.tensor_descriptor": lambda: {"TensorDescriptor": TensorDescriptor},
}
PARTS = {
    "triton": "from triton.runtime.autotuner import Config, autotune, heuristics\n",
    "triton.runtime": "from triton.runtime.autotuner import Autotuner, Config, Heuristics, autotune, heuristics\n"
                      "from triton.runtime.jit import JITFunction, KernelInterface, TensorWrapper, reinterpret\n",
}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports triton and the modules below it."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] != "triton":
            return None
        hello = state.process.hello
        if name in MEMBERS or name in hello["parts"] or name in hello["language"]:
            return importlib.machinery.ModuleSpec(name, self, origin="newt", is_package=True)
        return None

    def exec_module(self, module):
        name, hello = module.__name__, state.process.hello
        members = MEMBERS.get(name, dict)()
        if name in hello["language"]:
            members.update(language(name))
        module.__dict__.update(members)
        exec(compile(PARTS.get(name) or hello["parts"].get(name, ""), f"<newt's {name}>", "exec"), module.__dict__)

        def __getattr__(attribute):
            if self.find_spec(f"{name}.{attribute}"):
                return importlib.import_module(f"{name}.{attribute}")
            raise AttributeError(f"module {name!r} of newt_pytest has no attribute {attribute!r}")

        module.__getattr__ = __getattr__


if wanted():
    os.environ.setdefault("TRITON_INTERPRET", "1")
    for name in [n for n in sys.modules if n.partition(".")[0] == "triton"]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder())


# Launches.


def launch(function, args, kwargs, grid):
    """Launch a kernel, whose arguments an autotuner and heuristics have chosen."""
    __tracebackhide__ = True
    record, archive = state.recorder, io.BytesIO()
    recorder = record.Recorder(archive, 1, MOST, ())
    recorder.open("cpu", zipfile.ZIP_STORED)
    file, line = place = launched_at()
    try:
        made = recorder.begin(function, args, kwargs, grid)
        made.entry["at"] = f"{os.path.basename(file)}:{line}"
        for storage in made.entry["storages"]:
            storage["after"] = storage["before"]
        recorder.entries.append(made.entry)
    except record.LeftOut as e:
        raise NotImplementedError(f"newt does not launch {function.__name__}: {e}") from None
    finally:
        recorder.close()
    launched, written = state.launch(archive.getvalue())
    storages = [storage for _, storage in made.storages.values()]
    for index, data in written:
        ctypes.memmove(storages[index].data_ptr(), data, len(data))
    print(launched["printed"], end="")
    origins = Origins(made, launched["line"], place)
    findings = [(f["fails"], origins.text(f)) for f in launched["findings"] if f["severity"] != "error"]
    if state.found:
        state.found["launches"] += 1
        state.found["kernels"] = sorted({*state.found["kernels"], function.__name__})
    keep(findings)
    if launched["outcome"]:
        raised = RuntimeError if launched["outcome"] == "fault" else CompilationError
        raise raised("\n\n".join(origins.text(f) for f in launched["findings"] if f["severity"] == "error"))


def launched_at():
    """The file and the line that launch."""
    frame = sys._getframe()
    while frame.f_globals is globals() or frame.f_globals.get("__name__", "").partition(".")[0] == "triton":
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class Origins:
    """Where the lines of a recorded source come from."""

    def __init__(self, made, first, launch):
        self.functions, self.first, self.launch = [], first, launch
        values = {name: value for name, value in made.module.defined.values()}
        for node in ast.parse(made.module.text()).body:
            value = values.get(getattr(node, "name", None))
            fn = getattr(value, "fn", value)
            if isinstance(node, ast.FunctionDef) and isinstance(fn, types.FunctionType):
                line = getattr(value, "line", None) or definition(fn)[1]
                self.functions.append((node.lineno, node.end_lineno, inspect.getsourcefile(fn), line))

    def of(self, line):
        """The file and the line in it; those of the launch where the line is of no function."""
        line -= self.first - 1
        for begin, end, file, origin in self.functions:
            if begin <= line <= end:
                return file, origin + line - begin
        return self.launch

    def at(self, place):
        file, line = self.of(place["line"])
        return f"{shown(file)}:{line}"

    def text(self, finding):
        """A finding as a person reads it, the place and the headline on the first line."""
        lines = [f"{self.at(finding['place'])}: {finding['headline']} [{finding['code']}]"]
        lines += [finding[key] for key in ("why", "triton", "help") if finding.get(key)]
        lines += [f"{self.at(r['place'])}: {r['text']}" for r in finding.get("related", ())]
        return "\n  ".join(lines)


def shown(path):
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def keep(findings):
    """Note what was found in a launch for the test that runs."""
    for fails, text in findings:
        if state.found is None:
            if fails:  # while modules are imported: no test runs that could
                print(text, file=sys.stderr)
        elif text not in state.found["findings"]:
            state.found["findings"].append(text)
            state.failures += [text] if fails else []


# The hooks of pytest.


def pytest_addoption(parser):
    group = parser.getgroup("newt")
    group.addoption("--newt-error-on", metavar="KINDS", help="findings of newt that fail a test, such as race,undefined,oob")
    group.addoption("--newt-triton", metavar="VERSION", help="the version of Triton to follow")


def pytest_configure(config):
    for option, value in (("--error-on", config.option.newt_error_on), ("--triton", config.option.newt_triton)):
        if value:
            state.options += [option, value]


def pytest_unconfigure():
    state.end()


def pytest_report_header():
    return "newt: launches of Triton kernels run on the CPU, under sanitizers" if wanted() else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    state.found = {"launches": 0, "kernels": [], "findings": []}
    item.user_properties.append(("newt", state.found))


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup():
    fail()


@pytest.hookimpl(trylast=True)
def pytest_runtest_call():
    fail()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    fail()


def fail():
    """Fail for what was found in this phase of the test, which has come to its end."""
    if state.failures:
        pytest.fail("\n\n".join(state.failures), pytrace=False)


def pytest_runtest_logreport(report):
    state.failures = []
    if report.when == "teardown":
        state.tests += [(report.nodeid, found) for name, found in report.user_properties if name == "newt"]


def pytest_terminal_summary(terminalreporter):
    launches = sum(found["launches"] for _, found in state.tests)
    findings = {}  # the tests that have it, by its text
    for test, found in state.tests:
        for text in found["findings"]:
            findings.setdefault(text, []).append(test)
    if not launches and not findings:
        return
    kernels = {kernel for _, found in state.tests for kernel in found["kernels"]}
    terminalreporter.section("newt")
    counted = state.recorder.counted
    terminalreporter.line(f"{counted(launches, 'launch', 'es')} of {counted(len(kernels), 'kernel', 's')}, "
                          f"{counted(len(findings), 'finding', 's')}")
    for text, tests in findings.items():
        more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
        terminalreporter.line(f"{text.partition(chr(10))[0]} ({tests[0]}{more})")
