"""What newt_pytest needs of pytest, and main, which runs the tests of a module by its hooks."""
import inspect
import sys
import traceback
import types


class Failed(Exception):
    pass


def fail(reason, pytrace):
    raise Failed(reason)


def hookimpl(**order):
    return lambda hook: hook


def main(plugin, module, options):
    parser = types.SimpleNamespace(getgroup=lambda name: types.SimpleNamespace(addoption=lambda name, **words: names.append(name)))
    names = []
    plugin.pytest_addoption(parser)
    plugin.pytest_configure(types.SimpleNamespace(option=types.SimpleNamespace(
        **{name[2:].replace("-", "_"): options.get(name) for name in names})))
    print(plugin.pytest_report_header())
    for name, test in inspect.getmembers(__import__(module), inspect.isfunction):
        if name.startswith("test_"):
            run(plugin, name, test)
    plugin.pytest_terminal_summary(types.SimpleNamespace(section=lambda title: print("=", title), line=print))
    plugin.pytest_unconfigure()


def run(plugin, name, test):
    item = types.SimpleNamespace(user_properties=[])
    plugin.pytest_runtest_protocol(item)
    for when, steps in {"setup": [plugin.pytest_runtest_setup], "call": [test, plugin.pytest_runtest_call],
                        "teardown": [plugin.pytest_runtest_teardown]}.items():
        try:
            for step in steps:
                step()
        except Failed as e:
            print(f"{name}: {when} failed: {e}")
        except Exception as e:
            frames = [f"{f.name}:{f.lineno}" for f in traceback.extract_tb(e.__traceback__) if f.name.startswith("test_")]
            print(f"{name}: {when}, {' '.join(frames)}: {type(e).__module__}.{type(e).__name__}: {e}")
        plugin.pytest_runtest_logreport(types.SimpleNamespace(when=when, nodeid=name, user_properties=item.user_properties))


if __name__ == "__main__":
    sys.modules["pytest"] = sys.modules["__main__"]
    main(__import__("newt_pytest"), sys.argv[1], dict(word.split("=") for word in sys.argv[2:]))
