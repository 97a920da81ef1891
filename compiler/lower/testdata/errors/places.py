# Where diagnostics stand. A comment `# severity: code "part of the headline"` ends the line on which
# one begins; several are separated by semicolons. Nothing else may be said. The kernels get
# x_ptr: *fp32, i_ptr: *i32, n = 100, BLOCK = 16.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    wide = tl.arange(0, 2 * BLOCK)
    a = offs + wide  # error: shape-mismatch "[16] and [32]"
    b = a * 2
    c = tl.exp(offs)  # error: dtype-unsupported "fp32, fp64, not int32"
    tl.store(x_ptr + offs, b + c)
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(
        x_ptr + offs,
        mask=tl.arange(0, 32) < n,  # error: mask-shape "[32], and the pointer has shape [16]"
    )
    tl.store(x_ptr + offs, x)
---
@triton.jit
def helper(a, b):
    return a + b  # error: shape-mismatch "[16] and [8]"


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    x = helper(tl.arange(0, BLOCK), tl.arange(0, 8))
    tl.store(x_ptr + x, x)
---
# A function of the prelude is reported where the user calls it.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    x = tl.softmax(tl.arange(0, BLOCK))  # error: dtype-unsupported "int32"
    y = tl.sum(tl.arange(0, BLOCK), axis=2)  # error: axis-out-of-range "axis 2"
    z = tl.cdiv(n, x_ptr)  # error: pointer-operands "pointer<fp32>"
---
# One message for each cause, however often it is passed.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    for i in tl.static_range(4):
        x = tl.lod(x_ptr + i)  # error: unknown-name "`lod`"
        tl.store(x_ptr + i, x)
    for i in range(n):
        for j in range(n):
            y = tl.lod(x_ptr + i)  # error: unknown-name "`lod`"
            tl.store(x_ptr + i, y + x)
---
# A broken condition silences what depends on it and nothing else.
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    if nn > 3:  # error: undefined-name "`nn`"
        a = 1
        b = tl.exp(n)  # error: dtype-unsupported "int32"
    else:
        a = 2
    tl.store(i_ptr, a)
    tl.store(i_ptr, c)  # error: undefined-name "`c`"
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros([BLOCK], tl.float32)
    for i in range(0, n):
        x = tl.load(x_ptr + i + tl.arange(0, 2 * BLOCK))
        acc += x  # error: shape-mismatch "[16] and [32]"
    tl.store(x_ptr + tl.arange(0, BLOCK), acc)
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    acc = tl.load(x_ptr)
    while acc > 0:
        acc = acc.to(tl.int32)  # error: loop-type "from fp32 to int32"
    tl.store(x_ptr, acc)
---
@triton.jit
def even(a):
    return odd(a - 1)


@triton.jit
def odd(a):
    return even(a - 1)  # error: recursion "`even` calls itself"


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    tl.store(i_ptr, even(n))
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    import math  # error: unsupported-statement "`import`"
    with n:  # error: unsupported-statement "`with`"
        pass
    raise ValueError  # error: unsupported-statement "`raise`"
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    a, b = tl.load(x_ptr)  # error: unpack-not-tuple "fp32"
    c = (1, 2)[n]  # warning: argument-constexpr "`n`"; error: index-out-of-range "out of range"
    d = x_ptr.foo  # error: unknown-method "`.foo`"
    e = tl.float32.foo  # error: unknown-dtype-attribute "`.foo`"
    f = tl.load(x_ptr, 1)  # error: mask-not-bool "`1`"
---
# The superset, each at its own place.
SCALE = 2


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    size = 8
    offs = tl.arange(0, size)  # warning: plain-constexpr "`size`"
    double = lambda v: v * SCALE  # warning: lambda "lambdas"; warning: plain-global "`SCALE`"
    total = 0.0
    for i in range(0, n, step=2):  # warning: range-hint "`step`"
        if i > 5:
            break  # warning: break "break in loops"
        total += tl.load(x_ptr + offs)  # warning: loop-widened "fp32 to fp32[8]"
    print(double(total))  # warning: print-not-string "fp32[8]"
---
# triton: 3.6
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    tl.store(p + 1, 0)  # error: operand-kinds "pointer<fp32[16]> and int"
    tl.store(p, offs[:, None] + 0.0)  # error: block-store-shape "`offs[:, None] + 0.0` has shape [16, 1], and the block has shape [16]"
    tl.store(p, offs.to(tl.float32), mask=offs < n)  # error: block-pointer-mask "`tl.store` takes no `mask` with a block pointer"
    q = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK, BLOCK), (0,))  # error: block-pointer-rank "`shape` of `tl.make_block_ptr` has 1 element, and a block has 2 dimensions"
    p = tl.make_block_ptr(p, (n,), (1,), (0,), (BLOCK,), (0,))  # error: block-pointer-base "`p` is pointer<fp32[16]>"
