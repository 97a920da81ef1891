# Pairs of launches as in races.py, of 8 programs, or as many as `grid` says. x and z are 64 elements of fp32, i is 0, 1,
# …, 63 and j 0, 30 million, …, 1,890 million in int32, and l is j in int64; n is 13, s is 400 million, m is
# 2³¹ - 8 and w is 5 thousand million, an int64. B is 16.
#
# Rows of a tensor, its stride a number that fits an int32.
# right: ROW=pid.to(tl.int64)
# right: ROW=(pid % 6)
# right: ROW=(pid - pid)
# wrong: ROW=pid
# wrong: ROW=(pid + 1)
# wrong: ROW=(0 - pid)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    pid = tl.program_id(0)
    at = ROW * s  # warning: integer-overflow
    tl.store(z + at + tl.arange(0, B), 0.0)
---
# megablocks#185: a pointer moved by a row of a permutation, behind tl.multiple_of.
# right: ROW=row.to(tl.int64)
# right: ROW=row // 5
# wrong: ROW=row
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    row = tl.load(i + tl.program_id(0))
    x += tl.multiple_of(ROW * s, 16)  # warning: integer-overflow
    offs = tl.arange(0, B)
    tl.store(z + tl.program_id(0) * 8 + offs, tl.load(x + offs), mask=offs < 8)
---
# fla#1082: the base of a block pointer, of a batch, a head and a row.
# right: TOKENS=s.to(tl.int64)
# right: TOKENS=n
# wrong: TOKENS=s
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    i_bh = tl.program_id(0)
    i_b, i_h = i_bh // 2, i_bh % 2
    bos = i_b * (TOKENS // 8)
    p = tl.make_block_ptr(x + (bos * 16 + i_h) * 4, (n, 16), (128, 1), (0, 0), (16, 16), (1, 0))  # warning: integer-overflow
    v = tl.load(p, boundary_check=(0, 1))
    tl.store(z + i_bh, tl.sum(tl.sum(v, 1), 0))
---
# dion#102: a batch's matrix by an argument that is specialized to int32.
# right: BATCH=batch.to(tl.int64)
# right: BATCH=tl.cast(batch, tl.int64)
# wrong: BATCH=batch
# grid: 2 1 8
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    batch, pid = tl.program_id(2), tl.program_id(0)
    x += BATCH * s  # warning: integer-overflow
    offs = pid * B + tl.arange(0, B)
    tl.store(z + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)
---
# The last block of a vector that nearly fills int32 (triton#1058): indices wrap, and the mask admits them.
# right: OFFS=pid.to(tl.int64) * (1 << 28) + tl.arange(0, B).to(tl.int64)
# right: OFFS=pid * 1000 + tl.arange(0, B)
# wrong: OFFS=(pid * (1 << 28) + (1 << 28)) + tl.arange(0, B)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = OFFS  # warning: integer-overflow
    tl.store(z + offs, 0.0, mask=offs < m)
---
# An index in int32 is compared with a size in int64.
# right: INDEX=pid.to(tl.int64) * s
# wrong: INDEX=pid * s
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    pid = tl.program_id(0)
    at = INDEX  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=at < w)
---
# Rounded up to whole blocks.
# right: SIZE=n
# right: SIZE=m.to(tl.int64)
# right: SIZE=(m - 16)
# wrong: SIZE=m
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    blocks = tl.cdiv(SIZE, 16)  # warning: integer-overflow
    if tl.program_id(0) < blocks:
        tl.store(z + tl.program_id(0), 1.0)
---
# The same, by hand, as the end of a loop.
# right: SIZE=n
# right: SIZE=s
# wrong: SIZE=m
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    end = (SIZE + B - 1) // B  # warning: integer-overflow
    for block in range(0, tl.minimum(end, 4)):
        tl.store(z + tl.program_id(0) * 4 + block, 1.0)
---
# A loop that moves an offset on.
# right: STEP=s // 100
# right: STEP=s.to(tl.int64)
# wrong: STEP=s
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    at = STEP * 0 + tl.arange(0, B)
    for block in range(8):
        tl.store(z + at, 0.0)
        at += STEP  # warning: integer-overflow
---
# A sum that wraps and comes back.
# right: BACK=- far
# right: BACK=- s * 6
# right: BACK=- s * 5
# wrong: BACK=+ s
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    far = s * 6  # warning: integer-overflow
    tl.store(z + (far + tl.arange(0, B) BACK), 0.0)
---
# Indices from memory, times a stride.
# right: INDEX=tl.load(i + offs)
# right: INDEX=tl.load(l + offs)
# right: INDEX=tl.load(j + offs).to(tl.int64)
# wrong: INDEX=tl.load(j + offs)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    at = INDEX * 8  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=at < 64)
---
# A row and a column from memory, of which the row alone is too large.
# right: WIDE=.to(tl.int64); MASK=offs < 8
# right: WIDE=; MASK=offs < 2
# wrong: WIDE=; MASK=offs < 8
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    row = tl.load(j + offs, mask=MASK, other=0) WIDE
    at = row * 64 + tl.load(i + offs)  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=MASK)
---
# Only lanes that the mask leaves out wrap.
# right: MASK=offs < 5
# wrong: MASK=offs < 7
# wrong: MASK=offs >= 15
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    at = offs * s  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=MASK)
---
# A mask that holds because a product wraps: 6 · s is negative.
# right: LIMIT=offs < 5
# right: LIMIT=offs * s.to(tl.int64) < 16
# wrong: LIMIT=offs * s < 16
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    tl.store(z + offs, 0.0, mask=LIMIT)  # warning: integer-overflow
---
# A mask that leaves out what it should let through.
# right: WHOLE=m.to(tl.int64)
# right: WHOLE=(m - 100)
# wrong: WHOLE=m
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    tl.store(z + offs, 0.0, mask=offs < WHOLE + 64)  # warning: integer-overflow
---
# A hash whose bits are stored.
# right: HASH=h * 668265263
# right: HASH=(h * 668265263) ^ (h << 13)
# right: HASH=tl.abs(h * 668265263)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.program_id(0) * 8 + tl.arange(0, 8)
    h = tl.load(j + offs) + 37476139
    tl.store(i + offs, HASH)
