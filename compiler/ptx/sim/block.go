package sim

import "math/bits"

const numBarriers = 16

// block is a block of threads while it runs. Its storage serves one block after another.
type block struct {
	machine    *machine
	counts     []tally
	id         [3]int
	threads    int
	executed   uint64 // warp instructions
	wave       *wave
	warps      []*warp
	shared     []byte
	shadow     shadow
	cache      *cache // nil where no block can tell
	barriers   [numBarriers]barrier
	warpgroups []wgmmaLog
	exited     []uint32 // vector clock of what warps did before they ended
	// By address; and the copies under way, in the order of their issue.
	mbarriers    map[uint64]*mbarrier
	tensorCopies []*tensorCopy
}

// WaveBlocks is how many blocks a wave has: about as many as a small GPU runs at a time.
const WaveBlocks = 16

// wave is WaveBlocks blocks with consecutive numbers, or what is left of the grid.
type wave struct {
	read Footprint // sectors
	left uint64    // blocks that have not ended
}

// barrier is one of a block's 16.
type barrier struct {
	arrived int // threads
	need    int // threads, or 0: all that have not exited
	pc      int // of the instruction that the first one came by
	clocks  []uint32
	waiters []waiter
	votes   int // threads that came with a true predicate
	voters  int
}

// waiter is a group of threads at a barrier, with what to do when it opens.
type waiter struct {
	warp *warp
	mask uint32
	open func(b *barrier)
}

func newBlock(m *machine) *block {
	k := m.kernel
	b := &block{machine: m, counts: m.counts, threads: m.cfg.Threads, shared: make([]byte, k.shared+m.cfg.Shared)}
	n := (b.threads + warpSize - 1) / warpSize
	b.exited = make([]uint32, n)
	b.warpgroups = make([]wgmmaLog, (n+warpgroupWarps-1)/warpgroupWarps)
	for i := range n {
		b.warps = append(b.warps, &warp{block: b, kernel: k, id: i, at: -1, regs: make([]lanes, k.slots),
			preds:   make([]uint32, k.slots),
			written: make([]uint32, k.slots), clocks: make([]uint32, n), local: make([]byte,
				k.local*warpSize), localOK: make([]bool, k.local*warpSize)})
	}
	// Weak accesses alone cannot tell what a cache delays, nor can one block at a time.
	if k.strong && m.grid > 1 && m.cfg.Resident > 1 {
		b.cache = &cache{rng: m.rng, sectors: map[uint64]*sector{}}
	}
	if k.fragments != nil {
		for _, w := range b.warps {
			w.wgmma.init(k.slots)
		}
	}
	for i := range b.barriers {
		b.barriers[i].clocks = make([]uint32, n)
	}
	return b
}

// start begins the next block of the grid.
func (b *block) start() {
	m := b.machine
	i, x, y := m.blocks*m.every, uint64(m.cfg.Grid[0]), uint64(m.cfg.Grid[1])
	b.id = [3]int{int(i % x), int(i / x % y), int(i / x / y)}
	if m.blocks%WaveBlocks == 0 {
		m.wave = &wave{left: min(WaveBlocks, m.grid-m.blocks)}
	}
	b.wave = m.wave
	m.blocks++
	b.executed = 0
	b.shadow.reset(len(b.shared), m.kernel.granule)
	clear(b.exited)
	for i := range b.warpgroups {
		b.warpgroups[i] = wgmmaLog{steps: b.warpgroups[i].steps[:0]}
	}
	for i := range b.barriers {
		b.barriers[i].reset()
	}
	b.mbarriers = map[uint64]*mbarrier{}
	for i, w := range b.warps {
		w.start(min(b.threads-i*warpSize, warpSize))
		m.wake(w)
	}
}

