# Pairs of launches as in faults.py, whose faults are in disguise: behind functions, loops, casts, tuples, block pointers,
# descriptors, pointers to other dtypes, values that loops carry. Each was labelled before it ran for the first time.
#
# Out of bounds, a block pointer that checks the wrong dimension.
# right: CHECK=(0, 1)
# wrong: CHECK=(1,)
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    a = tl.make_block_ptr(x, (7, 9), (9, 1), (pid * 4, 0), (4, 16), (1, 0))
    v = tl.load(a, boundary_check=(0, 1), padding_option="zero")
    b = tl.make_block_ptr(z, (7, 9), (9, 1), (pid * 4 + 2, 3), (4, 16), (1, 0))
    tl.store(b, v, boundary_check=CHECK)  # error: out-of-bounds-store "z"
---
# Out of bounds, a function that swaps strides.
# right: STRIDES=16, 1
# wrong: STRIDES=1, 16
@triton.jit
def tile(p, rows, cols, by_row, by_col):
    return tl.load(p + rows[:, None] * by_row + cols[None, :] * by_col)  # error: out-of-bounds-load "x"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    v = tile(x, tl.arange(0, 4), tl.arange(0, B), STRIDES)
    tl.store(z + tl.program_id(0), tl.sum(v))
---
# Out of bounds, a pointer that a loop moves once too often.
# right: TRIPS=4
# wrong: TRIPS=5
def k(x, i, z, u, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for _ in range(TRIPS):
        acc += tl.load(p)  # error: out-of-bounds-load "x"
        p += B
    tl.store(z + tl.program_id(0) * B + tl.arange(0, B), acc)
---
# Out of bounds, an offset that wraps around in int8.
# right: NARROW=tl.int16
# wrong: NARROW=tl.int8
def k(x, i, z, u, n, B: tl.constexpr):
    scaled = (tl.arange(0, 64) * 3).to(NARROW)  # warning: integer-overflow
    at = scaled // 3
    v = tl.load(x + at)  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), tl.sum(v))
---
# Out of bounds, a pointer to another dtype.
# right: START=31
# wrong: START=33
def k(x, i, z, u, n, B: tl.constexpr):
    bits = x.to(tl.pointer_type(tl.int32), bitcast=True) + START
    v = tl.load(bits + tl.arange(0, 32))  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), tl.max(v, 0).to(tl.float32))
---
# Out of bounds, a descriptor of more rows than there are.
# right: ROWS=4
# wrong: ROWS=5
# wrong: ROWS=n
def k(x, i, z, u, n, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [ROWS, 16], [16, 1], [1, 16])
    acc = tl.zeros((1, 16), tl.float32)
    for row in range(5):
        acc += d.load([row, 0])  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0) * B + tl.arange(0, B)[None, :], acc)
---
# Out of bounds, an offset that doubles in each iteration.
# right: TRIPS=4
# wrong: TRIPS=6
def k(x, i, z, u, n, B: tl.constexpr):
    at = tl.program_id(0) + 1
    total = 0.0
    for _ in range(TRIPS):
        at *= 2
        total += tl.load(x + at)  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), total)
---
# Out of bounds, a search that ends too late.
# right: LIMIT=63
# wrong: LIMIT=70
def k(x, i, z, u, n, B: tl.constexpr):
    at = tl.program_id(0)
    while (tl.load(x + at) < 1000) & (at < LIMIT):  # error: out-of-bounds-load "x"
        at += 1
    tl.store(z + tl.program_id(0), at.to(tl.float32))
---
# Out of bounds, a tuple of sizes in the wrong order.
# grid: 2 2
# right: SIZE=(4, 16)
# wrong: SIZE=(16, 4)
@triton.jit
def offsets(pid, size, at: tl.constexpr):
    return pid * size[at] // 2 + tl.arange(0, 8)


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    size = SIZE
    rows, cols = offsets(tl.program_id(0), size, 0), offsets(tl.program_id(1), size, 1)
    keep = (rows[:, None] < size[0]) & (cols[None, :] < size[1])
    v = tl.load(x + rows[:, None] * 16 + cols[None, :], mask=keep, other=0.0)  # error: out-of-bounds-load "x"
    tl.atomic_add(z, tl.sum(v))
