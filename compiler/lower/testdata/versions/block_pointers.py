import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))  # 3.7 3.8: warning name-deprecated "tl.make_block_ptr is deprecated. Use TensorDescriptor or tl.make_tensor_descriptor instead.", 3.9: error name-removed "Block pointers have been removed in favor of the tensor descriptor API"
    q = tl.make_block_ptr(base=x_ptr, shape=(n, n), strides=(n, 1), offsets=(0, 0), block_shape=(4, 4), order=(1, 0))  # 3.7 3.8: warning name-deprecated "tl.make_block_ptr is deprecated. Use TensorDescriptor or tl.make_tensor_descriptor instead.", 3.9: error name-removed "Block pointers have been removed in favor of the tensor descriptor API"
---
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    x = tl.load(x_ptr, boundary_check=())  # 3.9: error parameter-removed "load() got an unexpected keyword argument 'boundary_check'"
    x = tl.load(x_ptr, padding_option="")  # 3.9: error parameter-removed "load() got an unexpected keyword argument 'padding_option'"
    x = tl.load(x_ptr, None, None, ())  # 3.9: error parameter-removed "load() takes from 1 to 3 positional arguments but 4 were given"
    tl.store(x_ptr, 1.0, boundary_check=())  # 3.9: error parameter-removed "store() got an unexpected keyword argument 'boundary_check'"
    tl.store(x_ptr, 1.0, None, ())  # 3.9: error parameter-removed "store() takes from 2 to 3 positional arguments but 4 were given"
    x = tl.load(x_ptr, cache_modifier=".cg")
    x = tl.load(x_ptr, eviction_policy="evict_first")
    x = tl.load(x_ptr, volatile=True)
    x = tl.load(x_ptr, n > 3, 0.0)
    x = tl.load(x_ptr, mask=n > 3, other=0.0, cache_modifier=".ca")
    tl.store(x_ptr, 1.0, n > 3)
    tl.store(x_ptr, 1.0, mask=n > 3, cache_modifier=".wb")
---
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    # What is wrong with a block pointer has other words in 3.8.
    tile = x_ptr + tl.arange(0, BLOCK)
    p = tl.make_block_ptr(tile, (n,), (1,), (0,), (BLOCK,), (0,))  # 3.7 3.8: warning name-deprecated "make_tensor_descriptor instead.", 3.6 3.7: error block-pointer-base "but not a block pointer type", 3.8: error block-pointer-base "Expected `base` to be a scalar pointer type", 3.9: error name-removed "removed"
    q = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (4, 4), (1, 0))  # 3.7 3.8: warning name-deprecated "make_tensor_descriptor instead.", 3.6 3.7: error block-pointer-rank "Expected shape/strides/offsets/block_shape", 3.8: error block-pointer-rank "`shape` has length 1 but expected 2", 3.9: error name-removed "removed"
---
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))  # 3.7 3.8: warning name-deprecated "make_tensor_descriptor instead.", 3.9: error name-removed "removed"
    x = tl.load(p)
    y = tl.load(p, boundary_check=(0,), padding_option="zero")
    p = tl.advance(p, (BLOCK,))
    p = p.advance((BLOCK,))
    tl.store(p, x)
    tl.store(p, x.to(tl.float16))  # 3.6 3.7: error block-store-dtype "fp16"
