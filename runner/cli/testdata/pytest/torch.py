"""What newt_pytest needs of torch, with tensors of float32 and int32 in memory of ctypes."""
import ctypes
import types

__version__ = "2.0.0"
cuda = types.SimpleNamespace(is_available=lambda: False)


class dtype:
    def __init__(self, name, element):
        self.name, self.element = name, element

    def __str__(self):
        return "torch." + self.name


float32, int32, uint8 = dtype("float32", ctypes.c_float), dtype("int32", ctypes.c_int32), dtype("uint8", ctypes.c_uint8)


class UntypedStorage:
    def __init__(self, memory):
        self.memory, self.device = memory, types.SimpleNamespace(type="cpu")

    def data_ptr(self):
        return ctypes.addressof(self.memory)

    def nbytes(self):
        return ctypes.sizeof(self.memory)


class Tensor:
    def __init__(self, values=(), dtype=float32, device="cpu"):
        self.memory, self.dtype, self.offset = (dtype.element * len(values))(*values), dtype, 0
        self.shape, self.device = (len(values),), types.SimpleNamespace(type="cpu")

    def set_(self, storage):
        self.memory, self.shape = storage.memory, (storage.nbytes(),)
        return self

    def cpu(self):
        return self

    def numel(self):
        return self.shape[0]

    def stride(self):
        return (1,)

    def storage_offset(self):
        return self.offset

    def data_ptr(self):
        return ctypes.addressof(self.memory) + self.offset * ctypes.sizeof(self.dtype.element)

    def untyped_storage(self):
        return UntypedStorage(self.memory)

    def __getitem__(self, index):
        out = Tensor.__new__(Tensor)
        vars(out).update(vars(self), offset=self.offset + index.start, shape=(index.stop - index.start,))
        return out

    def tolist(self):
        return list(self.memory[self.offset:self.offset + self.shape[0]])


def empty(n, dtype=float32, device="cpu"):
    return Tensor([0] * n, dtype)
