import triton
import triton.language as tl


# args: *fp32:16, *fp32:16, *fp32:16, i32:16, 1024
@triton.jit
def vector_add(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    total = tl.load(x_ptr + i, mask=inside) + tl.load(y_ptr + i, mask=inside)
    tl.store(z_ptr + i, total, mask=inside)


# args: *fp16:16, *fp16:16, i32:16, 1024
@triton.jit
def row_softmax(x_ptr, z_ptr, width, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * width
    i = tl.arange(0, BLOCK)
    inside = i < width
    x = tl.load(x_ptr + start + i, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(z_ptr + start + i, e / tl.sum(e, axis=0), mask=inside)


# args: *fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, fp32, 1024
@triton.jit
def layer_norm(x_ptr, gain_ptr, bias_ptr, z_ptr, width, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * width
    i = tl.arange(0, BLOCK)
    inside = i < width
    x = tl.load(x_ptr + start + i, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, x - tl.sum(x, axis=0) / width, 0.0)
    spread = tl.sum(centred * centred, axis=0) / width
    gain = tl.load(gain_ptr + i, mask=inside)
    bias = tl.load(bias_ptr + i, mask=inside)
    tl.store(z_ptr + start + i, centred * (1 / tl.sqrt(spread + eps)) * gain + bias, mask=inside)


# args: *fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16, i32:1, 128, 128, 64, 8, tl.float32, 'tf32'
@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, a_row, a_col, b_row, b_col, c_row, c_col,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr
):
    i, j = tl.swizzle2d(tl.program_id(0) // tl.cdiv(N, BN), tl.program_id(0) % tl.cdiv(N, BN), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a = a_ptr + (rows % M)[:, None] * a_row + inner[None, :] * a_col
    b = b_ptr + inner[:, None] * b_row + (cols % N)[None, :] * b_col
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        x = tl.load(a, mask=inner[None, :] < left, other=0.0)
        y = tl.load(b, mask=inner[:, None] < left, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
        a += BK * a_col
        b += BK * b_row
    out = c_ptr + rows[:, None] * c_row + cols[None, :] * c_col
    tl.store(out, acc.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


# args: *fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, 128, 64, True
@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, o_ptr, scale, T, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr
):
    first = tl.program_id(0) * BM
    head = tl.program_id(1).to(tl.int64) * T * D
    rows = first + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    norm = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    end = T
    if CAUSAL:
        end = first + BM
    for start in range(0, end, BN):
        cols = start + tl.arange(0, BN)
        k = tl.load(k_ptr + head + cols[None, :] * D + d[:, None])
        s = tl.dot(q, k) * (scale * 1.44269504)
        if CAUSAL:
            s = tl.where(rows[:, None] >= cols[None, :], s, -float("inf"))
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        shrink = tl.exp2(top - new)
        norm = norm * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + cols[:, None] * D + d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        top = new
    tl.store(o_ptr + head + rows[:, None] * D + d[None, :], (acc / norm[:, None]).to(o_ptr.dtype.element_ty))


# args: *fp32:16, *i64:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, 3, 2, 1, 16, 32
@triton.jit
def max_pool2d_backward(
    grad_ptr, index_ptr, out_ptr, H, W, OH, OW,
    WINDOW: tl.constexpr, STRIDE: tl.constexpr, PADDING: tl.constexpr, BH: tl.constexpr, BW: tl.constexpr
):
    plane = tl.program_id(1).to(tl.int64)
    blocks = tl.cdiv(W, BW)
    rows = (tl.program_id(0) // blocks * BH + tl.arange(0, BH))[:, None]
    cols = (tl.program_id(0) % blocks * BW + tl.arange(0, BW))[None, :]
    here = rows * W + cols
    total = tl.zeros((BH, BW), tl.float32)
    for y in tl.static_range(WINDOW):
        for x in tl.static_range(WINDOW):
            r, c = rows + PADDING - y, cols + PADDING - x
            pooled_row, pooled_col = r // STRIDE, c // STRIDE
            pooled = (r % STRIDE == 0) & (c % STRIDE == 0)
            pooled = pooled & (pooled_row >= 0) & (pooled_row < OH) & (pooled_col >= 0) & (pooled_col < OW)
            at = plane * OH * OW + tl.where(pooled, pooled_row, 0) * OW + tl.where(pooled, pooled_col, 0)
            is_maximum = tl.load(index_ptr + at, mask=pooled, other=-1) == here
            total += tl.load(grad_ptr + at, mask=is_maximum, other=0.0)
    tl.store(out_ptr + plane * H * W + here, total, mask=(rows < H) & (cols < W))
