"hashlib, over the hash functions of the program. An object keeps what it was fed: they cannot be copied."
_names = "md5", "sha1", "sha224", "sha256", "sha384", "sha512"
algorithms_available = set(_names)
algorithms_guaranteed = set(_names)


class HASH:
    __module__ = "_hashlib"

    def __init__(self, name, data=b""):
        self.name, self._data = name, bytearray()
        self.digest_size, self.block_size = _sizes(name)
        self.update(data)

    def update(self, data, /):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError("object supporting the buffer API required")
        self._data += data

    def digest(self):
        return _digest(self.name, bytes(self._data))

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return HASH(self.name, self._data)


def new(name, data=b"", *, usedforsecurity=True):
    if name.lower() not in _names:
        raise ValueError("unsupported hash type " + name)
    return HASH(name.lower(), data)


def _constructor(name):
    def function(string=b"", *, usedforsecurity=True):
        return HASH(name, string)

    function.__name__ = function.__qualname__ = "openssl_" + name
    return function


md5, sha1, sha224, sha256, sha384, sha512 = map(_constructor, _names)