---
# Out of bounds, a choice between two tensors, one of which is read from too far.
# right: FAR=0
# wrong: FAR=32
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = x
    if pid == 1:
        p = z + 32
    offs = tl.arange(0, B) + FAR * pid
    v = tl.load(p + offs)  # error: out-of-bounds-load "z"
    tl.store(z + pid * B + tl.arange(0, B), v + 1)
---
# Undefined, a function that returns lanes and the mask that nobody uses.
# right: KEEP=keep
# wrong: KEEP=offs < B
@triton.jit
def read(p, offs, n):
    keep = offs < n
    return tl.load(p + offs, mask=keep), keep


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v, keep = read(x, offs, n)
    if tl.program_id(0) == 0:
        tl.store(z + offs, v * 0.5, mask=KEEP)  # warning: undefined-lane-store "x"
---
# Undefined, an atomic sum of all lanes.
# right: ADD=tl.where(keep, v, 0.0)
# wrong: ADD=v
# wrong: ADD=tl.where(v == v, v, 0.0)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    keep = offs < n
    v = tl.load(x + offs, mask=keep)
    tl.atomic_add(z + offs, ADD)  # warning: undefined-lane-store "x"
---
# Undefined, the place of the largest lane.
# right: OTHER=, other=-1.0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n OTHER)
    at = tl.argmax(v, 0)
    tl.store(z + tl.program_id(0), at.to(tl.float32))  # warning: undefined-lane-store "x"
---
# Undefined, through integers, bits and a shift.
# right: MASK=, mask=offs < n
# wrong: MASK=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n)
    bits = (v.to(tl.int32, bitcast=True) >> 3) ^ 5
    if tl.program_id(0) == 0:
        tl.store(z + offs, bits.to(tl.float32) MASK)  # warning: undefined-lane-store "x"
---
# Undefined, interleaved with lanes that are defined, and taken apart again.
# right: HALF=b
# wrong: HALF=a
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n)
    w = tl.load(x + offs + B)
    both = tl.interleave(v, w)
    a, b = tl.split(tl.reshape(both, (B, 2)))
    if tl.program_id(0) == 0:
        tl.store(z + offs, HALF)  # warning: undefined-lane-store "x"
---
# Undefined, a block pointer whose boundary check pads with nothing.
# right: PAD=, padding_option="zero"
# wrong: PAD=
def k(x, i, z, u, n, B: tl.constexpr):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (16,), (0,))
    v = tl.load(p, boundary_check=(0,) PAD)
    tl.store(z + tl.program_id(0), tl.sum(v, 0))  # warning: undefined-lane-store "x"
---
# Undefined, other has lanes that are undefined, too.
# right: FIRST=, other=1.0
# wrong: FIRST=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    w = tl.load(x + offs, mask=offs < n FIRST)
    v = tl.load(i + offs, mask=offs < 4, other=w.to(tl.int32))
    if tl.program_id(0) == 0:
        tl.store(z + offs, v.to(tl.float32))  # warning: undefined-lane-store "x"
---
# Undefined, the old values of an atomic operation that is masked.
# right: OLD=tl.where(keep, old, 0.0)
# wrong: OLD=old
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    keep = offs < n
    old = tl.atomic_add(z + offs, 1.0, mask=keep)
    tl.store(x + tl.program_id(0) * B + offs, OLD)  # warning: undefined-lane-store "z"
---
# Undefined, a loop that waits for an undefined lane.
# right: OTHER=, other=1
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    left = tl.max(tl.load(i + tl.arange(0, B), mask=tl.arange(0, B) < 3 OTHER), 0)
    turns = 0
    while left > 0:  # warning: undefined-lane-branch "i"
        left -= 1
        turns += 1
    tl.store(z + pid, turns.to(tl.float32))
---
# Undefined, sorted to the front.
# right: OTHER=, other=0.0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.sort(tl.load(x + offs, mask=offs < n OTHER))
    if tl.program_id(0) == 0:
        tl.store(z + offs, v)  # warning: undefined-lane-store "x"
---
# Undefined, a scan whose function is the kernel's own, whose tail is dropped or kept.
# right: LANES=offs < n
# wrong: LANES=offs < n + 1
@triton.jit
def later(a, b):
    return a * 0.5 + b


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n)
    s = tl.associative_scan(v, 0, later)
    if tl.program_id(0) == 0:
        tl.store(z + offs, s, mask=LANES)  # warning: undefined-lane-store "x"
