"Importing by a name that is computed."
import _imp
import sys

from _imp import import_module

__import__ = _imp.__import__


def invalidate_caches():
    "Nothing is kept of the folders that modules are looked for in."


def reload(module):
    "Runs the text of a module again among its own globals; a module of newt's own has none."
    name = getattr(module, "__name__", None)
    if sys.modules.get(name) is not module:
        raise ImportError(f"module {name} not in sys.modules")
    if getattr(module, "__file__", None):
        _imp.execute(module, module.__file__)
    return sys.modules[name]
