import torch
import triton
import triton.language as tl


@triton.jit
def mandelbrot(out_ptr, W, H, LIMIT: tl.constexpr, BLOCK: tl.constexpr):
    y = tl.program_id(0)
    x = tl.arange(0, BLOCK)
    cr = -2.0 + x.to(tl.float32) * (2.5 / W)
    ci = -1.0 + y.to(tl.float32) * (2.0 / H)
    zr = tl.zeros((BLOCK,), tl.float32)
    zi = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.int32)
    for _ in range(LIMIT):
        inside = zr * zr + zi * zi <= 4.0
        nzr = zr * zr - zi * zi + cr
        zi = tl.where(inside, 2.0 * zr * zi + ci, zi)
        zr = tl.where(inside, nzr, zr)
        count += inside.to(tl.int32)
    tl.store(out_ptr + y * W + x, count, mask=x < W)


W, H = 40, 12
out = torch.empty((H, W), dtype=torch.int32, device="cuda")
mandelbrot[(H,)](out, W, H, LIMIT=12, BLOCK=64)
palette = " .:-=+*#%@ABC"
for row in out.cpu().numpy():
    print("".join(palette[v] for v in row))
