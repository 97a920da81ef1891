# shift
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    y = tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $1, $1, $2;", "=r,r,r", [a, 5], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(z + i, y)
    u = a.to(tl.uint32, bitcast=True)
    tl.store(z + N + i, ((u << 5) | (u >> 27)).to(tl.int32, bitcast=True))
---
# text with predicates
@triton.jit
def softplus(a, LIMIT: tl.constexpr):
    return tl.inline_asm_elementwise(f"""{{
        .reg .pred %p<1>;
        setp.gt.f32 %p0, $1, {LIMIT}.;
        @%p0  mov.f32 $0, $1;
        @!%p0 ex2.approx.ftz.f32 $0, $1;
        @!%p0 add.f32 $0, $0, 1.0;
        @!%p0 lg2.approx.ftz.f32 $0, $0;
    }}""", "=r,r", [a], dtype=tl.float32, is_pure=True, pack=1)


@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = (tl.load(x + i) % 2048).to(tl.float32) / 64
    near = tl.abs(softplus(a, 15) - tl.where(a > 15, a, tl.log2(1 + tl.exp2(a)))) < 1e-5
    tl.store(z + i, near.to(tl.int32))
    tl.store(z + N + i, 1)
---
# packed bytes
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i).to(tl.int8)
    y = tl.inline_asm_elementwise("and.b32 $0, $1, 0x0F0F0F0F;", "=r,r", [a], dtype=tl.int8, is_pure=True, pack=4)
    tl.store(z + i, y.to(tl.int32))
    tl.store(z + N + i, (a & 15).to(tl.int32))
---
# packed bytes to several results
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i).to(tl.uint8), tl.load(x + i).to(tl.float32)
    y, larger = tl.inline_asm_elementwise(
        """
        {
            .reg .b8 t<4>;
            mov.b32 {t0, t1, t2, t3}, $8;
            cvt.u32.u8 $0, t0;  cvt.u32.u8 $1, t1;  cvt.u32.u8 $2, t2;  cvt.u32.u8 $3, t3;
        }
        max.f32 $4, $9, 0f42C80000;
        max.f32 $5, $10, 0f42C80000;
        max.f32 $6, $11, 100.0;
        max.f32 $7, $12, 100.0;
        """, "=r,=r,=r,=r,=f,=f,=f,=f,r,f,f,f,f", [a, b], dtype=(tl.int32, tl.float32), is_pure=True, pack=4)
    tl.store(z + i, y + larger.to(tl.int32))
    tl.store(z + N + i, a.to(tl.int32) + tl.maximum(b, 100.0).to(tl.int32))
---
# 4-bit integers to fp16
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    MASK: tl.constexpr = 0x000F000F
    MAGIC: tl.constexpr = 0x64006400
    LUT: tl.constexpr = (0xF0 & 0xCC) | 0xAA
    low, high = tl.inline_asm_elementwise("""{
        .reg .b32 t;
        lop3.b32 t, $2, $3, $4, $5;
        sub.f16x2 t, t, $6;
        mov.b32 {$0, $1}, t;
    }""", "=h,=h,r,n,n,n,r", args=[a, MASK, MAGIC, LUT, MAGIC], dtype=(tl.float16, tl.float16), is_pure=True, pack=1)
    tl.store(z + i, low.to(tl.int32) + 16 * high.to(tl.int32))
    tl.store(z + N + i, (a & 15) + 16 * ((a >> 16) & 15))
---
# byte permutation
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i).to(tl.uint32, bitcast=True)
    y = tl.inline_asm_elementwise("prmt.b32 $0, $1, $2, $3;", "=r,r,r,r", args=[a, 0x07060504, 0x0123], dtype=tl.uint32, is_pure=True, pack=1)
    back = ((y & 0xFF) << 24) | ((y & 0xFF00) << 8) | ((y >> 8) & 0xFF00) | (y >> 24)
    tl.store(z + i, back.to(tl.int32, bitcast=True))
    tl.store(z + N + i, a.to(tl.int32, bitcast=True))
---
# approximations
@triton.jit
def near(y, want, scale: tl.constexpr):
    return tl.abs(y - want) <= 1e-3 * scale


@triton.jit
def approx(a, name: tl.constexpr):
    return tl.inline_asm_elementwise(f"{name}.f32 $0, $1;", constraints="=f,f", args=[a], dtype=tl.float32, is_pure=True, pack=1)


@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = (tl.load(x + i) % 256).to(tl.float32) / 64 + 0.01
    ok = near(approx(a, "cos.approx"), tl.cos(a), 1) & near(approx(a, "sin.approx"), tl.sin(a), 1)
    ok &= near(approx(a, "ex2.approx"), tl.exp2(a), 16) & near(approx(a, "rcp.approx.ftz") * a, 1, 1)
    ok &= near(approx(a, "tanh.approx"), 2 * tl.sigmoid(2 * a) - 1, 1) & near(approx(a * a, "lg2.approx"), 2 * tl.log2(tl.abs(a)), 16)
    tl.store(z + i, ok.to(tl.int32))
    tl.store(z + N + i, 1)