---
# Undefined, carried by a loop that swaps two tiles.
# right: PICK=b
# wrong: PICK=a
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    a = tl.load(x + offs, mask=offs < n)
    b = tl.load(x + offs)
    for _ in range(4):
        a, b = b, a
    if tl.program_id(0) == 0:
        tl.store(z + offs, PICK)  # warning: undefined-lane-store "x"
---
# Unwritten, a function that writes all but the last element.
# right: COUNT=16
# wrong: COUNT=15
@triton.jit
def clear(p, count):
    for j in range(count):
        tl.store(p + j, 0.0)


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    clear(u + pid * B, COUNT)
    tl.debug_barrier()
    offs = pid * B + tl.arange(0, B)
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# Unwritten, a triangle that is written, and a square that is read.
# right: PART=rows >= 0
# wrong: PART=rows >= cols
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 4)[:, None], tl.arange(0, 4)[None, :]
    at = tl.program_id(0) * 16 + rows * 4 + cols
    tl.store(u + at, 1.0, mask=PART)
    tl.debug_barrier()
    v = tl.load(tl.trans(u + at))  # warning: read-unwritten "u"
    tl.store(z + at, v)
---
# Unwritten, a block pointer.
# right: FROM=x
# wrong: FROM=u
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = tl.make_block_ptr(FROM, (8, 8), (8, 1), (pid * 4, 0), (4, 8), (1, 0))
    total = tl.sum(tl.sum(tl.load(p), 1), 0)  # warning: read-unwritten "u"
    tl.store(z + pid, total)
---
# Unwritten, a descriptor.
# right: FROM=x
# wrong: FROM=u
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    d = tl.make_tensor_descriptor(FROM, [4, 16], [16, 1], [1, 16])
    v = d.load([pid, 0])  # warning: read-unwritten "u"
    tl.store(z + pid * B + tl.arange(0, B)[None, :], v)
---
# Unwritten, one of a tuple of tensors.
# right: WHICH=0
# wrong: WHICH=1
@triton.jit
def take(tensors, which: tl.constexpr, offs):
    return tl.load(tensors[which] + offs)  # warning: read-unwritten "u"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + offs, take((x, u), WHICH, offs))
---
# Unwritten, stored through a pointer to another dtype, all or every second element.
# right: EACH=1
# wrong: EACH=2
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    bits = u.to(tl.pointer_type(tl.int32), bitcast=True) + pid * B
    tl.store(bits + tl.arange(0, B) * EACH % B, 0)
    tl.debug_barrier()
    offs = pid * B + tl.arange(0, B)
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# Unwritten, only one of the branches writes.
# right: WHEN=pid >= 0
# wrong: WHEN=pid == 0
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * B + tl.arange(0, B)
    if WHEN:
        tl.store(u + offs, 2.0)
        tl.debug_barrier()
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# Unwritten, a largest value that is kept in memory.
# right: START=tl.store(u + pid, -1.0)
# wrong: START=pass
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    START
    tl.debug_barrier()
    tl.atomic_max(u + pid, tl.load(x + pid))  # warning: read-unwritten "u"
---
# Unwritten, stored where a value of memory is large enough.
# right: LEAST=-1.0
# wrong: LEAST=3.0
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs)
    tl.store(u + offs, v, mask=v > LEAST)
    tl.debug_barrier()
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# Unwritten, a ring of tiles, of which the next one is read before the loop has come around.
# right: NEXT=j % 2
# wrong: NEXT=(j + 1) % 2
def k(x, i, z, u, n, B: tl.constexpr):
    pid, offs = tl.program_id(0), tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for j in range(2):
        tl.store(u + pid * 32 + j % 2 * B + offs, tl.load(x + offs))
        tl.debug_barrier()
        acc += tl.load(u + pid * 32 + NEXT * B + offs)  # warning: read-unwritten "u"
    tl.store(z + pid * B + offs, acc)
---
# Hints, in a function that several calls share.
# right: AT=pid * 32
# wrong: AT=pid * 24
@triton.jit
def aligned(at):
    return tl.multiple_of(at, 16)  # warning: hint-divisibility


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + aligned(AT), tl.load(x + aligned(0)))
---
# Hints, a pointer that a loop moves.
# right: BY=B
# wrong: BY=n
def k(x, i, z, u, n, B: tl.constexpr):
    p = x
    acc = 0.0
    for _ in range(3):
        acc += tl.load(tl.multiple_of(p, 16))  # warning: hint-divisibility
        p += BY
    tl.store(z + tl.program_id(0), acc)
