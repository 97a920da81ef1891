"What programs ask of the interpreter, beside its streams and its arguments."
import collections
import types

prefix = exec_prefix = base_prefix = base_exec_prefix = "/usr"
hexversion, api_version, maxunicode = 0x030C00F0, 1013, 0x10FFFF
builtin_module_names, warnoptions, meta_path, path_hooks, path_importer_cache = ("builtins", "sys"), [], [], [], {}
dont_write_bytecode, pycache_prefix = True, None
implementation = types.SimpleNamespace(name="newt", cache_tag=None, version=version_info, hexversion=hexversion)
flags = types.SimpleNamespace(debug=0, inspect=0, interactive=0, optimize=0, dont_write_bytecode=1, no_user_site=0,
                              no_site=0, ignore_environment=0, verbose=0, bytes_warning=0, quiet=0,
                              hash_randomization=0, isolated=0, dev_mode=False, utf8_mode=1, safe_path=False)
# Of binary64 (IEEE 754): 53 bits, exponents from -1021 to 1024.
float_info = collections.namedtuple(
    "float_info", "max max_exp max_10_exp min min_exp min_10_exp dig mant_dig epsilon radix rounds")(
    1.7976931348623157e308, 1024, 308, 2.2250738585072014e-308, -1021, -307, 15, 53, 2.0 ** -52, 2, 1)
# Of CPython on 64 bits: hashes of numbers are modulo the prime 2**61 - 1.
hash_info = types.SimpleNamespace(width=64, modulus=2 ** 61 - 1, inf=314159, nan=0, imag=1000003, algorithm="siphash13",
                                  hash_bits=64, seed_bits=128, cutoff=0)


def getdefaultencoding():
    return "utf-8"


getfilesystemencoding = getdefaultencoding


def getfilesystemencodeerrors():
    return "surrogateescape"


def intern(string):
    return string


def gettrace():
    return None


getprofile = gettrace


def is_finalizing():
    return False


def displayhook(value):
    if value is not None:
        print(repr(value))
