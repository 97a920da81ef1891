# Pairs of launches: each kernel with what stands behind `right` in place of its names in capitals has no race; with each
# of the `wrong` it has those that the comments `# severity: code "tensor"` expect, on the lines on which they end, and
# no others. The launch has 4 programs, or as many as `grid` says. x is 0, 1, …, 63; z and s are 64 and 16 zeros, all
# int32; n is 32 and B is 8.
#
# A lock.
# right: LOCK=sem="acquire"; UNLOCK=sem="release"
# right: LOCK=sem="acq_rel"; UNLOCK=sem="acq_rel"
# right: LOCK=scope="sys"; UNLOCK=scope="sys"
# wrong: LOCK=sem="relaxed"; UNLOCK=sem="release"
# wrong: LOCK=sem="release"; UNLOCK=sem="release"
# wrong: LOCK=sem="acquire"; UNLOCK=sem="relaxed"
# wrong: LOCK=sem="acquire"; UNLOCK=sem="acquire"
# wrong: LOCK=sem="relaxed"; UNLOCK=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    while tl.atomic_cas(s, 0, 1, LOCK) != 0:
        pass
    total = tl.load(z)  # warning: race-load-store "z"
    tl.store(z, total + 1)  # warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(s, 0, UNLOCK)
---
# A lock whose operations are atomic in their own program only.
# right: LOCK=scope="gpu"; UNLOCK=scope="gpu"
# wrong: LOCK=scope="cta"; UNLOCK=scope="cta"
# wrong: LOCK=scope="cta"; UNLOCK=scope="gpu"
# wrong: LOCK=scope="gpu"; UNLOCK=scope="cta"
def k(x, z, s, n, B: tl.constexpr):
    while tl.atomic_cas(s, 0, 1, LOCK) != 0:  # warning: race-scope "s"
        pass
    total = tl.load(z)  # warning: race-load-store "z"
    tl.store(z, total + 1)  # warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(s, 0, UNLOCK)
---
# A lock that a plain store gives back.
# right: UNLOCK=tl.atomic_xchg(s, 0)
# wrong: UNLOCK=tl.store(s, 0)
def k(x, z, s, n, B: tl.constexpr):
    while tl.atomic_cas(s, 0, 1) != 0:  # warning: race-stores "s"
        pass
    total = tl.load(z)  # warning: race-load-store "z"
    tl.store(z, total + 1)  # warning: race-stores "z"
    tl.debug_barrier()
    UNLOCK
---
# The block that is done last adds up what all have written.
# right: COUNT=sem="acq_rel"
# right: COUNT=scope="gpu"
# wrong: COUNT=sem="relaxed"
# wrong: COUNT=sem="acquire"
# wrong: COUNT=sem="release"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + 1 + pid, tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    tl.debug_barrier()
    done = tl.atomic_add(s, 1, COUNT)
    if done == tl.num_programs(0) - 1:
        parts = tl.load(z + 1 + tl.arange(0, 4))  # warning: race-load-store "z"
        tl.store(z, tl.sum(parts))
---
# The same with a counter of each program's own.
# right: COUNT=scope="sys"
# wrong: COUNT=scope="cta"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + 1 + pid, tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    tl.debug_barrier()
    done = tl.atomic_add(s, 1, COUNT)  # warning: race-scope "s"
    if done == tl.num_programs(0) - 1:
        parts = tl.load(z + 1 + tl.arange(0, 4))  # warning: race-load-store "z"
        tl.store(z, tl.sum(parts))
---
# The last block, or any.
# right: LAST=tl.num_programs(0) - 1
# wrong: LAST=0
# wrong: LAST=1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + 1 + pid, 5)  # warning: race-load-store "z"
    tl.debug_barrier()
    done = tl.atomic_add(s, 1)
    if done == LAST:
        tl.store(z, tl.sum(tl.load(z + 1 + tl.arange(0, 4))))
---
# The last block resets the counter.
# right: RESET=if done == tl.num_programs(0) - 1:
# wrong: RESET=if done >= 0:
def k(x, z, s, n, B: tl.constexpr):
    done = tl.atomic_add(s, 1)  # warning: race-stores "s"
    RESET
        tl.store(s, 0)
