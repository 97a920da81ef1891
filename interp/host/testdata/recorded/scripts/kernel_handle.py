import torch
import triton
import triton.language as tl


@triton.jit
def copy(src, dst, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + offs, tl.load(src + offs, mask=offs < n), mask=offs < n)


src = torch.arange(100, device="cuda", dtype=torch.float32)
dst = torch.empty_like(src)
handle = copy[(1, 1, 1)](src, dst, 100, BLOCK=128, num_warps=2)
print(type(handle).__name__)
print(sorted(handle.asm.keys()))
print(handle.metadata.num_warps, handle.metadata.name, handle.metadata.shared)
print(handle.n_spills, handle.n_regs > 0)
print(".visible .entry copy" in handle.asm["ptx"], "tt.func public @copy" in handle.asm["ttir"])
print(torch.equal(src, dst), copy.__name__, copy.fn.__name__, copy.arg_names)
