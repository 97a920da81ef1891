import triton
import triton.language as tl


@triton.jit
def unpack_kernel(w_ptr, z_ptr, N0, B0: tl.constexpr):
    word = tl.program_id(0) * (B0 // 8) + tl.arange(0, B0 // 8)
    n = tl.arange(0, 8)[None, :]
    packed = tl.load(w_ptr + word, mask=word * 8 < N0)
    i = word[:, None] * 8 + n
    tl.store(z_ptr + i, (packed[:, None] >> (n * 4)) & 15, mask=i < N0)
