"What Triton's own tests share: names of dtypes, what the device is, and numbers to begin with."
import os

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numpy.random import RandomState
from triton.runtime.jit import TensorWrapper, reinterpret

int_dtypes = [f"int{n}" for n in (8, 16, 32, 64)]
uint_dtypes = [f"u{name}" for name in int_dtypes]
integral_dtypes = int_dtypes + uint_dtypes
float_dtypes = [f"float{n}" for n in (16, 32, 64)]
float_dtypes_with_bfloat16 = float_dtypes + ["bfloat16"]
dtypes = integral_dtypes + float_dtypes
dtypes_with_bfloat16 = dtypes + ["bfloat16"]
torch_float8_dtypes = ["float8_e4m3fn", "float8_e5m2"]
torch_dtypes = ["bool", *int_dtypes, "uint8", *float_dtypes_with_bfloat16]
tma_dtypes = sorted(name for name in dtypes_with_bfloat16 if "64" not in name)


def is_interpreter():
    return os.environ.get("TRITON_INTERPRET", "0") == "1"


def get_current_target():
    return None if is_interpreter() else triton.runtime.driver.active.get_current_target()


def _runs_on(backend):
    target = get_current_target()
    return target is not None and target.backend == backend


def is_cuda():
    return _runs_on("cuda")


def _generation():
    return torch.cuda.get_device_capability()[0] if is_cuda() else 0


def is_ampere_or_newer():
    return _generation() >= 8


def is_hopper_or_newer():
    return _generation() >= 9


def is_hopper():
    return _generation() == 9


def is_blackwell():
    return _generation() == 10


def is_sm12x():
    return _generation() == 12


def is_hip():
    return _runs_on("hip")


def is_xpu():
    return _runs_on("xpu")


# newt has none of AMD's GPUs.
is_hip_cdna = is_hip_cdna2 = is_hip_cdna3 = is_hip_cdna4 = is_hip
is_hip_rdna = is_hip_rdna3 = is_hip_rdna4 = is_hip_gfx1250 = is_hip


def get_arch():
    target = get_current_target()
    return "" if target is None else str(target.arch)


def numpy_random(shape, dtype_str, rs=None, low=None, high=None):
    "An array of random numbers; integers without zeros, by which tests divide."
    rs = RandomState(seed=17) if rs is None else rs
    shape = (shape,) if isinstance(shape, int) else shape
    if dtype_str in integral_dtypes:
        bits = int(dtype_str.split("int")[1]) - (dtype_str[0] == "i")
        least, most = -(2 ** bits) if dtype_str[0] == "i" else 0, 2 ** bits - 1
        least, most = least if low is None else max(low, least), most if high is None else min(high, most)
        x = rs.randint(least, most, shape, dtype=getattr(np, dtype_str))
        x[x == 0] = 1
        return x
    if dtype_str and "float8" in dtype_str:
        return rs.randint(20, 40, shape, dtype=np.int8)
    if dtype_str in float_dtypes:
        return rs.normal(0, 1, shape).astype(dtype_str)
    if dtype_str == "bfloat16":  # the upper half of each number
        bits = torch.tensor(rs.normal(0, 1, shape).astype("float32")).view(torch.int32)
        return (bits & -0x10000).view(torch.float32).numpy()
    if dtype_str in ("bool", "int1", "bool_"):
        return rs.normal(0, 1, shape) > 0.0
    raise RuntimeError(f"Unknown dtype {dtype_str}")


def to_triton(x, device, dst_type=None):
    name = x.dtype.name
    if name in uint_dtypes:
        return reinterpret(torch.tensor(x.astype(name[1:]), device=device), getattr(tl, name))
    t = torch.tensor(x, device=device)
    if dst_type and "float8" in dst_type:
        return reinterpret(t, getattr(tl, dst_type))
    return t.bfloat16() if (name, dst_type) == ("float32", "bfloat16") else t


def str_to_triton_dtype(x):
    return getattr(tl, "int1" if x == "bool" else x.replace("fp", "float") if x in ("fp16", "fp32", "fp64") else x)


def torch_dtype_name(dtype):
    if isinstance(dtype, type(tl.int8)):
        return str(dtype)
    if isinstance(dtype, torch.dtype):
        return str(dtype).removeprefix("torch.")
    raise TypeError(f"not a triton or torch dtype: {type(dtype)}")


def to_numpy(x):
    if isinstance(x, TensorWrapper):
        return x.base.cpu().numpy().astype(torch_dtype_name(x.dtype))
    if isinstance(x, torch.Tensor):
        x = x.cpu()
        return (x.float() if x.dtype is torch.bfloat16 else x).numpy()
    raise ValueError(f"Not a triton-compatible tensor: {x}")


def supports_tma(byval_only=False):
    return is_interpreter() or is_hopper_or_newer()


def supports_ws():
    return supports_tma()


def tma_skip_msg(byval_only=False):
    return "TMA needs a GPU of the Hopper generation or a later one"


requires_tma = pytest.mark.skipif(not supports_tma(), reason=tma_skip_msg())


def default_alloc_fn(size, align, _):
    return torch.empty(size, dtype=torch.int8, device="cuda")


def unwrap_tensor(t):
    return t.base if isinstance(t, TensorWrapper) else t
