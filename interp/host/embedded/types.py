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
GenericAlias = type(list[int])
UnionType = type(int | str)
TracebackType = type(_traceback())


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
