# Pairs of launches as in races.py, of 2 programs, or as many as `grid` says. x, z and u are 64 elements of fp32: x is 0, 1,
# …, 63, z is zeros, and u comes from torch.empty. i is 0, 1, …, 63 in int32; n is 13 and B is 16.
#
# A sum into memory that nobody has written.
# right: READ=tl.load(z + offs)
# wrong: READ=tl.load(u + offs)
# wrong: READ=tl.load(u + offs, mask=offs < 40)
# wrong: READ=tl.load(u + offs * 2 % 64)
# wrong: READ=tl.where(offs < 8, tl.load(u + offs), 0)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    before = READ  # warning: read-unwritten "u"
    tl.store(z + offs, tl.load(x + offs) + before)
---
# An atomic sum into it.
# right: TO=z
# wrong: TO=u
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(TO + offs, tl.load(x + offs))  # warning: read-unwritten
---
# A store before the load, of all that is loaded or of a part.
# right: PART=16
# wrong: PART=13
# wrong: PART=n
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(u + offs, 1.0, mask=tl.arange(0, B) < PART)
    tl.debug_barrier()
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# A loop that adds up in memory.
# right: FIRST=0; START=tl.store(u + pid, 0.0)
# wrong: FIRST=0; START=pass
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    START
    for j in range(4):
        total = tl.load(u + pid)  # warning: read-unwritten "u"
        tl.store(u + pid, total + tl.load(x + pid * 4 + j))
---
# In a function, through an address from memory, and a tile.
# right: FROM=x
# wrong: FROM=u
@triton.jit
def pick(p, at):
    return tl.load(p + at)  # warning: read-unwritten "u"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 4)[:, None], tl.arange(0, 4)[None, :]
    at = tl.load(i + rows * 4 + cols)
    tl.store(z + tl.program_id(0) * 16 + at, pick(FROM, at))
---
# Scratch that each program writes, and reads at a distance.
# right: SHIFT=0
# wrong: SHIFT=32
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(u + offs, tl.load(x + offs))
    tl.store(z + offs, tl.load(u + offs + SHIFT))  # warning: read-unwritten "u"
---
# A masked load without other whose lanes are stored.
# right: OTHER=, other=0.0; MASK=
# right: OTHER=; MASK=, mask=mask
# wrong: OTHER=; MASK=
# wrong: OTHER=; MASK=, mask=offs < n + 1
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    v = tl.load(x + offs, mask=mask OTHER)
    if tl.program_id(0) == 0:
        tl.store(z + offs, v * 2 + 1 MASK)  # warning: undefined-lane-store "x"
---
# A reduction of undefined lanes.
# right: VALUE=tl.where(mask, v, 0.0)
# right: VALUE=tl.where(offs < n, v, 0.0)
# wrong: VALUE=v
# wrong: VALUE=tl.where(mask, 0.0, v)
# wrong: VALUE=v * mask
# wrong: VALUE=tl.cumsum(v, 0)
# wrong: VALUE=tl.exp(v - tl.max(v, 0))
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    total = tl.sum(VALUE, 0)
    tl.store(z + tl.program_id(0), total)  # warning: undefined-lane-store "x"
---
# A matrix whose inner dimension is masked.
# right: MASK=rows < 8; OTHER=, other=0.0
# wrong: MASK=cols < 8; OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    a = tl.load(x + rows * 2 + cols, mask=MASK OTHER)
    b = tl.load(x + rows + cols * 2)
    c = tl.sum(tl.dot(a, b), 1)
    if tl.program_id(0) == 0:
        tl.store(z + tl.arange(0, 16), c)  # warning: undefined-lane-store "x"
---
# A loop that carries undefined lanes.
# right: OTHER=, other=0.0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for start in range(0, 20, B):
        acc += tl.load(x + start + offs, mask=start + offs < 20 OTHER)
    if tl.program_id(0) == 0:
        tl.store(z + offs, acc)  # warning: undefined-lane-store "x"
---
# A branch by an undefined lane.
# right: OTHER=, other=0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(i + offs, mask=offs < n OTHER)
    if tl.max(v, 0) > 3:  # warning: undefined-lane-branch "i"
        tl.store(z + tl.program_id(0), 1.0)
---
# A trip count from an undefined lane.
# right: OTHER=, other=0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    trips = tl.load(i + pid, mask=pid > 0 OTHER)
    for j in range(trips):  # warning: undefined-lane-branch "i"
        tl.store(z + pid * 4 + j, 1.0)
---
# An address of undefined lanes.
# right: MASK=, mask=mask
# wrong: MASK=
# wrong: MASK=, mask=offs < n + 2
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    at = tl.load(i + offs, mask=mask)
    v = tl.load(x + at MASK)  # warning: undefined-lane-address "i"
    if tl.program_id(0) == 0:
        tl.store(z + offs, tl.where(mask, v, 0.0))
