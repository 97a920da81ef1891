import triton
import triton.language as tl


@triton.jit
def unpack_kernel(w_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    mask = i < N0
    # Eight lanes in a row load the same word, and each shifts its own four bits down.
    word = tl.load(w_ptr + i // 8, mask=mask)
    tl.store(z_ptr + i, (word >> (i % 8 * 4)) & 15, mask=mask)
