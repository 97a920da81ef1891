import torch as _torch
import triton.language as _language
from triton import reinterpret

TensorWrapper = type(reinterpret(_torch.empty(1, dtype=_torch.int8), _language.int8))
