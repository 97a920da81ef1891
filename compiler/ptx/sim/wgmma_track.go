package sim

import "slices"

// outstandingWgmma is a wgmma.mma_async that has not been waited for.
type outstandingWgmma struct {
	in     *wgmmaInst
	group  int     // of the warp's groups
	chunks []int32 // offsets in shared memory of the 16-byte pieces that it reads
}

// registerHold is how many outstanding wgmma have a register, as part of D or of A.
type registerHold struct {
	d, a int32
	by   *wgmmaInst // the latest of D
	pc   int32
}

// wgmmaState is a warp's outstanding wgmma, and what its registers have been through.
type wgmmaState struct {
	fences     int32
	lastAccess []int32        // by slot: 1 + the fences before the last access by something else than a wgmma, or 0
	holds      []registerHold // by slot
	ops        []outstandingWgmma
	committed  int
	steps      int // wgmma instructions so far
}

func (s *wgmmaState) init(slots int) {
	s.lastAccess, s.holds = make([]int32, slots), make([]registerHold, slots)
}

func (s *wgmmaState) reset() {
	clear(s.lastAccess)
	clear(s.holds)
	*s = wgmmaState{lastAccess: s.lastAccess, holds: s.holds, ops: s.ops[:0]}
}

// wgmmaStep is a wgmma instruction with the operands that the warps of a warpgroup must agree on.
type wgmmaStep struct {
	pc    int
	a, b  uint64
	scale bool
}

// wgmmaLog is what the warps of a warpgroup have executed: the first to come writes, the others compare. What all have
// passed is dropped now and then.
type wgmmaLog struct {
	base  int
	steps []wgmmaStep
}

const wgmmaLogLength = 1024

// joinWarpgroup checks warpgroup convergence: a whole warp of a whole warpgroup executes the same as the warpgroup's
// others. It orders what the warp does, but not the warpgroup: hardware makes no such promise.
func (w *warp) joinWarpgroup(mask uint32, s wgmmaStep) *Fault {
	if f := w.checkConverged(mask, full); f != nil {
		return f
	}
	b, g := w.block, w.id/warpgroupWarps
	// A block's last warps may be fewer than a warpgroup.
	if (g+1)*warpgroupWarps*warpSize > b.threads {
		return faultAt(Divergent, mask,
			"the block's last threads are less than a warpgroup of %d", warpgroupWarps*warpSize)
	}
	w.synchronize(mask)
	log := &b.warpgroups[g]
	i := w.wgmma.steps - log.base
	w.wgmma.steps++
	// Another warp has been here before.
	if i < len(log.steps) {
		if log.steps[i] != s {
			f := faultAt(Divergent, mask,
				"the warps of a warpgroup do not execute the same wgmma instructions with the same operands")
			f.other = log.steps[i].pc
			return f
		}
		return nil
	}
	log.steps = append(log.steps, s)
	// Drop what all four warps have passed.
	if len(log.steps) >= wgmmaLogLength {
		passed := w.wgmma.steps
		for _, o := range b.warps[g*warpgroupWarps : (g+1)*warpgroupWarps] {
			passed = min(passed, o.wgmma.steps)
		}
		log.steps = slices.Delete(log.steps, 0, passed-log.base)
		log.base = passed
	}
	return nil
}

// checkWarpgroupsDone checks, when all threads have exited, that no warp of a warpgroup left wgmma instructions out.
func (b *block) checkWarpgroupsDone() *Fault {
	for g := range b.warpgroups {
		log := &b.warpgroups[g]
		for _, w := range b.warps[g*warpgroupWarps : min(len(b.warps), (g+1)*warpgroupWarps)] {
			if i := w.wgmma.steps - log.base; i < len(log.steps) {
				f := faultAt(Divergent, full, "a warp of the warpgroup never executes the instruction")
				return w.locate(f, &w.kernel.code[log.steps[i].pc])
			}
		}
	}
	return nil
}

