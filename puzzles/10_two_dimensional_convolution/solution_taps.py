import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    x_ptr, k_ptr, z_ptr, N0, H, W, KH: tl.constexpr, KW: tl.constexpr, B0: tl.constexpr
):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    for h in tl.range(0, H):
        for w in tl.range(0, W):
            # One number of the filter at a time, times one pixel of each image.
            z = tl.zeros([B0], dtype=tl.float32)
            for a in tl.range(0, KH):
                for b in tl.range(0, KW):
                    k = tl.load(k_ptr + a * KW + b)
                    row = h + a
                    col = w + b
                    mask = (i < N0) & (row < H) & (col < W)
                    z += k * tl.load(x_ptr + i * H * W + row * W + col, mask=mask, other=0.0)
            tl.store(z_ptr + i * H * W + h * W + w, z, mask=i < N0)
