import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sa0, sa1, sb0, sb1, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    # the first column
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M).to(tl.int64)
    a_offs_k = tl.arange(0, BLOCK_K).to(tl.int64)
    a_block_ptr = a_ptr + offs_m[:, None] * sa0
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
    b_offs_k = tl.arange(0, BLOCK_K).to(tl.int64)
    b_block_ptr = b_ptr + offs_n[None, :] * sb1
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_block_ptr + a_offs_k[None, :] * sa1,
                    mask=(offs_m[:, None] < M) & (a_offs_k[None, :] < K), other=0.0)
        b = tl.load(b_block_ptr + b_offs_k[:, None] * sb0,
                    mask=(offs_n[None, :] < N) & (b_offs_k[:, None] < K), other=0.0)
        acc += tl.dot(a, b)
        a_offs_k += BLOCK_K  # the next columns
        b_offs_k += BLOCK_K
    c_block_ptr = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    c_block_ptr.store([pid_m * BLOCK_M, pid_n * BLOCK_N], acc.to(c_block_ptr.dtype))


@triton.jit
def inner(acc, K_block_ptr, K_offs_n, K_stride_n, V_block_ptr, V_offs_n, V_offs_d, lo, hi, BLOCK_N: tl.constexpr):
    K_offs_n += lo
    V_offs_n += lo
    for start_n in range(lo, hi, BLOCK_N):
        k = tl.load(K_block_ptr + K_offs_n[None, :] * K_stride_n)
        v = V_block_ptr.load([V_offs_n, V_offs_d])
        acc += tl.dot(tl.trans(k), tl.trans(v) * 0.5)
        V_offs_n += BLOCK_N
        K_offs_n += BLOCK_N
    return acc


@triton.jit
def handed_over(k_ptr, v_ptr, out_ptr, N, sk0, sv0, D: tl.constexpr, BLOCK_N: tl.constexpr):
    offs_d = tl.arange(0, D)
    K_offs_n = tl.arange(0, BLOCK_N).to(tl.int64)
    K_block_ptr = k_ptr + offs_d[:, None]
    V_offs_n = 0
    V_block_ptr = tl.make_tensor_descriptor(v_ptr, [N, D], [sv0, 1], [BLOCK_N, D])
    acc = tl.zeros((BLOCK_N, BLOCK_N), dtype=tl.float32)
    acc = inner(acc, K_block_ptr, K_offs_n, sk0, V_block_ptr, V_offs_n, 0, 0, 2 * BLOCK_N, BLOCK_N)
    acc = inner(acc, K_block_ptr, K_offs_n, sk0, V_block_ptr=V_block_ptr, V_offs_n=V_offs_n, V_offs_d=0, lo=BLOCK_N, hi=3 * BLOCK_N, BLOCK_N=BLOCK_N)
    O_block_ptr = tl.make_tensor_descriptor(out_ptr, [N, BLOCK_N], [BLOCK_N, 1], [BLOCK_N, BLOCK_N])
    O_block_ptr.store([0, 0], acc)


@triton.jit
def rows_of(x_ptr, T, i_t, BT: tl.constexpr, CONTIGUOUS: tl.constexpr, s):
    offs_t = i_t + tl.arange(0, BT).to(tl.int64)
    mask_t = (offs_t >= 0) & (offs_t < T)
    if CONTIGUOUS:
        return x_ptr + offs_t, mask_t
    return x_ptr + offs_t * s, mask_t


@triton.jit
def returned(x_ptr, out_ptr, T, i0, sx0, BT: tl.constexpr, FLAG: tl.constexpr):
    p_x, x_mask = rows_of(x_ptr, T, i0, BT, FLAG, sx0)
    x = tl.load(p_x, mask=x_mask, other=0.0)
    p_o, o_mask = rows_of(out_ptr, T, i0, BT, True, sx0)
    tl.store(p_o, x + 1, mask=o_mask)


@triton.jit
def branches(x_ptr, y_ptr, out_ptr, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr, FLAG: tl.constexpr):
    offs_m = i0 + tl.arange(0, BM).to(tl.int64)
    mask_m = (offs_m >= 0) & (offs_m < M)
    if FLAG:
        offs_n = i1 + tl.arange(0, BN).to(tl.int64)
        mask_n = (offs_n >= 0) & (offs_n < N)
        x_mask = mask_m[:, None] & mask_n[None, :]
        p_x = x_ptr + offs_m[:, None] * sx0 + offs_n[None, :] * sx1
    else:
        x_offs_n = i1 + 1 + tl.arange(0, BN).to(tl.int64)
        x_mask_n = (x_offs_n >= 0) & (x_offs_n < N)
        x_mask = mask_m[:, None] & x_mask_n[None, :]
        p_x = y_ptr + offs_m[:, None] * N + x_offs_n[None, :]
    if i0 > 0:
        y_offs_m = i0 + tl.arange(0, BM).to(tl.int64)
        y_stride_m = N
        y_offs_n = i1 + tl.arange(0, BN).to(tl.int64)
        y_stride_n = 1
        y_size_n = N
        p_y = x_ptr
    else:
        y_offs_m = i1 + tl.arange(0, BM).to(tl.int64)
        y_stride_m = 1
        y_offs_n = i0 + tl.arange(0, BN).to(tl.int64)
        y_stride_n = sx0
        y_size_n = M
        p_y = y_ptr
    for i in range(3):
        x = tl.load(p_x, mask=x_mask, other=float("nan"))
        y = tl.load(p_y + y_offs_m[:, None] * y_stride_m + y_offs_n[None, :] * y_stride_n,
                    mask=(y_offs_n[None, :] >= 0) & (y_offs_n[None, :] < y_size_n), other=0.0)
        p_o = tl.make_tensor_descriptor(out_ptr + i * 256, [BM, BN], [BN, 1], [BM, BN])
        p_o.store([0, 0], x + y)
        if i == 1:
            y_offs_m -= 2
            y_offs_n += 3