---
# Hints, along the second dimension of a tile.
# right: ROW=16
# wrong: ROW=13
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 2)[:, None], tl.arange(0, 8)[None, :]
    at = tl.multiple_of(rows * ROW + cols, (1, 8))  # warning: hint-divisibility
    if tl.program_id(0) == 0:
        tl.store(z + at, 1.0)
---
# Hints, consecutive along the wrong dimension.
# right: HINT=(1, 8)
# wrong: HINT=(2, 8)
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 2)[:, None], tl.arange(0, 8)[None, :]
    at = tl.max_contiguous(rows * 16 + cols, HINT)  # warning: hint-contiguity
    if tl.program_id(0) == 0:
        tl.store(z + at, 1.0)
---
# Hints, an index from memory.
# right: SHIFT=0
# wrong: SHIFT=5
def k(x, i, z, u, n, B: tl.constexpr):
    start = tl.load(i + tl.program_id(0) * B) + SHIFT
    offs = tl.max_contiguous(tl.multiple_of(start + tl.arange(0, B), 16), B)  # warning: hint-divisibility
    tl.store(z + offs, tl.load(x + offs))
---
# Hints, equal lanes that are not equal.
# right: GROUP=4
# wrong: GROUP=3
# wrong: GROUP=1
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    at = tl.max_constancy(offs // GROUP, 4)  # warning: hint-constancy
    v = tl.load(x + at)
    tl.store(z + tl.program_id(0) * B + offs, v)
---
# Hints, only in the second program's branch.
# right: LATE=32
# wrong: LATE=20
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    at = 0
    if pid == 1:
        at = tl.multiple_of(pid * LATE, 16)  # warning: hint-divisibility
    tl.store(z + at + tl.arange(0, B), 1.0)
---
# Hints, a tile of pointers.
# right: BASE=0
# wrong: BASE=3
def k(x, i, z, u, n, B: tl.constexpr):
    p = tl.multiple_of(x + BASE + tl.arange(0, B), 16)  # warning: hint-divisibility
    tl.store(z + tl.program_id(0) * B + tl.arange(0, B), tl.load(p))
---
# Hints, a pointer to another dtype.
# right: SKIP=4
# wrong: SKIP=2
def k(x, i, z, u, n, B: tl.constexpr):
    bits = (x + SKIP).to(tl.pointer_type(tl.int32), bitcast=True)
    v = tl.load(tl.multiple_of(bits, 16) + tl.arange(0, B))  # warning: hint-divisibility
    tl.store(z + tl.program_id(0), tl.max(v, 0).to(tl.float32))
---
# NaN, an online softmax whose first block is masked altogether.
# right: FLOOR=-1e30
# wrong: FLOOR=float("-inf")
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    m, s = FLOOR, 0.0
    for start in range(0, 32, B):
        v = tl.load(x + start + offs, mask=start + offs >= B, other=float("-inf"))
        high = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - high) + tl.sum(tl.exp(v - high), 0)  # hint: nan-origin "z"
        m = high
    tl.store(z + tl.program_id(0), s)
---
# NaN, a mean of no elements, in a function.
# right: LEAST=1
# wrong: LEAST=100
@triton.jit
def mean(v, keep):
    return tl.sum(tl.where(keep, v, 0.0), 0) / tl.sum(keep.to(tl.float32), 0)  # hint: nan-origin "z"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.store(z + tl.program_id(0), mean(v, v > LEAST))
---
# NaN, a division by zero that a mask multiplies away.
# right: SAFE=tl.where(v > 0, (v + 1) / tl.maximum(v, 1.0), 0.0)
# wrong: SAFE=(v + 1) / v * (v > 0)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs)
    w = SAFE  # hint: nan-origin "z"
    tl.store(z + offs, w)
---
# NaN, a variance that cancels below zero.
# right: CLAMP=tl.maximum(var, 0.0)
# wrong: CLAMP=var
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs) * 0 + 1000.1
    mean = tl.sum(v, 0) / B
    var = tl.sum(v * v, 0) / B - mean * mean - 1
    std = tl.sqrt(CLAMP)  # hint: nan-origin "z"
    tl.store(z + tl.program_id(0) * B + offs, v / (std + 1))