// acquireRegisters checks that a wgmma may have its registers, and holds them until it is waited for (PTX ISA,
// "wgmma.fence": accesses by anything else need a fence before; wgmma with the same accumulator do not).
func (w *warp) acquireRegisters(v *wgmmaInst, reads bool) *Fault {
	g := &w.wgmma
	if g.fences == 0 {
		return faultAt(Fence, full, "no wgmma.fence comes before the wgmma")
	}
	same := v
	for i, s := range v.registers {
		h, isD := &g.holds[s], i < len(v.d)
		// Accessed by another instruction after the last fence.
		if g.lastAccess[s] > g.fences {
			return faultAt(Fence, full, "a register of the wgmma was accessed with no wgmma.fence since")
		}
		// Chains of wgmma with one accumulator need no fence and no wait in between.
		if h.d > 0 && isD && h.by != same && slices.Equal(h.by.d, v.d) {
			same = h.by
		}
		if isD && h.a > 0 || h.d > 0 && (!isD || h.by != same && h.by != v) {
			return holdFault(h, "a register of the wgmma is part of an outstanding one, not as the same accumulator")
		}
		// With scale-d false D is written alone.
		if isD && reads && w.written[s] != full {
			return faultAt(Uninitialized, ^w.written[s], "a register of the accumulator has no value")
		}
	}
	for i, s := range v.registers {
		h := &g.holds[s]
		h.pc = int32(w.pc)
		if i < len(v.d) {
			h.d, h.by = h.d+1, v
		} else {
			h.a++
		}
	}
	return nil
}

// holdFault says that a register is held by another wgmma.
func holdFault(h *registerHold, message string) *Fault {
	f := faultAt(Async, full, "%s", message)
	f.other = int(h.pc)
	return f
}

// checkHolds checks an instruction's accesses to registers that wgmma have, and records them.
func (w *warp) checkHolds(in *inst) *Fault {
	g := &w.wgmma
	for _, s := range in.fragments {
		if h := &g.holds[s]; h.d+h.a > 0 {
			return holdFault(h, "a register is accessed before the wgmma that has it was waited for")
		}
		g.lastAccess[s] = g.fences + 1
	}
	return nil
}

// waitWgmma completes the wgmma of all groups but the latest n.
func (w *warp) waitWgmma(n int) *Fault {
	g := &w.wgmma
	kept := g.ops[:0]
	for _, op := range g.ops {
		// of the n latest groups, or not committed yet
		if op.group >= g.committed-n {
			kept = append(kept, op)
			continue
		}
		for i, s := range op.in.registers {
			if i < len(op.in.d) {
				g.holds[s].d--
			} else {
				g.holds[s].a--
			}
		}
		for _, off := range op.chunks {
			if f := w.block.shadow.endAsyncRead(w, int(off), chunkBytes); f != nil {
				return f
			}
		}
	}
	g.ops = kept
	return nil
}

// proxyFence is one fence.proxy.async: what these lanes wrote before it is visible to wgmma, for those that are ordered
// after clock.
type proxyFence struct {
	clock, lanes uint32
}

// fencedForAsync reports whether the write in c was followed by a proxy fence of its thread that comes before what w
// does now.
func (c *cell) fencedForAsync(w *warp) bool {
	if c.async {
		return true
	}
	for _, f := range w.block.warps[c.writer].proxies[c.proxies:] {
		if f.lanes>>(c.lane&31)&1 != 0 {
			a := access{clock: f.clock, lanes: f.lanes, warp: c.writer}
			return a.after(w, warpSize)
		}
	}
	return false
}

// beginAsyncRead checks a read by wgmma that begins now, as one by the whole warp.
func (s *shadow) beginAsyncRead(w *warp, off, n int) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		if f := c.readable(w, 0, i*s.granule); f != nil {
			return f
		}
		if !c.fencedForAsync(w) {
			f := addressFault(Fence, 0, uint64(sharedBase+i*s.granule),
				"shared memory at offset %d is read by wgmma with no fence.proxy.async "+
					"by the thread that wrote it, and barrier, between", i*s.granule)
			f.other = int(c.pc)
			return f
		}
		c.asyncReaders++
		c.asyncReader = int32(w.pc)
	}
	return nil
}

// endAsyncRead ends such a read: it counts as one at this time.
func (s *shadow) endAsyncRead(w *warp, off, n int) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		s.cells[i].asyncReaders--
	}
	// From here on the read is ordered like one of this warp, so that a barrier can order a write after it.
	return s.touch(w, 0, off, n, false)
}

// checkAsyncReaders is an error if an outstanding wgmma reads c.
func (c *cell) checkAsyncReaders(lane, off int) *Fault {
	if c.asyncReaders == 0 {
		return nil
	}
	f := addressFault(Async, lane, uint64(sharedBase+off),
		"shared memory at offset %d is written before the wgmma that reads it was waited for", off)
	f.other = int(c.asyncReader)
	return f
}
