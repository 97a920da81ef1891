"""typing: names for annotations, which mean nothing when a script runs, and the few that do."""
import abc as _abc
import builtins as _builtins
import collections as _collections
import collections.abc as _containers
import functools as _functools
import sys as _sys
import types as _types
from types import GenericAlias as _Builtin, UnionType as _UnionType, _arguments, _Hint, _parameters, _substituted, _text

TYPE_CHECKING = False


class _GenericAlias(_Hint):
    "A name of typing with arguments, such as Optional[int] or List[int]; origin is what isinstance and calls mean by it."

    def __init__(self, origin, args, name=None):
        self.__origin__, self.__args__, self._name, self.__parameters__ = origin, args, name, _parameters(args)

    def __repr__(self):
        name, args = f"typing.{self._name}" if self._name else _text(self.__origin__), self.__args__
        if self.__origin__ is Union and len(args) == 2 and type(None) in args:
            name, args = "typing.Optional", [v for v in args if v is not type(None)]
        elif self.__origin__ is Literal:
            return f"{name}[{', '.join(map(repr, args))}]"
        elif self.__origin__ is _containers.Callable and args[0] is not ... and not isinstance(args[0], ParamSpec):
            return f"{name}[[{', '.join(map(_text, args[:-1]))}], {_text(args[-1])}]"
        return f"{name}[{', '.join(map(_text, args)) or '()'}]"

    def __eq__(self, other):
        if not isinstance(other, _GenericAlias) or self.__origin__ != other.__origin__:
            return self.__origin__ is Union and isinstance(other, _UnionType) and set(self.__args__) == set(other.__args__)
        if self.__origin__ is Union:
            return set(self.__args__) == set(other.__args__)
        return self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, frozenset(self.__args__) if self.__origin__ is Union else self.__args__))

    def __getitem__(self, args):
        if not self.__parameters__:
            raise TypeError(f"{self} is not a generic class")
        args = _substituted(self, args)
        return Union[args] if self.__origin__ is Union else _GenericAlias(self.__origin__, args, self._name)

    def __call__(self, *args, **kwargs):
        if self._name and isinstance(self.__origin__, type):
            raise TypeError(f"Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead")
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        if self.__origin__ is Union:
            return any(issubclass(cls, v) for v in self.__args__)
        raise TypeError("Subscripted generics cannot be used with class and instance checks")


