import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    s = tl.to_tensor(3)  # 3.6: error name-since "module 'triton.language' has no attribute 'to_tensor'"
    col = tl.arange(0, 16)[:, None]
    a = tl.squeeze(col, 1)  # 3.6: error name-since "module 'triton.language' has no attribute 'squeeze'"
    b = tl.unsqueeze(tl.arange(0, 16), 0)  # 3.6: error name-since "module 'triton.language' has no attribute 'unsqueeze'"
    c = tl.expect_zero(tl.zeros((16,), tl.float32), n > 3)  # 3.6 3.7: error name-since "module 'triton.language' has no attribute 'expect_zero'"
    d = tl.atomic_load(i_ptr)  # 3.6 3.7 3.8: error name-since "module 'triton.language' has no attribute 'atomic_load'"
    tl.atomic_store(i_ptr, 1)  # 3.6 3.7 3.8: error name-since "module 'triton.language' has no attribute 'atomic_store'"
    e = tl.atomic_poll(i_ptr, 1, timeout_ns=0)  # 3.6 3.7 3.8: error name-since "module 'triton.language' has no attribute 'atomic_poll'"
    tl.atomic_load(i_ptr, sem="relaxed", scope="cta")  # 3.6 3.7 3.8: error name-since "module 'triton.language' has no attribute 'atomic_load'"
    i_ptr.atomic_store(1)  # 3.6 3.7 3.8: error name-since "module 'triton.language' has no attribute 'atomic_store'"
    f = tl.expand_dims(tl.arange(0, 16), 0)
    g = tl.reshape(tl.arange(0, 16), (4, 4))
    h = tl.full((), 3, tl.int32)
    i = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [4, 16])
    j = i.load([0, 0])
    i.store([0, 0], j)
