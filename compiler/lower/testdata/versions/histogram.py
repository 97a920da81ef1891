import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.histogram(i, 16)
    b = tl.histogram(i.to(tl.uint32), 16)
    c = tl.histogram(i.to(tl.int64), 16)  # 3.9: error histogram-input "histogram only supports 32-bit integer input, but got int64"
    d = tl.histogram(i.to(tl.int8), 16)  # 3.9: error histogram-input "but got int8"
    e = tl.histogram(i.to(tl.float32), 16)  # 3.6 3.7 3.8: error histogram-input "histogram only supports integer input", 3.9: error histogram-input "but got fp32"
