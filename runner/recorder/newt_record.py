"""newt_record records launches of Triton kernels into a .launch file, which `newt replay` runs and newt's page opens.

It is one file without dependencies besides torch and triton. Put it where Python finds modules, and either

    with newt_record.to("run.launch"):          # in a program: record what is launched in between
        train_step(batch)

    python -m newt_record script.py ARGUMENTS   # record a whole script
    pytest -p newt_record tests                 # record tests

A file holds, of each launch, the kernel's source with what it uses (other jit functions, constants, imports), the
grid, the arguments, the options, and the bytes of each tensor's storage before and after the launch. It says what was
left out and why; so does standard error at the end. Nothing is sent anywhere.

The options are the same in all three forms; on a command line they are --newt-launches and so on:

    launches  how many launches of one kernel are recorded: the first 4
    bytes     how many bytes of storages are recorded in all: 64 MiB, which is also what newt's page opens
    kernels   names of the kernels that are recorded; all of them where there is none

Launches that torch.compile makes, and those of a CUDA graph, do not pass through Triton's JITFunction and are not seen.
"""

import argparse
import ast
import bisect
import builtins
import contextlib
import ctypes
import enum
import functools
import gc
import hashlib
import inspect
import json
import math
import os
import platform
import runpy
import struct
import sys
import textwrap
import threading
import types
import zipfile

FORMAT, VERSION = "newt.launch", 1
DEFAULTS = {"path": "run.launch", "launches": 4, "bytes": 64 << 20, "kernels": ()}


@contextlib.contextmanager
def to(path=DEFAULTS["path"], launches=DEFAULTS["launches"], bytes=DEFAULTS["bytes"], kernels=DEFAULTS["kernels"]):
    """Record the launches that are made in the with statement into the file `path`."""
    recorder = Recorder(path, launches, bytes, kernels)
    recorder.attach()
    try:
        yield recorder
    finally:
        recorder.detach()


class LeftOut(Exception):
    """A launch, or a part of one, that cannot be recorded; str() says why."""


# Source: a kernel with everything that it uses, as one module.