@triton.jit
def moved(x_ptr, out_ptr, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr):
    start_offs_m = i0 + tl.arange(0, BM).to(tl.int64)
    start_offs_n = i1 + tl.arange(0, BN).to(tl.int64)
    other_offs_m = start_offs_m
    other_offs_n = start_offs_n
    other = x_ptr
    for i in range(2):
        step_offs_m = start_offs_m + i * BM
        step_offs_n = start_offs_n + -i
        x = tl.load(x_ptr + step_offs_m[:, None] * sx0 + step_offs_n[None, :] * sx1,
                    mask=(step_offs_m[:, None] >= 0) & (step_offs_m[:, None] < M) & (step_offs_n[None, :] >= 0) & (step_offs_n[None, :] < N), other=0.0)
        x += tl.load(other + other_offs_m[:, None] * sx0 + (other_offs_n + BN)[None, :] * sx1,
                     mask=((other_offs_n + BN)[None, :] >= 0) & ((other_offs_n + BN)[None, :] < N), other=0.0)
        other_offs_m = step_offs_m
        other_offs_n = step_offs_n
        other = x_ptr
        tl.make_tensor_descriptor(out_ptr, [BM * 2, BN], [BN, 1], [BM, BN]).store([i * BM, 0], x)
    x, y = tl.load(other + other_offs_m[:, None] * sx0 + other_offs_n[None, :] * sx1,
                   mask=(other_offs_m[:, None] >= 0) & (other_offs_m[:, None] < M) & (other_offs_n[None, :] >= 0) & (other_offs_n[None, :] < N)), 1
    tl.store(out_ptr + tl.arange(0, BM), tl.sum(tl.where(x < 3, x, 3), 1) + y)


@triton.jit
def shared(q_ptr, k_ptr, g_ptr, out_ptr, T, K, i0, sq0, BT: tl.constexpr, BK: tl.constexpr, FLAG: tl.constexpr):
    offs_t = 0  # a name that the rewritten kernel must not take
    for i_k in range(tl.cdiv(K, BK)):
        offs_k = i_k * BK + tl.arange(0, BK)
        q_offs_t = i0 * BT + tl.arange(0, BT).to(tl.int64)
        q_mask_t = (q_offs_t >= 0) & (q_offs_t < T)
        p_q = q_ptr + q_offs_t[:, None] * sq0 + offs_k[None, :]; offs_t += 1
        p_k = k_ptr + offs_k[:, None] + q_offs_t[None, :] * K
        if FLAG: g_offs_k = i_k * BK; p_g = tl.make_tensor_descriptor(g_ptr, [T, K], [K, 1], [BT, BK])
        b_q = tl.load(p_q,
                      mask=q_mask_t[:, None] & (offs_k[None, :] < K), other=0.0, eviction_policy="evict_last")
        b_k = tl.load(p_k, mask=(offs_k[:, None] < K) & q_mask_t[None, :], other=0.0)
        if FLAG:
            b_q *= p_g.load([i0 * BT, g_offs_k])
        b_q += tl.trans(b_k)
        p_o = tl.make_tensor_descriptor(out_ptr, [T, K], [K, 1], [BT, BK]) if BT > 1 else None
        p_o.store([i0 * BT, i_k * BK], b_q.to(p_o.dtype))


@triton.jit
def volumes(x_ptr, out_ptr, L, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr):
    x_offs_l = i0
    x_offs_n = i1
    x_ptr = tl.make_tensor_descriptor(x_ptr, [L, BM, N], [sx0, sx1, 1], [1, BM, BN], padding_option="nan")
    out_offs_l = 0
    out_block = tl.make_tensor_descriptor(out_ptr, [L, BM, BN], [BM * BN, BN, 1], [1, BM, BN])
    for i in range(3):
        out_block.store([out_offs_l, 0, 0], x_ptr.load([x_offs_l, 0, x_offs_n]))
        x_offs_l += 1
        x_offs_n += 2
        out_offs_l += 1


@triton.jit
def reused(x_ptr, out_ptr, M, N, sx0, BM: tl.constexpr, BN: tl.constexpr):
    block_offs_n = 0
    block = tl.make_tensor_descriptor(x_ptr, [M, N], [sx0, 1], [BM, BN])
    total = tl.zeros((BM,), tl.float32)
    for i in range(tl.cdiv(N, BN)):
        total += tl.sum(block.load([0, block_offs_n]), 1)
        block_offs_n += BN
    offs_m1 = 1 + tl.arange(0, BM).to(tl.int64)
    block = x_ptr + 3 + offs_m1 * 2
    total += tl.load(block, mask=offs_m1 < M, other=0.0)
    block = out_ptr + tl.arange(0, BM)
    tl.store(block, total, mask=tl.arange(0, BM) < M)