---
# no arguments
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.inline_asm_elementwise("mov.u32 $0, 0x2a; // the answer", "=r", [], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(z + i, y)
    tl.store(z + N + i, 42)
---
# a clock
@triton.jit
def clock():
    return tl.inline_asm_elementwise("mov.u64 $0, %clock64;", "=l", [], dtype=tl.int64, is_pure=False, pack=1)


@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    before = clock()
    y = tl.sum(tl.load(x + i))
    after = clock()
    if after < before:
        y = y * 0
    tl.store(z + i, y)
    tl.store(z + N + i, tl.sum(tl.load(x + i)))
---
# pairs of bfloat16
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = (tl.load(x + i) % 128).to(tl.float32)
    y = tl.inline_asm_elementwise("cvt.rn.bf16x2.f32 $0, $2, $1;", "=r,r,r", [a], dtype=tl.bfloat16, is_pure=True, pack=2)
    y = tl.inline_asm_elementwise("fma.rn.bf16x2 $0, $1, $1, $1;", "=r,r", [y], dtype=tl.bfloat16, is_pure=True, pack=2)
    tl.store(z + i, y.to(tl.int32))
    tl.store(z + N + i, (a * a + a).to(tl.bfloat16).to(tl.int32))
---
# pairs of float8
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = (tl.load(x + i) % 512).to(tl.float32)
    y = tl.inline_asm_elementwise("cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", "=h,f,f", [a], dtype=tl.float8e4nv, is_pure=True, pack=2)
    back = tl.inline_asm_elementwise("cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h", [y], dtype=tl.float16, is_pure=True, pack=2)
    tl.store(z + i, back.to(tl.int32))
    tl.store(z + N + i, a.to(tl.float8e4nv).to(tl.float32).to(tl.int32))
---
# 64 bits
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i).to(tl.int64)
    s = tl.inline_asm_elementwise("mad.lo.s64 $0, $1, $2, $1;", "=l,l,l", [a, a + 1], dtype=tl.int64, is_pure=True, pack=1)
    d = tl.inline_asm_elementwise("fma.rn.f64 $0, $1, 0d4000000000000000, 0d3FF0000000000000;", "=d,d", [a.to(tl.float64)], dtype=tl.float64, is_pure=True, pack=1)
    tl.store(z + i, (s >> 7).to(tl.int32) ^ (d / 4).to(tl.int32))
    tl.store(z + N + i, ((a * (a + 1) + a) >> 7).to(tl.int32) ^ ((a * 2 + 1).to(tl.float64) / 4).to(tl.int32))
---
# predicates
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    even = tl.inline_asm_elementwise("{ .reg .b32 %t; and.b32 %t, $1, 1; setp.eq.u32 $0, %t, 0; }", "=b,r", [a], dtype=tl.int1, is_pure=True, pack=1)
    y = tl.inline_asm_elementwise("selp.b32 $0, $1, $2, $3;", "=r,r,r,b", [a, 7, even], dtype=tl.int32, is_pure=True, pack=1)
    y += tl.inline_asm_elementwise("add.u32 $0, $1, 1;", "=r,r", [even], dtype=tl.int1, is_pure=True, pack=1).to(tl.int32)
    tl.store(z + i, y)
    tl.store(z + N + i, tl.where(a % 2 == 0, a, 7) + (a % 2 != 0).to(tl.int32))
---
# a reduction combines by assembly, a condition depends on it
@triton.jit
def larger(a, b):
    return tl.inline_asm_elementwise("max.s32 $0, $1, $2;", "=r,r,r", [a, b], dtype=tl.int32, is_pure=True, pack=1)


@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    top = tl.reduce(a, 0, larger)
    positive = tl.inline_asm_elementwise("set.gt.u32.s32 $0, $1, 0;", "=r,r", [top], dtype=tl.int32, is_pure=True, pack=1)
    total = top * 0
    if positive != 0:
        for j in range(3):
            total += larger(top, j) + tl.associative_scan(a, 0, larger).to(tl.int32).sum() * 0
    tl.store(z + i, tl.where(i == 0, total, larger(a, i)))
    tl.store(z + N + i, tl.where(i == 0, 3 * tl.max(a, 0), tl.maximum(a, i)))
---
# broadcast, and groups that are larger than what a thread holds
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    rows, columns = tl.arange(0, 8), tl.arange(0, 4)
    a, b = tl.load(x + rows).to(tl.int16), tl.load(x + columns).to(tl.int16)
    y = tl.inline_asm_elementwise("and.b32 $0, $2, $4; and.b32 $1, $3, $5;", "=r,=r,r,r,r,r", [a[:, None], b[None, :]], dtype=tl.int16, is_pure=True, pack=4)
    at = rows[:, None] * 4 + columns[None, :]
    tl.store(z + at, y.to(tl.int32))
    tl.store(z + N + at, (a[:, None] & b[None, :]).to(tl.int32))
---
# a fence
@triton.jit
def k(x, z, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(z + i, tl.load(x + i))
    tl.inline_asm_elementwise("mov.u32 $0, 0; fence.sc.sys;", "=r", (), dtype=(tl.int32,), is_pure=False, pack=1)
    tl.store(z + N + i, tl.load(x + i))
