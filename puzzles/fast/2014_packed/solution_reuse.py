import triton
import triton.language as tl


@triton.jit
def packed_kernel(
    x_ptr, q_ptr, s_ptr, work_ptr, z_ptr, N0, MID, B0: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    acc = tl.zeros([B0], tl.float32)
    for start in range(0, MID, B_MID):
        c = tl.arange(0, B_MID)
        k = start + c
        mask = (i[:, None] < N0) & (k[None, :] < MID)
        word = tl.load(q_ptr + (i[:, None] * MID + k[None, :]) // 8, mask=mask, other=0)
        w = (word >> (k % 8 * 4)[None, :]) & 15
        # Each step leaves its weights where those of the step before were, once all threads have loaded these.
        at = i[:, None] * MID + c[None, :]
        tl.debug_barrier()
        tl.store(work_ptr + at, w - 8.0, mask=mask)
        tl.debug_barrier()
        w = tl.load(work_ptr + at, mask=mask, other=0.0)
        x = tl.load(x_ptr + k, mask=k < MID, other=0.0)
        acc += tl.sum(w * x[None, :], axis=1)
    s = tl.load(s_ptr + i, mask=i < N0, other=0.0)
    tl.store(z_ptr + i, s * acc, mask=i < N0)
