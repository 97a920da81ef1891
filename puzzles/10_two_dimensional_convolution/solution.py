import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    x_ptr, k_ptr, z_ptr, N0, H, W, KH: tl.constexpr, KW: tl.constexpr, B0: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    a = tl.arange(0, KH)
    b = tl.arange(0, KW)
    # The whole filter stays with the program.
    k = tl.load(k_ptr + a[:, None] * KW + b[None, :])
    for h in tl.range(0, H):
        for w in tl.range(0, W):
            # The window of every image: image number, row and column on three axes.
            image = i[:, None, None]
            row = h + a[None, :, None]
            col = w + b[None, None, :]
            mask = (image < N0) & (row < H) & (col < W)
            x = tl.load(x_ptr + image * H * W + row * W + col, mask=mask, other=0.0)
            products = k[None, :, :] * x
            z = tl.sum(tl.sum(products, axis=2), axis=1)
            tl.store(z_ptr + i * H * W + h * W + w, z, mask=i < N0)
