import torch


def assert_size_stride(item, size, stride, op_name=None):
    if tuple(item.shape) == tuple(size) and all(
            n == 1 or have == want for n, have, want in zip(size, item.stride(), stride)):
        return
    if item.dim() != len(size):
        raise AssertionError(f"wrong number of dimensions {item.dim()}!={len(size)}"
                             + (f" for op: {op_name}" if op_name else ""))
    wrong = [f"expected size {have}=={want}, stride {step}=={expected} at dim={i}" for i, (have, want, step, expected)
             in enumerate(zip(item.shape, size, item.stride(), stride))
             if have != want or have != 1 and step != expected]
    raise AssertionError("\n".join(wrong))


def assert_alignment(item, alignment, op_name=None):
    if item.data_ptr() % alignment:
        raise AssertionError("Expect the tensor to be " + str(alignment) + " bytes aligned. Fail due to storage_offset="
                             f"{item.storage_offset()} itemsize={item.element_size()}")


def _empty_strided(device):
    return lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device=device)


_empty_strided_cpu, _empty_strided_cuda = _empty_strided("cpu"), _empty_strided("cuda")
_empty_strided_cpu_pinned = _empty_strided_cpu


def _empty_strided_xpu(size, stride, dtype):
    raise NotImplementedError("newt has the devices cpu and cuda")


_empty_strided_mtia = _empty_strided_xpu


def _reinterpret_tensor(tensor, size, stride, offset_increment=0):
    return torch.as_strided(tensor, size, stride, tensor.storage_offset() + offset_increment)
