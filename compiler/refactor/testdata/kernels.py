import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sa0, sa1, sb0, sb1, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a_block_ptr = tl.make_block_ptr(
        base=a_ptr,
        shape=(M, K),
        strides=(sa0, sa1),
        offsets=(pid_m * BLOCK_M, 0),  # the first column
        block_shape=(BLOCK_M, BLOCK_K),
        order=(1, 0),
    )
    b_block_ptr = tl.make_block_ptr(base=b_ptr, shape=(K, N), strides=(sb0, sb1), offsets=(0, pid_n * BLOCK_N),
                                    block_shape=(BLOCK_K, BLOCK_N), order=(1, 0))
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_block_ptr, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block_ptr, boundary_check=(0, 1), padding_option='zero')
        acc += tl.dot(a, b)
        a_block_ptr = tl.advance(a_block_ptr, (0, BLOCK_K))  # the next columns
        b_block_ptr = b_block_ptr.advance((BLOCK_K, 0))
    c_block_ptr = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (pid_m * BLOCK_M, pid_n * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(c_block_ptr, acc.to(c_block_ptr.type.element_ty), boundary_check=(0, 1))


@triton.jit
def inner(acc, K_block_ptr, V_block_ptr, lo, hi, BLOCK_N: tl.constexpr):
    K_block_ptr = tl.advance(K_block_ptr, (0, lo))
    V_block_ptr = tl.advance(V_block_ptr, (lo, 0))
    for start_n in range(lo, hi, BLOCK_N):
        k = tl.load(K_block_ptr)
        v = tl.load(V_block_ptr, boundary_check=(0,), padding_option="zero")
        acc += tl.dot(tl.trans(k), tl.trans(v) * 0.5)
        V_block_ptr = tl.advance(V_block_ptr, (BLOCK_N, 0))
        K_block_ptr = tl.advance(K_block_ptr, (0, BLOCK_N))
    return acc


@triton.jit
def handed_over(k_ptr, v_ptr, out_ptr, N, sk0, sv0, D: tl.constexpr, BLOCK_N: tl.constexpr):
    K_block_ptr = tl.make_block_ptr(k_ptr, (D, N), (1, sk0), (0, 0), (D, BLOCK_N), (0, 1))
    V_block_ptr = tl.make_block_ptr(v_ptr, (N, D), (sv0, 1), (0, 0), (BLOCK_N, D), (1, 0))
    acc = tl.zeros((BLOCK_N, BLOCK_N), dtype=tl.float32)
    acc = inner(acc, K_block_ptr, V_block_ptr, 0, 2 * BLOCK_N, BLOCK_N)
    acc = inner(acc, K_block_ptr, V_block_ptr=V_block_ptr, lo=BLOCK_N, hi=3 * BLOCK_N, BLOCK_N=BLOCK_N)
    O_block_ptr = tl.make_block_ptr(out_ptr, (N, BLOCK_N), (BLOCK_N, 1), (0, 0), (BLOCK_N, BLOCK_N), (1, 0))
    tl.store(O_block_ptr, acc, boundary_check=(0,))


@triton.jit
def rows_of(x_ptr, T, i_t, BT: tl.constexpr, CONTIGUOUS: tl.constexpr, s):
    if CONTIGUOUS:
        return tl.make_block_ptr(x_ptr, (T,), (1,), (i_t,), (BT,), (0,))
    return tl.make_block_ptr(x_ptr, (T,), (s,), (i_t,), (BT,), (0,))


@triton.jit
def returned(x_ptr, out_ptr, T, i0, sx0, BT: tl.constexpr, FLAG: tl.constexpr):
    p_x = rows_of(x_ptr, T, i0, BT, FLAG, sx0)
    x = tl.load(p_x, boundary_check=(0,), padding_option="zero")
    p_o = rows_of(out_ptr, T, i0, BT, True, sx0)
    tl.store(p_o, x + 1, boundary_check=(0,))


@triton.jit
def branches(x_ptr, y_ptr, out_ptr, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr, FLAG: tl.constexpr):
    if FLAG:
        p_x = tl.make_block_ptr(x_ptr, (M, N), (sx0, sx1), (i0, i1), (BM, BN), (1, 0))
    else:
        p_x = tl.make_block_ptr(y_ptr, (M, N), (N, 1), (i0, i1 + 1), (BM, BN), (1, 0))
    if i0 > 0:
        p_y = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (i0, i1), (BM, BN), (1, 0))
    else:
        p_y = tl.make_block_ptr(y_ptr, (N, M), (1, sx0), (i1, i0), (BM, BN), (0, 1))
    for i in range(3):
        x = tl.load(p_x, boundary_check=(0, 1), padding_option="nan")
        y = tl.load(p_y, boundary_check=(1,), padding_option="zero")
        p_o = tl.make_block_ptr(out_ptr + i * 256, (BM, BN), (BN, 1), (0, 0), (BM, BN), (1, 0))
        tl.store(p_o, x + y)
        if i == 1:
            p_y = tl.advance(p_y, (-2, 3))