---
# A mask of undefined lanes.
# right: KEEP=mask & (v > 3)
# right: KEEP=(v > 3) & mask
# wrong: KEEP=v > 3
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    if tl.program_id(0) == 0:
        tl.store(z + offs, 1.0, mask=KEEP)  # warning: undefined-lane-mask "x"
---
# In a function, transposed and reshaped.
# right: OTHER=, other=0.0
# wrong: OTHER=
@triton.jit
def tail(p, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    return tl.load(p + offs, mask=offs < n OTHER)


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    v = tl.trans(tl.reshape(tail(x, n, B), (4, 4)))
    at = tl.arange(0, 4)[:, None] * 4 + tl.arange(0, 4)[None, :]
    if tl.program_id(0) == 0:
        tl.store(z + at, v)  # warning: undefined-lane-store "x"
---
# A NaN of a difference of infinities, and others.
# right: VALUE=v - v
# wrong: VALUE=tl.log(v - 5.5)
# wrong: VALUE=tl.sqrt(v - 1)
# wrong: VALUE=(v - 3) / (v - 3)
# wrong: VALUE=tl.rsqrt(v - 2.5)
# wrong: VALUE=tl.where(v > 3, tl.sqrt(3 - v), v)
# wrong: VALUE=tl.log(0.0 - v - 1) * 0
# wrong: VALUE=tl.maximum(v, 1.0) + tl.sqrt(-1.0 - v)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs)
    w = VALUE  # hint: nan-origin "z"
    tl.store(z + offs, w)
---
# A softmax of a row that is masked altogether.
# right: FILL=-1000.0
# wrong: FILL=-float("inf")
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < 0, other=FILL)
    e = tl.exp(v - tl.max(v, 0))  # hint: nan-origin "z"
    if tl.program_id(0) == 0:
        tl.store(z + offs, e / tl.sum(e, 0))
---
# A number too large for its dtype, and a division by zero.
# right: VALUE=v * 2
# right: VALUE=tl.where(v > 0, 1 / v, 0.0)
# wrong: VALUE=tl.exp(v * 100)
# wrong: VALUE=1 / (v - 3)
# wrong: VALUE=v * 1e38 * 10
# wrong: VALUE=(v * 5000).to(tl.float16)
# wrong: VALUE=tl.log(v)
# wrong: VALUE=tl.exp2(v * v)
# wrong: VALUE=tl.sum(v * 3e37, 0) + v
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs)
    w = VALUE  # hint: overflow-origin "z"
    tl.store(z + offs, w)
---
# In a loop and a function.
# right: FACTOR=1.0
# wrong: FACTOR=1e15
@triton.jit
def grow(v, by):
    return v * by  # hint: overflow-origin "z"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs) + 1
    for j in range(4):
        v = grow(v, FACTOR)
    tl.store(z + offs, v)
---
# Hints, on what nobody uses.
# right: AT=pid * 32
# wrong: AT=pid * 24
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.multiple_of(AT, 16)  # warning: hint-divisibility
    tl.store(z + pid, tl.load(x + AT))
---
# A number that is promised to be a multiple.
# right: BY=1
# wrong: BY=8
# wrong: BY=16
# wrong: BY=2
def k(x, i, z, u, n, B: tl.constexpr):
    m = tl.multiple_of(n, BY)  # warning: hint-divisibility
    tl.store(z + tl.program_id(0) * B + tl.arange(0, B), m)
---
# Offsets whose first one is promised to be a multiple.
# right: START=pid * B
# right: START=pid * 32 + 16
# wrong: START=pid * B + 1
# wrong: START=pid * n
# wrong: START=pid * 8
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.multiple_of(START + tl.arange(0, B), 16)  # warning: hint-divisibility
    tl.store(z + offs, 0.0, mask=offs < 0)
---
# Offsets that are promised to be consecutive.
# right: OFFS=offs
# right: OFFS=offs + n
# wrong: OFFS=offs * 2
# wrong: OFFS=offs % 3
# wrong: OFFS=offs // 2
# wrong: OFFS=tl.where(offs == 5, 0, offs)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.max_contiguous(OFFS, B)  # warning: hint-contiguity
    tl.store(z + at, 0.0, mask=at < 0)
---
# A pointer that is promised to be aligned.
# right: AT=16
# wrong: AT=17
# wrong: AT=n
def k(x, i, z, u, n, B: tl.constexpr):
    p = tl.multiple_of(x + AT, 16)  # warning: hint-divisibility
    tl.store(z + tl.program_id(0), tl.load(p))
---
# Columns of a tile, in a function.
# right: STRIDE=1
# wrong: STRIDE=4
@triton.jit
def columns(start, stride, B: tl.constexpr):
    return tl.max_contiguous(start + tl.arange(0, B) * stride, B)  # warning: hint-contiguity


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 4)[:, None], columns(0, STRIDE, 4)[None, :]
    v = tl.load(x + rows * 4 + cols)
    if tl.program_id(0) == 0:
        tl.store(z + rows * 16 + cols, v)