class Module:
    """The text of a Python module that defines a kernel and what it uses, each under a name of its own."""

    def __init__(self):
        # The name that each import and each constant has; {} stands for it.
        self.bound = {"import triton as {}": "triton", "import triton.language as {}": "tl"}
        self.settings = []  # statements that change how Triton compiles
        self.parts = []  # definitions of functions and classes, each after those that it uses
        self.defined = {}  # by id: the name of a function or a class, and itself, so that its id stays its own
        self.taken = {*vars(builtins), *self.bound.values()}
        self.notes = []

    def text(self):
        lines = []
        ordered = sorted(self.bound.items(), key=lambda b: b[0].startswith("{}"))  # imports, then constants
        for template, name in ordered:
            line = template.replace("{}", name, 1)
            lines.append(line.removesuffix(f" as {name}") if line.endswith(f" {name} as {name}") else line)
        return "\n".join(lines + self.settings) + "\n\n\n" + "\n\n\n".join(self.parts) + "\n"

    def setting(self, variable, value):
        """Set a variable of the environment that Triton's compiler reads, if it is set."""
        if value:
            self.settings.append(f"{self.bind('import os as {}', 'os')}.environ[{variable!r}] = {value!r}")

    def fresh(self, name):
        """A name that nothing else has."""
        out, n = name, 1
        while out in self.taken:
            n += 1
            out = f"{name}_{n}"
        self.taken.add(out)
        return out

    def bind(self, template, name):
        """The name of an import or a constant: `name` if it is free."""
        if template not in self.bound:
            self.bound[template] = self.fresh(name)
        return self.bound[template]

    def define(self, value):
        name = self.fresh(value.__name__)
        self.defined[id(value)] = name, value
        return name

    def function(self, value):
        """Define a jit function, or a constexpr function, and give its name."""
        if id(value) not in self.defined:
            scope = dict(value.fn.__globals__)
            for name, cell in zip(value.fn.__code__.co_freevars, value.fn.__closure__ or ()):
                with contextlib.suppress(ValueError):  # the cell is empty
                    scope[name] = cell.cell_contents
            name = self.define(value)
            self.parts.append(decorator(value) + "\n" + self.renamed(self.annotated(value), scope, name))
        return self.defined[id(value)][0]

    def annotated(self, value):
        """The source of a jit function, with the annotations that it has got since it was defined."""
        definition, lines = ast.parse(value.src).body[0], value.src.split("\n")
        annotations = getattr(value.fn, "__annotations__", {})
        for arg in reversed(definition.args.args):  # from the end, so that the places of the others stay
            if arg.annotation is None and arg.arg in annotations:
                with contextlib.suppress(LeftOut):
                    line = lines[arg.lineno - 1].encode()
                    text = ": " + self.named(annotations[arg.arg], arg.arg)
                    lines[arg.lineno - 1] = (line[:arg.end_col_offset] + text.encode() + line[arg.end_col_offset:]).decode()
        return "\n".join(lines)

    def host_function(self, value, decorator):
        """Define a Python function that is called while kernels are compiled, and give its name."""
        if id(value) not in self.defined:
            try:
                source = textwrap.dedent(inspect.getsource(value))
            except (OSError, TypeError):
                raise LeftOut(f"the source of the function {value.__name__} is not to be found") from None
            definition = ast.parse(source).body[0]
            if not isinstance(definition, ast.FunctionDef):
                raise LeftOut(f"{value.__name__} is no function that is defined by def")
            source = "\n".join(source.split("\n")[definition.lineno - 1:])  # without its decorators
            name = self.define(value)
            self.parts.append(decorator + self.renamed(source, value.__globals__, name))
        return self.defined[id(value)][0]

    def type(self, value):
        """Define a class, such as a NamedTuple, and give its name."""
        if id(value) not in self.defined:
            try:
                source = textwrap.dedent(inspect.getsource(value))
            except (OSError, TypeError):  # made by a call
                source = ""
            if not source and not hasattr(value, "_fields"):
                raise LeftOut(f"the source of the class {value.__name__} is not to be found")
            name = self.define(value)
            if source:
                self.parts.append(self.renamed(source, vars(sys.modules[value.__module__]), name))
            else:
                function = self.bind("from collections import namedtuple as {}", "namedtuple")
                self.parts.append(f"{name} = {function}({name!r}, {list(value._fields)!r})")
        return self.defined[id(value)][0]

    def renamed(self, source, scope, name):
        """The text of a definition under this name, in which what it uses has the names of this module."""
        tree = ast.parse(source).body[0]
        scope = {**scope, tree.name: Self(name)}
        own = local_names(tree)
        lines = [line.encode() for line in source.rstrip().split("\n")]
        # From the end of the text on, so that the places of the others stay.
        for node in sorted(uses(tree, own), key=lambda n: (n.lineno, n.col_offset), reverse=True):
            root = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if root.id not in scope:
                continue
            end, value = followed(node, scope[root.id])
            written, line, at = ast.unparse(end), lines[end.lineno - 1], slice(end.col_offset, end.end_col_offset)
            try:
                new = self.named(value, written)
                if new != written and line[at].decode(errors="replace") != written:
                    # It goes on on another line; or it is in an f-string, whose places Python knows from 3.12 on.
                    raise LeftOut("its place in the text is not known")
            except LeftOut as e:
                self.notes.append(f"{tree.name} uses {written}, which is left out: {e}")
                continue
            if new.partition(".")[0] in own:  # a variable of the function hides it
                self.parts.append(f"{self.fresh(new)} = {new}")
                new = self.parts[-1].partition(" ")[0]
            if new != written:
                lines[end.lineno - 1] = line[:at.start] + new.encode() + line[at.stop:]
        kind = "class" if isinstance(tree, ast.ClassDef) else "def"
        return b"\n".join(lines).decode().replace(f"{kind} {tree.name}", f"{kind} {name}", 1)

    def named(self, value, written):
        """An expression for a value that a definition has as `written`; what it needs is defined."""
        last = written.rpartition(".")[2]
        if isinstance(value, Self):
            return value.name
        if isinstance(value, types.ModuleType):
            return self.bind(f"import {value.__name__} as {{}}", last)
        if belongs(value, LIBRARIES) and hasattr(value, "__name__"):
            return self.bind(f"from {home(value)} import {value.__name__} as {{}}", last)
        if hasattr(value, "fn") and hasattr(value, "src"):
            return self.function(value)
        if hasattr(value, "fn") and hasattr(value, "arg_names"):  # an autotuner or heuristics around a function
            return self.named(value.fn, written)
        if isinstance(value, type):
            return self.type(value)
        if type(value).__name__ == "constexpr" and isinstance(value.value, types.FunctionType):
            return self.host_function(value.value, "@tl.constexpr\n")
        if isinstance(value, types.FunctionType):  # which such a function calls
            return self.host_function(value, "")
        text = literal(value)
        if text.startswith("tl.") and "(" not in text:
            return text
        # Triton's compiler takes no plain number from a module's names, but from the attributes of another module.
        if last != written and not text.startswith("tl.constexpr"):
            text = f"tl.constexpr({text})"
        return self.bind("{} = " + text, last)