// settle is called when a warp has ended or waits: it starts the next block, opens barriers that wait for live threads
// alone, or finds a deadlock.
func (b *block) settle() *Fault {
	for i := range b.barriers {
		bar := &b.barriers[i]
		if f := b.tryOpen(bar); f != nil {
			// What only arrives is checked when it does, so somebody waits here.
			w := bar.waiters[len(bar.waiters)-1].warp
			return w.locate(f, &w.kernel.code[bar.pc])
		}
	}
	live := 0
	var stuck *warp
	for _, w := range b.warps {
		// A warp in the queue can still run.
		if w.at >= 0 {
			return nil
		}
		if !w.done() {
			live++
			stuck = w
		}
	}
	// The next block takes over the storage; other multiprocessors see this one's stores from now on.
	if live == 0 {
		b.cache.release()
		if f := b.checkWarpgroupsDone(); f != nil {
			return f
		}
		if len(b.tensorCopies) > 0 {
			return faultAt(Async, full, "the block ends before a tensor copy that it has issued")
		}
		if b.wave.left--; b.wave.left == 0 {
			b.machine.waveSectors += b.wave.read.Len()
		}
		if b.machine.blocks < b.machine.grid {
			b.start()
		}
		return nil
	}
	// pc is already past the barrier
	g := stuck.groups[0]
	f := faultAt(Deadlock, g.mask, "%d warps wait at barriers that no other thread of the block will reach", live)
	return stuck.locate(f, &b.machine.kernel.code[g.pc-1])
}

// liveThreads is the number of the block's threads that have not exited.
func (b *block) liveThreads() int {
	n := 0
	for _, w := range b.warps {
		n += bits.OnesCount32(w.live)
	}
	return n
}

// tryOpen lets the waiters of a barrier go if enough threads have come.
func (b *block) tryOpen(bar *barrier) *Fault {
	need := bar.need
	if need == 0 {
		need = b.liveThreads()
	}
	if bar.arrived == 0 || bar.arrived < need {
		return nil
	}
	if bar.arrived > need {
		return faultAt(Divergent, full, "%d threads come to a barrier for %d", bar.arrived, need)
	}
	// A barrier for all live threads also orders what exited ones have done.
	if bar.need == 0 {
		copyMax(bar.clocks, b.exited)
	}
	for _, x := range bar.waiters {
		copyMax(x.warp.clocks, bar.clocks)
		for i := range x.warp.groups {
			if g := &x.warp.groups[i]; g.waiting && g.mask == x.mask {
				g.waiting = false
			}
		}
		x.warp.reconverge()
		// What comes after the barrier is a new epoch of the warp.
		x.warp.clocks[x.warp.id]++
		if x.open != nil {
			x.open(bar)
		}
		b.machine.wake(x.warp)
	}
	bar.reset()
	return nil
}

func (bar *barrier) reset() {
	bar.arrived, bar.need, bar.votes, bar.voters = 0, 0, 0, 0
	bar.waiters = bar.waiters[:0]
	clear(bar.clocks)
}

func copyMax(dst, src []uint32) {
	for i, c := range src {
		dst[i] = max(dst[i], c)
	}
}

// arrival is threads of a warp that come to a barrier.
type arrival struct {
	id    int
	need  int // threads, or 0 for all of the block that live
	count int // threads that they stand for
	mask  uint32
	wait  bool
	open  func(b *barrier) // called where they wait and the barrier opens; may be nil
}

// arrive counts threads in at a barrier. Where they wait, g, which must be just them, stops.
func (w *warp) arrive(g *convergentGroup, a arrival) *Fault {
	b := w.block
	if a.id < 0 || a.id >= numBarriers {
		return faultAt(Argument, a.mask, "barrier %d: 0 to %d", a.id, numBarriers-1)
	}
	if a.need%warpSize != 0 {
		return faultAt(Argument, a.mask, "a barrier for %d threads: a multiple of %d", a.need, warpSize)
	}
	bar := &b.barriers[a.id]
	// All of the block come by one instruction; some of it (producers, consumers) may come by several.
	if bar.arrived > 0 && (bar.need != a.need || a.need == 0 && bar.pc != w.pc) {
		f := faultAt(Divergent, a.mask, "threads of the block come to barrier %d by instructions that differ", a.id)
		f.other = bar.pc
		return f
	}
	bar.pc, bar.need = w.pc, a.need
	bar.arrived += a.count
	// Joined before the warp's clock advances: what it did until now happens before the barrier opens.
	copyMax(bar.clocks, w.clocks)
	w.synchronize(a.mask)
	if !a.wait {
		return b.tryOpen(bar)
	}
	g.waiting = true
	bar.waiters = append(bar.waiters, waiter{w, a.mask, a.open})
	return nil
}