---
# Each program waits for the sum of the one before it.
# right: POLL=sem="acquire"; PUBLISH=sem="release"
# right: POLL=sem="acq_rel"; PUBLISH=sem="acq_rel"
# wrong: POLL=sem="relaxed"; PUBLISH=sem="release"
# wrong: POLL=sem="release"; PUBLISH=sem="release"
# wrong: POLL=sem="acquire"; PUBLISH=sem="relaxed"
# wrong: POLL=sem="acquire"; PUBLISH=sem="acquire"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    before = 0
    if pid > 0:
        while tl.atomic_add(s + pid - 1, 0, POLL) == 0:
            pass
        before = tl.load(z + pid - 1)  # warning: race-load-store "z"
    tl.store(z + pid, before + tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    tl.debug_barrier()
    tl.atomic_xchg(s + pid, 1, PUBLISH)
---
# The same by atomic stores and polls.
# triton: 3.9
# right: POLL=sem="acquire"; PUBLISH=sem="release"
# right: POLL=scope="sys"; PUBLISH=scope="sys"
# wrong: POLL=sem="relaxed"; PUBLISH=sem="release"
# wrong: POLL=sem="acquire"; PUBLISH=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    before = 0
    if pid > 0:
        tl.atomic_poll(s + pid - 1, 1, POLL)
        before = tl.load(z + pid - 1)  # warning: race-load-store "z"
    tl.store(z + pid, before + tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    tl.debug_barrier()
    tl.atomic_store(s + pid, 1, PUBLISH)
---
# The same, where the order is that of tickets.
# right: TICKET=sem="relaxed"; POLL=sem="acquire"; PUBLISH=sem="release"
# right: TICKET=sem="acq_rel"; POLL=sem="acquire"; PUBLISH=sem="release"
# wrong: TICKET=sem="relaxed"; POLL=sem="relaxed"; PUBLISH=sem="release"
# wrong: TICKET=sem="relaxed"; POLL=sem="acquire"; PUBLISH=sem="relaxed"
# wrong: TICKET=sem="acq_rel"; POLL=sem="relaxed"; PUBLISH=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    at = tl.atomic_add(s + 8, 1, TICKET)
    before = 0
    if at > 0:
        while tl.atomic_or(s + at - 1, 0, POLL) == 0:
            pass
        before = tl.load(z + at - 1)  # warning: race-load-store "z"
    tl.store(z + at, before + 1)
    tl.debug_barrier()
    tl.atomic_xchg(s + at, 1, PUBLISH)
---
# Look-back over all programs before, which publish sums of their own first.
# right: POLL=sem="acquire"; PUBLISH=sem="release"
# wrong: POLL=sem="relaxed"; PUBLISH=sem="release"
# wrong: POLL=sem="acquire"; PUBLISH=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + pid, pid + 1)
    tl.debug_barrier()
    tl.atomic_xchg(s + pid, 1, PUBLISH)
    total = 0
    for back in range(0, pid):
        while tl.atomic_add(s + back, 0, POLL) == 0:
            pass
        total += tl.load(z + back)  # warning: race-load-store "z"
    tl.store(z + 16 + pid, total)
---
# A flag that is read by a load.
# right: READ=tl.atomic_add(s, 0, sem="acquire")
# wrong: READ=tl.load(s, volatile=True)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 7)
        tl.debug_barrier()
        tl.atomic_xchg(s, 1, sem="release")
    else:
        while READ == 0:
            pass
        tl.store(z + pid, tl.load(z))  # warning: race-load-store "z"
---
# A flag that is read by a plain load.
# right: READ=tl.atomic_add(s, 0)
# wrong: READ=tl.load(s)
# wrong: READ=tl.load(s, cache_modifier=".cg")
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 7)
        tl.debug_barrier()
        tl.atomic_xchg(s, 1)
    else:
        while READ == 0:  # warning: race-load-store "s"
            pass
        tl.store(z + pid, tl.load(z))  # warning: race-load-store "z"
---
# A flag that is set by a plain store.
# right: SET=tl.atomic_xchg(s, 1)
# wrong: SET=tl.store(s, 1)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 7)
        tl.debug_barrier()
        SET
    else:
        while tl.atomic_add(s, 0) == 0:  # warning: race-stores "s"
            pass
        tl.store(z + pid, tl.load(z))  # warning: race-load-store "z"
---
# A poll that may fail, and is believed or not.
# right: SEEN=seen == 1
# wrong: SEEN=seen >= 0
# wrong: SEEN=pid > 0
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 7)  # warning: race-load-store "z"
        tl.debug_barrier()
        tl.atomic_xchg(s, 1)
    else:
        seen = 0
        for _ in range(10):
            seen = tl.atomic_add(s, 0)
        if SEEN:
            tl.store(z + pid, tl.load(z))