---
# NaN, carried by a tuple and a transposition.
# right: LOW=0.0
# wrong: LOW=5.0
@triton.jit
def parts(v, low):
    return tl.trans(v), tl.sqrt(v - low)  # hint: nan-origin "z"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    at = tl.arange(0, 4)[:, None] * 4 + tl.arange(0, 4)[None, :]
    a, b = parts(tl.load(x + at), LOW)
    if tl.program_id(0) == 0:
        tl.store(z + at, a + tl.trans(b))
---
# NaN, inf - inf in an accumulation over a loop of two functions.
# right: BIG=10.0
# wrong: BIG=1e38
@triton.jit
def up(v, big):
    return v * big * 10  # hint: nan-origin "z"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs) + 1
    a = up(v, BIG)
    for _ in range(2):
        a = a - up(v, BIG)
    tl.store(z + offs, a)
---
# Overflow, an accumulator of fp16.
# right: ACC=tl.float32
# wrong: ACC=tl.float16
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.zeros((B,), ACC)
    for j in range(40):
        acc += (tl.load(x + offs) * 100 + 2000).to(ACC)  # hint: overflow-origin "z"
    tl.store(z + offs, acc.to(tl.float32))
---
# Overflow, a product of matrices that is stored as fp16.
# right: SCALE=0.001
# wrong: SCALE=1.0
def k(x, i, z, u, n, B: tl.constexpr):
    at = tl.arange(0, 16)[:, None] + tl.arange(0, 16)[None, :]
    v = tl.load(x + at)
    c = tl.dot(v, v) * SCALE
    h = (c * 100).to(tl.float16)  # hint: overflow-origin "z"
    tl.store(z + tl.program_id(0), tl.max(tl.max(h, 1), 0).to(tl.float32))
---
# Overflow, a running product.
# right: GROW=1.1
# wrong: GROW=1e4
@triton.jit
def times(a, b):
    return a * b


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    p = tl.associative_scan(tl.load(x + offs) * 0 + GROW, 0, times)  # hint: overflow-origin "z"
    tl.store(z + tl.program_id(0) * B + offs, p)
---
# Overflow, a sum of exponentials without the largest taken off, added atomically.
# right: OFF=tl.max(v, 0)
# wrong: OFF=0.0
def k(x, i, z, u, n, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B)) * 10
    e = tl.exp(v - OFF)  # hint: overflow-origin "z"
    tl.atomic_add(z, tl.sum(e, 0))
---
# Overflow, the inverse of a root of zero, through a branch.
# right: EPS=1e-6
# wrong: EPS=0.0
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.arange(0, B)
    v = tl.load(x + offs) * pid
    if pid == 0:
        r = 1 / tl.sqrt(tl.sum(v * v, 0) / B + EPS)  # hint: overflow-origin "z"
    else:
        r = 1.0
    tl.store(z + pid, r)
---
# Hints, of floats, of which nothing is made.
# right: BY=8
def k(x, i, z, u, n, B: tl.constexpr):
    v = tl.multiple_of(tl.max_constancy(tl.load(x + tl.arange(0, B)), BY), BY)
    tl.store(z + tl.program_id(0) * B + tl.arange(0, B), v)
---
# Out of bounds, a remainder that is negative.
# right: BACK=(offs + 63) % 64
# wrong: BACK=(offs - 1) % 64
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + offs, tl.load(x + BACK))  # error: out-of-bounds-load "x"
---
# Out of bounds, an index that is computed in floating point.
# right: LARGEST=63
# wrong: LARGEST=64
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, 64)
    at = (offs.to(tl.float32) / 63 * LARGEST).to(tl.int32)
    v = tl.load(x + at)  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), tl.sum(v, 0))
---
# Out of bounds, a tile of pointers into two tensors.
# right: FAR=32
# wrong: FAR=60
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    p = tl.where(offs < 8, x + offs, z + FAR + offs)
    v = tl.load(p)  # error: out-of-bounds-load "z"
    tl.store(z + tl.program_id(0), tl.sum(v, 0))
---
# Out of bounds, a product of int32 that wraps around.
# right: TYPE=tl.int64
# wrong: TYPE=tl.int32
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B).to(TYPE)
    at = offs * 400000000 // 400000000  # warning: integer-overflow
    v = tl.load(x + at)  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), tl.sum(v, 0))