---
# triton: 3.6
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    for i in range(0, n):
        p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (2 * BLOCK,), (0,))  # error: loop-type "pointer<fp32[16]>"
    tl.atomic_add(tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (8,), (0,)), 1.0)  # error: not-a-pointer "pointer<fp32[8]>"
    q = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    tl.sum(tl.load(q, boundary_check=(0,)))  # hint: boundary-without-padding "elements outside of the tensor"
    q.load()  # error: no-attribute "load"
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    d = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [2, BLOCK])
    d.store([0, 0], tl.arange(0, BLOCK))  # error: descriptor-value-shape "`tl.arange(0, BLOCK)` has shape [16]"
    d.load([0])  # error: block-pointer-rank "`offsets` of `tensor_descriptor.load` has 1 element, and a block has 2 dimensions"
    d.load([0, n.to(tl.int64)])  # error: offset-64-bit "offsets of a block have 32 bits"
    tl.load(d)  # error: not-a-pointer "tensor_descriptor<fp32[2, 16]>"
    d.lode([0, 0])  # error: no-attribute "lode"
    d.atomic_and([0, 0], tl.zeros((2, BLOCK), tl.float32))  # error: atomic-dtype "`tensor_descriptor.atomic_and` does not work on fp32"
    tl.make_tensor_descriptor(i_ptr, [n, 16], [16, 1], [2, BLOCK], "nan")  # error: padding-nan "int32 has no NaN"
---
class Pair(NamedTuple):
    low: int
    high: int = 9


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    p = Pair(n)
    tl.store(x_ptr, p.low + p.high)
    tl.store(x_ptr, p.height)  # error: no-field "Pair has no field `height`"
    tl.store(x_ptr, (n, n).low)  # error: no-attribute "tuple has no `.low`"
    a, b, c = p  # error: unpack-count "3 names"
    if n > 1:
        q = p  # error: branch-type "Pair in one branch and tuple"
    else:
        q = (n, n)
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    for i in range(0, n):
        a = i
        tl.store(i_ptr + a, i)
    tl.store(i_ptr, a)  # error: undefined-loop "only inside the loop"
    tl.store(i_ptr, i)  # error: loop-variable "has no value after its loop"
---
# Who takes the end of a function instead of its return gets an undefined value, as in Triton.
@triton.jit
def pick(a):
    if a > 3:
        return a + 1  # hint: return-missing "not on every path"


@triton.jit
def nothing(a):
    if a > 3:
        return


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    nothing(n)
    tl.store(i_ptr, pick(n) + pick(n))
---
# triton: 3.7
# Methods are inherited, fields are not; each class comes before its bases.
class Named(object):
    """Of whatever has a size."""

    kind = "span"

    @triton.constexpr_function
    def width(self):
        return self.size

    @triton.jit
    def text(self):
        return self.name  # error: no-member "Span has no field or method `name`"


@triton.constexpr_function
def halved(self):
    return self.size // 2


class Sized(Named):
    origin: tl.tensor
    half = halved

    @triton.constexpr_function
    def __init__(self, low, size):
        self.low = low
        self.size = tl.constexpr(size)

    @triton.constexpr_function
    def width(self):
        return self.size + 1


class Other(Named):
    @triton.constexpr_function
    def width(self):
        return self.unknown

    @staticmethod
    def of(low):
        return Span(low, 4)


@tl.core._aggregate
class Span(Sized, Other):
    low: tl.tensor
    size: tl.constexpr


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    s = Span(n, BLOCK)
    tl.static_assert(s.width() == BLOCK + 1)
    tl.static_assert(s.half() == BLOCK // 2)
    tl.store(i_ptr, s.low + Span.of(n).size)
    s.text()
    tl.store(i_ptr, s.origin)  # error: no-member "Span has no field or method `origin`"
---
# What the text does not tell is not known: a decorator, a base of another file, a class that stands below itself.
@changed
class Base:
    pass


@tl.core._aggregate
class Span(Base):
    low: tl.tensor


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    s = Span(n)  # error: global-unknown "`Span`"
---
class Base(Span):
    pass


@tl.core._aggregate
class Span(Base):
    low: tl.tensor


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    s = Span(n)  # error: global-unknown "`Span`"
---
# What stands after a statement that always leaves. A constexpr decides nothing about the text.
@triton.jit
def helper(a):
    return a + 1
    a = a + 2  # hint: unreachable-code "after `return`"


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    if BLOCK > 8:
        tl.store(i_ptr, helper(n) + helper(n))
        return
    tl.store(i_ptr, n)
---
@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    return
    # The span is that of all statements that are left.
    x = tl.load(x_ptr + i)  # hint: unreachable-code "the code after `return` never runs"
    tl.store(x_ptr + i, x)
---
# triton: 3.9
# The fields of the bases come first; a call gives all that have no default.
@triton.aggregate
class Base:
    low: tl.tensor


@triton.aggregate
class Span(Base):
    size: tl.constexpr = 4


@triton.jit
def kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):
    s = Span(n, BLOCK)
    tl.store(i_ptr, Span(n).size + s.low)
    t = Span()  # error: missing-argument "`low`"
    u = Span(n, n)  # error: field-type "`Span.size`"
    v = Span(n, low=n)  # error: argument-twice "`low`"
    w = Span(n, 4, 5)  # error: too-many-arguments "Span"
    a = tl.aggregate_replace(n, low=n)  # error: replace-no-aggregate "int32"
    b = tl.aggregate_replace(s, middle=n)  # error: replace-no-field "`middle`"
    c = s + s  # error: operator-method "`+`"
    s.low = n  # error: attribute-assigned "s.low"
