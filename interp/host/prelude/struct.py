"Values as bytes, as C lays them out on 64-bit Linux."
from functools import lru_cache as _lru_cache
from operator import index as _index

# The bytes of each letter in native formats. Elsewhere l and L have four, and there is no n, N or P.
_SIZES = {"x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 8, "L": 8, "q": 8, "Q": 8,
          "n": 8, "N": 8, "P": 8, "e": 2, "f": 4, "d": 8, "s": 1, "p": 1}


class error(Exception):
    pass


@_lru_cache(100)
def _parse(format):
    "The fields of a format, as tuples of letter, count, size and offset; the size of all; the order of the bytes."
    text = format.decode() if isinstance(format, bytes) else format
    native, order, fields, size, count = True, "little", [], 0, ""
    if text and text[0] in "@=<>!":
        native, order, text = text[0] == "@", "big" if text[0] in ">!" else "little", text[1:]
    for c in text:
        if c in "0123456789":
            count += c
            continue
        if c.isspace() and not count:
            continue
        if c not in _SIZES or not native and c in "nNP":
            raise error("bad char in struct format")
        width = 4 if not native and c in "lL" else _SIZES[c]
        if native:  # its fields are aligned
            size = -(-size // width) * width
        fields.append((c, int(count or 1), width, size))
        size += int(count or 1) * width
        count = ""
    if count:
        raise error("repeat count given without format specifier")
    return fields, size, order


def _packed(c, v, width, order):
    if c == "c":
        if not isinstance(v, bytes) or len(v) != 1:
            raise error("char format requires a bytes object of length 1")
        return v
    if c == "?":
        return bytes([bool(v)])
    try:
        v = _index(v)
    except TypeError:
        raise error("required argument is not an integer") from None
    low, high = (-1 << 8 * width - 1, (1 << 8 * width - 1) - 1) if c.islower() else (0, (1 << 8 * width) - 1)
    if not low <= v <= high:
        if width == 8:  # CPython converts to a C type first, and reports the overflow of that
            raise error("int too large to convert")
        raise error(f"{ {'b': 'byte', 'B': 'ubyte'}.get(c, repr(c)) } format requires {low} <= number <= {high}")
    return v.to_bytes(width, order, signed=c.islower())


def calcsize(format, /):
    return _parse(format)[1]


def pack(format, /, *values):
    fields, size, order = _parse(format)
    expected = sum(1 if c in "sp" else 0 if c == "x" else count for c, count, _, _ in fields)
    if len(values) != expected:
        raise error(f"pack expected {expected} items for packing (got {len(values)})")
    out, values = bytearray(size), iter(values)
    for c, count, width, at in fields:
        if c in "sp":
            v = next(values)
            if not isinstance(v, (bytes, bytearray)):
                raise error(f"argument for '{c}' must be a bytes object")
            if c == "p":  # its length goes before it
                v = bytes([max(min(len(v), count - 1, 255), 0)]) + v
            v = v[:count]
            out[at:at + len(v)] = v
        elif c in "efd":
            try:
                out[at:at + count * width] = _floats([next(values) for _ in range(count)], width, order == "big")
            except TypeError:
                raise error("required argument is not a float") from None
        elif c != "x":
            for i in range(at, at + count * width, width):
                out[i:i + width] = _packed(c, next(values), width, order)
    return bytes(out)


def pack_into(format, buffer, offset, /, *values):
    data = pack(format, *values)
    if not isinstance(buffer, bytearray) or offset < 0 or offset + len(data) > len(buffer):
        raise error(f"pack_into requires a buffer of at least {offset + len(data)} bytes for packing {len(data)} bytes at "
                    f"offset {offset} (actual buffer size is {len(buffer)})")
    buffer[offset:offset + len(data)] = data


def _unpack(fields, order, buffer):
    out = []
    for c, count, width, at in fields:
        if c == "s":
            out.append(buffer[at:at + count])
        elif c == "p":
            out.append(buffer[at + 1:at + count][:buffer[at]])
        elif c == "c":
            out += [buffer[i:i + 1] for i in range(at, at + count)]
        elif c == "?":
            out += [bool(x) for x in buffer[at:at + count]]
        elif c != "x":
            kind = "f" if c in "efd" else "i" if c.islower() else "u"
            out += _numbers(buffer[at:at + count * width], kind, width, order == "big")
    return tuple(out)


def unpack(format, buffer, /):
    (fields, size, order), buffer = _parse(format), _bytes(buffer)
    if len(buffer) != size:
        raise error(f"unpack requires a buffer of {size} bytes")
    return _unpack(fields, order, buffer)


def unpack_from(format, /, buffer, offset=0):
    (fields, size, order), buffer = _parse(format), _bytes(buffer)
    if offset < 0 or offset + size > len(buffer):
        raise error(f"unpack_from requires a buffer of at least {offset + size} bytes for unpacking {size} bytes at "
                    f"offset {offset} (actual buffer size is {len(buffer)})")
    return _unpack(fields, order, buffer[offset:offset + size])


def iter_unpack(format, buffer, /):
    (fields, size, order), buffer = _parse(format), _bytes(buffer)
    if size == 0 or len(buffer) % size:
        raise error(f"iterative unpacking requires a buffer of a multiple of {size} bytes")
    return (_unpack(fields, order, buffer[at:at + size]) for at in range(0, len(buffer), size))


class Struct:
    def __init__(self, format):
        self.format, self.size = format, calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def pack_into(self, buffer, offset, *values):
        pack_into(self.format, buffer, offset, *values)

    def unpack(self, buffer):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer):
        return iter_unpack(self.format, buffer)
