"The files beside the modules of a package."
import _imp
import pathlib


def files(anchor):
    module = _imp.import_module(anchor) if isinstance(anchor, str) else anchor
    if getattr(module, "__path__", None):
        return pathlib.Path(module.__path__[0])
    return pathlib.Path(module.__file__).parent


def is_resource(package, name):
    return (files(package) / name).is_file()


def open_text(package, resource, encoding="utf-8", errors="strict"):
    return open(files(package) / resource, encoding=encoding)


def open_binary(package, resource):
    return open(files(package) / resource, "rb")


def read_text(package, resource, encoding="utf-8", errors="strict"):
    return (files(package) / resource).read_text()


def read_binary(package, resource):
    return (files(package) / resource).read_bytes()
