import triton
import triton.language as tl


@triton.jit
def split_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID, B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    # Only the even programs work, each on two slabs: half of the multiprocessors stay idle, but fewer atomics are made.
    if tl.program_id(0) % 2 == 0:
        acc = tl.zeros([B0, B1], dtype=tl.float32)
        for slab in range(2):
            k = (tl.program_id(0) + slab) * B_MID + tl.arange(0, B_MID)
            x_mask = (i[:, None] < N0) & (k[None, :] < MID)
            y_mask = (k[:, None] < MID) & (j[None, :] < N1)
            x = tl.load(x_ptr + i[:, None] * MID + k[None, :], mask=x_mask, other=0.0)
            y = tl.load(y_ptr + k[:, None] * N1 + j[None, :], mask=y_mask, other=0.0)
            acc = tl.dot(x, y, acc)
        mask = (i[:, None] < N0) & (j[None, :] < N1)
        tl.atomic_add(z_ptr + i[:, None] * N1 + j[None, :], acc, mask=mask)