class _SpecialForm(_Hint):
    "A name that only a type checker understands; alias makes its arguments those of the result."

    def __init__(self, name, alias=None):
        self._name, self._alias = name, alias

    def __repr__(self):
        return "typing." + self._name

    def __getitem__(self, args):
        if self._alias is None:
            raise TypeError(f"{self} is not subscriptable")
        return self._alias(self, args if isinstance(args, tuple) else (args,))

    def __call__(self, *args, **kwargs):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __instancecheck__(self, obj):
        raise TypeError(f"{self} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"{self} cannot be used with issubclass()")


def _one(form, args):
    "The result of a form that takes one type."
    if len(args) != 1:
        raise TypeError(f"{form} accepts only single type. Got {args}.")
    return _GenericAlias(form, _arguments(args), form._name)


def _several(form, args):
    return _GenericAlias(form, tuple({(type(v), v): v for v in args}.values()), form._name)


def _union(form, args):
    if not args:
        raise TypeError("Cannot take a Union of no types.")
    flat = []
    for v in _arguments(args):
        for w in v.__args__ if get_origin(v) in (Union, _UnionType) else [v]:
            if w not in flat:
                flat.append(w)
    return flat[0] if len(flat) == 1 else _GenericAlias(Union, tuple(flat), "Union")


class _Annotated(_GenericAlias):
    def __init__(self, origin, metadata):
        if isinstance(origin, _Annotated):
            origin, metadata = origin.__origin__, origin.__metadata__ + metadata
        super().__init__(origin, (origin,))
        self.__metadata__ = metadata

    def __repr__(self):
        return f"typing.Annotated[{_text(self.__origin__)}, {', '.join(map(repr, self.__metadata__))}]"


class Annotated:
    def __class_getitem__(cls, args):
        if not isinstance(args, tuple) or len(args) < 2:
            raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
        return _Annotated(*_arguments(args[:1]), args[1:])


for _name in "NoReturn Never Self LiteralString TypeAlias".split():
    globals()[_name] = _SpecialForm(_name)
for _name in "ClassVar Final TypeGuard Required NotRequired Unpack".split():
    globals()[_name] = _SpecialForm(_name, _one)
Literal, Concatenate = _SpecialForm("Literal", _several), _SpecialForm("Concatenate", _several)
Union = _SpecialForm("Union", _union)
Optional = _SpecialForm("Optional", lambda form, args: Union[_one(form, args).__args__[0], None])


class _AnyMeta(type):
    def __instancecheck__(self, obj):
        if self is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(obj)

    def __repr__(self):
        return "typing.Any" if self is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


class _Alias(_SpecialForm):
    "List and its like: another name of a class."

    def __init__(self, name, origin):
        super().__init__(name)
        self.__origin__, self.__module__ = origin, "typing"

    def __getitem__(self, args):
        args = args if isinstance(args, tuple) else (args,)
        if self.__origin__ is _containers.Callable:
            if len(args) != 2:
                raise TypeError("Callable must be used as Callable[[arg, ...], result].")
            args = (*(args[0] if isinstance(args[0], list) else args[:1]), args[1])
        return _GenericAlias(self.__origin__, _arguments(args), self._name)

    def __call__(self, *args, **kwargs):
        raise TypeError(f"Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead")

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)


for _name in "List Tuple Dict Set FrozenSet Type".split():
    globals()[_name] = _Alias(_name, getattr(_builtins, _name.lower()))
for _name in ("Iterable Iterator Generator Callable Mapping MutableMapping MutableSet Sequence MutableSequence Hashable Sized"
              " Container Collection Reversible").split():
    globals()[_name] = _Alias(_name, getattr(_containers, _name))
for _name in "Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Pattern Match".split():
    globals()[_name] = _Alias(_name, type(_name, (), {"__module__": "collections.abc"}))
AbstractSet, Deque = _Alias("AbstractSet", _containers.Set), _Alias("Deque", _collections.deque)
DefaultDict = _Alias("DefaultDict", _collections.defaultdict)
OrderedDict, Counter, ChainMap = (_Alias(_name, getattr(_collections, _name)) for _name in ("OrderedDict", "Counter", "ChainMap"))
KeysView, ValuesView, ItemsView = (_Alias(_name + "View", type(getattr({}, _name.lower())())) for _name in ("Keys", "Values", "Items"))
Text = str


class _Variable(_Hint):
    "TypeVar and its like."

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, default=None, infer_variance=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.__covariant__, self.__contravariant__ = covariant, contravariant
        self.__module__ = _sys._getframe(1).f_globals.get("__name__") if hasattr(_sys, "_getframe") else "__main__"

    def __repr__(self):
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__


class TypeVar(_Variable):
    pass


class ParamSpec(_Variable):
    args, kwargs = property(lambda self: f"{self!r}.args"), property(lambda self: f"{self!r}.kwargs")


class TypeVarTuple(_Variable):
    def __repr__(self):
        return self.__name__

    def __iter__(self):
        yield Unpack[self]


AnyStr = TypeVar("AnyStr", bytes, str)


class NewType(_Hint):
    def __init__(self, name, tp):
        self.__name__ = self.__qualname__ = name
        self.__supertype__ = tp
        self.__module__ = "__main__"

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __call__(self, x):
        return x


class ForwardRef(_Hint):
    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __eq__(self, other):
        return isinstance(other, ForwardRef) and self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"


