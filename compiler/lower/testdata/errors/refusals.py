# What the rules of the language refuse, by rule, under Strict: each is an error, and its code has a page. The form is
# that of places.py, and so are the arguments of the kernels.
# Statements and expressions that kernels lack.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    while n > 3:
        n -= 1
        break  # error: break "break"
    for i in range(0, n):
        continue  # error: continue "continue"
    double = lambda a: a * 2  # error: lambda "lambda"
    a = {1: 2}  # error: unsupported-expression "cannot be used"
    b = {1, 2}  # error: unsupported-expression "cannot be used"
    c = {i: i for i in (1, 2)}  # error: unsupported-expression "cannot be used"
    d = [i for i in range(4)]  # error: comprehension-range "only over tuples"
    try:  # error: unsupported-statement "`try`"
        pass
    except Exception:
        pass
    raise ValueError  # error: unsupported-statement "`raise`"
    import math  # error: unsupported-statement "`import`"
    del n  # error: unsupported-statement "`del`"
    class Pair:  # error: unsupported-statement "`class`"
        pass
    with n:  # error: unsupported-statement "`with`"
        pass
    yield n  # error: unsupported-expression "`yield`"
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    global n  # error: unsupported-statement "`global`"
    match BLOCK:  # error: unsupported-statement "`match`"
        case 16:
            pass
---
# triton: 3.6
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    def double(a):  # error: nested-function "nested"
        return a * 2
    offs = tl.arange(0, BLOCK)
    a = 0 <= offs < n  # error: chained-comparison "only two values"
    a = offs < n & offs < 8  # error: comparison-precedence "`n & offs`"
    b = n in (1, 2)  # error: in-unsupported "`in`"
    c = BLOCK in (16, 32)  # error: in-tuple "`in`"
    d = offs[0]  # error: index-unsupported "offs"
    e = offs[0:4]  # error: index-unsupported "offs"
    offs[0] = 1  # error: subscript-assigned "offs"
    offs.shape = (4, 4)  # error: attribute-assigned "shape"
    x_ptr[0] = 1.0  # error: pointer-assigned "pointer"
    x_ptr[:] = offs  # error: pointer-assigned "pointer"
    x_ptr[offs, 0] = offs  # error: pointer-assigned "pointer"
    f = x_ptr[0]  # error: pointer-indexed "pointer"
    f = i_ptr[offs, 0]  # error: pointer-indexed "pointer"
    g = h = n  # error: chained-assignment "only one target"
    *k, m = (1, 2, 3)  # error: starred-target ""
    if (o := n) > 3:  # error: needs-version ":="
        pass
---
# Conditions, branches and loops.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    if offs < n:  # error: condition-tile "single value"
        pass
    while offs < n:  # error: while-tile "single value"
        pass
    if 1.5:  # error: condition-type ""
        pass
    if n > 3:
        a = 1  # error: branch-type "`a` is"
    else:
        a = 1.5
    b = 1 if n > 3 else 1.5  # error: ternary-type "conditional expression"
    if n > 3:
        c = 1
    tl.store(i_ptr, c)  # error: undefined-branch "`c`"
    for i in range(0, n):
        d = i
    tl.store(i_ptr, d)  # error: undefined-loop "`d`"
    e = 0
    f = tl.load(x_ptr)
    g = 0.0
    for i in range(0, n):
        e = e + 1.5  # error: loop-widened "int32 to fp32"
        f = f.to(tl.float16)  # error: loop-type "fp32 to fp16"
        g = g + offs  # error: loop-widened "fp32 to fp32[16]"
        BLOCK = BLOCK + 1  # error: constexpr-reassigned "BLOCK"
    h = tl.load(x_ptr + offs)
    for i in range(0, n):
        h = tl.load(x_ptr + offs[:, None])  # error: loop-type "`h` from fp32[16] to fp32[16, 1]"
        tl.store(x_ptr + offs[:, None], h)
    for i in range(0, n):
        offs = offs[None, :]  # error: loop-unstable "`offs`"
---
@triton.jit
def pick(a):
    if a > 3:
        return 1  # error: return-type "returns int32 in one place"
    return 1.5


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr, pick(n))
    for i in range(0, n):
        if i > 3:
            return  # error: return-in-loop "return"
    for i in (1, 2):  # error: for-over-tuple "only over range"
        pass
    for i in tl.arange(0, BLOCK):  # error: not-iterable "iterate"
        pass
    for i in range(0, n):
        pass
    else:
        pass  # error: loop-else "else"
    for i in range(0, n / 2):  # error: range-bound "fp32"
        pass
    while True:  # error: while-constexpr "while"
        n -= 1
    print(f"{n}")  # error: fstring-tensor "f-string"
    print(n)  # error: print-not-string "print"
    a = 'text'  # error: string-assigned "text"
    b = n == None  # error: compared-with-none "None"
