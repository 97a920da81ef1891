import importlib
import importlib.util
import os
import pkgutil
import sys
import tempfile
import types

folder = tempfile.mkdtemp()
texts = {
    "one.py": "x = 1\n",
    "pack/__init__.py": "from .deep import y\n",
    "pack/deep.py": "y = 'deep'\nname = __name__, __package__\n",
    "pack/inner/__init__.py": "",
    "pack/inner/leaf.py": "from .. import y\nfrom ..deep import name\n",
    "spaced/part.py": "p = 'part'\n",
    "lazy.py": "def __getattr__(name):\n    if name == 'made':\n        return 'made'\n    raise AttributeError(f'lazy has no {name}')\n",
    "replaced.py": "import sys\nclass M:\n    z = 'z'\nsys.modules[__name__] = M()\n",
    "fails.py": "half = 1\n1 / 0\n",
    "alone.txt": "",
}
for name, text in texts.items():
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
sys.path.insert(0, folder)


def attempt(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}".replace(folder, "FOLDER")


def where(path):
    return path and path.replace(folder, "FOLDER")


import one
print(one.x, where(one.__file__), sys.modules["one"] is one)
print(importlib.import_module("pack.deep").name, importlib.import_module(".deep", "pack").y)
print(attempt(lambda: importlib.import_module(".deep")))
print(attempt(lambda: importlib.import_module("...deep", "pack")))
print(__import__("pack.inner.leaf").__name__, __import__("pack.inner", fromlist=["leaf"]).leaf.name)
print(attempt(lambda: __import__("pack.nothing.deeper")))
print(attempt(lambda: __import__("one.x")))
print(attempt(lambda: __import__("nothing.at.all")))
try:
    import pack.absent
except ImportError as e:
    print(e.name, e.path)

import lazy
from lazy import made
print(lazy.made, made, attempt(lambda: lazy.other), hasattr(lazy, "other"))
import replaced
print(type(replaced).__name__, replaced.z)
print(attempt(lambda: __import__("fails")), "fails" in sys.modules)

spec = importlib.util.find_spec("pack.inner")
print(spec.name, spec.parent, where(spec.origin), [where(p) for p in spec.submodule_search_locations], spec.has_location)
print(importlib.util.find_spec("no_such_module"), attempt(lambda: importlib.util.find_spec("no_such.module")))
print(importlib.util.find_spec("spaced").origin, importlib.util.find_spec("one").submodule_search_locations)
print(importlib.util.resolve_name(".b", "a"), importlib.util.resolve_name("b", "a"))

spec = importlib.util.spec_from_file_location("named", os.path.join(folder, "one.py"))
module = importlib.util.module_from_spec(spec)
print(hasattr(module, "x"), module.__name__, where(module.__file__), isinstance(module, types.ModuleType))
spec.loader.exec_module(module)
print(module.x, module is one, "named" in sys.modules)
print(importlib.util.spec_from_file_location("text", os.path.join(folder, "alone.txt")))

with open(os.path.join(folder, "one.py"), "w") as f:
    f.write("x = 'changed text'\ny = 2\n")
one.kept = True
importlib.invalidate_caches()
print(importlib.reload(one) is one, one.x, one.y, one.kept)

import spaced.part
print(spaced.part.p, spaced.__file__ if hasattr(spaced, "__file__") and spaced.__file__ else None)
print([(m.name, m.ispkg) for m in pkgutil.iter_modules([folder])])
import pack
print([m.name for m in pkgutil.walk_packages(pack.__path__, "pack.")])
print(pkgutil.resolve_name("pack.deep:y"), pkgutil.resolve_name("pack.inner.leaf").__name__)
print(pkgutil.get_data("pack", "deep.py").decode().splitlines()[0])

del sys.modules["one"]
import one as again
print(again is one, again.x)
sys.modules["hidden"] = None
print(attempt(lambda: __import__("hidden")))
m = types.ModuleType("made_here", "its doc")
m.value = 3
sys.modules["made_here"] = m
from made_here import value
print(value, m.__doc__, m.__dict__["value"], "made_here" in sys.modules)