---
# A counter whose result nobody looks at.
# right: AT=z + pid
# wrong: AT=z
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.atomic_add(s, 1)
    value = tl.load(AT)  # warning: race-load-store "z"
    tl.store(z + pid, value + 1)
---
# Whoever comes first prepares what all read.
# right: CLAIM=sem="relaxed"; READY=sem="release"; WAIT=sem="acquire"
# wrong: CLAIM=sem="acq_rel"; READY=sem="relaxed"; WAIT=sem="acquire"
# wrong: CLAIM=sem="relaxed"; READY=sem="release"; WAIT=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if tl.atomic_cas(s, 0, 1, CLAIM) == 0:
        tl.store(z + 8, 3)
        tl.debug_barrier()
        tl.atomic_xchg(s + 1, 1, READY)
    while tl.atomic_add(s + 1, 0, WAIT) == 0:
        pass
    tl.store(z + pid, tl.load(z + 8))  # warning: race-load-store "z"
---
# Programs take turns.
# right: TURN=sem="acquire"; NEXT=sem="release"
# wrong: TURN=sem="relaxed"; NEXT=sem="release"
# wrong: TURN=sem="acquire"; NEXT=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.arange(0, B)
    while tl.atomic_cas(s, pid, pid, TURN) != pid:
        pass
    part = tl.load(z + offs)  # warning: race-load-store "z"
    tl.store(z + offs, part + pid + 1)  # warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(s, pid + 1, NEXT)
---
# Program 2 learns from program 1 what that has learnt from program 0.
# grid: 3
# right: SECOND=sem="acq_rel"; GUARD=pid == 2
# wrong: SECOND=sem="relaxed"; GUARD=pid == 2
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 5)
        tl.atomic_xchg(s, 1, sem="release")
    if pid == 1:
        while tl.atomic_add(s, 0, sem="acquire") == 0:
            pass
        tl.atomic_xchg(s + 1, 1, SECOND)
    if GUARD:
        while tl.atomic_add(s + 1, 0, sem="acquire") == 0:
            pass
        tl.store(z + 1, tl.load(z))  # warning: race-load-store "z"
---
# A relaxed operation continues the sequence of a release; a program's own flag is another one.
# grid: 3
# right: FLAG=s
# wrong: FLAG=s + 1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 5)
        tl.atomic_add(s, 1, sem="release")
    if pid == 1:
        tl.atomic_add(FLAG, 1, sem="relaxed")
    if pid == 2:
        while tl.atomic_add(FLAG, 0, sem="acquire") < 1:
            pass
        tl.store(z + 1, tl.load(z))  # warning: race-load-store "z"
---
# Flags of all programs at once, as a tile.
# right: POLL=sem="acquire"
# wrong: POLL=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + pid, 5)
    tl.debug_barrier()
    tl.atomic_xchg(s + pid, 1, sem="release")
    if pid == 3:
        i = tl.arange(0, 4)
        ready = tl.atomic_add(s + i, tl.zeros((4,), tl.int32), POLL)
        tl.store(z + 8 + i, tl.load(z + i, mask=ready > 0, other=0))  # warning: race-load-store "z"
