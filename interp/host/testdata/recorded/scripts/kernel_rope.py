import torch
import triton
import triton.language as tl


@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, out_ptr, seq_stride, HALF: tl.constexpr):
    pos = tl.program_id(0)
    i = tl.arange(0, HALF)
    x1 = tl.load(x_ptr + pos * seq_stride + i)
    x2 = tl.load(x_ptr + pos * seq_stride + HALF + i)
    c = tl.load(cos_ptr + pos * HALF + i)
    s = tl.load(sin_ptr + pos * HALF + i)
    tl.store(out_ptr + pos * seq_stride + i, x1 * c - x2 * s)
    tl.store(out_ptr + pos * seq_stride + HALF + i, x2 * c + x1 * s)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


seq, dim = 12, 16
inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2, device="cuda").float() / dim))
angles = torch.outer(torch.arange(seq, device="cuda").float(), inv_freq)
cos, sin = angles.cos(), angles.sin()
x = torch.linspace(0, 1, seq * dim, device="cuda").view(seq, dim)
out = torch.empty_like(x)
rope_kernel[(seq,)](x, cos, sin, out, x.stride(0), HALF=dim // 2)
ref = x * torch.cat((cos, cos), -1) + rotate_half(x) * torch.cat((sin, sin), -1)
print(torch.allclose(out, ref, atol=1e-6))
print(inv_freq)
print(out[0])
