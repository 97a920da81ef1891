# Parameters are pointers by what is loaded and stored, however the address is made.
import triton
import triton.language as tl


@triton.jit
def through_local(q, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p_q = q + i
    tl.store(o + i, tl.load(p_q, mask=i < n), mask=i < n)


@triton.jit
def augmented(q, o, stride, B: tl.constexpr):
    pid = tl.program_id(0)
    q += pid * stride
    o += pid * stride
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(q + i))


@triton.jit
def in_loop(a, b, c, K, B: tl.constexpr):
    i = tl.arange(0, B)
    pa = a + i[:, None] * K + i[None, :]
    pb = b + i[:, None] * K + i[None, :]
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, B)):
        acc += tl.dot(tl.load(pa), tl.load(pb))
        pa += B
        pb += B * K
    tl.store(c + i[:, None] * K + i[None, :], acc)


@triton.jit
def rows(base, row, stride, i):
    return base + row * stride + i


@triton.jit
def read(p, i, n):
    return tl.load(p + i, mask=i < n, other=0.0)


@triton.jit
def through_helpers(x, y, n, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    v = read(x, i, n)
    tl.store(rows(y, tl.program_id(0), stride, i), v, mask=i < n)


@triton.jit
def tuples(x, y, z, B: tl.constexpr):
    i = tl.arange(0, B)
    px, py = x + i, y + i
    both = (px, py)
    tl.store(z + i, tl.load(both[0]) + tl.load(both[1]))


@triton.jit
def choice(x, y, z, which, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x if which > 0 else y
    tl.store(z + i, tl.load(p + i))


@triton.jit
def offset_first(x, z, first, B: tl.constexpr):
    start = tl.program_id(0) * B
    i = start + tl.arange(0, B)
    tl.store(i + z, tl.load(first + i + x))


@triton.jit
def optional(x, z, bias=None, B: tl.constexpr = 64):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if bias is not None:
        v += tl.load(bias + i)
    tl.store(z + i, v)


@triton.jit
def by_element_type(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.zeros((B,), dtype=z.dtype.element_ty)
    tl.store(z + i, v + tl.load(x + i).to(z.dtype.element_ty))


@triton.jit
def no_pointer(z, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(z + i, tl.load(i))  # error: not-a-pointer "and `i` is int32"


# What a table of addresses holds is int64, which its use does not tell.
@triton.jit
def addresses(table, address, z, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float16))
    y = address.to(tl.pointer_type(tl.float16))
    tl.store(z + i, tl.load(x + i) + tl.load(y + i))
