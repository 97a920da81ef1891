# What only the memory order of atomics keeps right on a GPU. Runs under Triton, `python3 locks.py`, and under newt,
# `newt run --device cuda:0 locks.py`. Both must print no line that begins with "wrong".
import torch
import triton
import triton.language as tl


# Triton's test_atomic_cas.
@triton.jit
def serialized_add(data, lock, SEM: tl.constexpr):
    at = data + tl.arange(0, 128)
    while tl.atomic_cas(lock, 0, 1, SEM) == 1:
        pass
    tl.store(at, tl.load(at) + 1.0)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


# Triton's tutorial 05, the backward pass: the partial sums of dw and db.
@triton.jit
def layer_norm_backward(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE_N)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock_id = row % GROUP_SIZE_M
    Lock += lock_id
    Count = Lock + GROUP_SIZE_M
    DW = DW + lock_id * N + cols
    DB = DB + lock_id * N + cols
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = (x - mean) * rstd
    wdy = w * dy
    xhat = tl.where(mask, xhat, 0.)
    wdy = tl.where(mask, wdy, 0.)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    dx = (wdy - (xhat * c1 + c2)) * rstd
    tl.store(DX + cols, dx, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = (dy).to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)


PROGRAMS = 2000
for sem in ["acq_rel", "acquire", "release", "relaxed"]:
    low = []
    for _ in range(10):
        data = torch.zeros(128, device="cuda")
        lock = torch.zeros(1, dtype=torch.int32, device="cuda")
        serialized_add[(PROGRAMS,)](data, lock, SEM=sem)
        low.append(int(data.min().item()))
    print("wrong:" if min(low) != PROGRAMS else "right:", "serialized_add", sem, low)

# Integers, so that the order of the sums does not matter.
ROWS, N, GROUPS, RUNS = 512, 250, 8, 100
x = torch.randint(-8, 8, (ROWS, N)).to(torch.float32)
dy = torch.randint(-8, 8, (ROWS, N)).to(torch.float32)
want_dw = (x * dy).reshape(ROWS // GROUPS, GROUPS, N).sum(0)
want_db = dy.reshape(ROWS // GROUPS, GROUPS, N).sum(0)
x, dy, want_dw, want_db = x.to("cuda"), dy.to("cuda"), want_dw.to("cuda"), want_db.to("cuda")
w, mean, rstd = torch.ones(N, device="cuda"), torch.zeros(ROWS, device="cuda"), torch.ones(ROWS, device="cuda")
bad = 0
for _ in range(RUNS):
    dx = torch.zeros(ROWS, N, device="cuda")
    dw = torch.full((GROUPS, N), 0.5, device="cuda")
    db = torch.full((GROUPS, N), 0.5, device="cuda")
    locks = torch.zeros(2 * GROUPS, dtype=torch.int32, device="cuda")
    layer_norm_backward[(ROWS,)](dx, dy, dw, db, x, w, mean, rstd, locks, N, N, GROUP_SIZE_M=GROUPS, BLOCK_SIZE_N=256)
    bad += int((dw - want_dw).abs().max().item() + (db - want_db).abs().max().item() != 0)
print("wrong:" if bad else "right:", "layer_norm_backward", bad, "of", RUNS, "runs differ from the serial sum")
