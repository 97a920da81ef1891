# What rests on the guess of a constexpr or of a dtype is no error.
import triton
import triton.language as tl


@triton.jit
def activation(x, z, ACT: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if ACT == "silu":
        g = v * tl.sigmoid(v)
    elif ACT == "relu":
        g = tl.maximum(v, 0.0)
    tl.store(z + i, g)


@triton.jit
def unknown_mode(x, z, MODE: tl.constexpr):
    if MODE == 7:
        step: tl.constexpr = 1
    elif MODE == 8:
        step: tl.constexpr = 2
    elif MODE == 9:
        step: tl.constexpr = 3
    elif MODE == 10:
        step: tl.constexpr = 4
    else:
        tl.static_assert(False, "no such mode")
    tl.store(z, tl.load(x) + step)


@triton.jit
def sizes(x, z, BT: tl.constexpr, BC: tl.constexpr, NC: tl.constexpr):
    tl.static_assert(BT == BC * NC)
    i = tl.arange(0, BT)
    v = tl.reshape(tl.load(x + i), (NC, BC))
    w = tl.arange(BC, BT)
    tl.store(z + tl.arange(0, BC), tl.sum(v, axis=0))
    tl.store(z + w, w)


@triton.jit
def by_dtype(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if v.dtype == tl.uint8:
        w = v >> 4
    elif v.dtype == tl.int64:
        w = v & 15
    else:
        tl.static_assert(v.dtype == tl.bfloat16)
        w = v
    tl.store(z + i, w)


@triton.jit
def of_bytes(x, z, mask_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    m = tl.load(mask_ptr + i)
    v = tl.load(x + i, mask=m)
    tl.store(z + i, v.to(tl.float8e4nv, bitcast=True), mask=m)


@triton.jit
def taps(x, w, z, WIDTH: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), dtype=tl.float32)
    seen = ()
    for j in tl.static_range(WIDTH):
        for k in tl.static_range(WIDTH):
            acc += tl.load(x + i + j) * tl.load(w + k)
        seen += (acc,)
    tl.store(z + i, acc + seen[WIDTH - 1])


@triton.jit
def steps_not_eps(z, steps, BLOCK: tl.constexpr):
    for i in range(tl.cdiv(steps, BLOCK)):
        tl.store(z + i, i)


@triton.jit
def annotated(x, z, stride_scales: int, fp8_dtype_min: tl.constexpr, ROWS: tl.constexpr):
    tiles: tl.constexpr = ROWS // 512
    i = tl.arange(0, tiles)
    tl.store(z + i * stride_scales, tl.clamp(tl.load(x + i), fp8_dtype_min, 1.0))
    tl.store(z, tl.clamp(tl.load(x).to(tl.float32), min=fp8_dtype_min, max=1.0))


@triton.jit
def certain(x, z, FLAG: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    if FLAG:
        tl.store(z + i, tl.load(x + i, maks=i < 3))  # error: unknown-keyword "`maks`"
    tl.store(z + i, tl.arange(0, 8) + tl.arange(0, 16))  # error: shape-mismatch "[8] and [16]"
    tl.store(z + i, tl.load(x + i, mask=i))  # error: mask-not-bool "`i`"