---
# Out of bounds, an unsigned difference below zero.
# right: TYPE=tl.int32
# wrong: TYPE=tl.uint8
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B).to(TYPE)
    at = offs - 4
    v = tl.load(x + at, mask=at >= 0, other=0.0)  # error: out-of-bounds-load "x"
    tl.store(z + tl.program_id(0), tl.sum(v, 0))
---
# Undefined, picked by tl.gather.
# right: INDEX=offs // 4
# wrong: INDEX=B - 1 - offs
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n)
    w = tl.gather(v, INDEX, 0)
    if tl.program_id(0) == 0:
        tl.store(z + offs, w)  # warning: undefined-lane-store "x"
---
# Undefined, counted by a histogram.
# right: MASK=, mask=offs < n
# wrong: MASK=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(i + offs, mask=offs < n)
    h = tl.histogram(v, 16 MASK)
    if tl.program_id(0) == 0:
        tl.store(z + offs, h.to(tl.float32))  # warning: undefined-lane-store "i"
---
# Undefined, mapped by a function.
# right: OTHER=, other=1.0
# wrong: OTHER=
@triton.jit
def square(a):
    return a * a


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.map_elementwise(square, tl.load(x + offs, mask=offs < n OTHER))
    if tl.program_id(0) == 0:
        tl.store(z + offs, v)  # warning: undefined-lane-store "x"
---
# Undefined integers times zero are zero, those of floats may be NaN.
# right: FROM=i
# wrong: FROM=x
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    v = tl.load(FROM + offs, mask=mask) * mask
    tl.store(z + tl.program_id(0), tl.sum(v, 0).to(tl.float32))  # warning: undefined-lane-store "x"
---
# Undefined, with the bits of a mask, or of another.
# right: BITS=mask
# wrong: BITS=(offs < n + 1)
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    mask = offs < n
    v = tl.load(i + offs, mask=mask) & (0 - BITS.to(tl.int32))
    tl.store(z + tl.program_id(0), tl.sum(v, 0).to(tl.float32))  # warning: undefined-lane-store "i"
---
# Undefined, a sum from the end whose undefined lanes are at the beginning.
# right: REVERSE=True
# wrong: REVERSE=False
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.cumsum(tl.load(x + offs, mask=offs >= 3), 0, reverse=REVERSE)
    if tl.program_id(0) == 0:
        tl.store(z + offs, v, mask=offs >= 3)  # warning: undefined-lane-store "x"
---
# Undefined, flipped.
# right: LANES=offs >= B - n
# wrong: LANES=offs < n
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.flip(tl.load(x + offs, mask=offs < n), 0)
    if tl.program_id(0) == 0:
        tl.store(z + offs, v, mask=LANES)  # warning: undefined-lane-store "x"
---
# Undefined, a column that is spread over a tile whose rows are summed.
# right: KEEP=rows < n
# wrong: KEEP=rows <= n
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, B)[:, None], tl.arange(0, 4)[None, :]
    v = tl.broadcast_to(tl.load(x + rows, mask=rows < n), (B, 4))
    total = tl.sum(tl.where(KEEP, v, 0.0), 0)
    if tl.program_id(0) == 0:
        tl.store(z + tl.arange(0, 4), total)  # warning: undefined-lane-store "x"
---
# Undefined, the place of the largest that tl.max returns as well.
# right: OTHER=, other=-1.0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v, at = tl.max(tl.load(x + offs, mask=offs < n OTHER), 0, return_indices=True)
    tl.store(z + tl.program_id(0), at.to(tl.float32))  # warning: undefined-lane-store "x"
---
# Undefined, chosen by a number.
# right: WHEN=pid > 5
# wrong: WHEN=pid < 5
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=offs < n)
    w = v if WHEN else tl.zeros((B,), tl.float32)
    tl.store(z + pid * B + offs, w)  # warning: undefined-lane-store "x"
---
# Unwritten, exchanged. Whoever does not look at what was there has only written.
# right: OLD=0.0
# wrong: OLD=old
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    old = tl.atomic_xchg(u + offs, 1.0)  # warning: read-unwritten "u"
    tl.debug_barrier()
    tl.store(z + offs, tl.load(u + offs) + OLD)
---
# Unwritten, a lock that nobody has set to zero.
# right: LOCK=i
# wrong: LOCK=u.to(tl.pointer_type(tl.int32), bitcast=True)
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if tl.atomic_cas(LOCK, 0, 1) == 0:  # warning: read-unwritten "u"
        tl.store(z + pid, 1.0)
