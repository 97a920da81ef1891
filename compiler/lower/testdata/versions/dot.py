import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    a = tl.zeros((16, 16), tl.float16)
    b = tl.zeros((16, 16), tl.float16)
    half = tl.zeros((16, 16), tl.float16)
    full = tl.zeros((16, 16), tl.float32)
    c = tl.dot(a, b)
    d = tl.dot(a, b, full)
    e = tl.dot(a, b, acc=full)
    f = tl.dot(a, b, half)  # 3.6 3.7: error dot-acc-type "the accumulator `half` is fp16"
    g = tl.dot(a, b, half, out_dtype=tl.float16)
    h = tl.dot(a, b, out_dtype=tl.float32)
    i8 = tl.zeros((32, 32), tl.int8)
    i32 = tl.zeros((32, 32), tl.int32)
    j = tl.dot(i8, i8)
    m = tl.dot(i8, i8, i32, out_dtype=tl.int32)
