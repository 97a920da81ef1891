import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    x_ptr, k_ptr, z_ptr, N0, H, W, KH: tl.constexpr, KW: tl.constexpr, B0: tl.constexpr
):
    image = (tl.program_id(0) * B0 + tl.arange(0, B0))[:, None, None]
    a, b = tl.arange(0, KH)[None, :, None], tl.arange(0, KW)[None, None, :]
    k = tl.load(k_ptr + a * KW + b)
    for h in range(H):
        for w in range(W):
            inside = (image < N0) & (h + a < H) & (w + b < W)
            x = tl.load(x_ptr + image * H * W + (h + a) * W + w + b, mask=inside, other=0.0)
            z = tl.sum(tl.sum(k * x, axis=2), axis=1)
            i = tl.program_id(0) * B0 + tl.arange(0, B0)
            tl.store(z_ptr + i * H * W + h * W + w, z, mask=i < N0)
