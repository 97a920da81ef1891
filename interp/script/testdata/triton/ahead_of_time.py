# triton.compile of a kernel's signature, and what it is asked with.
import triton, triton.language as tl, torch
from triton.compiler import ASTSource, make_backend, CompiledKernel
from triton.backends.compiler import GPUTarget
@triton.jit
def add(x, y, n, s, B: tl.constexpr):
    o = tl.program_id(0)*B + tl.arange(0,B)
    tl.store(y+o, tl.load(x+o, mask=o<n)*s, mask=o<n)
src = ASTSource(fn=add, signature={"x":"*fp16","y":"*fp16","n":"i32","s":"fp32","B":"constexpr"}, constexprs={"B":128}, attrs={(2,): [["tt.divisibility", 16]]})
t = GPUTarget("cuda", 80, 32)
c = triton.compile(src, target=t, options=make_backend(t).parse_options({"num_warps": 2}).__dict__)
print(type(c).__name__, isinstance(c, CompiledKernel), c.metadata.num_warps, sorted(c.metadata._asdict())[:3], 'entry add' in c.asm['ptx'], src.constants, t, isinstance(t, GPUTarget))
print(isinstance(triton.runtime.driver.active.get_current_target(), GPUTarget), triton.runtime.driver.active.get_current_target())
try: triton.compile(ASTSource(add, {"x":"*fp16","y":"*fp16","n":"u8","s":"fp32"}, {"B": 16}))
except NotImplementedError as e: print(e)
