import triton
import triton.language as tl


@triton.jit
def tensor_kernel(
    x_ptr, y_ptr, z_ptr, N0, N1, MID, B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    acc = tl.zeros([B0, B1], dtype=tl.float32)
    for start in range(0, MID, B_MID):
        k = start + tl.arange(0, B_MID)
        x_mask = (i[:, None] < N0) & (k[None, :] < MID)
        y_mask = (k[:, None] < MID) & (j[None, :] < N1)
        x = tl.load(x_ptr + i[:, None] * MID + k[None, :], mask=x_mask, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + k[:, None] * N1 + j[None, :], mask=y_mask, other=0.0).to(tl.float32)
        # Exact float32 products are beyond the tensor cores: threads multiply and add.
        acc = tl.dot(x, y, acc, input_precision="ieee")
    mask = (i[:, None] < N0) & (j[None, :] < N1)
    tl.store(z_ptr + i[:, None] * N1 + j[None, :], acc, mask=mask)
