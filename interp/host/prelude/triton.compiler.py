"""triton.compiler: kernels compiled ahead of a launch, from their signature."""
import types
import warnings
import torch
import triton.runtime.driver as _driver

_dtypes = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
           "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2, "i1": torch.bool, "i8": torch.int8,
           "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "u16": torch.uint16,
           "u32": torch.uint32, "u64": torch.uint64}
# Numbers of the types that Triton gives to numbers. None is 1, which it would make a constant, or divisible by 16.
_numbers = {"i32": 3, "i64": 2**40 + 1, "fp32": 1.5, "i1": True}


class ASTSource:
    "A kernel with the types of its parameters by name, and the values of those that are constant."

    def __init__(self, fn, signature, constexprs=None, attrs=None):
        for name in signature:
            if not isinstance(name, str):
                raise TypeError("Signature keys must be string")
        self.fn, self.name, self.ext = fn, fn.__name__, "ttir"
        self.signature, self.attrs = dict(signature), attrs or {}
        self.constants = {(fn.arg_names.index(k),) if isinstance(k, str) else k: v for k, v in (constexprs or {}).items()}

    def _argument(self, i, name):
        if (i,) in self.constants:
            return self.constants[(i,)]
        kind = self.signature[name]
        if kind[:1] == "*" and kind[1:] in _dtypes:
            return _dtypes[kind[1:]]
        if kind not in _numbers:
            raise NotImplementedError(f"newt's triton.compile takes no parameter of type {kind!r}")
        divisible = any(hint == "tt.divisibility" for hint, _ in self.attrs.get((i,), []))
        return 16 if divisible and kind == "i32" else _numbers[kind]


class CUDABackend:
    binary_ext = "cubin"

    def __init__(self, target):
        self.target = target

    def parse_options(self, opts):
        return types.SimpleNamespace(**{"num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": None, **opts})


def make_backend(target):
    return CUDABackend(target)


def compile(src, target=None, options=None, _env_vars=None):
    if isinstance(src, str):
        raise NotImplementedError("newt's triton.compile takes no file of Triton's IR")
    if not isinstance(src, ASTSource):
        raise AssertionError("source must be either AST or a filepath")
    own = _driver.active.get_current_target()
    if target is not None and (target.backend, target.arch) != (own.backend, own.arch):
        warnings.warn(f"newt compiles for its device, {own}, and not for {target}", stacklevel=2)
    chosen = {k: v for k, v in (options or {}).items() if v is not None and k in ("num_warps", "num_stages", "num_ctas", "maxnreg")}
    return src.fn.warmup(*[src._argument(i, name) for i, name in enumerate(src.fn.arg_names)], grid=(1,), **chosen)
