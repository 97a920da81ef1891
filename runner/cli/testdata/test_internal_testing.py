import numpy as np, pytest, torch, triton, triton.language as tl
from triton._internal_testing import *
from triton._internal_testing import (integral_dtypes, int_dtypes, str_to_triton_dtype, uint_dtypes, float_dtypes, dtypes, is_cuda,
    is_interpreter, is_hopper, is_hip, get_arch, torch_float8_dtypes, torch_dtypes, numpy_random, to_triton, torch_dtype_name, to_numpy, unwrap_tensor, requires_tma, tma_dtypes)

@triton.jit
def add(X, Y, Z, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(Z + i, tl.load(X + i) + tl.load(Y + i))

@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "float16", "float32", "bfloat16"])
def test_add(dtype, device="cuda"):
    x, y = numpy_random(32, dtype), numpy_random((32,), dtype)
    xt, yt = to_triton(x, device, dtype), to_triton(y, device, dtype)
    zt = to_triton(np.zeros_like(x), device, dtype)
    add[(1,)](xt, yt, zt, 32)
    np.testing.assert_allclose(to_numpy(zt), x + y, rtol=0.01)
    assert torch_dtype_name(zt.dtype) == dtype

@requires_tma
def test_rest():
    assert is_cuda() and is_hopper() and not is_hip() and get_arch() == "90"
    assert str_to_triton_dtype("float32") == tl.float32 and str_to_triton_dtype("bfloat16") == tl.bfloat16
    assert tma_dtypes == ['bfloat16', 'float16', 'float32', 'int16', 'int32', 'int8', 'uint16', 'uint32', 'uint8']
    assert isinstance(unwrap_tensor(triton.reinterpret(torch.zeros(4, dtype=torch.int8), tl.uint8)), torch.Tensor)
    assert numpy_random(4, "bool").dtype == bool and numpy_random(3, "int8", low=5, high=6).tolist() == [5] * 3
    with pytest.raises(RuntimeError, match="Unknown dtype"):
        numpy_random(3, "what")
