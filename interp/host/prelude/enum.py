"Classes whose objects are named constants: what the body of such a class assigns are its members."
from operator import and_ as _and, invert as _invert, or_ as _or, xor as _xor

Enum = None  # until EnumType has made it
_ENUMS = """__repr__ __str__ __format__ __or__ __ror__ __and__ __rand__ __xor__ __rxor__ __invert__""".split()


class auto:
    pass


def _is_method(v):
    return hasattr(v, "__get__") or isinstance(v, type)


def _is_single(n):
    return n > 0 and n & n - 1 == 0


class EnumType(type):
    "_member_map_ has the members by name, aliases too, _member_names_ those that iteration gives."

    def __new__(metacls, name, bases, namespace, **kwds):
        members = {key: v for key, v in namespace.items()
                   if not (key[0] == key[-1] == "_" or key.startswith(f"_{name}__") or _is_method(v))}
        cls = super().__new__(metacls, name, bases, {k: v for k, v in namespace.items() if k not in members}, **kwds)
        type.__setattr__(cls, "_member_map_", {})
        type.__setattr__(cls, "_member_names_", [])
        type.__setattr__(cls, "_value2member_map_", {})
        if Enum is None:
            return cls
        for base in bases:
            if getattr(base, "_member_map_", None):
                raise TypeError(f"<enum {name!r}> cannot extend {base!r}")
        mixin = next((c for c in cls.__mro__ if c.__module__ == "builtins" and c is not object), None)
        for name in _ENUMS if mixin else ():  # those of the other base go before the enum's in the order of classes
            if name not in namespace and getattr(cls, name, 0) is getattr(mixin, name, 1) and hasattr(bases[-1], name):
                type.__setattr__(cls, name, getattr(bases[-1], name))
        custom, values = namespace.get("__new__"), []
        for key, v in members.items():
            if isinstance(v, auto):
                v = cls._generate_next_value_(key, 1, len(values), values[:])
            values.append(v)
            args = v if isinstance(v, tuple) and mixin is not tuple else (v,)
            if custom or mixin:
                member = (custom or mixin.__new__)(cls, *args)
                if not hasattr(member, "_value_"):
                    member._value_ = mixin(*args) if mixin else v
            else:
                member = object.__new__(cls)
                member._value_ = v
            member._name_ = key
            member.__init__(*args)
            cls._add(member)
        return cls

    def _add(cls, member):
        "Adds a member, or an alias for the one with its value."
        name, same = member._name_, [m for m in cls._member_map_.values() if m._value_ == member._value_]
        if same:
            member = same[0]
        elif not issubclass(cls, Flag or ()) or _is_single(member._value_):
            cls._member_names_.append(name)
        cls._member_map_[name] = member
        type.__setattr__(cls, name, member)

    def _find(cls, value):
        "The member with a value."
        if type(value) is cls:
            return value
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:  # of what has no hash
            pass
        member = next((m for m in cls._member_map_.values() if m._value_ == value), None)
        if member is None:
            member = cls._missing_(value)
        if member is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        if type(member) is not cls:
            raise TypeError(f"error in {cls.__name__}._missing_: returned {member!r} instead of None or a valid member")
        try:
            cls._value2member_map_[value] = member
        except TypeError:
            pass
        return member

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if cls._member_map_:
            return cls._find(value)
        if names is None:
            raise TypeError(f"{cls!r} has no members; specify `names=()` if you meant to create a new, empty, enum")
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        body, last = {"__module__": module or cls.__module__}, []
        for entry in names.items() if hasattr(names, "items") else names:
            name, v = (entry, cls._generate_next_value_(entry, start, len(last), last[:])) if isinstance(entry, str) else entry
            last.append(v)
            body[name] = v
        return EnumType(value, (cls,) if type is None else (type, cls), body)

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        return type(value) is cls or any(m._value_ == value for m in cls._member_map_.values())

    def __getitem__(cls, name):
        return cls._member_map_[name]

    @property
    def __members__(cls):
        return dict(cls._member_map_)

    def __setattr__(cls, name, value):
        if name in cls._member_map_:
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __repr__(cls):
        return f"<flag {cls.__name__!r}>" if issubclass(cls, Flag or ()) else f"<enum {cls.__name__!r}>"


EnumMeta = EnumType
Flag = None


class Enum(metaclass=EnumType):
    name = property(lambda self: self._name_)
    value = property(lambda self: self._value_)

    def __init__(self, *args):
        pass

    def _generate_next_value_(name, start, count, last_values):
        numbers = [v for v in last_values if isinstance(v, int)]
        return max(numbers) + 1 if numbers else start

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, format_spec):
        return format(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    "An Enum whose str and format are those of its other base."


class IntEnum(int, ReprEnum):
    __str__, __format__ = int.__repr__, int.__format__


class StrEnum(str, ReprEnum):
    __str__, __format__ = str.__str__, str.__format__

    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


def _operation(f):
    def operate(self, other):
        n = other._value_ if type(other) is type(self) else other if isinstance(self, int) else None
        return type(self)(f(self._value_, n)) if isinstance(n, int) else NotImplemented

    return operate


class Flag(Enum):
    def _generate_next_value_(name, start, count, last_values):
        "The next power of two above the highest bit that is used."
        return 1 << max(last_values).bit_length() if last_values else start

    @classmethod
    def _missing_(cls, value):
        "The combination of flags with some bits."
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = 0
        for m in cls._member_map_.values():
            known |= m._value_
        if value < 0:  # the complement within the flags that exist
            return cls(known & value)
        rest = value & ~known
        if rest and not issubclass(cls, int):
            width = max(value.bit_length(), known.bit_length())
            raise ValueError(f"{cls!r} invalid value {value}\n    given 0b0 {value:0{width}b}\n"
                             f"  allowed 0b0 {known:0{width}b}")
        names = [m._name_ for m in cls if m._value_ & value]
        flags = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        flags._value_ = value
        flags._name_ = "|".join(names + [str(rest)] * (rest > 0)) if names else None
        return flags

    def __repr__(self):
        name = type(self).__name__
        return f"<{name}: {self._value_!r}>" if self._name_ is None else f"<{name}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        name = type(self).__name__
        return f"{name}({self._value_!r})" if self._name_ is None else f"{name}.{self._name_}"

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return (m for m in type(self) if m._value_ & self._value_)

    def __len__(self):
        return self._value_.bit_count()

    def __bool__(self):
        return bool(self._value_)

    def __invert__(self):
        return type(self)(~self._value_)

    __or__ = __ror__ = _operation(_or)
    __and__ = __rand__ = _operation(_and)
    __xor__ = __rxor__ = _operation(_xor)


class IntFlag(int, ReprEnum, Flag):
    __str__, __format__ = int.__repr__, int.__format__


def unique(enumeration):
    same = [f"{name} -> {m.name}" for name, m in enumeration.__members__.items() if name != m.name]
    if same:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(same)}")
    return enumeration