class Generic:
    def __class_getitem__(cls, params):
        params = params if isinstance(params, tuple) else (params,)
        if cls is Generic and not all(isinstance(v, _Variable) or get_origin(v) is Unpack for v in params):
            raise TypeError("Parameters to Generic[...] must all be type variables or parameter specification variables.")
        return _GenericAlias(cls, _arguments(params))


_own = {"__module__", "__doc__", "__qualname__", "__annotations__", "__init__", "__hash__", "__slots__", "__dict__", "__weakref__",
        "__abstractmethods__", "__parameters__", "__orig_bases__", "__class_getitem__", "__init_subclass__", "__subclasshook__"}


class _ProtocolMeta(_abc.ABCMeta):
    def __call__(cls, *args, **kwargs):
        if cls.__dict__.get("_is_protocol"):
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, obj):
        if not cls.__dict__.get("_is_protocol"):
            return super().__instancecheck__(obj)
        if not cls.__dict__.get("_is_runtime_protocol"):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        return super().__instancecheck__(obj) or all(hasattr(obj, name) for name in _members(cls))

    def __subclasscheck__(cls, other):
        if cls.__dict__.get("_is_protocol") and cls.__dict__.get("_is_runtime_protocol"):
            return super().__subclasscheck__(other) or all(hasattr(other, name) for name in _members(cls))
        return super().__subclasscheck__(other)


def _members(protocol):
    "The names that objects of a protocol have."
    names = set()
    for c in protocol.__mro__:
        if c is not Protocol and c.__dict__.get("_is_protocol"):
            names.update(c.__dict__.get("__annotations__", ()), c.__dict__)
    return {name for name in names if name not in _own and not name.startswith("_is_")}


class Protocol(Generic, metaclass=_ProtocolMeta):
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._is_protocol = Protocol in cls.__bases__


def runtime_checkable(cls):
    "Lets isinstance ask whether an object has what a protocol names."
    if not isinstance(cls, type) or not cls.__dict__.get("_is_protocol"):
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {cls!r}")
    cls._is_runtime_protocol = True
    return cls


for _name in "int float index abs round bytes complex".split():
    _method = _abc.abstractmethod(lambda self: None)
    globals()["Supports" + _name.title()] = runtime_checkable(
        _ProtocolMeta("Supports" + _name.title(), (Protocol,), {"__module__": "typing", f"__{_name}__": _method}))


class IO(Generic):
    pass


class BinaryIO(IO):
    pass


class TextIO(IO):
    pass


class _NamedTupleMeta(type):
    def __new__(meta, name, bases, namespace):
        hints = namespace.get("__annotations__", {})
        defaults = []
        for field in hints:
            if field in namespace:
                defaults.append(field)
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {field} cannot follow default field"
                                f"{'s' * (len(defaults) > 1)} {', '.join(defaults)}")
        made = _collections.namedtuple(name, hints, defaults=[namespace[field] for field in defaults],
                                       module=namespace["__module__"])
        for key, v in namespace.items():
            if key not in hints and key != "__module__":
                if key in ("__new__", "__init__", "__slots__", "_fields", "_make", "_replace", "_asdict"):
                    raise AttributeError("Cannot overwrite NamedTuple attribute " + key)
                setattr(made, key, v)
        made.__annotations__, made.__orig_bases__ = hints, (NamedTuple,)
        return made


_NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {"__module__": "typing"})


class _NamedTupleBase:
    "NamedTuple: a base in a class statement, or a function."

    def __mro_entries__(self, bases):
        return (_NamedTuple,)

    def __call__(self, typename, fields=(), /, **kwargs):
        hints = dict(fields or kwargs)
        return _NamedTupleMeta(typename, (), {"__annotations__": hints, "__module__": "__main__"})

    def __repr__(self):
        return "<function NamedTuple>"


NamedTuple = _NamedTupleBase()