class Self:
    """What the name of a definition means within it."""

    def __init__(self, name):
        self.name = name


LIBRARIES = {"triton", "torch", *sys.stdlib_module_names}


def home(value):
    """The module that something of a library is imported from."""
    for name in ("triton.language", "triton", value.__module__):
        if getattr(sys.modules.get(name), value.__name__, None) is value:
            return name
    raise LeftOut(f"{value.__module__} has nothing of its name")


def decorator(value):
    """The decorator that makes a function what it is, without the heuristics and autotuners around it."""
    if not hasattr(value, "params"):
        return "@triton.constexpr_function"
    options = {name: getattr(value, name, None) for name in
               ("do_not_specialize", "do_not_specialize_on_alignment", "noinline")}
    words = [f"{name}={list(v) if isinstance(v, (list, tuple, set)) else v!r}" for name, v in options.items() if v]
    return "@triton.jit" + (f"({', '.join(words)})" if words else "")


def local_names(tree):
    """The parameters and variables of a function; nothing of a class."""
    own = set()
    for node in ast.walk(tree) if isinstance(tree, ast.FunctionDef) else ():
        if isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
        elif isinstance(node, ast.FunctionDef) and node is not tree:
            own.add(node.name)
    return own


def uses(tree, own):
    """The names, with the attributes after them, that a definition reads from the module around it."""
    found = []
    for part in ast.iter_child_nodes(tree):
        # Annotations and default values are no part of the function's scope.
        outside = isinstance(part, ast.arguments) or part is getattr(tree, "returns", None)
        chains(part, set() if outside else own, found)
    return found


def chains(node, own, found):
    """Append each name that is read and not in own, with the attributes after it."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name):
        if root.id not in own and isinstance(root.ctx, ast.Load):
            found.append(node)
        return
    for child in ast.iter_child_nodes(node):
        chains(child, own, found)


def followed(node, value):
    """How far the attributes after a name lead through modules and classes of people's own: the node and its value."""
    path = []
    while isinstance(node, ast.Attribute):
        path.append(node)
        node = node.value
    while path and isinstance(value, (types.ModuleType, type, enum.Enum)) and not belongs(value, LIBRARIES):
        if not hasattr(value, path[-1].attr):
            break
        node = path.pop()
        value = getattr(value, node.attr)
    return node, value


