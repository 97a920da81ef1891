package sim

import (
	"math/bits"
)

func controlOps() map[string]builder {
	return map[string]builder{
		"bra":          branch,
		"exit":         exit,
		"ret":          exit,
		"trap":         trap,
		"brkpt":        trap,
		"bar":          barrierOp,
		"barrier":      barrierOp,
		"nanosleep":    nanosleep,
		"setmaxnreg":   setmaxnreg,
		"createpolicy": createPolicy,
	}
}

// fenceOps are in inline assembly too, where they order what the kernel's own accesses do.
var fenceOps = map[string]builder{
	"membar": fence,
	"fence":  fence,
}

// jump sends the lanes of mask of a group to pc; the others go to the next instruction.
func (w *warp) jump(g *convergentGroup, mask uint32, pc int) {
	switch mask {
	case 0:
		g.pc++
	case g.mask:
		g.pc = pc
	default:
		// Divergence: the lanes that do not jump form a group of their own.
		rest := convergentGroup{pc: g.pc + 1, mask: g.mask &^ mask}
		*g = convergentGroup{pc: pc, mask: mask}
		w.groups = append(w.groups, rest)
	}
}

func branch(c *cursor) exec {
	uniform := c.has("uni")
	o := c.takeOperand()
	target, ok := c.d.source.labels[o.name]
	if !ok {
		c.failf("there is no label %s", o.name)
	}
	c.inst.flow = func(w *warp, g *convergentGroup, mask uint32) *Fault {
		if uniform && mask != 0 && mask != g.mask {
			return faultAt(Divergent, g.mask&^mask, "a uniform branch is taken by some threads of the warp alone")
		}
		w.jump(g, mask, target)
		return nil
	}
	return nil
}

func exit(c *cursor) exec {
	c.inst.flow = func(w *warp, g *convergentGroup, mask uint32) *Fault {
		if mask != 0 && len(w.wgmma.ops) > 0 {
			return faultAt(Async, mask, "a thread exits before its wgmma were waited for")
		}
		w.live &^= mask
		// a barrier for all live threads orders the block with what this warp did
		if w.live == 0 {
			copyMax(w.block.exited, w.clocks)
		}
		w.jump(g, mask, g.pc)
		for i := range w.groups {
			w.groups[i].mask &= w.live
		}
		w.reconverge()
		return nil
	}
	return nil
}

func trap(*cursor) exec {
	return func(_ *warp, mask uint32) *Fault { return faultAt(Trap, mask, "the kernel stops itself") }
}

func nanosleep(c *cursor) exec {
	c.takeSrc(types["u32"])
	return nothing
}

func setmaxnreg(c *cursor) exec {
	if n := c.constInt(256); n < 24 || n%8 != 0 {
		c.failf("a number of registers is a multiple of 8 from 24 to 256")
	}
	return nothing
}

// fence orders what other blocks see, lets wgmma read what it may not read before a fence.proxy.async, and lets tensor
// copies use the mbarriers that these lanes have made before a fence.mbarrier_init.
func fence(c *cursor) exec {
	if c.has("mbarrier_init") {
		return func(w *warp, mask uint32) *Fault {
			for _, m := range w.block.mbarriers {
				m.visible = m.visible || m.by.warp == uint8(w.id) && m.by.lanes&mask != 0
			}
			return nil
		}
	}
	if c.has("proxy") && !c.has("global") {
		return func(w *warp, mask uint32) *Fault {
			// Recorded with the warp's clock: wgmma of other warps need to be ordered after it.
			w.proxies = append(w.proxies, proxyFence{w.clocks[w.id], mask})
			return nil
		}
	}
	// Within a block there is one cache.
	if c.has("cta") || c.has("proxy") {
		return nothing
	}
	c.d.strong = true
	return func(w *warp, _ uint32) *Fault {
		w.block.cache.release()
		w.block.cache.acquire()
		return nil
	}
}

// createPolicy gives a number that nothing reads: caches are not simulated.
func createPolicy(c *cursor) exec {
	d := c.takeDst(c.takeType())
	if c.hasOperand() {
		c.takeSrc(types["f32"])
	}
	return lift1(d, c.d.constant(1), func(a uint64) uint64 { return a })
}

// barrierArgs is a barrier instruction's operands.
type barrierArgs struct {
	id, count value
	counted   bool
	wait      bool
	aligned   bool
}

