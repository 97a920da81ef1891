"What else inspect says of functions and classes."
import collections
import os
import types

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
