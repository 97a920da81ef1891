"The checksums of zlib."
from binascii import crc32


class error(Exception):
    pass


def adler32(data, value=1):
    a, b = value & 0xFFFF, value >> 16
    for byte in data:  # RFC 1950, 8.2: sums modulo the largest prime below 2**16
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a
