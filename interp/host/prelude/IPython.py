"The shell of a notebook, as far as programs ask for it."
import _imp
import os
import shlex
import sys
import traceback
import types


def _run(words, apart):
    """Runs a file as __main__ with words as sys.argv, and gives its globals. A program apart imports its modules anew, and
    prints the exception that ends it."""
    module = types.ModuleType("__main__")
    module.__file__ = os.path.abspath(words[0])
    argv, hidden = sys.argv, {n: sys.modules.pop(n) for n in _imp.texts() if apart or n == "__main__"}
    sys.argv, sys.modules["__main__"] = words, module
    try:
        _imp.execute(module, module.__file__)
    except SystemExit:
        pass
    except Exception:
        if not apart:
            raise
        text = traceback.format_exc()
        own = text.find('  File "<frozen IPython>"')  # the frame of this function, which is none of the program's
        after = text.find("  File ", own + 1)
        print(text[:own] + text[after:] if 0 <= own < after else text, end="", file=sys.stderr)
    finally:
        for name in _imp.texts():
            if apart or name == "__main__":
                del sys.modules[name]
        sys.argv = argv
        sys.modules.update(hidden)
    return vars(module)


class ZMQInteractiveShell:
    def __init__(self):
        self.user_ns = vars(sys.modules["__main__"])

    def run_line_magic(self, magic_name, line="", _stack_depth=1):
        if magic_name == "run":
            found = _run([w for w in shlex.split(line) if w != "-i"], False)
            self.user_ns.update({n: v for n, v in found.items() if not n.startswith("__")})

    magic = run_line_magic

    def run_cell_magic(self, magic_name, line, cell):
        raise NotImplementedError(f"newt runs no %%{magic_name} by its name: write it as the first line of a cell")

    def system(self, cmd):
        "A command of the shell: python FILE and python -m MODULE alone."
        words, before = shlex.split(cmd), {}
        while words and "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            before[name], os.environ[name] = os.environ.get(name), value
        try:
            words = words[1:] if words and words[0] in ("python", "python3") else []
            words = [w for i, w in enumerate(words) if w not in ("-u", "-B", "-O") or i > 0]
            if words[:2] == ["-m", "pytest"]:
                import pytest
                pytest.main(words[2:])
            elif words[:1] == ["-m"] and len(words) > 1 and _imp.find(words[1]):
                _run([_imp.find(words[1])[0]] + words[2:], True)
            elif words and os.path.isfile(words[0]):
                _run(words, True)
            elif words and not words[0].startswith("-"):
                print(f"python: can't open file {os.path.abspath(words[0])!r}: [Errno 2] No such file or directory",
                      file=sys.stderr)
            else:
                import subprocess
                subprocess.run(cmd)
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value

    system_piped = system_raw = system
