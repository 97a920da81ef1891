package sim

import "slices"

// groupOp is a product that has not been waited for.
type groupOp struct {
	product *groupProduct
	group   int     // of the warp's groups
	units   []int32 // offsets in shared memory of the 16-byte pieces that it reads
}

// hold is how many products under way have a register, as part of D or of A.
type hold struct {
	d, a int32
	by   *groupProduct // the latest of D
	pc   int32
}

// groupState is what a warp knows of its products.
type groupState struct {
	fences    int32
	touched   []int32 // by slot: 1 + the fences before the last access by something else than a product, or 0
	holds     []hold  // by slot
	ops       []groupOp
	committed int
	steps     int // wgmma instructions so far
}

func (s *groupState) init(slots int) {
	s.touched, s.holds = make([]int32, slots), make([]hold, slots)
}

func (s *groupState) reset() {
	clear(s.touched)
	clear(s.holds)
	*s = groupState{touched: s.touched, holds: s.holds, ops: s.ops[:0]}
}

// groupStep is a wgmma instruction with what the warps of a group must agree on.
type groupStep struct {
	pc    int
	a, b  uint64
	scale bool
}

// groupLog is what the warps of a group have executed: the first to come writes, the others compare.
// What all have passed is dropped now and then.
type groupLog struct {
	base  int
	steps []groupStep
}

const groupLogLength = 1024

// convene checks that a whole warp of a whole group executes the same as the group's others, and
// orders what the warp does. It does not order the group: hardware makes no such promise.
func (w *warp) convene(mask uint32, s groupStep) *Fault {
	if f := w.together(mask, full); f != nil {
		return f
	}
	b, g := w.block, w.id/groupWarps
	if (g+1)*groupWarps*warpSize > b.threads {
		return faultAt(Divergent, mask, "the block's last threads are less than a group of %d", groupWarps*warpSize)
	}
	w.tick(mask)
	log := &b.groups[g]
	i := w.group.steps - log.base
	w.group.steps++
	if i < len(log.steps) {
		if log.steps[i] != s {
			f := faultAt(Divergent, mask, "the warps of a group do not execute the same wgmma instructions with the same operands")
			f.other = log.steps[i].pc
			return f
		}
		return nil
	}
	log.steps = append(log.steps, s)
	if len(log.steps) >= groupLogLength {
		passed := w.group.steps
		for _, o := range b.warps[g*groupWarps : (g+1)*groupWarps] {
			passed = min(passed, o.group.steps)
		}
		log.steps = slices.Delete(log.steps, 0, passed-log.base)
		log.base = passed
	}
	return nil
}

// adjourn checks, when all threads have exited, that no warp of a group left wgmma instructions out.
func (b *block) adjourn() *Fault {
	for g := range b.groups {
		log := &b.groups[g]
		for _, w := range b.warps[g*groupWarps : min(len(b.warps), (g+1)*groupWarps)] {
			if i := w.group.steps - log.base; i < len(log.steps) {
				f := faultAt(Divergent, full, "a warp of the group never executes the instruction")
				return w.locate(f, &w.kernel.code[log.steps[i].pc])
			}
		}
	}
	return nil
}

// claim checks that a product may have its registers, and takes them.
func (w *warp) claim(v *groupProduct, reads bool) *Fault {
	g := &w.group
	if g.fences == 0 {
		return faultAt(Fence, full, "no wgmma.fence comes before the product")
	}
	same := v
	for i, s := range v.registers {
		h, isD := &g.holds[s], i < len(v.d)
		if g.touched[s] > g.fences {
			return faultAt(Fence, full, "a register of the product was accessed with no wgmma.fence since")
		}
		if h.d > 0 && isD && h.by != same && slices.Equal(h.by.d, v.d) {
			same = h.by
		}
		if isD && h.a > 0 || h.d > 0 && (!isD || h.by != same && h.by != v) {
			return held(h, "a register of the product is part of one under way, not as the same accumulator")
		}
		if isD && reads && w.written[s] != full {
			return faultAt(Uninitialised, ^w.written[s], "a register of the accumulator has no value")
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

func held(h *hold, message string) *Fault {
	f := faultAt(Async, full, "%s", message)
	f.other = int(h.pc)
	return f
}

// untouched checks and notes an instruction's accesses to registers that products have.
func (w *warp) untouched(in *inst) *Fault {
	g := &w.group
	for _, s := range in.fragments {
		if h := &g.holds[s]; h.d+h.a > 0 {
			return held(h, "a register is accessed before the product that has it was waited for")
		}
		g.touched[s] = g.fences + 1
	}
	return nil
}

// complete waits for the products of all groups but the latest n.
func (w *warp) complete(n int) *Fault {
	g := &w.group
	kept := g.ops[:0]
	for _, op := range g.ops {
		if op.group >= g.committed-n {
			kept = append(kept, op)
			continue
		}
		for i, s := range op.product.registers {
			if i < len(op.product.d) {
				g.holds[s].d--
			} else {
				g.holds[s].a--
			}
		}
		for _, off := range op.units {
			if f := w.block.shadow.giveBack(w, int(off), unitBytes); f != nil {
				return f
			}
		}
	}
	g.ops = kept
	return nil
}

// proxyFence is one fence.proxy.async: what these lanes wrote before it is for wgmma to see, for
// those that learn of clock.
type proxyFence struct {
	clock, lanes uint32
}

// published says whether the write in c was followed by a fence of its thread that comes before what
// w does now.
func (c *cell) published(w *warp) bool {
	for _, f := range w.block.warps[c.writer].proxies[c.proxies:] {
		if f.lanes>>(c.lane&31)&1 != 0 {
			a := access{clock: f.clock, lanes: f.lanes, warp: c.writer}
			return a.after(w, warpSize)
		}
	}
	return false
}

// lend checks a read of wgmma that begins now, as one by the whole warp.
func (s *shadow) lend(w *warp, off, n int) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		if f := c.readable(w, 0, i*s.granule); f != nil {
			return f
		}
		if !c.published(w) {
			f := addressFault(Fence, 0, uint64(sharedBase+i*s.granule), "shared memory at offset %d is read by wgmma with no fence.proxy.async by the thread that wrote it, and barrier, between", i*s.granule)
			f.other = int(c.pc)
			return f
		}
		c.readers++
		c.reader = int32(w.pc)
	}
	return nil
}

// giveBack ends such a read: it counts as one at this time.
func (s *shadow) giveBack(w *warp, off, n int) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		s.cells[i].readers--
	}
	return s.touch(w, 0, off, n, false)
}

// lent is an error where a product under way reads c.
func (c *cell) lent(lane, off int) *Fault {
	if c.readers == 0 {
		return nil
	}
	f := addressFault(Async, lane, uint64(sharedBase+off), "shared memory at offset %d is written before the product that reads it was waited for", off)
	f.other = int(c.reader)
	return f
}