---
# Unwritten, scattered by an index that has gaps.
# right: INDEX=tl.load(i + offs)
# wrong: INDEX=tl.load(i + offs) // 2 * 2
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(u + INDEX, 1.0)
    tl.debug_barrier()
    tl.store(z + offs, tl.load(u + offs))  # warning: read-unwritten "u"
---
# Unwritten, a loop that stops one short.
# right: LAST=4
# wrong: LAST=3
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    j = 0
    while j < LAST:
        tl.store(u + pid * 4 + j, tl.load(x + j))
        j += 1
    tl.debug_barrier()
    tl.store(z + pid, tl.sum(tl.load(u + pid * 4 + tl.arange(0, 4))))  # warning: read-unwritten "u"
---
# Hints, consecutive pointers.
# right: STEP=1
# wrong: STEP=2
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    p = tl.max_contiguous(x + offs * STEP, B)  # warning: hint-contiguity
    tl.store(z + tl.program_id(0) * B + offs, tl.load(p))
---
# Hints, in a while loop whose offset grows.
# right: BY=16
# wrong: BY=12
def k(x, i, z, u, n, B: tl.constexpr):
    at = 0
    total = 0.0
    while at < 40:
        total += tl.load(x + tl.multiple_of(at, 16))  # warning: hint-divisibility
        at += BY
    tl.store(z + tl.program_id(0), total)
---
# Hints, equal values along the rows of a tile.
# right: TILE=rows * 2 + cols * 0
# wrong: TILE=rows * 2 + cols // 4
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 4)[:, None], tl.arange(0, 8)[None, :]
    at = tl.max_constancy(TILE, (1, 8))  # warning: hint-constancy
    if tl.program_id(0) == 0:
        tl.store(z + rows * 8 + cols, tl.load(x + at))
---
# NaN, tl.softmax of a row that is masked altogether.
# right: LANES=offs < n
# wrong: LANES=offs < 0
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs, mask=LANES, other=-float("inf"))
    w = tl.softmax(v)  # hint: nan-origin "z"
    if tl.program_id(0) == 0:
        tl.store(z + offs, w)
---
# NaN, a remainder by zero.
# right: BY=2.0
# wrong: BY=0.0
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    w = tl.load(x + offs) % BY  # hint: nan-origin "z"
    tl.store(z + offs, w)
---
# NaN, a fused multiplication of infinity and zero.
# right: BIG=1.0
# wrong: BIG=1e38
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    v = tl.load(x + offs) + 1
    grown = v * BIG * 100  # hint: nan-origin "z"
    tl.store(z + tl.program_id(0) * B + offs, tl.fma(grown, v * 0, v))
---
# Overflow, fp8, fp16 and a loop in a function.
# right: LIMIT=60000.0
# wrong: LIMIT=1e9
@triton.jit
def clamp(v, limit):
    return tl.minimum(v, limit).to(tl.float16)  # hint: overflow-origin "z"


@triton.jit
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs)
    for _ in range(3):
        v = clamp((v + 1) * 100, LIMIT).to(tl.float32)
    tl.store(z + offs, v)
---
# Overflow, a sum over a tile of fp16.
# right: KEEP=tl.float32
# wrong: KEEP=tl.float16
def k(x, i, z, u, n, B: tl.constexpr):
    at = tl.arange(0, 4)[:, None] * 16 + tl.arange(0, 16)[None, :]
    v = (tl.load(x + at) * 100).to(KEEP)
    total = tl.sum(v, 1)  # hint: overflow-origin "z"
    if tl.program_id(0) == 0:
        tl.store(z + tl.arange(0, 4), total)
---
# Undefined, loaded through a pointer that a loop moves.
# right: OTHER=, other=0.0
# wrong: OTHER=
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    q = i + offs
    p = x + offs
    for j in range(2):
        acc += tl.load(p, mask=offs < n OTHER) + tl.load(q)
        p += B
        q += B
    if tl.program_id(0) == 0:
        tl.store(z + offs, acc)  # warning: undefined-lane-store "x"
---
# NaN, stored through a pointer that a loop moves.
# right: LOW=0.0
# wrong: LOW=0.5
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = z + pid * B
    q = i + pid * B
    for j in range(B):
        v = tl.sqrt(tl.load(x + j) - LOW) + tl.load(q)  # hint: nan-origin "z"
        tl.store(p, v)
        p += 1
        q += 1