---
# All programs store to one element.
# right: AT=z + pid
# wrong: AT=z
# wrong: AT=z + pid // 8
# wrong: AT=z + pid * 0
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(AT, pid + 1)  # warning: race-stores "z"
---
# All programs store the same value to one element.
# right: GUARD=pid == 0
# wrong: GUARD=pid >= 0
# wrong: GUARD=n > 0
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if GUARD:
        tl.store(z, 9)  # hint: race-same-value "z"
---
# All programs store the same tile.
# right: AT=z + pid * B
# wrong: AT=z
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(AT + i, tl.load(x + i))  # hint: race-same-value "z"
---
# Blocks that overlap at one stride.
# right: STRIDE=B
# right: STRIDE=9
# wrong: STRIDE=7
# wrong: STRIDE=B // 2
# wrong: STRIDE=1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * STRIDE + tl.arange(0, B)
    tl.store(z + offs, offs + pid)  # warning: race-stores "z"
---
# Blocks that overlap at one trip count.
# right: TRIPS=8
# right: TRIPS=3
# wrong: TRIPS=9
# wrong: TRIPS=17
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    for i in range(TRIPS):
        tl.store(z + pid * 8 + i, pid + 1)  # warning: race-stores "z"
---
# Rows whose width is not that of the block.
# right: MASK=cols < 6
# wrong: MASK=cols <= 6
# wrong: MASK=cols < B
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    cols = tl.arange(0, B)
    tl.store(z + pid * 6 + cols, cols + pid * 100 + 1, mask=MASK)  # warning: race-stores "z"
