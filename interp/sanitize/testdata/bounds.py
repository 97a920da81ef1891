# Pairs of launches as in faults.py: accesses out of bounds. x, i, z and u have 64 elements each.
#
# A mask that lets one lane too many through.
# right: LAST=offs < 64
# wrong: LAST=offs <= 64
# wrong: LAST=offs < 64 + n
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + offs, mask=LAST, other=0.0)  # error: out-of-bounds-load "x"
    tl.store(z + offs, v, mask=offs < 64)
---
# A store without a mask.
# right: AT=tl.program_id(0) * 32
# wrong: AT=tl.program_id(0) * 48
# wrong: AT=tl.program_id(0) * 32 + n
def k(x, i, z, u, n, B: tl.constexpr):
    offs = AT + tl.arange(0, 32)
    tl.store(z + offs, 1.0)  # error: out-of-bounds-store "z"
---
# A neighbor to the left of the first element.
# right: LEFT=offs > 0
# wrong: LEFT=offs >= 0
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + offs - 1, mask=LEFT, other=0.0)  # error: out-of-bounds-load "x"
    tl.store(z + offs, v)
---
# An index that is read from memory.
# right: SCALE=1
# wrong: SCALE=4
# wrong: SCALE=-1
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.load(i + offs) * SCALE
    tl.store(z + offs, tl.load(x + at))  # error: out-of-bounds-load "x"
---
# A histogram with one bin too few.
# right: BIN=tl.minimum(tl.load(i + offs) * 3, 63)
# wrong: BIN=tl.load(i + offs) * 3
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(z + BIN, 1.0)  # error: out-of-bounds-atomic "z"
---
# A reversal that begins one past the end.
# right: END=63
# wrong: END=64
def k(x, i, z, u, n, B: tl.constexpr):
    offs = tl.program_id(0) * 32 + tl.arange(0, 32)
    v = tl.load(x + END - offs)  # error: out-of-bounds-load "x"
    tl.store(z + offs, v)
---
# Two conditions, of which one is enough by mistake.
# right: BOTH=(rows < 8) & (cols < 8)
# wrong: BOTH=(rows < 8) | (cols < 8)
# wrong: BOTH=(rows < 9) & (cols < 8)
def k(x, i, z, u, n, B: tl.constexpr):
    rows, cols = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    v = tl.load(x + rows * 8 + cols, mask=BOTH, other=0.0)  # error: out-of-bounds-load "x"
    if tl.program_id(0) == 0:
        tl.store(z + rows * 8 + cols, v, mask=(rows < 8) & (cols < 8))
---
# A lock past the end of its tensor.
# right: LOCK=63
# wrong: LOCK=64
# wrong: LOCK=-1
def k(x, i, z, u, n, B: tl.constexpr):
    pid = tl.program_id(0)
    seen = tl.atomic_cas(i + LOCK, 0, pid)  # error: out-of-bounds-atomic "i"
    tl.store(z + pid, seen.to(tl.float32))