---
# A table that is looked up by a hash: low bits are the same whatever wraps, remainders are not.
# right: SLOT=(h * 668265263) & 63
# right: SLOT=(h * 668265263 + 12345) & 63
# right: SLOT=(h.to(tl.uint32) * 668265263) % 61
# right: SLOT=((h.to(tl.uint32) * 668265263) >> 26).to(tl.int32)
# right: SLOT=(h * 668265263).to(tl.uint32) >> 26
# wrong: SLOT=(h * 668265263) % 61
# wrong: SLOT=(h * 668265263) >> 26
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    h = tl.load(j + tl.program_id(0) * 8 + tl.arange(0, 8)) + 37476139
    slot = SLOT  # warning: integer-overflow
    tl.store(z + slot, 0.0)
---
# Random numbers choose elements.
# right: DRAW=tl.randint(7, offs) % 64
# right: DRAW=tl.abs(tl.randint(7, offs).to(tl.int32)) & 63
# right: DRAW=(tl.rand(7, offs) * 64).to(tl.int32)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.program_id(0) * 8 + tl.arange(0, 8)
    at = DRAW
    tl.atomic_add(z + at, 1.0)
---
# Narrow integers.
# right: OFFS=tl.arange(0, 16).to(tl.int16) * 300
# right: OFFS=tl.arange(0, 16).to(tl.int8).to(tl.int32) * 30
# wrong: OFFS=tl.arange(0, 16).to(tl.int8) * 30
# wrong: OFFS=(tl.arange(0, 16) * 5000).to(tl.int16)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    at = OFFS  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=at < 64)
---
# An int64 is cut to an int32.
# right: NARROW=tl.load(l + offs)
# right: NARROW=(tl.load(l + offs) * 8 & 63).to(tl.int32)
# wrong: NARROW=(tl.load(l + offs) * 8).to(tl.int32)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    at = NARROW  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=at < 64)
---
# An int64 wraps, too.
# right: FACTOR=1000000000
# wrong: FACTOR=4000000000
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    at = w * FACTOR  # warning: integer-overflow
    tl.store(z + at, 0.0, mask=at != 0)
---
# Offsets by shifts.
# right: SHIFT=20
# right: SHIFT=27
# wrong: SHIFT=29
# wrong: SHIFT=31
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    at = tl.program_id(0) << SHIFT  # warning: integer-overflow
    tl.store(z + at, 0.0)
---
# Offsets as running sums of lengths.
# right: LENGTHS=tl.load(i + offs)
# right: LENGTHS=tl.load(l + offs)
# wrong: LENGTHS=tl.load(j + offs)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    ends = tl.cumsum(LENGTHS, 0)  # warning: integer-overflow
    tl.store(z + ends, 0.0, mask=offs > 0)
---
# A total decides about a branch.
# right: LENGTHS=tl.load(i + offs)
# wrong: LENGTHS=tl.load(j + offs)
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    total = tl.sum(LENGTHS, 0)  # warning: integer-overflow
    if total > 0:
        tl.store(z + tl.program_id(0), 1.0)
---
# A loop that ends when an offset is beyond the last element.
# right: GROWS=at.to(tl.int64) * 40
# wrong: GROWS=at * 40
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    at, turns = tl.program_id(0) + 1, 0
    while at < 2000000000 and turns < 5:
        tl.store(z + tl.program_id(0), 1.0)
        far = GROWS * 1000  # warning: integer-overflow
        at = tl.minimum(far, 2000000000).to(tl.int32)
        turns += 1
---
# In a function, of a tile.
# right: WIDE=.to(tl.int64)
# wrong: WIDE=
@triton.jit
def at(rows, cols, stride):
    return rows[:, None] * stride + cols[None, :]  # warning: integer-overflow


@triton.jit
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    rows, cols = tl.arange(0, 8) WIDE, tl.arange(0, 8)
    tl.store(z + at(rows, cols, s), 0.0)
---
# A choice between offsets, of which one wraps.
# right: CHOICE=rows < 3
# wrong: CHOICE=rows < 7
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    rows = tl.arange(0, 8)
    far = rows * s  # warning: integer-overflow
    tl.store(z + tl.where(CHOICE, far, rows), 0.0)
---
# An address that is moved twice.
# right: FAR=s // 8
# wrong: FAR=s
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    p = z + tl.program_id(0)
    p += FAR * 8  # warning: integer-overflow
    tl.store(p, 0.0)
---
# What wraps reaches a float and no address.
# right: SCALE=s * 30
# right: SCALE=(s * 30) % 7
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    offs = tl.arange(0, B)
    tl.store(z + offs, (SCALE).to(tl.float32), mask=offs < n)
---
# The remainder of a rotation.
# right: TURN=(pid + n) % 8
# right: TURN=(pid * s.to(tl.int64)) % 8
# wrong: TURN=(pid * s + m) % 9
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    pid = tl.program_id(0)
    at = TURN  # warning: integer-overflow
    tl.store(z + at, 0.0)
---
# The distance from the end.
# right: SIGN=1
# wrong: SIGN=-1
def k(x, i, j, l, z, n, s, m, w, B: tl.constexpr):
    rest = m - SIGN * s  # warning: integer-overflow
    offs = tl.arange(0, B)
    tl.store(z + offs, 0.0, mask=offs < rest)
