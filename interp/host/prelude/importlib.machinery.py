"Where a module was found, and what runs it."
import _imp
import os

SOURCE_SUFFIXES, BYTECODE_SUFFIXES, EXTENSION_SUFFIXES = [".py"], [".pyc"], []


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name, self.loader, self.origin, self.loader_state = name, loader, origin, loader_state
        self.submodule_search_locations = [] if is_package else None
        self.has_location, self.cached = False, None

    @property
    def parent(self):
        return self.name.rpartition(".")[0] if self.submodule_search_locations is None else self.name

    def __repr__(self):
        parts = [f"name={self.name!r}", f"loader={self.loader!r}"]
        if self.origin is not None:
            parts.append(f"origin={self.origin!r}")
        if self.submodule_search_locations is not None:
            parts.append(f"submodule_search_locations={self.submodule_search_locations}")
        return f"ModuleSpec({', '.join(parts)})"


class BuiltinImporter:
    "The loader of the modules that are newt's own."

    @staticmethod
    def create_module(spec):
        return _imp.import_module(spec.name)

    @staticmethod
    def exec_module(module):
        pass


class SourceFileLoader:
    def __init__(self, fullname, path):
        self.name, self.path = fullname, path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _imp.execute(module, self.path)

    def load_module(self, fullname=None):
        return _imp.load(self.name, self.path)

    def get_filename(self, fullname=None):
        return self.path

    def get_data(self, path):
        with open(path, "rb") as f:
            return f.read()

    def get_source(self, fullname=None):
        with open(self.path) as f:
            return f.read()

    def is_package(self, fullname=None):
        return os.path.basename(self.path) == "__init__.py"
