import functools


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        return "namespace(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented


class _Holder:
    def method(self):
        pass


def _traceback():
    try:
        raise ValueError
    except ValueError as e:
        return e.__traceback__


FunctionType = LambdaType = type(lambda: 0)
BuiltinFunctionType = BuiltinMethodType = type(len)
MethodType = type(_Holder().method)
ModuleType = type(functools)
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(...)
CodeType = type(compile("", "", "exec"))
TracebackType = type(_traceback())


def _text(v):
    "How an argument of a type is shown: classes by their names."
    if isinstance(v, type):
        return v.__qualname__ if v.__module__ == "builtins" else f"{v.__module__}.{v.__qualname__}"
    if v is ...:
        return "..."
    if isinstance(v, (list, tuple)):
        return f"[{', '.join(map(_text, v))}]"
    return v.__name__ if isinstance(v, FunctionType) else repr(v)


def _arguments(args):
    "The arguments of a name of typing: None stands for its class, and a text for a name to be looked up."
    from typing import ForwardRef
    return tuple(NoneType if v is None else ForwardRef(v) if isinstance(v, str) else v for v in args)


def _parameters(args):
    "The type variables in the arguments of a type."
    found = []
    for v in args:
        for w in (v,) if hasattr(v, "__bound__") else getattr(v, "__parameters__", ()) if isinstance(v, _Hint) else ():
            if w not in found:
                found.append(w)
    return tuple(found)


def _substituted(alias, args):
    "The arguments of a type with others in place of its type variables."
    args = args if isinstance(args, tuple) else (args,)
    if len(args) != len(alias.__parameters__):
        few = "many" if len(args) > len(alias.__parameters__) else "few"
        raise TypeError(f"Too {few} arguments for {alias}; actual {len(args)}, expected {len(alias.__parameters__)}")
    values = dict(zip(alias.__parameters__, args))

    def replaced(v):
        if hasattr(v, "__bound__"):
            return values.get(v, v)
        own = getattr(v, "__parameters__", ()) if isinstance(v, _Hint) else ()
        return v[tuple(values.get(w, w) for w in own)] if own else v

    return tuple(map(replaced, alias.__args__))


class _Hint:
    "What stands for a type and is no class."

    def __or__(self, other):
        from typing import Union
        return Union[self, other]

    def __ror__(self, other):
        from typing import Union
        return Union[other, self]


class GenericAlias(_Hint):
    "list[int] and its like."

    def __init__(self, origin, args):
        self.__origin__, self.__args__ = origin, args if isinstance(args, tuple) else (args,)
        self.__parameters__ = _parameters(self.__args__)

    def __repr__(self):
        return f"{_text(self.__origin__)}[{', '.join(map(_text, self.__args__)) or '()'}]"

    def __eq__(self, other):
        if not isinstance(other, GenericAlias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __getitem__(self, args):
        if not self.__parameters__:
            raise TypeError(f"{self} is not a generic class")
        return GenericAlias(self.__origin__, _substituted(self, args))

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __instancecheck__(self, obj):
        raise TypeError("isinstance() argument 2 cannot be a parameterized generic")

    def __subclasscheck__(self, cls):
        raise TypeError("issubclass() argument 2 cannot be a parameterized generic")


class UnionType(_Hint):
    "int | str."

    def __init__(self, args):
        self.__args__, self.__parameters__ = args, _parameters(args)

    def __repr__(self):
        return " | ".join("None" if v is NoneType else _text(v) for v in self.__args__)

    def __eq__(self, other):
        return set(self.__args__) == set(other.__args__) if isinstance(other, UnionType) else NotImplemented

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__args__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__args__)


def _union(a, b):
    "a | b, where both are types or None."
    args = []
    for v in (a, b):
        if v is not None and not isinstance(v, (type, GenericAlias, UnionType)):
            return NotImplemented
        for w in v.__args__ if isinstance(v, UnionType) else (NoneType if v is None else v,):
            if w not in args:
                args.append(w)
    return args[0] if len(args) == 1 else UnionType(tuple(args))


class FrameType:
    "Nothing is of the classes from here on: newt shows none of the objects that CPython has them for."


class CoroutineType:
    pass


class AsyncGeneratorType:
    pass


class CellType:
    pass


GetSetDescriptorType = MemberDescriptorType = WrapperDescriptorType = MethodWrapperType = MethodDescriptorType = CellType
ClassMethodDescriptorType = CellType


def coroutine(func):
    return func


def resolve_bases(bases):
    return bases


def _generator():
    yield


GeneratorType = type(_generator())


class MappingProxyType:
    def __init__(self, mapping):
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __contains__(self, key):
        return key in self._mapping

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def __eq__(self, other):
        return self._mapping == other

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"




def new_class(name, bases=(), kwds=None, exec_body=None):
    body = {}
    if exec_body is not None:
        exec_body(body)
    kwds = dict(kwds or {})
    return kwds.pop("metaclass", type)(name, bases, body, **kwds)
