import torch
import triton
import triton.language as tl


@triton.jit
def gather2d(x_ptr, y_ptr, s0, s1, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * s0 + n[None, :] * s1)
    tl.store(y_ptr + m[:, None] * N + n[None, :], x)


base = torch.arange(64, device="cuda").view(8, 8)
views = {
    "plain": base[:4, :4],
    "transposed": base.T[:4, :4],
    "stepped": base[::2, ::2],
    "offset": base[3:7, 4:],
    "expanded": base[0, :4].expand(4, 4),
    "permuted": base.view(4, 2, 8).permute(1, 0, 2)[1, :, :4],
}
for name, view in views.items():
    out = torch.empty(4, 4, dtype=view.dtype, device="cuda")
    gather2d[(1,)](view, out, view.stride(0), view.stride(1), M=4, N=4)
    print(f"{name:<11}{str(view.stride()):<9}{view.storage_offset():>3} {str(view.is_contiguous()):<6}"
          f"{torch.equal(out, view)} {out[1].tolist()}")
