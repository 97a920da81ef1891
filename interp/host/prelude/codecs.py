"The encodings that str.encode and bytes.decode know."
import builtins

BOM_UTF8 = b"\xef\xbb\xbf"
BOM_LE = BOM_UTF16_LE = BOM_UTF16 = BOM = b"\xff\xfe"
BOM_BE = BOM_UTF16_BE = b"\xfe\xff"
BOM_UTF32_LE = BOM_UTF32 = b"\xff\xfe\x00\x00"
BOM_UTF32_BE = b"\x00\x00\xfe\xff"
_names = {"utf-8": "utf-8 utf8 u8", "ascii": "ascii us-ascii 646", "iso8859-1": "latin-1 latin1 l1 iso-8859-1 iso8859-1"}


def encode(obj, encoding="utf-8", errors="strict"):
    return obj.encode(encoding, errors)


def decode(obj, encoding="utf-8", errors="strict"):
    return obj.decode(encoding, errors)


class CodecInfo:
    def __init__(self, name):
        self.name = name

    def encode(self, input, errors="strict"):
        return input.encode(self.name, errors), len(input)

    def decode(self, input, errors="strict"):
        return bytes(input).decode(self.name, errors), len(input)


def lookup(encoding):
    wanted = encoding.lower().replace("_", "-")
    for name, others in _names.items():
        if wanted in others.split():
            return CodecInfo(name)
    raise LookupError(f"unknown encoding: {encoding}")


def getencoder(encoding):
    return lookup(encoding).encode


def getdecoder(encoding):
    return lookup(encoding).decode


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    return builtins.open(filename, mode.replace("b", "") if encoding else mode, encoding=encoding)


def iterencode(iterator, encoding, errors="strict"):
    for text in iterator:
        yield text.encode(encoding, errors)
