"""Inline assembly whose text a function makes, with two results, and instructions that newt does not take."""
import torch
import triton
import triton.language as tl


def _softplus(count):
    one = """
        .reg .pred p;
        setp.gt.f32 p, ${arg}, 15.;
        @p  mov.f32 ${out}, ${arg};
        @!p ex2.approx.ftz.f32 ${out}, ${arg};
        @!p add.f32 ${out}, ${out}, 1.0;
        @!p lg2.approx.ftz.f32 ${out}, ${out};
    """
    text = "".join("{" + one.format(out=i, arg=i + count) + "}\n" for i in range(count))
    return " ".join(text.split("\n"))


TEXT: tl.constexpr = tl.constexpr(_softplus(2))
CONSTRAINTS: tl.constexpr = tl.constexpr(",".join("=r" for i in range(2)) + "," + ",".join("r" for i in range(2)))
PACK: tl.constexpr = tl.constexpr(2)


@triton.jit
def softplus(x):
    return tl.inline_asm_elementwise(asm=TEXT, constraints=CONSTRAINTS, pack=PACK, args=[x], dtype=tl.float32, is_pure=True)


@triton.jit
def halves(x):
    return tl.inline_asm_elementwise("mov.b32 {$0, $1}, $2;", "=h,=h,r", [x], (tl.int16, tl.int16), True, 1)


@triton.jit
def kernel(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i, i < n, 0)
    low, high = halves(a.to(tl.int32) * 65537)
    tl.store(y + i, softplus(a) + (high - low), i < n)


@triton.jit
def signal(x):
    tl.inline_asm_elementwise("""
        {
            .reg .u32 %t<1>;
            send: atom.global.release.sys.cas.b32 %t0, [$1], 0, 1;
        }
        """, "=r, l", [tl.cast(x, tl.int64)], dtype=tl.int32, is_pure=False, pack=1)
    tl.inline_asm_elementwise("bar.sync 0;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
    tl.inline_asm_elementwise("cvt.rn.satfinite.e2m1x2.f32 $0, $1, $1;", "=h,f", [1.0], dtype=tl.int16, is_pure=True, pack=1)


x = torch.tensor([-2.0, 0.0, 1.0, 20.0], device="cuda")
y = torch.empty_like(x)
kernel[(1,)](x, y, 4, 16)
print(y)
try:
    signal[(1,)](3)
except Exception as e:
    print(type(e).__name__)
signal[(1,)](3)
