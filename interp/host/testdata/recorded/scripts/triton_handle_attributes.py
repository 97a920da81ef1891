import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=offs < n), mask=offs < n)


x = torch.ones(64, device="cuda")
y = torch.zeros_like(x)
compiled = kernel.warmup(x, y, 64, BLOCK=64, grid=(1,))
print(type(compiled).__name__, y.sum().item())
compiled._init_handles()
print([n for n in ("asm", "metadata", "n_regs", "n_spills", "name", "hash", "kernel", "function", "src", "module", "n_max_threads", "packed_metadata") if hasattr(compiled, n)])
print(compiled.name, compiled.n_max_threads, len(compiled.hash) > 10)
metadata = compiled.metadata
print([n for n in ("num_warps", "num_stages", "num_ctas", "shared", "name", "target", "maxnreg", "cluster_dims", "debug", "enable_fp_fusion") if hasattr(metadata, n)])
print(metadata.num_warps, metadata.num_stages, metadata.num_ctas, metadata.target.backend)
compiled[(1, 1, 1)](x, y, 64, 64)
print(y.sum().item())
print(compiled.asm["ptx"].splitlines()[0].startswith("//"), any(line.startswith(".version") for line in compiled.asm["ptx"].splitlines()))
print(isinstance(compiled.asm["cubin"], bytes), isinstance(compiled.asm["ptx"], str), "nothing" in compiled.asm)
