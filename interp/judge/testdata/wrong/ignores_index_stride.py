# against embedding: wrong out-of-bounds-load
# An index that is not contiguous has other numbers between its own.
import torch
import triton
import triton.language as tl


@triton.jit
def embedding_kernel(weight_ptr, index_ptr, out_ptr, width, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    row = tl.load(index_ptr + pid)
    for start in range(0, width, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < width
        tl.store(out_ptr + pid * width + cols, tl.load(weight_ptr + row * width + cols, mask=mask), mask=mask)


def embedding(weight, index):
    width = weight.shape[1]
    out = torch.empty((index.numel(), width), dtype=weight.dtype, device=weight.device)
    embedding_kernel[(index.numel(),)](weight.contiguous(), index, out, width, BLOCK=64)
    return out
