"""dataclasses: classes whose methods are made of their annotations."""

import copy


class FrozenInstanceError(AttributeError):
    pass


class _MISSING_TYPE:
    pass


class _KW_ONLY_TYPE:
    pass


class _Factory:
    def __repr__(self):
        return "<factory>"


MISSING, KW_ONLY, _FACTORY = _MISSING_TYPE(), _KW_ONLY_TYPE(), _Factory()


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        return f"dataclasses.InitVar[{self.type.__name__ if isinstance(self.type, type) else repr(self.type)}]"


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = self._kind = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata, self.kw_only = {} if metadata is None else metadata, kw_only

    def __repr__(self):
        names = "name type default default_factory init repr hash compare metadata kw_only"
        return "Field(" + ",".join(f"{n}={getattr(self, n)!r}" for n in names.split()) + f",_field_type={self._kind})"

    def _optional(self):
        return self.default is not MISSING or self.default_factory is not MISSING


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def decorate(cls):
        if not isinstance(cls, type):
            raise TypeError(f"dataclass() should be called on a class, not on {type(cls).__name__}")
        if order and not eq:
            raise ValueError("eq must be true if order is true")
        cls.__dataclass_fields__ = every = _collect(cls, frozen, kw_only)
        cls.__dataclass_params__ = frozen
        listed = [f for f in every.values() if f._kind != "ClassVar"]
        own = [f for f in listed if f._kind != "InitVar"]
        compared = [f.name for f in own if f.compare]
        explicit = cls.__dict__.get("__hash__") is not None or (
            "__hash__" in cls.__dict__ and "__eq__" not in cls.__dict__)
        if init:
            _add(cls, "__init__", _init(cls, listed, frozen))
        if repr:
            _add(cls, "__repr__", _repr([f.name for f in own if f.repr]))
        if eq:
            _add(cls, "__eq__", _comparison(cls, "__eq__", "==", compared))
        if order:
            for name, op in ("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">="):
                if not _add(cls, name, _comparison(cls, name, op, compared)):
                    raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                                    "Consider using functools.total_ordering")
        if frozen:
            for name, f in ("__setattr__", _refusal(cls, "assign to")), ("__delattr__", _refusal(cls, "delete")):
                if not _add(cls, name, f):
                    raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
        # The table of hash actions in the documentation: eq without frozen makes objects unhashable.
        if unsafe_hash and explicit:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        if unsafe_hash or eq and frozen and not explicit:
            names = [f.name for f in own if (f.compare if f.hash is None else f.hash)]
            cls.__hash__ = _function(cls, "__hash__", ["self"], [f"return hash({_values('self', names)})"], {})
        elif eq and not explicit:
            cls.__hash__ = None
        if match_args:
            _add(cls, "__match_args__", tuple(f.name for f in listed if f.init and not f.kw_only))
        if slots:
            cls.__slots__ = tuple(f.name for f in own)
        return cls

    return decorate if cls is None else decorate(cls)


def _collect(cls, frozen, kw_only):
    """The fields by name: those inherited, then those that the class annotates."""
    fields = {}
    for base in cls.__mro__[-1:0:-1]:
        if "__dataclass_fields__" in getattr(base, "__dict__", ()):
            if frozen != base.__dataclass_params__:
                kinds = ("non-frozen", "a frozen") if base.__dataclass_params__ else ("frozen", "a non-frozen")
                raise TypeError("cannot inherit %s dataclass from %s one" % kinds)
            fields.update(base.__dataclass_fields__)
    annotations = cls.__dict__.get("__annotations__", {})
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    for name, annotation in annotations.items():
        # Annotations may be texts, because of from __future__ import annotations, and are then known by their words.
        words = annotation if isinstance(annotation, str) else repr(annotation)
        words = words.removeprefix("typing.").removeprefix("dataclasses.").removeprefix("t.")
        if annotation is KW_ONLY or words == "KW_ONLY":
            kw_only = True
            continue
        default = getattr(cls, name, MISSING)
        f = default if isinstance(default, Field) else field(default=default)
        if isinstance(default, Field) and f.default is MISSING:
            delattr(cls, name)  # the class's attribute is the default, not the Field
        elif isinstance(default, Field):
            setattr(cls, name, f.default)
        f.name, f.type = name, annotation
        f._kind = "ClassVar" if words.startswith("ClassVar") else "Field"
        if isinstance(annotation, InitVar) or annotation is InitVar or words.startswith("InitVar"):
            f._kind = "InitVar"
        if f._kind != "Field" and f.default_factory is not MISSING:
            raise TypeError(f"field {name} cannot have a default factory")
        if f.kw_only is MISSING:
            f.kw_only = kw_only
        if f._kind == "Field" and f.default.__class__.__hash__ is None:
            raise ValueError(f"mutable default {type(f.default)} for field {name} is not allowed: use default_factory")
        fields[name] = f
    return fields