---
# A stencil in place.
# right: FROM=x; TO=z
# wrong: FROM=z; TO=z
# wrong: FROM=x; TO=x
def k(x, z, s, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    left = tl.load(FROM + offs - 1, mask=offs > 0, other=0)  # warning: race-load-store
    tl.store(TO + offs, left + 1)
---
# A reversal in place.
# right: TO=z
# wrong: TO=x
def k(x, z, s, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    values = tl.load(x + n - 1 - offs)  # warning: race-load-store
    tl.store(TO + offs, values)  # hint: race-same-value
---
# A histogram.
# right: ADD=tl.atomic_add(z + bins, 1, sem="relaxed")
# right: ADD=tl.atomic_add(z + bins, 1)
# wrong: ADD=tl.store(z + bins, pid + 1)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    bins = tl.load(x + tl.arange(0, B))
    ADD  # warning: race-stores "z"
---
# A sum of all programs.
# right: ADD=tl.atomic_add(z, pid + 1, sem="relaxed")
# wrong: ADD=tl.store(z, tl.load(z) + pid + 1)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    ADD  # warning: race-load-store "z"; warning: race-stores "z"
---
# A maximum of all programs.
# right: ADD=tl.atomic_max(z, tl.load(x + pid) + 1)
# wrong: ADD=tl.store(z, tl.maximum(tl.load(z), pid + 1))
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    ADD  # warning: race-load-store "z"; warning: race-stores "z"
---
# Atomic operations of a scope that is too small.
# right: ORDER=sem="relaxed"
# right: ORDER=scope="gpu"
# right: ORDER=scope="sys"
# wrong: ORDER=scope="cta"
# wrong: ORDER=sem="relaxed", scope="cta"
def k(x, z, s, n, B: tl.constexpr):
    tl.atomic_add(z + tl.arange(0, B), 1, ORDER)  # warning: race-scope "z"
---
# Scope cta is enough for elements of a program's own.
# right: AT=pid
# wrong: AT=pid // 2
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.atomic_add(z + AT, 1, scope="cta")  # warning: race-scope "z"
---
# An atomic sum and a plain store to what it adds to.
# right: SUM=z
# wrong: SUM=z + 8
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + 8 + pid, pid + 5)  # warning: race-stores "z"
    tl.atomic_add(SUM, 1)
---
# Two lanes of a store to one element.
# right: EACH=1
# wrong: EACH=2
# wrong: EACH=8
def k(x, z, s, n, B: tl.constexpr):
    i = tl.arange(0, B)
    at = tl.program_id(0) * B + i // EACH
    tl.store(z + at, i)  # warning: race-lanes "z"
---
# A scatter whose indices may come twice.
# right: INDEX=i
# wrong: INDEX=i % 5
# wrong: INDEX=(i & 3)
# wrong: INDEX=tl.minimum(i, 6)
# wrong: INDEX=tl.where(i == 3, 0, i)
def k(x, z, s, n, B: tl.constexpr):
    i = tl.arange(0, B)
    index = tl.load(x + INDEX)
    tl.store(z + tl.program_id(0) * B + index, i)  # warning: race-lanes "z"
---
# Lanes that store one value to one element.
# right: VALUE=pid
# right: VALUE=pid + i * 0
# wrong: VALUE=i
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(z + pid + i // B, VALUE)  # warning: race-lanes "z"
---
# A tile whose rows lie in one another.
# right: ROW=4
# wrong: ROW=3
# wrong: ROW=0
def k(x, z, s, n, B: tl.constexpr):
    r, c = tl.arange(0, 4)[:, None], tl.arange(0, 4)[None, :]
    tl.store(z + tl.program_id(0) * 16 + r * ROW + c, r * 4 + c)  # warning: race-lanes "z"
---
# Tiles of a grid of two dimensions.
# grid: 2 2
# right: X=pid_x * 4; Y=pid_y * 4
# wrong: X=pid_x * 3; Y=pid_y * 4
# wrong: X=pid_x * 4; Y=pid_y * 2
# wrong: X=pid_y * 4; Y=pid_y * 4
def k(x, z, s, n, B: tl.constexpr):
    pid_x, pid_y = tl.program_id(0), tl.program_id(1)
    rows, cols = Y + tl.arange(0, 4), X + tl.arange(0, 4)
    tl.store(z + rows[:, None] * 8 + cols[None, :], pid_x * 2 + pid_y + tl.zeros((4, 4), tl.int32))  # warning: race-stores "z"
---
# In a function.
# right: BLOCK=pid
# wrong: BLOCK=pid // 2
@triton.jit
def put(p, block, v, B: tl.constexpr):
    tl.store(p + block * B + tl.arange(0, B), v)  # warning: race-stores "z"


@triton.jit
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    put(z, BLOCK, pid + 1, B)
---
# In a function that locks.
# right: SEM=sem="acquire"
# wrong: SEM=sem="relaxed"
@triton.jit
def lock(p):
    while tl.atomic_cas(p, 0, 1, SEM) != 0:
        pass


@triton.jit
def k(x, z, s, n, B: tl.constexpr):
    lock(s)
    tl.store(z, tl.load(z) + 1)  # warning: race-load-store "z"; warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(s, 0)
---
# Two locks, or one.
# right: LOCK=s
# wrong: LOCK=s + pid % 2
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    while tl.atomic_cas(LOCK, 0, 1) != 0:
        pass
    tl.store(z, tl.load(z) + 1)  # warning: race-load-store "z"; warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(LOCK, 0)
---
# A lock that is given back too early.
# right: EARLY=pass; LATE=tl.atomic_xchg(s, 0)
# wrong: EARLY=tl.atomic_xchg(s, 0); LATE=pass
def k(x, z, s, n, B: tl.constexpr):
    while tl.atomic_cas(s, 0, 1) != 0:
        pass
    total = tl.load(z)  # warning: race-load-store "z"
    EARLY
    tl.store(z, total + 1)  # warning: race-stores "z"
    LATE
---
# A lock that is taken by `if`, or not at all.
# right: LOCK=sem="acquire"; UNLOCK=sem="release"
# wrong: LOCK=sem="relaxed"; UNLOCK=sem="release"
# wrong: LOCK=sem="acquire"; UNLOCK=sem="relaxed"
# wrong: LOCK=sem="relaxed"; UNLOCK=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    if tl.atomic_cas(s, 0, 1, LOCK) == 0:
        total = tl.load(z)  # warning: race-load-store "z"
        tl.store(z, total + 1)  # warning: race-stores "z"
        tl.debug_barrier()
        tl.atomic_xchg(s, 0, UNLOCK)
---
# A lock that is taken by `if`, and what is done without it.
# right: ELSE=tl.atomic_add(z + 1, 1)
# right: ELSE=tl.store(z + 2 + tl.program_id(0), 1)
# wrong: ELSE=tl.store(z, 5)
def k(x, z, s, n, B: tl.constexpr):
    if tl.atomic_cas(s, 0, 1) == 0:
        tl.store(z, tl.load(z) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(s, 0)
    else:
        ELSE  # warning: race-stores "z"; hint: race-same-value "z"
---
# A lock that is tried a few times.
# right: TAKEN=got == 0
# wrong: TAKEN=got >= 0
def k(x, z, s, n, B: tl.constexpr):
    got = 1
    for _ in range(3):
        if got != 0:
            got = tl.atomic_cas(s, 0, 1)
    if TAKEN:
        tl.store(z, tl.load(z) + 1)  # warning: race-load-store "z"; warning: race-stores "z"
        tl.debug_barrier()
        tl.atomic_xchg(s, 0)
---
# Block pointers whose blocks overlap.
# right: STEP=2
# wrong: STEP=1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = tl.make_block_ptr(z, (8, 8), (8, 1), (pid * STEP, 0), (2, 8), (1, 0))
    tl.store(p, tl.zeros((2, 8), tl.int32) + pid + 1)  # warning: race-stores "z"
---
# A block pointer that a loop moves into the next program's rows.
# right: ROWS=2
# wrong: ROWS=3
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = tl.make_block_ptr(z, (8, 8), (8, 1), (pid * 2, 0), (1, 8), (1, 0))
    for j in range(ROWS):
        tl.store(p, tl.zeros((1, 8), tl.int32) + pid * 10 + j + 1, boundary_check=(0,))  # warning: race-stores "z"
        p = tl.advance(p, (1, 0))
---
# A descriptor's store and a load of what the next program stores.
# right: FROM=pid
# wrong: FROM=(pid + 1) % 4
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    d = tl.make_tensor_descriptor(z, [4, 16], [16, 1], [1, 16])
    before = d.load([FROM, 0])  # warning: race-load-store "z"
    d.store([pid, 0], before + 1)  # warning: race-load-store "z"
---
# A descriptor's atomic sum, or its store.
# right: PUT=d.atomic_add([0, 0], v)
# wrong: PUT=d.store([0, 0], v)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    d = tl.make_tensor_descriptor(z, [4, 16], [16, 1], [1, 16])
    v = tl.zeros((1, 16), tl.int32) + pid + 1
    PUT  # warning: race-stores "z"
---
# A program id that wraps around in int8.
# grid: 5
# right: WIDE=tl.int32
# wrong: WIDE=tl.int8
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    at = (pid * 64).to(WIDE) // 64 + 8
    tl.store(z + at, pid + 1)  # warning: race-stores "z"
---
# A tuple of tensors, of which one is both read and written.
# right: OUT=z
# wrong: OUT=x
@triton.jit
def shift(tensors, offs):
    v = tl.load(tensors[0] + (offs + 8) % 32)  # warning: race-load-store "x"
    tl.store(tensors[1] + offs, v + 1)  # warning: race-load-store "x"


@triton.jit
def k(x, z, s, n, B: tl.constexpr):
    shift((x, OUT), tl.program_id(0) * B + tl.arange(0, B))
---
# A pointer to another dtype, to the same elements.
# right: TO=z + 32
# wrong: TO=z
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(z + pid, pid + 1)  # warning: race-stores "z"
    bits = (TO).to(tl.pointer_type(tl.float32), bitcast=True)
    tl.store(bits + (pid + 1) % 4, 1.0)  # warning: race-stores "z"
---
# An offset that a loop doubles until it is some other program's.
# right: START=pid + 4
# wrong: START=pid + 1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    at = START
    while at < 8:
        tl.store(z + at, pid + 1)  # warning: race-stores "z"
        at *= 2
---
# A grid of three dimensions, one of which the offset leaves out.
# grid: 2 2 2
# right: NUMBER=(a * 2 + b) * 2 + c
# wrong: NUMBER=a * 2 + c
# wrong: NUMBER=(a * 2 + b) * 2
def k(x, z, s, n, B: tl.constexpr):
    a, b, c = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tl.store(z + NUMBER, a * 4 + b * 2 + c)  # warning: race-stores "z"
---
# A choice of tensors by the program.
# right: MINE=pid % 2 == 0
# wrong: MINE=pid < 9
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    p = x
    if MINE:
        p = z
    tl.store(p + pid // 2, pid + 70)  # warning: race-stores "z"
---
# A sum that is taken to memory by halves of a tree.
# right: MINE=pid % 2 == 0
# wrong: MINE=pid >= 0
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if MINE:
        a = tl.load(z + pid)
        b = tl.load(z + pid + 1)
        tl.store(z + pid, a + b + 1)  # warning: race-load-store "z"
---
# A ticket that nobody reads the order of.
# right: PLACE=ticket
# wrong: PLACE=ticket // 2
# wrong: PLACE=tl.maximum(ticket, 1)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    ticket = tl.atomic_add(s, 1, sem="relaxed")
    tl.store(z + PLACE, pid + 5)  # warning: race-stores "z"
---
# A flag per program, and the flag of the wrong one.
# right: FLAG=pid - 1
# wrong: FLAG=0
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid > 0:
        while tl.atomic_add(s + FLAG, 0, sem="acquire") == 0:
            pass
        tl.store(z + 8 + pid, tl.load(z + pid - 1))  # warning: race-load-store "z"
    tl.store(z + pid, pid + 1)
    tl.debug_barrier()
    tl.atomic_xchg(s + pid, 1, sem="release")
---
# A lock that atomic_xchg takes, by waiting or once.
# right: TAKE=while tl.atomic_xchg(s, 1) != 0:
# wrong: TAKE=if tl.atomic_xchg(s, 1) != 0:
def k(x, z, s, n, B: tl.constexpr):
    TAKE
        pass
    tl.store(z, tl.load(z) + 1)  # warning: race-load-store "z"; warning: race-stores "z"
    tl.debug_barrier()
    tl.atomic_xchg(s, 0)
---
# What was published before a lock is taken may be read by who finds it taken.
# right: ORDER=sem="acq_rel"
# wrong: ORDER=sem="relaxed"
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 5)
        tl.debug_barrier()
        tl.atomic_cas(s, 0, 1, ORDER)
    else:
        if tl.atomic_cas(s, 7, 8, ORDER) == 1:
            tl.store(z + pid, tl.load(z))  # warning: race-load-store "z"
---
# One program is chosen, and the others have elements of their own.
# right: OTHERS=z + 1 + pid
# wrong: OTHERS=z
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if tl.atomic_cas(s, 0, 1) == 0:
        tl.store(z, pid + 9)
    else:
        tl.store(OTHERS, pid + 5)  # warning: race-stores "z"
---
# A largest value whose holder is noted under a lock that is tried often.
# right: WHEN=done == 0
# wrong: WHEN=done <= 1
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    done = 1
    tries = 0
    while (done != 0) & (tries < 20):
        done = tl.atomic_cas(s, 0, 1)
        tries += 1
    if WHEN:
        best = tl.load(z)  # warning: race-load-store "z"
        tl.store(z, tl.maximum(best, pid + 1))  # warning: race-stores "z"
        tl.debug_barrier()
        tl.atomic_xchg(s, 0)
---
# A flag that is set once and polled until it is, with a sum that atomics make meanwhile.
# right: SUM=tl.atomic_add(z + 8, 1)
# wrong: SUM=tl.store(z + 8, pid)
def k(x, z, s, n, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(z, 3)
        tl.debug_barrier()
        tl.atomic_xchg(s, 1, sem="release")
    else:
        while tl.atomic_add(s, 0, sem="acquire") == 0:
            pass
        tl.store(z + pid, tl.load(z))
    SUM  # warning: race-stores "z"
