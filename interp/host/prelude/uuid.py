"Universally unique identifiers: RFC 9562."
import hashlib
import random

RESERVED_NCS, RFC_4122, RESERVED_MICROSOFT, RESERVED_FUTURE = [
    "reserved for NCS compatibility", "specified in RFC 4122", "reserved for Microsoft compatibility",
    "reserved for future definition"]


class UUID:
    __slots__ = ("int", "is_safe", "__weakref__")

    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(hex, 16)
        if bytes_le is not None:
            if len(bytes_le) != 16:
                raise ValueError("bytes_le is not a 16-char string")
            bytes = bytes_le[3::-1] + bytes_le[5:3:-1] + bytes_le[7:5:-1] + bytes_le[8:]
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int.from_bytes(bytes, "big")
        if fields is not None:
            if len(fields) != 6:
                raise ValueError("fields is not a 6-tuple")
            int = 0
            for i, (value, width) in enumerate(zip(fields, _WIDTHS)):
                if not 0 <= value < 1 << width:
                    raise ValueError(f"field {i + 1} out of range (need a {width}-bit value)")
                int = int << width | value
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            int = int & ~(0xc000 << 48 | 0xf000 << 64) | 0x8000 << 48 | version << 76
        object.__setattr__(self, "int", int)
        object.__setattr__(self, "is_safe", is_safe)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __repr__(self):
        return f"{self.__class__.__name__}({str(self)!r})"

    def __str__(self):
        return "-".join(self.hex[i:j] for i, j in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def bytes_le(self):
        b = self.bytes
        return b[3::-1] + b[5:3:-1] + b[7:5:-1] + b[8:]

    @property
    def fields(self):
        return tuple(self.int >> 128 - sum(_WIDTHS[:i + 1]) & (1 << width) - 1 for i, width in enumerate(_WIDTHS))

    @property
    def time(self):
        return (self.time_hi_version & 0x0fff) << 48 | self.time_mid << 32 | self.time_low

    @property
    def clock_seq(self):
        return (self.clock_seq_hi_variant & 0x3f) << 8 | self.clock_seq_low

    @property
    def hex(self):
        return "%032x" % self.int

    @property
    def urn(self):
        return f"urn:uuid:{self}"

    @property
    def variant(self):
        top = self.int >> 61 & 7
        return RESERVED_NCS if top < 4 else RFC_4122 if top < 6 else RESERVED_MICROSOFT if top == 6 else RESERVED_FUTURE

    @property
    def version(self):
        return self.int >> 76 & 0xf if self.variant == RFC_4122 else None


_int, _WIDTHS = int, (32, 16, 16, 8, 8, 48)
_random = random.Random()  # whose draws are no one else's
for _i, _name in enumerate("time_low time_mid time_hi_version clock_seq_hi_variant clock_seq_low node".split()):
    setattr(UUID, _name, property(lambda self, i=_i: self.fields[i]))

NAMESPACE_DNS, NAMESPACE_URL, NAMESPACE_OID, NAMESPACE_X500 = [
    UUID(f"6ba7b81{i}-9dad-11d1-80b4-00c04fd430c8") for i in (0, 1, 2, 4)]


def uuid3(namespace, name):
    return UUID(bytes=hashlib.md5(namespace.bytes + _encoded(name)).digest(), version=3)


def uuid4():
    return UUID(int=_random.getrandbits(128), version=4)


def uuid5(namespace, name):
    return UUID(bytes=hashlib.sha1(namespace.bytes + _encoded(name)).digest()[:16], version=5)


def _encoded(name):
    return bytes(name, "utf-8") if isinstance(name, str) else name
