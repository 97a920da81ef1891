"What else inspect says of functions and classes."
import collections
import os
import types

from enum import IntEnum as _IntEnum


class _empty:
    pass


class _ParameterKind(_IntEnum):
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)

    def __str__(self):
        return self.name


class Parameter:
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _ParameterKind

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name, self.kind, self.default, self.annotation = name, _ParameterKind(kind), default, annotation

    def replace(self, **fields):
        return Parameter(**{**vars(self), **fields})

    def __eq__(self, other):
        return isinstance(other, Parameter) and vars(self) == vars(other)

    def __hash__(self):
        return hash((self.name, self.kind))

    def __str__(self):
        text = {2: "*", 4: "**"}.get(self.kind, "") + self.name
        noted = self.annotation is not _empty
        if noted:
            text += ": " + formatannotation(self.annotation)
        if self.default is not _empty:
            text += (" = " if noted else "=") + repr(self.default)
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = {p.name: p for p in parameters or ()}
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, **kwargs):
        parameters, result = _parameters(obj, _empty)
        return cls([Parameter(name, kind, default=default, annotation=annotation)
                    for name, kind, default, annotation in parameters], return_annotation=result)

    def replace(self, *, parameters=None, return_annotation=None):
        return Signature(self.parameters.values() if parameters is None else parameters,
                         return_annotation=self.return_annotation if return_annotation is None else return_annotation)

    def __eq__(self, other):
        return isinstance(other, Signature) and vars(self) == vars(other)

    def __hash__(self):
        return hash(tuple(self.parameters.values()))

    def __str__(self):
        parts, kinds = [], [p.kind for p in self.parameters.values()]
        for i, p in enumerate(self.parameters.values()):
            if p.kind == 3 and not any(kind in (2, 3) for kind in kinds[:i]):
                parts.append("*")
            parts.append(str(p))
            if p.kind == 0 and 0 not in kinds[i + 1:]:
                parts.append("/")
        noted = self.return_annotation is not _empty
        return f"({', '.join(parts)})" + (" -> " + formatannotation(self.return_annotation) if noted else "")

    def __repr__(self):
        return f"<Signature {self}>"

    def _bind(self, args, kwargs, partial):
        arguments, args = {}, list(args)
        for p in self.parameters.values():
            if p.kind == 2:
                if args:
                    arguments[p.name], args = tuple(args), []
            elif p.kind == 4:
                if kwargs:
                    arguments[p.name], kwargs = kwargs, {}
            elif args and p.kind < 2:
                if p.kind == 1 and p.name in kwargs:
                    raise TypeError(f"multiple values for argument {p.name!r}")
                arguments[p.name] = args.pop(0)
            elif p.kind != 0 and p.name in kwargs:
                arguments[p.name] = kwargs.pop(p.name)
            elif p.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {p.name!r}")
        if args:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, arguments)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    def _given(self, *kinds):
        return [(p, self.arguments[name]) for name, p in self.signature.parameters.items()
                if p.kind in kinds and name in self.arguments]

    @property
    def args(self):
        return tuple([x for p, v in self._given(0, 1, 2) for x in (v if p.kind == 2 else [v])])

    @property
    def kwargs(self):
        return {k: x for p, v in self._given(3, 4) for k, x in (v.items() if p.kind == 4 else [(p.name, v)])}

    def apply_defaults(self):
        usual = {name: {2: (), 4: {}}.get(p.kind, p.default) for name, p in self.signature.parameters.items()}
        self.arguments = {name: v for name, v in {**usual, **self.arguments}.items() if v is not _empty}

    def __repr__(self):
        return f"<BoundArguments ({', '.join(f'{name}={v!r}' for name, v in self.arguments.items())})>"


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    if not follow_wrapped or not hasattr(obj, "__wrapped__"):
        return Signature.from_callable(obj)
    s = Signature.from_callable(unwrap(obj, stop=lambda f: hasattr(f, "__signature__")))
    return s.replace(parameters=list(s.parameters.values())[1:]) if ismethod(obj) else s


def formatannotation(annotation):
    return annotation.__qualname__ if isclass(annotation) and annotation.__module__ in (
        "builtins", "__main__") else repr(annotation).removeprefix("<class '").removesuffix("'>")

FullArgSpec = collections.namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations")


def cleandoc(doc):
    "A docstring without the blank lines around it and the indentation that its lines share (PEP 257)."
    lines = doc.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getfullargspec(func):
    named, defaults, only, only_defaults, varargs, varkw, annotations = [], [], [], {}, None, None, {}
    s = signature(func)
    if s.return_annotation is not Signature.empty:
        annotations["return"] = s.return_annotation
    for name, p in s.parameters.items():
        kind = p.kind.name
        if p.annotation is not Parameter.empty:
            annotations[name] = p.annotation
        if kind == "VAR_POSITIONAL":
            varargs = name
        elif kind == "VAR_KEYWORD":
            varkw = name
        elif kind == "KEYWORD_ONLY":
            only.append(name)
            if p.default is not Parameter.empty:
                only_defaults[name] = p.default
        else:
            named.append(name)
            if p.default is not Parameter.empty:
                defaults.append(p.default)
    return FullArgSpec(named, varargs, varkw, tuple(defaults) or None, only, only_defaults or None, annotations)


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = func.__wrapped__
    return func


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def isabstract(object):
    return isclass(object) and any(getattr(getattr(object, name, None), "__isabstractmethod__", False)
                                   for name in dir(object))


def iscoroutinefunction(obj):
    return False


isasyncgenfunction = iscoroutine = isawaitable = isasyncgen = isframe = iscoroutinefunction


def istraceback(object):
    return isinstance(object, types.TracebackType)


def iscode(object):
    return isinstance(object, types.CodeType)


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return sorted(found, key=lambda pair: pair[0])


def getmro(cls):
    return cls.__mro__


def getmodule(object, _filename=None):
    import sys
    return object if ismodule(object) else sys.modules.get(getattr(object, "__module__", None))


def getsourcefile(object):
    return getfile(object)


def getabsfile(object):
    return os.path.abspath(getfile(object))


def getsourcelines(object):
    return getsource(object).splitlines(True), object.__code__.co_firstlineno if hasattr(object, "__code__") else 0


def isdatadescriptor(object):
    return isinstance(object, property) or hasattr(type(object), "__set__")


def getattr_static(obj, attr, default=Parameter.empty):
    for space in [vars(obj)] if hasattr(obj, "__dict__") else []:
        if attr in space:
            return space[attr]
    for cls in (obj if isclass(obj) else type(obj)).__mro__:
        if attr in vars(cls):
            return vars(cls)[attr]
    if default is Parameter.empty:
        raise AttributeError(attr)
    return default
