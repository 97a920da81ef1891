package sim

import (
	"math/bits"
)

// convergentGroup is the threads of a warp that are at one instruction.
type convergentGroup struct {
	pc      int
	mask    uint32
	waiting bool // at a barrier, or for others of the warp
	syncing bool // for others of the warp
}

// warp is 32 threads with their registers. The group with the lowest program counter runs first, so that threads that
// diverged reconverge at the first instruction after their branches.
type warp struct {
	block   *block
	kernel  *kernel
	id      int
	at      int // in machine.ready, or -1
	regs    []lanes
	preds   []uint32
	written []uint32 // by slot: the lanes that have a value
	special [numSpecials]lanes
	groups  []convergentGroup
	live    uint32
	clocks  []uint32 // vector clock: what this warp knows to have happened in each warp
	pc      int      // of the running instruction
	async   asyncState
	wgmma   wgmmaState
	proxies []proxyFence // so far
	local   []byte
	localOK []bool
}

func (w *warp) get(v value) *lanes {
	switch v.file {
	case fileRegister:
		return &w.regs[v.index]
	case fileConst:
		return &w.kernel.consts[v.index]
	default:
		return w.readSpecial(v.index)
	}
}

func (w *warp) pred(p predicate) uint32 {
	if p.negate {
		return ^w.preds[p.slot]
	}
	return w.preds[p.slot]
}

func (w *warp) setPred(slot int32, mask, v uint32) {
	w.preds[slot] = w.preds[slot]&^mask | v&mask
	w.preds[falsePre] = 0
}

// start puts a warp of n threads at the kernel's first instruction.
func (w *warp) start(n int) {
	w.live = uint32(maskBits(n))
	w.groups = append(w.groups[:0], convergentGroup{mask: w.live})
	clear(w.written)
	w.written[sinkSlot], w.written[falsePre] = full, full
	w.preds[falsePre] = 0
	clear(w.clocks)
	w.clocks[w.id] = 1
	w.async.reset()
	w.wgmma.reset()
	w.proxies = w.proxies[:0]
	clear(w.localOK)
	w.fillSpecials()
}

// blocked says whether no thread can go on by itself.
func (w *warp) blocked() bool { return w.nextGroup() < 0 }

func (w *warp) done() bool { return w.live == 0 }

// nextGroup is the index of the group that runs next, or -1.
func (w *warp) nextGroup() int {
	best := -1
	for i := range w.groups {
		// The lowest program counter first: threads further on wait for those that may still reach them.
		if !w.groups[i].waiting && (best < 0 || w.groups[i].pc < w.groups[best].pc) {
			best = i
		}
	}
	return best
}

// releaseWaiting lets a group go on that waits for others of the warp if nobody can come any more, and gives its index,
// or -1.
func (w *warp) releaseWaiting() int {
	for i := range w.groups {
		if g := &w.groups[i]; g.syncing {
			g.waiting, g.syncing = false, false
			return i
		}
	}
	return -1
}

// reconverge joins groups at the same instruction and drops empty ones.
func (w *warp) reconverge() {
	out := w.groups[:0]
next:
	for _, g := range w.groups {
		if g.mask == 0 {
			continue
		}
		for i := range out {
			// Groups at a barrier stay apart: each has arrived with its own lanes.
			if out[i].pc == g.pc && !out[i].waiting && !g.waiting {
				out[i].mask |= g.mask
				continue next
			}
		}
		out = append(out, g)
	}
	w.groups = out
}

// run executes up to n instructions and says how many it did.
func (w *warp) run(n int) (int, *Fault) {
	code := w.kernel.code
	done := 0
	for done < n {
		i := w.nextGroup()
		if i < 0 {
			if i = w.releaseWaiting(); i < 0 {
				break
			}
		}
		g := &w.groups[i]
		in := &code[g.pc]
		w.pc = g.pc
		done++
		mask, f := w.guard(in, g.mask)
		if f == nil {
			f = w.step(in, g, mask)
		}
		if f != nil {
			return done, w.locate(f, in)
		}
		if len(w.groups) != 1 {
			w.reconverge()
		}
	}
	return done, nil
}

// guard is the lanes of mask that the instruction's predicate lets through.
func (w *warp) guard(in *inst, mask uint32) (uint32, *Fault) {
	if in.guard == noSlot {
		return mask, nil
	}
	// Registers have no value before they are written; hardware has an old one, by chance.
	if missing := mask &^ w.written[in.guard]; missing != 0 {
		return 0, faultAt(Uninitialized, missing, "the guard predicate has no value")
	}
	if in.guardNot {
		return mask &^ w.preds[in.guard], nil
	}
	return mask & w.preds[in.guard], nil
}

func (w *warp) step(in *inst, g *convergentGroup, mask uint32) *Fault {
	count := &w.block.counts[w.pc]
	count.executed++
	count.threads += uint64(bits.OnesCount32(mask))
	for _, s := range in.uses {
		// Only lanes that the guard lets through read.
		if missing := mask &^ w.written[s]; missing != 0 {
			return faultAt(Uninitialized, missing, "a register that the instruction reads has no value")
		}
	}
	if len(in.fragments) > 0 && mask != 0 {
		if f := w.checkHolds(in); f != nil {
			return f
		}
	}
	// Branches, exits and barriers move the program counter themselves.
	if in.flow != nil {
		return in.flow(w, g, mask)
	}
	g.pc++
	if mask == 0 {
		return nil
	}
	f := in.exec(w, mask)
	for _, s := range in.defs {
		// Also where the instruction failed: the run ends then.
		w.written[s] |= mask
	}
	return f
}

// checkConverged is an error unless the lanes of mask are all live ones of the warp, which .aligned asks for.
func (w *warp) checkConverged(mask, want uint32) *Fault {
	if mask != want {
		return faultAt(Divergent, want&^mask, "not all threads of the warp execute the instruction together")
	}
	return nil
}

// checkMemberMask checks the member mask of a .sync instruction, which must be the same in all lanes and name exactly
// lanes that execute it, and synchronizes them.
func (w *warp) checkMemberMask(mask uint32, m *lanes) *Fault {
	want := uint32(m[bits.TrailingZeros32(mask)&31])
	for i := range m {
		if mask>>i&1 != 0 && uint32(m[i]) != want {
			return faultAt(Divergent, 1<<i, "the threads of the warp give different member masks")
		}
	}
	if mask&^want != 0 {
		return faultAt(Divergent, mask&^want, "a thread executes the instruction that the member mask does not name")
	}
	if absent := want & w.live &^ mask; absent != 0 {
		return faultAt(Divergent, absent, "the member mask names a thread that does not execute the instruction now")
	}
	w.synchronize(mask)
	return nil
}

// synchronize orders what the threads of the warp did before with what they do next, if all take part.
func (w *warp) synchronize(mask uint32) {
	if w.live&^mask == 0 {
		w.clocks[w.id]++
	}
}