class _TypedDictMeta(type):
    def __new__(meta, name, bases, namespace, total=True):
        made = type.__new__(meta, name, (dict,), dict(namespace))
        hints, required = {}, set()
        for base in bases:
            hints.update(getattr(base, "__annotations__", {}))
            required.update(getattr(base, "__required_keys__", ()))
        own = namespace.get("__annotations__", {})
        required.update(k for k, v in own.items() if get_origin(v) is Required or total and get_origin(v) is not NotRequired)
        made.__annotations__, made.__total__ = {**hints, **own}, total
        made.__required_keys__ = frozenset(required)
        made.__optional_keys__ = frozenset(made.__annotations__) - made.__required_keys__
        return made

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __instancecheck__(cls, obj):
        raise TypeError("TypedDict does not support instance and class checks")


_TypedDict = type.__new__(_TypedDictMeta, "TypedDict", (), {"__module__": "typing"})


class _TypedDictBase(_NamedTupleBase):
    def __mro_entries__(self, bases):
        return (_TypedDict,)

    def __call__(self, typename, fields=(), /, *, total=True):
        return _TypedDictMeta(typename, (), {"__annotations__": dict(fields), "__module__": "__main__"}, total=total)

    def __repr__(self):
        return "<function TypedDict>"


TypedDict = _TypedDictBase()


def is_typeddict(tp):
    return isinstance(type(tp), type) and issubclass(type(tp), _TypedDictMeta)


def get_origin(tp):
    if isinstance(tp, _Annotated):
        return Annotated
    if isinstance(tp, (_GenericAlias, _Builtin, _Alias)):
        return tp.__origin__
    if isinstance(tp, _UnionType):
        return _UnionType
    return Generic if tp is Generic else None


def get_args(tp):
    if isinstance(tp, _Annotated):
        return (tp.__origin__, *tp.__metadata__)
    if not isinstance(tp, (_GenericAlias, _Builtin, _UnionType)):
        return ()
    args = tp.__args__
    if get_origin(tp) is _containers.Callable and args[0] is not ... and not isinstance(args[0], ParamSpec):
        return list(args[:-1]), args[-1]
    return args


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    classes = reversed(obj.__mro__) if isinstance(obj, type) else [obj]
    for c in classes:
        own = c.__dict__.get("__annotations__", {}) if isinstance(c, type) else getattr(c, "__annotations__", None)
        if own is None:
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
        names = globalns
        if names is None:
            module = _sys.modules.get(getattr(c, "__module__", None))
            names = getattr(c, "__globals__", None) or getattr(module, "__dict__", {})
        for name, hint in own.items():
            if hint is None:
                hint = type(None)
            hints[name] = _evaluated(hint, names, localns)
    return hints if include_extras else {name: _stripped(hint) for name, hint in hints.items()}


def _evaluated(hint, names, local):
    "A hint with texts evaluated."
    if isinstance(hint, ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        hint = eval(hint, names, local)
        return type(None) if hint is None else hint
    return _mapped(hint, lambda v: _evaluated(v, names, local))


def _stripped(hint):
    "A hint without the metadata of Annotated."
    if isinstance(hint, _Annotated) or get_origin(hint) in (Required, NotRequired):
        return _stripped(hint.__args__[0])
    return _mapped(hint, _stripped)


def _mapped(hint, function):
    if not isinstance(hint, (_GenericAlias, _Builtin)) or get_origin(hint) in (Literal, Annotated):
        return hint
    args = tuple(map(function, hint.__args__))
    if args == hint.__args__:
        return hint
    return _Builtin(hint.__origin__, args) if isinstance(hint, _Builtin) else _GenericAlias(hint.__origin__, args, hint._name)


def cast(typ, val):
    return val


def _same(function):
    return function


final = override = no_type_check = _same


def overload(func):
    def _overload_dummy(*args, **kwds):
        raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated functions outside"
                                  " a stub module should always be followed by an implementation that is not @overload-ed.")

    return _overload_dummy


def dataclass_transform(**kwargs):
    return _same


def assert_type(val, typ, /):
    return val


def reveal_type(obj, /):
    print(f"Runtime type is {type(obj).__name__!r}", file=_sys.stderr)
    return obj


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")
