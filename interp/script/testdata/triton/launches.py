# Grids of every form, handles of compiled kernels, and what a kernel says of itself.
import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr = 16):
    """Adds."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=m) + tl.load(y + offs, mask=m), mask=m)


class Grid:
    def __call__(self, meta):
        return (triton.cdiv(meta["n"], meta["BLOCK"]),)


x, y = torch.arange(40.0), torch.ones(40)
for grid in [(3,), [3], (3, 1), (3, 1, 1), lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),), Grid()]:
    out = torch.zeros(40)
    k = add[grid](x, y, out, 40)
    print(int(out.sum()), type(k).__name__)
out = torch.zeros(40)
k = add[(0,)](x, y, out, 40)
print(int(out.sum()), k.name)
k = add[lambda meta: (0, 4)](x, y, out, 40, BLOCK=32)
print(int(out.sum()))

print(add.__name__, add.__doc__, add.arg_names, add.constexprs)
print([(p.name, p.num, p.is_constexpr, p.has_default, p.default, p.annotation) for p in add.params][3:])
print(add.src.splitlines()[0], "|", add.src.splitlines()[-1])
print(add.fn.__name__, add)
try:
    add(x, y, out, 40)
except RuntimeError as e:
    print(e)

k = add.warmup(torch.float32, torch.float32, torch.float32, 40, BLOCK=16, grid=(1,))
print(k.metadata.num_warps, k.metadata.num_stages, k.metadata.name, k.name)
print(sorted(k.asm.keys()))
k = add.warmup(x, y, out, 40, num_warps=8, num_stages=2, grid=(1,))
print(k.metadata.num_warps, k.metadata.num_stages, k.n_regs > 0, k.n_spills, k.metadata.shared > 0)
k[(3,)](x, y, out, 40, 16)
print(int(out.sum()))
out.zero_()
k = add.run(x, y, out, 40, grid=(3,), warmup=False)
print(int(out.sum()))
out.zero_()
add.run(x, y, out, 40, grid=(3,), warmup=True)
print(int(out.sum()))

for call in [
    lambda: add[3](x, y, out, 40),
    lambda: add[(1,)](x, y, out),
    lambda: add[(1,)](x, y, out, 40, WIDTH=3),
    lambda: add[(1,)](x, y, out, 40, n=3),
    lambda: add.run(x, y, out, 40),
]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)


def double(x_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)


doubled = triton.jit(double)
doubled[(1,)](x, 3, 4)
print(x[:5], doubled.fn is double, doubled.__name__)


@triton.jit
def refuses(x, B: tl.constexpr):
    tl.static_assert(B > 3, "too small")
    tl.store(x, B)


try:
    refuses[(1,)](x, 2)
except triton.CompilationError as e:
    print(type(e).__name__)


@triton.jit
def threads(x):
    n: tl.constexpr = tl.extra.cuda.num_threads()
    tl.store(x + tl.arange(0, n), tl.extra.cuda.num_warps())


for options in {}, {"num_warps": 1}, {"num_warps": 8}:
    x = torch.zeros(256, dtype=torch.int32)
    threads[(1,)](x, **options)
    print(options, x[0].item(), x.sum().item())