def _add(cls, name, value):
    """Sets an attribute of the class, unless its body has."""
    if name in cls.__dict__:
        return False
    setattr(cls, name, value)
    return True


def _function(cls, name, params, body, names, returns=""):
    """A method made of its text, in which the names stand for values."""
    names["__name__"] = cls.__module__
    exec(f"def {name}({', '.join(params)}){returns}:\n" + "".join(f"  {line}\n" for line in body or ["pass"]), names)
    names[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return names[name]


def _values(owner, names):
    return "(" + "".join(f"{owner}.{n}," for n in names) + ")"


def _init(cls, fields, frozen):
    own = "self" if all(f.name != "self" for f in fields) else "__dataclass_self__"
    params, body, names, optional = [own], [], {"_set": object.__setattr__, "_FACTORY": _FACTORY}, False
    for keyword in False, True:
        taken = [f for f in fields if f.init and f.kw_only == keyword]
        if keyword and taken:
            params.append("*")
        for f in taken:
            if not keyword and optional and not f._optional():
                raise TypeError(f"non-default argument {f.name!r} follows default argument")
            optional = optional or f._optional()
            names[f"_type_{f.name}"] = f.type
            param = f"{f.name}: _type_{f.name}"
            if f.default is not MISSING:
                names[f"_default_{f.name}"] = f.default
                param += f" = _default_{f.name}"
            elif f.default_factory is not MISSING:
                param += " = _FACTORY"
            params.append(param)
    for f in fields:
        value = f.name
        if f.default_factory is not MISSING:
            names[f"_make_{f.name}"] = f.default_factory
            value = f"_make_{f.name}()" + (f" if {f.name} is _FACTORY else {f.name}" if f.init else "")
        elif not f.init:
            continue  # the default of the class, or what __post_init__ sets
        if f._kind == "Field":
            body.append(f"_set({own}, {f.name!r}, {value})" if frozen else f"{own}.{f.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append(f"{own}.__post_init__({', '.join(f.name for f in fields if f._kind == 'InitVar')})")
    return _function(cls, "__init__", params, body, names, " -> None")


def _repr(names):
    running = set()

    def __repr__(self):
        if id(self) in running:
            return "..."
        running.add(id(self))
        try:
            return f"{type(self).__qualname__}(" + ", ".join([f"{n}={getattr(self, n)!r}" for n in names]) + ")"
        finally:
            running.discard(id(self))

    return __repr__


def _comparison(cls, name, op, names):
    return _function(cls, name, ["self", "other"], [
        "if other.__class__ is self.__class__:",
        f"  return {_values('self', names)} {op} {_values('other', names)}",
        "return NotImplemented"], {})


def _refusal(cls, verb):
    """The __setattr__ or the __delattr__ of a frozen class."""
    def refuse(self, name, *value):
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot {verb} field {name!r}")
        (object.__setattr__ if value else object.__delattr__)(self, name, *value)

    return refuse


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def fields(class_or_instance):
    if not is_dataclass(class_or_instance):
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(f for f in class_or_instance.__dataclass_fields__.values() if f._kind == "Field")


def _unpacked(obj, pack):
    """A copy in which pack makes something else of the objects of dataclasses."""
    if is_dataclass(obj) and not isinstance(obj, type):
        return pack([(f.name, _unpacked(getattr(obj, f.name), pack)) for f in fields(obj)])
    if isinstance(obj, (list, tuple)):
        items = [_unpacked(v, pack) for v in obj]
        return type(obj)(*items) if hasattr(obj, "_fields") else type(obj)(items)
    if isinstance(obj, dict):
        pairs = [(_unpacked(k, pack), _unpacked(v, pack)) for k, v in obj.items()]
        return type(obj)(obj.default_factory, pairs) if hasattr(obj, "default_factory") else type(obj)(pairs)
    return copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _unpacked(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return _unpacked(obj, lambda pairs: tuple_factory([v for _, v in pairs]))


def replace(obj, /, **changes):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("replace() should be called on dataclass instances")
    for f in obj.__dataclass_fields__.values():
        if not f.init and f.name in changes:
            raise ValueError(f"field {f.name} is declared with init=False, it cannot be specified with replace()")
        if f._kind == "InitVar" and f.default is MISSING and f.name not in changes:
            raise ValueError(f"InitVar {f.name!r} must be specified with replace()")
        if f._kind == "Field" and f.init and f.name not in changes:
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    names = dict(namespace or {}, __annotations__={})
    for item in fields:
        name, annotation, *default = (item, "typing.Any") if isinstance(item, str) else item
        names["__annotations__"][name] = annotation
        if default:
            names[name] = default[0]
    return dataclass(type(cls_name, tuple(bases), names), **options)
