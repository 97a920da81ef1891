import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    a = tl.topk(i, 4)
    b = tl.topk(i, 4, descending=False)  # 3.6: error parameter-since "topk() got an unexpected keyword argument 'descending'", 3.7: error parameter-since "got an unexpected keyword argument 'descending'"
    c = tl.cat(i, i, True)
    d = tl.cat(i, i, True, dim=0)  # 3.6: error parameter-since "cat() got an unexpected keyword argument 'dim'"
    e = tl.cat(i, i, can_reorder=True)
    f = tl.softmax(x, 0)
    g = tl.softmax(x, 0, True)  # 3.9: error parameter-by-name "too many positional arguments"
    h = tl.softmax(x, dim=0, keep_dims=True)
    j = tl.softmax(x, 0, ieee_rounding=True)
    k = tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16))
    m = tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), out_dtype=tl.float16)
    o = tl.histogram(i, 16)
    q = tl.flip(i, 0)
    r = tl.sort(i)
    s = tl.sum(i, 0)
    t = tl.max(x, axis=0)
    u = tl.where(i < n, i, 0)
    v = tl.permute(tl.reshape(i, (4, 4)), 1, 0)