@triton.jit
def moved(x_ptr, out_ptr, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr):
    start = tl.make_block_ptr(x_ptr, (M, N), (sx0, sx1), (i0, i1), (BM, BN), (1, 0))
    other = start
    for i in range(2):
        step = tl.advance(start, (i * BM, -i))
        x = tl.load(step, boundary_check=(0, 1), padding_option="zero")
        x += tl.load(tl.advance(other, (0, BN)), boundary_check=(1,), padding_option="zero")
        other = step
        tl.store(tl.make_block_ptr(out_ptr, (BM * 2, BN), (BN, 1), (i * BM, 0), (BM, BN), (1, 0)), x)
    x, y = tl.load(other, boundary_check=(0, 1)), 1
    tl.store(out_ptr + tl.arange(0, BM), tl.sum(tl.where(x < 3, x, 3), 1) + y)


@triton.jit
def shared(q_ptr, k_ptr, g_ptr, out_ptr, T, K, i0, sq0, BT: tl.constexpr, BK: tl.constexpr, FLAG: tl.constexpr):
    offs_t = 0  # a name that the rewritten kernel must not take
    for i_k in range(tl.cdiv(K, BK)):
        p_q = tl.make_block_ptr(q_ptr, (T, K), (sq0, 1), (i0 * BT, i_k * BK), (BT, BK), (1, 0)); offs_t += 1
        p_k = tl.make_block_ptr(k_ptr, (K, T), (1, K), (i_k * BK, i0 * BT), (BK, BT), (0, 1))
        if FLAG: p_g = tl.make_block_ptr(g_ptr, (T, K), (K, 1), (i0 * BT, i_k * BK), (BT, BK), (1, 0))
        b_q = tl.load(p_q, boundary_check=(0, 1), padding_option="zero", eviction_policy="evict_last")
        b_k = tl.load(p_k, boundary_check=(1, 0), padding_option="zero")
        if FLAG:
            b_q *= tl.load(p_g, boundary_check=(0, 1), padding_option="zero")
        b_q += tl.trans(b_k)
        p_o = tl.make_block_ptr(out_ptr, (T, K), (K, 1), (i0 * BT, i_k * BK), (BT, BK), (1, 0)) if BT > 1 else None
        tl.store(p_o, b_q.to(p_o.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def volumes(x_ptr, out_ptr, L, M, N, i0, i1, sx0, sx1, BM: tl.constexpr, BN: tl.constexpr):
    x_ptr = tl.make_block_ptr(x_ptr, (L, BM, N), (sx0, sx1, 1), (i0, 0, i1), (1, BM, BN), (2, 1, 0))
    out_block = tl.make_block_ptr(out_ptr, (L, BM, BN), (BM * BN, BN, 1), (0, 0, 0), (1, BM, BN), (2, 1, 0))
    for i in range(3):
        tl.store(out_block, tl.load(x_ptr, boundary_check=[0, 2], padding_option="nan"), boundary_check=(0,))
        x_ptr, out_block = tl.advance(x_ptr, (1, 0, 2)), tl.advance(out_block, (1, 0, 0))


@triton.jit
def reused(x_ptr, out_ptr, M, N, sx0, BM: tl.constexpr, BN: tl.constexpr):
    block = tl.make_block_ptr(x_ptr, (M, N), (sx0, 1), (0, 0), (BM, BN), (1, 0))
    total = tl.zeros((BM,), tl.float32)
    for i in range(tl.cdiv(N, BN)):
        total += tl.sum(tl.load(block, boundary_check=(0, 1), padding_option="zero"), 1)
        block = tl.advance(block, (0, BN))
    block = tl.make_block_ptr(x_ptr + 3, (M,), (2,), (1,), (BM,), (0,))
    total += tl.load(block, boundary_check=(0,), padding_option="zero")
    block = out_ptr + tl.arange(0, BM)
    tl.store(block, total, mask=tl.arange(0, BM) < M)