---
# Constexprs and globals.
SCALE = 2
LIST = tl.zeros


def plain(a):
    return a


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    size = BLOCK * 2
    a = tl.arange(0, size)  # error: plain-constexpr "size"
    b = tl.zeros([n // 25], tl.float32)  # error: argument-constexpr "`n`"
    tl.arange(0, n)  # error: arange-power-of-two ""
    c = tl.arange(0, tl.load(i_ptr))  # error: needs-constexpr ""
    start = tl.program_id(0) * BLOCK
    d = tl.arange(start, start + BLOCK)  # error: arange-runtime-start "arange"
    w = tl.load(i_ptr)  # w + 16 may wrap, so that the difference of what both are as int64 is not known
    d = tl.arange(w.to(tl.int64), (w + 16).to(tl.int64))  # error: needs-constexpr "arange"
    m: tl.constexpr = 3
    m: tl.constexpr = 4  # error: constexpr-redefined "`m`"
    e: tl.constexpr = tl.load(i_ptr)  # hint: constexpr-from-tensor ""
    f = n * SCALE  # error: plain-global "`SCALE`"
    g = plain(n)  # error: helper-not-jit "plain"
    h = abs(n)  # error: builtin-unavailable "abs"
    i = float(n)  # error: builtin-cast "float"
    j = BLOCK.to(tl.float32)  # error: constexpr-method "to"
    k = missing  # error: undefined-name "missing"
    o = tl.arrange(0, 16)  # error: unknown-name "arrange"
    p = a.mean()  # error: unknown-method "mean"
    r = tl.squeeze(a, 0)  # error: static-assert "size 1"
    s = tl.squeeze(a[:, None], 2)  # error: static-assert "index 2 is out of range"
    u = tl.topk(a, 3)  # error: static-assert "topk: k must be a power of two"
    v = tl.topk(a, 0)  # error: static-assert "topk: k must be greater than 0"
    w = tl.topk(a, 256)  # error: static-assert "topk: k must not exceed"
    t = a.unsqueeze(0)  # error: unknown-method "unsqueeze"
    q = tl.load(x_ptr, masks=None)  # error: unknown-keyword "masks"
    tl.static_assert(BLOCK == 3)  # error: static-assert ""
---
# Types.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    x = tl.load(x_ptr)
    u = tl.full([BLOCK], 3, tl.uint32)
    offs = tl.arange(0, BLOCK)
    a = offs // u  # error: mixed-signedness "divided"
    b = u + -1  # error: negative-number-unsigned "negative"
    c = u.to(tl.uint8) + 300  # error: number-out-of-range "300"
    d = x // 2  # error: floor-division-float "//"
    e = x ** n  # error: power ""
    f = x ** 2  # error: power-unrolled ""
    g = not n  # error: not-needs-bool ""
    h = ~x  # error: invert-float "~"
    i = x & n  # error: operand-types "bitwise"
    j = tl.exp(n)  # error: dtype-unsupported "int32"
    k = tl.exp(x.to(tl.float16))  # error: dtype-unsupported "fp16"
    l = tl.clamp(n, 0, 3)  # error: clamp-int "clamp"
    m = x.to(tl.int16, bitcast=True)  # error: bitcast-width "16"
    o = tl.umulhi(x, x)  # error: dtype-unsupported "fp32"
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = x_ptr + x_ptr  # error: add-pointers ""
    b = x_ptr + 1.5  # error: pointer-operands ""
    c = x_ptr - x_ptr  # error: pointer-difference ""
    d = x_ptr == i_ptr  # error: pointer-operands ""
    e = offs + tl.arange(0, 8)  # error: shape-mismatch "[16] and [8]"
    f = tl.zeros([24], tl.float32)  # error: dim-power-of-two ""
    g = tl.zeros([0], tl.float32)  # error: dim-positive ""
    h = tl.zeros([2048, 1024], tl.float32)  # error: tile-too-large ""
    i = tl.arange(0, 24)  # error: arange-power-of-two ""
    j = tl.arange(4, 4)  # error: arange-range ""
    k = tl.arange(4294967296, 4294967312)  # error: arange-int32 ""
    l = tl.arange(0, BLOCK / 2)  # error: needs-int ""
    m = tl.zeros(BLOCK, tl.float32)  # error: shape-int ""
    o = tl.zeros([BLOCK], float)  # error: python-dtype "float"
    p = tl.full([BLOCK], 1.5, tl.int32)  # error: full-float-int ""
    q = tl.broadcast_to(offs, [8])  # error: cannot-broadcast-to ""
    r = tl.reshape(offs, [4, 8])  # error: reshape-numel ""
---
# triton: 3.6
# Operations.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + offs, other=0.0)  # error: other-without-mask ""
    b = tl.load(x_ptr, mask=offs < n)  # error: block-with-scalar-pointer ""
    c = tl.load(x_ptr + offs, mask=offs)  # error: mask-not-bool ""
    d = tl.load(offs)  # error: not-a-pointer ""
    e = tl.load(x_ptr, cache_modifier=".wb")  # error: bad-choice ""
    f = tl.load(x_ptr, boundary_check=(0,))  # error: block-pointer-argument ""
    tl.store(i_ptr, offs)  # error: block-with-scalar-pointer ""
    tl.store(i_ptr + offs[:, None], tl.zeros([BLOCK, BLOCK], tl.int32))  # error: store-pointer-shape ""
    tl.atomic_and(x_ptr, 1.0)  # error: atomic-dtype ""
    tl.atomic_add(x_ptr, 1.0, mask=n)  # error: mask-not-bool ""
    g = tl.split(offs)  # error: split-last-dim ""
    h = tl.trans(offs)  # error: trans-rank ""
    i = tl.permute(tl.zeros([2, 4], tl.int32), (0, 0))  # error: permutation ""
    j = tl.sum(offs, 1)  # error: axis-out-of-range ""
    k = tl.sum(n)  # error: needs-tile ""
    l = tl.cat(offs, offs)  # error: cat-order ""
    m = tl.program_id(3)  # error: grid-axis ""
    o = tl.histogram(tl.zeros([4, 4], tl.int32), 16)  # error: histogram-input ""
    p = tl.sort(tl.zeros([4, 4], tl.int32), 0)  # error: static-assert ""
    s = tl.rand(n.to(tl.float32), 0)  # error: static-assert "fp32"
    t = tl.randint(0.5, 0)  # error: static-assert ""
    q = tl.float32(n)  # error: dtype-called ""
    r = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    tl.advance(r, (BLOCK,))  # error: result-unused "`tl.advance`"
    tl.advance(r, (BLOCK,))  # error: result-unused "`tl.advance`"
    tl.store(x_ptr, 1.0, cache_modifier=".ca")  # error: bad-choice ".ca"
---
# Matrix products and descriptors.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    x = tl.zeros([16, 16], tl.float16)
    a = tl.dot(x, x.to(tl.float32))  # error: dot-mixed-dtypes ""
    b = tl.dot(x, tl.zeros([32, 16], tl.float16))  # error: dot-inner-dim ""
    c = tl.dot(tl.zeros([16], tl.float16), x)  # error: dot-rank ""
    d = tl.dot(tl.zeros([16, 8], tl.float16), tl.zeros([8, 16], tl.float16))  # error: dot-too-small ""
    e = tl.dot(x.to(tl.uint8), x.to(tl.uint8))  # error: dot-uint8 ""
    f = tl.dot(x, x, out_dtype=tl.bfloat16)  # error: dot-out-bf16 ""
    g = tl.dot(x, x, tl.zeros([16, 16], tl.int32))  # error: dot-acc-type ""
    h = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 2])  # error: descriptor-block-bytes ""
    i = tl.make_tensor_descriptor(x_ptr, [n, 16], [1, 16], [4, 16])  # error: descriptor-last-stride ""
    j = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [2, 16])
    k = j.gather(tl.arange(0, 8), 0)  # error: descriptor-gather-block ""
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    p = n.to(tl.int64).to(tl.pointer_type(tl.float8e5)) + offs
    x = tl.load(p, mask=offs < n, other=1)  # error: cast-impossible "int32 cannot be converted to fp8e5"
    tl.store(p, 1, mask=offs < n)  # error: cast-impossible "int32 cannot be converted to fp8e5"
    tl.store(p, tl.load(p, mask=offs < n, other=1.0), mask=offs < n)