// barrierOp is bar and barrier: sync, arrive, red and warp.sync. bar is aligned, barrier where it
// says so.
func barrierOp(c *cursor) exec {
	if c.has("warp") {
		return warpSync(c)
	}
	r := barrierArgs{aligned: c.has("aligned") || c.op.Words[0] == "bar", wait: !c.has("arrive")}
	if c.has("red") {
		return r.reduce(c)
	}
	u32 := types["u32"]
	r.id, r.count = c.takeSrc(u32), c.d.constant(0)
	if c.hasOperand() {
		r.counted, r.count = true, c.takeSrc(u32)
	}
	c.inst.flow = func(w *warp, g *convergentGroup, mask uint32) *Fault { return r.meet(w, g, mask, nil, 0) }
	return nil
}

// meet takes the lanes of mask to the barrier and the rest of the group past it.
func (r *barrierArgs) meet(w *warp, g *convergentGroup, mask uint32, open func(*barrier), votes uint32) *Fault {
	if mask == 0 {
		g.pc++
		return nil
	}
	if r.aligned {
		if f := w.checkConverged(mask, w.live); f != nil {
			return f
		}
	}
	// Barrier and count are read from the first lane: with .aligned they are the same in all.
	lane := bits.TrailingZeros32(mask) & 31
	a := arrival{id: int(w.get(r.id)[lane]), need: int(w.get(r.count)[lane]), count: bits.OnesCount32(mask),
		mask: mask, wait: r.wait, open: open}
	if r.counted && a.need == 0 {
		return faultAt(Argument, mask, "a barrier for 0 threads")
	}
	// A barrier with .aligned counts in multiples of the warp size (PTX ISA, "bar"): its warp counts as a whole.
	if r.counted && r.aligned {
		a.count = warpSize
	}
	rest := convergentGroup{pc: g.pc + 1, mask: g.mask &^ mask}
	*g = convergentGroup{pc: g.pc + 1, mask: mask}
	if f := w.arrive(g, a); f != nil {
		return f
	}
	if open != nil {
		bar := &w.block.barriers[a.id]
		bar.votes += bits.OnesCount32(votes & mask)
		bar.voters += bits.OnesCount32(mask)
	}
	if rest.mask != 0 {
		w.groups = append(w.groups, rest)
	}
	return nil
}

// reduce is bar.red: a barrier that counts how many threads come with a true predicate.
func (r *barrierArgs) reduce(c *cursor) exec {
	op, d := c.oneOf("popc", "and", "or"), c.takeDst(c.takeType())
	r.id, r.count = c.takeSrc(types["u32"]), c.d.constant(0)
	if len(c.st.args)-c.next == 2 {
		r.counted, r.count = true, c.takeSrc(types["u32"])
	}
	p := c.takePredicate()
	c.inst.flow = func(w *warp, g *convergentGroup, mask uint32) *Fault {
		open := func(bar *barrier) {
			switch op {
			case "popc":
				v := broadcast(uint64(bar.votes))
				w.put(d, mask, &v)
			case "and":
				w.setPred(d, mask, -uint32(b2i(bar.votes == bar.voters)))
			default:
				w.setPred(d, mask, -uint32(b2i(bar.votes > 0)))
			}
			w.written[d] |= mask
		}
		return r.meet(w, g, mask, open, w.pred(p))
	}
	return nil
}

func broadcast(v uint64) (r lanes) {
	for i := range r {
		r[i] = v
	}
	return r
}

func warpSync(c *cursor) exec {
	m := c.takeSrc(types["b32"])
	c.inst.flow = func(w *warp, g *convergentGroup, mask uint32) *Fault {
		if mask == g.mask && mask != 0 {
			mask = w.gather(g)
			want := uint32(w.get(m)[bits.TrailingZeros32(mask)&31])
			if want&w.live&^mask != 0 && w.others(g) {
				g.waiting, g.syncing = true, true
				return nil
			}
		}
		g.pc++
		if mask == 0 {
			return nil
		}
		return w.checkMemberMask(mask, w.get(m))
	}
	return nil
}

// gather joins to g the groups that wait for it at its instruction, and gives all their lanes.
func (w *warp) gather(g *convergentGroup) uint32 {
	for i := range w.groups {
		if o := &w.groups[i]; o != g && o.syncing && o.pc == g.pc {
			g.mask |= o.mask
			*o = convergentGroup{pc: o.pc}
		}
	}
	return g.mask
}

// others reports whether other groups can run.
func (w *warp) others(g *convergentGroup) bool {
	for i := range w.groups {
		if o := &w.groups[i]; o != g && o.mask != 0 && !o.waiting {
			return true
		}
	}
	return false
}
