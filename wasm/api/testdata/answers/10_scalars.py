import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    x_ptr, k_ptr, z_ptr, N0, H, W, KH: tl.constexpr, KW: tl.constexpr, B0: tl.constexpr
):
    a = tl.arange(0, KH)[:, None]
    b = tl.arange(0, KW)[None, :]
    k = tl.load(k_ptr + a * KW + b)
    first = tl.program_id(0) * B0
    for image in range(first, min(first + B0, N0)):
        for h in range(H):
            for w in range(W):
                inside = (h + a < H) & (w + b < W)
                x = tl.load(x_ptr + image * H * W + (h + a) * W + w + b, mask=inside, other=0.0)
                tl.store(z_ptr + image * H * W + h * W + w, tl.sum(k * x))
