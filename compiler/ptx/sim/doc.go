/*
Package sim executes PTX text on a model of a GPU that is stricter than any GPU. It takes the place of hardware in
tests, in fuzzing, in CI and in the page. It knows text alone, not the compiler that wrote it, so that mistakes in the
text show.

	m, err := sim.Load(text)
	mem := sim.NewMemory(0)
	x, err := mem.Alloc(4096)
	report, err := m.Launch(ctx, sim.LaunchConfig{Grid: [3]int{8}, Threads: 128, Params: []uint64{x}, Memory: mem})

# Execution

Load decodes each instruction into a function on the 32 lanes of a warp. Registers are 64-bit slots,
zero-extended; a predicate is a mask. The threads of a warp form convergent groups at one program counter each; the
group at the lowest one runs first and groups that meet are joined, so threads that diverged reconverge where the text
has the branches before what follows them.

A random warp of the resident blocks runs for a random number of instructions, then another, by a
generator that the seed starts: the same seed gives the same run. Blocks start in order of their
number, a few at a time. Every kernel parameter takes a slot of 8 bytes.

# What is stricter than hardware

A register that is read before it was written, by a lane that the guard lets through, is a fault;
so is shared or local memory. Global addresses belong to allocations with gaps of 4 GiB between
them, none used twice.

Two threads' accesses to a byte of shared memory, one of them a write, need something between them.
Threads of one warp need a .sync instruction of all live threads of the warp; threads of different
warps need a barrier that both come to. Vector clocks, one a warp, decide. Atomic operations do not
race with each other, but do with other accesses. Writing the same value twice is a race too.

What cp.async copies may not be touched, by anyone, before the thread that issued it has waited for
its group; from then on it counts as a write of that thread at the time of the wait. The source is
read when the copy is issued or when it is waited for, as the seed has it.

A tensor copy is issued by one thread and writes until an mbarrier's phase is complete: nobody may touch its bytes
before, and what a thread does after it has waited for that phase is ordered behind them, and behind what the thread had
done that announced them. wgmma may read them without a proxy fence. A copy is complete at a try_wait that the seed
picks. A tensor map is what TensorMap.Words gives.

From wgmma.mma_async to the wait_group that completes it no other instruction may touch the registers
of D or A, and nobody may write the shared memory that its descriptors name: any warp's read counts
until that warp has waited, and a descriptor's whole matrix counts as read by each of the four warps.
Another wgmma may use the same registers of A, or the same D as a whole. A register accessed by
anything else needs a wgmma.fence before a wgmma has it, and the first wgmma needs one. What is
read must have been written, and the thread that wrote it, by cp.async too, must have executed
fence.proxy.async after that and before the barrier. The warps of a warpgroup must execute the same wgmma
instructions with the same descriptors in the same order; that does not order their accesses. A
descriptor may not have a base offset, and a swizzled matrix must begin in the first row of a pattern.

Each resident block runs on a multiprocessor of its own, whose L1 cache is not coherent. A weak load may find a sector
that another block has written since; a weak store may stay in the cache unseen. What acquires at a scope beyond the
block forgets what was loaded, what releases writes back what was stored, a fence does both; the end of a block writes
back too, and other sectors leave at times that the seed picks. Strong accesses (relaxed, volatile, atomic) are made in
memory. Cache operators are hints and change nothing. Within a block there is one cache, and accesses are seen in the
order in which they are executed. Kernels without strong accesses or fences cannot tell, and run without caches.

A barrier without a count needs all live threads of the block, by the same instruction. bar, and
what says .aligned, needs all live threads of the warp together; ldmatrix, stmatrix and mma all 32.
A member mask must name exactly the threads that execute the instruction, exited ones aside, and
shfl may not read a thread that does not take part. A block whose threads all wait is deadlocked.

Load is strict too: types and registers must agree as the ISA has it, and an instruction that the table of package isa
does not have, with these modifiers, so many operands, the text's .version and its .target, is an error that names line
and opcode.

# What is not modeled

Races on global memory, within a block or between blocks, go unseen. An acquire or a release by one thread of a block
counts for what the whole block has executed. Strong accesses are sequentially consistent. Lock-free synchronization
through shared memory is reported as races. A barrier for fewer threads than the warp has (barrier without .aligned in
divergent code) is ordered as if all of the warp had come. An instruction of a partial member mask orders nothing.
What atomic operations write needs no proxy fence.

Approximate functions are computed in fp64 and rounded once, so they are more accurate than
hardware. On an H200 the results differ by at most one unit in the last place for div.full,
div.approx, rcp, sqrt, rsqrt and ex2, by 8 for lg2 near 1 and by 109 for tanh of fp32; sin and cos
have an absolute error there that grows with the argument. add and mul without a rounding modifier
are never fused. mma and wgmma multiply and sum in fp64 and round once; hardware truncates while it sums.

The bits of a NaN of fp64, or made from one, are not those of hardware. Directed rounding of fp64
was not compared with it, and a sum of zero that is rounded down is +0, where IEEE 754 has -0.
Integer division by zero gives all ones, as does the remainder. Everything else that computes a lane
by itself agreed with an H200 bit for bit, in a thousand forms of instructions on a thousand mixed
operands each; .ftz in a conversion from fp32 to fp16 with directed rounding did not, which keeps
subnormals there.

# Counts

A Report has, for each line of the text, warp and thread instructions, the former by class, the float
operations, requests to global memory with the 32-byte sectors that they touch, and requests to shared memory with
the wavefronts that the banks need: an access of 8 bytes goes by half warps, one of 16 by quarter warps, either
by twice as many lanes if it is a load and pairs of lanes have the same address, and a wavefront serves one word of
each of 32 banks. Requests are told apart as loads, stores, atomics and asynchronous copies, and each count has the
ideal next to it. Which sectors a line touched is kept too, which words its atomics updated, and how many sectors waves
of WaveBlocks blocks read, each once a wave. What wgmma reads of shared memory does not count. The counts do not depend
on caches, and there is no time.

# Inline assembly

ParseInline takes text alone, without an entry around it, with instructions that compute each lane by itself, and runs
it for the interpreter. It is the check that inline assembly goes through before it becomes part of a kernel.

# Adding instructions

An instruction is a row in package isa and its meaning here: a builder in one of the maps by the opcode's first part,
which asks a cursor for modifiers and takes operands from it, and gives a function of a warp and a mask. The row has
checked the modifiers by then. What is taken as a destination or a source is checked and tracked without further work;
what is left over is an error. Instructions that stop threads or move the program counter set a flow instead.
*/
package sim
