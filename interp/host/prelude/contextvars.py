"Variables of a context (PEP 567). There is one thread, so a context is what copy_context().run() enters."
_missing = object()
_values = {}


class Token:
    MISSING = _missing

    def __init__(self, var, old_value):
        self.var, self.old_value, self._used = var, old_value, False


class ContextVar:
    def __init__(self, name, *, default=_missing):
        self.name, self._default = name, default

    def get(self, default=_missing):
        for value in (_values.get(self, _missing), default, self._default):
            if value is not _missing:
                return value
        raise LookupError(self)

    def set(self, value):
        token = Token(self, _values.get(self, _missing))
        _values[self] = value
        return token

    def reset(self, token):
        if token._used:
            raise RuntimeError(f"{token!r} has already been used once")
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        token._used = True
        if token.old_value is _missing:
            _values.pop(self, None)
        else:
            _values[self] = token.old_value


class Context:
    def __init__(self):
        self._held = {}

    def run(self, callable, *args, **kwargs):
        global _values
        outer, _values = _values, self._held
        try:
            return callable(*args, **kwargs)
        finally:
            _values = outer

    def copy(self):
        new = Context()
        new._held = dict(self._held)
        return new

    def __getitem__(self, var):
        return self._held[var]

    def __contains__(self, var):
        return var in self._held

    def __iter__(self):
        return iter(self._held)

    def __len__(self):
        return len(self._held)

    def get(self, var, default=None):
        return self._held.get(var, default)

    def items(self):
        return self._held.items()


def copy_context():
    new = Context()
    new._held = dict(_values)
    return new
