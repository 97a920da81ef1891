"Finding a module without importing it, and importing a file by its path."
import _imp
import os
import sys
import types

from importlib.machinery import BuiltinImporter, ModuleSpec, SourceFileLoader


def resolve_name(name, package):
    return _imp.resolve(name, package) if name.startswith(".") else name


def find_spec(name, package=None):
    name = resolve_name(name, package)
    parent = name.rpartition(".")[0]
    if parent:
        _imp.import_module(parent)
    if name in sys.modules and sys.modules[name] is None:
        return None
    found = _imp.find(name)
    if found is None:
        return _spec_from_meta_path(name, sys.modules[parent].__path__ if parent else None)
    file, folders = found
    if file is None and folders is None:
        return ModuleSpec(name, BuiltinImporter, origin="built-in")
    spec = ModuleSpec(name, SourceFileLoader(name, file) if file else None, origin=file, is_package=folders is not None)
    if folders is not None:
        spec.submodule_search_locations += folders
    spec.has_location = file is not None
    return spec


def _spec_from_meta_path(name, path):
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec = find and find(name, path, None)
        if spec is not None:
            return spec
    return None


def _load_from_meta_path(name, path):
    spec = _spec_from_meta_path(name, path)
    if spec is None:
        return None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return sys.modules.get(name)


def spec_from_loader(name, loader, *, origin=None, is_package=None):
    return ModuleSpec(name, loader, origin=origin, is_package=is_package)


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    location = os.path.abspath(os.fspath(location))
    if loader is None:
        if not location.endswith(".py"):
            return None
        loader = SourceFileLoader(name, location)
    spec = ModuleSpec(name, loader, origin=location)
    spec.submodule_search_locations, spec.has_location = submodule_search_locations, True
    if submodule_search_locations is None and os.path.basename(location) == "__init__.py":
        spec.submodule_search_locations = [os.path.dirname(location)]
    return spec


def module_from_spec(spec):
    module = spec.loader.create_module(spec)
    if module is None:
        module = types.ModuleType(spec.name)
        module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
        if spec.has_location:
            module.__file__ = spec.origin
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
    return module
