"The modules of packages."
import collections
import os
import sys

ModuleInfo = collections.namedtuple("ModuleInfo", "module_finder name ispkg")


def iter_modules(path=None, prefix=""):
    seen = {"__init__"}
    for folder in sys.path if path is None else path:
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            name, dot, _ = entry.partition(".py")
            inside = os.path.join(folder, entry, "__init__.py")
            package = os.path.isfile(inside)
            if name not in seen and name.isidentifier() and (package or entry == name + ".py"):
                seen.add(name)
                yield ModuleInfo(None, prefix + name, package)


def walk_packages(path=None, prefix="", onerror=None):
    for info in iter_modules(path, prefix):
        yield info
        if info.ispkg:
            try:
                __import__(info.name)
            except ImportError:
                if onerror is not None:
                    onerror(info.name)
            else:
                yield from walk_packages(sys.modules[info.name].__path__, info.name + ".", onerror)


def extend_path(path, name):
    return path


def get_data(package, resource):
    __import__(package)
    with open(os.path.join(os.path.dirname(sys.modules[package].__file__), resource), "rb") as f:
        return f.read()


def resolve_name(name):
    module, colon, attributes = name.partition(":")
    if colon:
        __import__(module)
        found, parts = sys.modules[module], attributes.split(".") if attributes else []
    else:
        parts = name.split(".")
        path = parts.pop(0)
        found = __import__(path)
        while parts:
            path += "." + parts[0]
            try:
                __import__(path)
            except ImportError:
                break
            found = sys.modules[path]
            parts.pop(0)
    for part in parts:
        found = getattr(found, part)
    return found