def belongs(value, roots):
    """Whether a module, a function or a class is one of these packages'."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None) or ""
    return name.partition(".")[0] in roots


def literal(value):
    """The Python text of a constant."""
    kind = type(value).__name__
    if kind == "constexpr" and belongs(type(value), {"triton"}):
        return f"tl.constexpr({literal(value.value)})"
    if kind == "dtype" and belongs(type(value), {"triton"}):
        return "tl." + dtype_attribute(value)
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else f'float("{float(value)}")'
    if isinstance(value, str):
        return repr(str(value))
    if type(value) in (tuple, list):
        inner = ", ".join(map(literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)" if len(value) == 1 else f"({inner})"
    raise LeftOut(f"{kind} is no type of constant that is recorded")


def dtype_attribute(value):
    """The name under triton.language of a dtype."""
    import triton.language as tl
    for name, other in vars(tl).items():
        if type(other) is type(value) and other == value:
            return name
    raise LeftOut(f"the type {value} has no name in triton.language")


# Values: the arguments of a launch as JSON.


class Launch:
    """One launch while it is made."""

    def __init__(self, recorder, function, args, options, grid):
        self.recorder, self.module = recorder, Module()
        self.storages = {}  # by address and size: the index and the torch storage
        self.dtypes = {}  # by index, of those that no argument is in
        self.integers = set()  # the indices of those that tensors of 64-bit integers are in
        self.entry = {
            "kernel": self.module.function(function), "source": "", "at": caller(), "grid": sizes(grid, args),
            "options": {}, "args": [], "storages": [], "notes": [],
        }
        for name, value in args.items():
            try:
                self.entry["args"].append({"name": name, "value": self.value(value)})
            except LeftOut as e:
                raise LeftOut(f"its argument {name}: {e}") from None
        for name, value in options.items():
            if isinstance(value, (bool, int, str)):
                self.entry["options"][name] = value
            elif value is not None:
                self.entry["notes"].append(f"the option {name} is left out: a {type(value).__name__} is not recorded")
        self.module.setting("TRITON_F32_DEFAULT", os.environ.get("TRITON_F32_DEFAULT"))
        source = self.module.text()
        if "pointer_type" in source:
            self.entry["addresses"] = self.addresses()
        size = 2 * sum(s.nbytes() for _, s in self.storages.values())
        if size > recorder.left:
            raise LeftOut(f"its storages have {size >> 10} KiB before and after it, more than the option bytes leaves")
        self.entry["notes"] += self.module.notes
        self.entry["source"] = recorder.member("sources", ".py", source.encode())

    def value(self, v):
        kind = type(v).__name__
        if v is None:
            return {"none": True}
        if isinstance(v, bool):
            return {"bool": v}
        if isinstance(v, int):
            return {"int": int(v)}
        if isinstance(v, float):
            return {"float": repr(float(v))}
        if isinstance(v, str):
            return {"str": str(v)}
        if belongs(type(v), {"triton"}):
            if kind == "constexpr":
                return {"constexpr": self.value(v.value)}
            if kind == "dtype":
                return {"dtype": dtype_attribute(v)}
            if kind == "TensorWrapper":
                return {"tensor": {**self.tensor(v.base), "as": dtype_attribute(v.dtype)}}
            if kind == "TensorDescriptor":
                return {"descriptor": {"base": self.tensor(v.base), "shape": ints(v.shape), "strides": ints(v.strides),
                                       "block": ints(v.block_shape), "padding": getattr(v, "padding", "zero")}}
            if hasattr(v, "fn") and hasattr(v, "src"):
                return {"function": self.module.function(v)}
        if isinstance(v, self.recorder.torch.Tensor):
            return {"tensor": self.tensor(v)}
        if hasattr(v, "data_ptr") and hasattr(v, "dtype"):  # all that Triton asks of a pointer
            return {"tensor": self.pointer(v)}
        if isinstance(v, tuple):
            items = [self.value(x) for x in v]
            if hasattr(v, "_fields"):
                return {"named": {"type": self.module.type(type(v)), "items": items}}
            return {"tuple": items}
        raise LeftOut(f"a value of type {kind} is not recorded")

    def tensor(self, t):
        index = self.storage(t.untyped_storage())
        if str(t.dtype) in ("torch.int64", "torch.uint64"):
            self.integers.add(index)
        return {"dtype": str(t.dtype).rpartition(".")[2], "shape": ints(t.shape), "strides": ints(t.stride()),
                "offset": t.storage_offset(), "storage": index}

    def pointer(self, v):
        """Something that is no tensor and points into one, as a tensor of all elements from there on."""
        address, size = v.data_ptr(), v.dtype.itemsize
        found = storage_at(address, self.alive)
        if not found or (address - found[0].data_ptr()) % size:
            raise LeftOut(f"a {type(v).__name__} that points into no tensor")
        offset = (address - found[0].data_ptr()) // size
        return {"dtype": str(v.dtype).rpartition(".")[2], "shape": [found[0].nbytes() // size - offset], "strides": [1],
                "offset": offset, "storage": self.storage(found[0])}

    @functools.cached_property
    def alive(self):
        """The storages that an address may be in: they are looked for once a launch, and only where one is asked for."""
        return storages_alive(self.recorder.torch, self.recorder.device)

    def storage(self, storage):
        """The index of a storage in the recording."""
        key = (storage.data_ptr(), storage.nbytes())
        if key not in self.storages:
            self.storages[key] = len(self.storages), storage
        return self.storages[key][0]

    def addresses(self):
        """Which integers are addresses of tensors, whose storages are recorded as well: the kernel may go there."""
        found = []
        for index, storage in list(self.storages.values()):
            data = self.recorder.content(storage) if index in self.integers else b""
            for at, (word,) in enumerate(struct.iter_unpack("<q", data[:len(data) // 8 * 8])):
                target = storage_at(word, self.alive)
                if target:
                    count, of = len(self.storages), self.storage(target[0])
                    if of == count:
                        self.dtypes[of] = target[1]
                    found.append({"storage": index, "at": at, "of": of, "offset": word - target[0].data_ptr()})
        if not found:
            raise LeftOut("it makes pointers of integers, and none of them is in a tensor's storage")
        return found

    def save(self, when):
        """Keep the bytes of the storages as they are now."""
        for index, storage in self.storages.values():
            if when == "before":
                dtype = {"dtype": self.dtypes[index]} if index in self.dtypes else {}
                self.entry["storages"].append({"bytes": storage.nbytes(), **dtype})
            self.entry["storages"][index][when] = self.recorder.member("storages", "", self.recorder.content(storage))


def storages_alive(torch, device):
    """The storages of all tensors on a type of device, by address: the addresses in order, and a storage and its dtype
    for each."""
    alive = {}
    for value in gc.get_objects():
        with contextlib.suppress(Exception):  # of objects that are not whole, or have no storage
            # Not isinstance, which asks the object: some warn when they are asked.
            if issubclass(type(value), torch.Tensor) and value.device.type == device:
                storage = value.untyped_storage()
                if storage.nbytes():
                    alive[storage.data_ptr()] = storage, str(value.dtype).rpartition(".")[2]
    return sorted(alive), alive


def storage_at(address, alive):
    """The storage that an address is in, and its dtype; None where there is none."""
    starts, storages = alive
    i = bisect.bisect(starts, address) - 1
    if i >= 0 and address < starts[i] + storages[starts[i]][0].nbytes():
        return storages[starts[i]]
    return None


def ints(values):
    return [int(n) for n in values]


def counted(n, thing, plural):
    return f"{n} {thing}{plural if n != 1 else ''}"


def sizes(grid, args):
    """The three sizes of a grid, which may be a function of the arguments."""
    if callable(grid):
        grid = grid(args)
    return (ints(grid) + [1, 1])[:3]


def caller():
    """The file and line of the program that launches."""
    frame = sys._getframe()
    while frame:
        root = frame.f_globals.get("__name__", "").partition(".")[0]
        if frame.f_globals is not globals() and root not in ("triton", "torch"):
            return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


# Recording.


class Recorder:
    """Records launches into a file from attach to detach."""

    def __init__(self, path, launches, bytes, kernels):
        self.path, self.launches, self.left, self.kernels = path, launches, bytes, set(kernels)
        self.entries, self.counts = [], {}
        self.omitted = {}  # how many launches of a kernel were left out for a reason
        self.members, self.lock, self.paused = set(), threading.RLock(), False
        self.undo = []

    def attach(self):
        from triton.runtime.autotuner import Autotuner
        from triton.runtime.jit import JITFunction
        self.open("cuda", zipfile.ZIP_DEFLATED)
        self.replace(JITFunction, "run", self.recording)
        self.replace(Autotuner, "_bench", self.pausing)

    def open(self, device, compression):
        """Begin the file. The kernels run on a type of device."""
        import torch
        self.torch, self.device = torch, device
        self.zip = zipfile.ZipFile(self.path, "w", compression, compresslevel=1)

    def replace(self, owner, name, wrap):
        original = getattr(owner, name)
        setattr(owner, name, wrap(original))
        self.undo.append(lambda: setattr(owner, name, original))

    def detach(self):
        while self.undo:
            self.undo.pop()()
        notes = self.close()
        launches, kernels = counted(len(self.entries), "launch", "es"), counted(len(self.counts), "kernel", "s")
        print(f"newt_record: {launches} of {kernels} in {self.path}", *notes, sep="\nnewt_record: ", file=sys.stderr)

    def close(self):
        """End the file, and give its notes."""
        notes = [f"{name}: {counted(n, 'launch', 'es')} left out: {why}" for (name, why), n in self.omitted.items()]
        manifest = {"format": FORMAT, "version": VERSION, "versions": self.versions(), "launches": self.entries,
                    "notes": notes}
        self.zip.writestr("manifest.json", json.dumps(manifest, indent=1))
        self.zip.close()
        return notes

    def versions(self):
        import triton
        out = {"python": platform.python_version(), "torch": str(self.torch.__version__), "triton": triton.__version__}
        if self.torch.cuda.is_available():
            out["gpu"] = self.torch.cuda.get_device_name()
        return out

    def pausing(self, bench):
        """Autotuner._bench without recording: an autotuner launches each of its configs many times."""
        def run(*args, **kwargs):
            before, self.paused = self.paused, True
            try:
                return bench(*args, **kwargs)
            finally:
                self.paused = before
        return run

    def recording(self, run):
        """JITFunction.run, recorded. Autotuners and heuristics have chosen their arguments by then."""
        def recorded(function, *args, grid, warmup, **kwargs):
            if warmup or self.paused:
                return run(function, *args, grid=grid, warmup=warmup, **kwargs)
            with self.lock:
                launch = self.attempt(function, lambda: self.begin(function, args, kwargs, grid))
                try:
                    result = run(function, *args, grid=grid, warmup=warmup, **kwargs)
                except Exception as e:
                    self.omit(function.fn.__qualname__, f"it raised {type(e).__name__}")
                    raise
                if launch and self.attempt(function, lambda: launch.save("after") or True):
                    self.entries.append(launch.entry)
            return result
        return recorded

    def attempt(self, function, step):
        """The result of a step of recording. One that fails leaves the launch out, and the program as it is."""
        try:
            return step()
        except LeftOut as e:
            return self.omit(function.fn.__qualname__, str(e))
        except Exception as e:
            return self.omit(function.fn.__qualname__, f"{type(e).__name__} in the recorder: {e}")

    def begin(self, function, args, kwargs, grid):
        name = function.fn.__qualname__
        if self.kernels and function.fn.__name__ not in self.kernels:
            return None
        if self.counts.get(name, 0) >= self.launches:
            return self.omit(name, f"the option launches is {self.launches}")
        if self.torch.cuda.is_available() and self.torch.cuda.is_current_stream_capturing():
            return self.omit(name, "a CUDA graph is being captured")
        params = set(function.signature.parameters)
        options = {k: v for k, v in kwargs.items() if k not in params}
        bound = function.signature.bind(*args, **{k: v for k, v in kwargs.items() if k in params})
        bound.apply_defaults()
        launch = Launch(self, function, bound.arguments, options, grid)
        launch.save("before")
        self.counts[name] = self.counts.get(name, 0) + 1
        return launch

    def omit(self, name, why):
        self.omitted[name, why] = self.omitted.get((name, why), 0) + 1

    def content(self, storage):
        """The bytes of a storage, wherever it is."""
        whole = self.torch.empty(0, dtype=self.torch.uint8, device=storage.device).set_(storage)
        here = whole.cpu()
        return ctypes.string_at(here.data_ptr(), here.numel()) if here.numel() else b""

    def member(self, folder, extension, data):
        """Write data into the archive, once, and give its name there."""
        name = f"{folder}/{hashlib.sha256(data).hexdigest()[:16]}{extension}"
        if name not in self.members:
            self.members.add(name)
            self.zip.writestr(name, data)
            self.left -= len(data)
        return name


# The command line and pytest.


def options(add):
    """Declare the options by a function with the signature of ArgumentParser.add_argument."""
    add("--newt-record", metavar="FILE", default=DEFAULTS["path"], help="the .launch file that is written")
    add("--newt-launches", metavar="N", type=int, default=DEFAULTS["launches"], help="launches of one kernel")
    add("--newt-bytes", metavar="N", type=int, default=DEFAULTS["bytes"], help="bytes of storages in all")
    add("--newt-kernels", metavar="NAMES", default="", help="names of kernels, separated by commas")


def recorder_of(o):
    return to(o.newt_record, o.newt_launches, o.newt_bytes, [n for n in o.newt_kernels.split(",") if n])


def pytest_addoption(parser):
    options(parser.getgroup("newt_record").addoption)


def pytest_configure(config):
    config.newt_recording = recorder_of(config.option)
    config.newt_recording.__enter__()


def pytest_unconfigure(config):
    config.newt_recording.__exit__(None, None, None)


def main():
    parser = argparse.ArgumentParser("newt_record", description="Record the launches of Triton kernels by a script.")
    options(parser.add_argument)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    o = parser.parse_args()
    sys.argv = [o.script, *o.arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(o.script))
    with recorder_of(o):
        runpy.run_path(o.script, run_name="__main__")


if __name__ == "__main__":
    main()
