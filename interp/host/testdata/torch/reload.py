import importlib
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl
from triton.runtime.interpreter import InterpretedFunction

print([m.__name__ for m in (torch, nn, F, triton, tl, importlib, os)])

for interpret in "0", "1":
    os.environ["TRITON_INTERPRET"] = interpret
    print(importlib.reload(triton) is triton)

    @triton.jit
    def kernel():
        pass

    print(isinstance(kernel, triton.runtime.jit.JITFunction),
          isinstance(kernel, InterpretedFunction), type(kernel).__name__)


class Scaled(nn.Linear):
    "A module that keeps a scale in the dtype that it was given in."

    def __init__(self, n):
        super().__init__(n, n)
        self.register_buffer("scale", torch.ones(1))

    def _apply(self, fn, recurse=True):
        scale = self.scale
        super()._apply(fn, recurse)
        print("applied", self.weight.dtype, self.scale.dtype, recurse)
        self.scale = scale
        return self


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Scaled(2), nn.Linear(2, 2)
        self.own = nn.Parameter(torch.zeros(3))


pair = Pair().half()
print([(name, p.dtype) for name, p in pair.named_parameters()], pair.first.scale.dtype)
print([p.dtype for p in pair._apply(lambda t: t.double(), recurse=False).parameters()])
