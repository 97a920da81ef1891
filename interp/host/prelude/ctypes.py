"""C's simple data types, as signatures of native functions name them. There is no native code to call: what loads or
points at some is refused where it is used."""
import struct


class _SimpleCData:
    _type_ = "q"

    def __init__(self, value=0):
        self.value = value

    def __setattr__(self, name, value):
        if name == "value":
            value = self._convert(value)
        object.__setattr__(self, name, value)

    def _convert(self, value):
        if not isinstance(value, int):
            raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
        bits = 8 * sizeof(self)
        value &= (1 << bits) - 1
        signed = self._type_.islower()
        return value - (1 << bits) if signed and value >> (bits - 1) else value

    def __repr__(self):
        return f"{type(self).__name__}({self.value!r})"


class _Float(_SimpleCData):
    def _convert(self, value):
        if not isinstance(value, (int, float)):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        return struct.unpack(self._type_, struct.pack(self._type_, value))[0]


class c_bool(_SimpleCData):
    _type_ = "?"

    def __init__(self, value=False):
        self.value = value

    def _convert(self, value):
        return bool(value)


class c_void_p(_SimpleCData):
    _type_ = "Q"

    def __init__(self, value=None):
        self.value = value

    def _convert(self, value):
        return None if not value else _SimpleCData._convert(self, value)


def _simple(name, code, base=_SimpleCData):
    return type(name, (base,), {"_type_": code, "__module__": "ctypes"})


c_int8 = c_byte = _simple("c_byte", "b")
c_uint8 = c_ubyte = _simple("c_ubyte", "B")
c_int16 = c_short = _simple("c_short", "h")
c_uint16 = c_ushort = _simple("c_ushort", "H")
c_int32 = c_int = _simple("c_int", "i")
c_uint32 = c_uint = _simple("c_uint", "I")
c_int64 = c_long = c_longlong = c_ssize_t = _simple("c_long", "l")
c_uint64 = c_ulong = c_ulonglong = c_size_t = _simple("c_ulong", "L")
c_float = _simple("c_float", "f", _Float)
c_double = _simple("c_double", "d", _Float)


def sizeof(obj):
    return struct.calcsize(obj._type_)


class _Pointer:
    _type_ = "Q"


_pointers = {}


def POINTER(type_):
    if type_ not in _pointers:
        _pointers[type_] = type("LP_" + type_.__name__, (_Pointer,), {"__module__": "ctypes"})
    return _pointers[type_]
