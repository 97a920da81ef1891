import sys
import time

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
_names = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"


def getLevelName(level):
    if isinstance(level, str):
        for number, name in _names.items():
            if name == level:
                return number
    return _names.get(level, f"Level {level}")


def addLevelName(level, name):
    _names[level] = name


def _level(level):
    if isinstance(level, str):
        number = getLevelName(level)
        if not isinstance(number, int):
            raise ValueError(f"Unknown level: {level!r}")
        return number
    return level


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self.name, self.levelno, self.levelname = name, level, getLevelName(level)
        self.pathname, self.filename, self.module = pathname, pathname, pathname.removesuffix(".py")
        self.lineno, self.msg, self.exc_info, self.funcName = lineno, msg, exc_info, func or "<module>"
        self.args = args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args
        self.created = time.time()
        self.msecs = 0
        self.process, self.processName, self.thread, self.threadName = 1, "MainProcess", 1, "MainThread"

    def getMessage(self):
        return str(self.msg) % self.args if self.args else str(self.msg)


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._style, self.datefmt = style, datefmt

    def formatTime(self, record, datefmt=None):
        if datefmt:
            return time.strftime(datefmt, time.localtime(record.created))
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created)) + ",000"

    def formatException(self, exc_info):
        import traceback
        return "".join(traceback.format_exception(exc_info[1])).rstrip("\n")

    def format(self, record):
        record.message = record.getMessage()
        if "asctime" in self._fmt:
            record.asctime = self.formatTime(record, self.datefmt)
        if self._style == "{":
            text = self._fmt.format(**vars(record))
        elif self._style == "$":
            import string
            text = string.Template(self._fmt).substitute(vars(record))
        else:
            text = self._fmt % vars(record)
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class _Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        self.filters.append(filter)

    def removeFilter(self, filter):
        self.filters.remove(filter)

    def filter(self, record):
        return all(f.filter(record) if hasattr(f, "filter") else f(record) for f in self.filters)


class Handler(_Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self.level, self.formatter, self.name = _level(level), None, None

    def setLevel(self, level):
        self.level = _level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or Formatter()).format(record)

    def handle(self, record):
        if self.filter(record):
            self.emit(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def flush(self):
        pass

    def close(self):
        pass


class StreamHandler(Handler):
    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream or sys.stderr

    def emit(self, record):
        self.stream.write(self.format(record) + "\n")


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        super().__init__(open(filename, mode))

    def close(self):
        self.stream.close()


class NullHandler(Handler):
    def emit(self, record):
        pass


class Logger(_Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name, self.level, self.parent, self.propagate = name, _level(level), None, True
        self.handlers, self.disabled = [], False

    def setLevel(self, level):
        self.level = _level(level)

    def getEffectiveLevel(self):
        at = self
        while at is not None:
            if at.level:
                return at.level
            at = at.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level >= max(self.getEffectiveLevel(), _disabled + 1)

    def addHandler(self, handler):
        if handler not in self.handlers:
            self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        at = self
        while at is not None:
            if at.handlers:
                return True
            at = at.parent if at.propagate else None
        return False

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if not self.isEnabledFor(level):
            return
        if exc_info is True:
            exc_info = sys.exc_info()
        elif isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), exc_info, None)
        record = LogRecord(self.name, level, getattr(sys.modules.get("__main__"), "__file__", ""), 0, msg, args, exc_info)
        for k, v in (extra or {}).items():
            setattr(record, k, v)
        if self.filter(record):
            self.callHandlers(record)

    def handle(self, record):
        if self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        at, found = self, False
        while at is not None:
            for handler in at.handlers:
                found = True
                if record.levelno >= handler.level:
                    handler.handle(record)
            at = at.parent if at.propagate else None
        if not found and record.levelno >= WARNING:
            sys.stderr.write(record.getMessage() + "\n")

    def log(self, level, msg, *args, **kwargs):
        self._log(level, msg, args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self._log(ERROR, msg, args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


class RootLogger(Logger):
    pass


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def __getattr__(self, name):
        return getattr(self.logger, name)


root = RootLogger("root", WARNING)
_loggers = {}
_disabled = 0
lastResort = StreamHandler()


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        logger = _loggers[name] = Logger(name)
        parent = root
        for other in _loggers:
            if name.startswith(other + ".") and (parent is root or len(other) > len(parent.name)):
                parent = _loggers[other]
        logger.parent = parent
        for other, below in _loggers.items():
            if other.startswith(name + ".") and (below.parent is parent):
                below.parent = logger
    return _loggers[name]


def disable(level=CRITICAL):
    global _disabled
    _disabled = level


def captureWarnings(capture):
    pass


def shutdown():
    pass


def basicConfig(*, filename=None, filemode="a", format=BASIC_FORMAT, datefmt=None, style="%", level=None, stream=None,
                handlers=None, force=False, encoding=None, errors=None):
    if force:
        root.handlers.clear()
    if not root.handlers:
        if handlers is None:
            handlers = [FileHandler(filename, filemode) if filename else StreamHandler(stream)]
        for handler in handlers:
            if handler.formatter is None:
                handler.setFormatter(Formatter(format, datefmt, style))
            root.addHandler(handler)
        if level is not None:
            root.setLevel(level)


def _onRoot(method):
    def function(msg, *args, **kwargs):
        if not root.handlers:
            basicConfig()
        getattr(root, method)(msg, *args, **kwargs)
    return function


debug, info, warning, error, critical = [_onRoot(name) for name in ("debug", "info", "warning", "error", "critical")]
exception = _onRoot("exception")
warn, fatal = warning, critical


def log(level, msg, *args, **kwargs):
    if not root.handlers:
        basicConfig()
    root.log(level, msg, *args, **kwargs)
