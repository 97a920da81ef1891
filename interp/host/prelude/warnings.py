"Warnings go to stderr, each text of a place once."
import re
import sys

defaultaction = "default"
filters = [("ignore", None, category, None, 0) for category in
           (PendingDeprecationWarning, ImportWarning, ResourceWarning)]
_said, _once, _log = set(), set(), [None]  # _log holds the list of catch_warnings(record=True)


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source

    def __str__(self):
        return (f"{{message : {self.message!r}, category : {self.category.__name__!r}, filename : {self.filename!r}, "
                f"lineno : {self.lineno}, line : {self.line!r}}}")


def formatwarning(message, category, filename, lineno, line=None):
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    return text + f"  {line.strip()}\n" if line else text


def showwarning(message, category, filename, lineno, file=None, line=None):
    (file or sys.stderr).write(formatwarning(message, category, filename, lineno, line))


def _add(filter, append):
    if filter[0] not in ("error", "ignore", "always", "default", "module", "once"):
        raise ValueError(f"invalid action: {filter[0]!r}")
    if filter in filters:
        filters.remove(filter)
    filters.insert(len(filters) if append else 0, filter)
    _said.clear()


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _add((action, re.compile(message, re.I) if message else None, _checked(category),
          re.compile(module) if module else None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    _add((action, None, _checked(category), None, lineno), append)


def resetwarnings():
    filters.clear()
    _said.clear()


def _checked(category):
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    return category


def _issue(message, category, filename, lineno, module, line):
    text = str(message)
    if not isinstance(message, Warning):
        message = category(message)
    for action, pattern, kind, modules, where in filters:
        if ((pattern is None or pattern.match(text)) and issubclass(category, kind)
                and (modules is None or modules.match(module)) and where in (0, lineno)):
            break
    else:
        action = defaultaction
    if action == "error":
        raise message
    seen, key = (_once, (text, category)) if action == "once" else (_said, (text, category, filename, lineno))
    if action == "ignore" or action != "always" and key in seen:
        return
    seen.add(key)
    if _log[0] is None:
        showwarning(message, category, filename, lineno, None, line)
    else:
        _log[0].append(WarningMessage(message, category, filename, lineno))


def warn(message, category=None, stacklevel=1, source=None, *, skip_file_prefixes=()):
    category = type(message) if isinstance(message, Warning) else _checked(category or UserWarning)
    _issue(message, category, *_place(stacklevel))


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    _issue(message, _checked(category), filename, lineno, module or filename.removesuffix(".py"), None)


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record, self._filter = record, action and (action, category, lineno, append)

    def __enter__(self):
        self._saved = filters[:], _log[0]
        _said.clear()
        if self._filter:
            simplefilter(*self._filter)
        if self._record:
            _log[0] = []
            return _log[0]

    def __exit__(self, *failure):
        filters[:], _log[0] = self._saved
        _said.clear()
