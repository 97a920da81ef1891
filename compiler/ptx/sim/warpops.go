package sim

import "math/bits"

func warpOps() map[string]builder {
	return map[string]builder{
		"shfl":       shuffle,
		"vote":       vote,
		"match":      match,
		"redux":      redux,
		"activemask": activeMask,
		"elect":      elect,
	}
}

// sources give the lane that a lane reads from and whether it is within the segment, by the ISA's
// pseudocode: b is the operand, limit and first the segment's last and first lane.
var sources = map[string]func(lane, b, limit, first, segment int) (int, bool){
	"up":   func(lane, b, limit, _, _ int) (int, bool) { return lane - b, lane-b >= limit },
	"down": func(lane, b, limit, _, _ int) (int, bool) { return lane + b, lane+b <= limit },
	"bfly": func(lane, b, limit, _, _ int) (int, bool) { return lane ^ b, lane^b <= limit },
	"idx": func(_, b, limit, first, segment int) (int, bool) {
		j := first | b&^segment
		return j, j <= limit
	},
}

func shuffle(c *cursor) exec {
	from := sources[c.oneOf("up", "down", "bfly", "idx")]
	t := c.takeType()
	d, p := c.takeDstPair(t)
	a, b, seg, member := c.takeSrc(t), c.takeSrc(types["u32"]), c.takeSrc(types["u32"]), c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		if f := w.checkMemberMask(mask, w.get(member)); f != nil {
			return f
		}
		x, y, z := *w.get(a), w.get(b), w.get(seg)
		var r lanes
		var inside uint32
		for lane := range r {
			if mask>>lane&1 == 0 {
				continue
			}
			segment, clamp := int(z[lane]>>8&31), int(z[lane]&31)
			limit := lane&segment | clamp&^segment
			j, ok := from(lane, int(y[lane]&31), limit, lane&segment, segment)
			if !ok {
				j = lane
			}
			if mask>>j&1 == 0 {
				return faultAt(Divergent, 1<<lane,
					"the value comes from thread %d of the warp, which does not take part", j)
			}
			inside |= uint32(b2i(ok)) << lane
			r[lane] = x[j]
		}
		w.put(d, mask, &r)
		w.setPred(p, mask, inside)
		return nil
	}
}

// votes are the outcomes, of the threads that say yes and those that vote.
var votes = map[string]func(yes, all uint32) bool{
	"all": func(yes, all uint32) bool { return yes == all },
	"any": func(yes, _ uint32) bool { return yes != 0 },
	"uni": func(yes, all uint32) bool { return yes == all || yes == 0 },
}

func vote(c *cursor) exec {
	form := c.oneOf("all", "any", "uni", "ballot")
	t, holds := c.takeType(), votes[form]
	d, p, member := c.takeDst(t), c.takePredicate(), c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		if f := w.checkMemberMask(mask, w.get(member)); f != nil {
			return f
		}
		yes := w.pred(p) & mask
		if form == "ballot" {
			r := broadcast(uint64(yes))
			w.put(d, mask, &r)
		} else {
			w.setPred(d, mask, -uint32(b2i(holds(yes, mask))))
		}
		return nil
	}
}

// match finds the threads with the same value, or whether all have it.
func match(c *cursor) exec {
	all, t := c.has("all"), c.takeType()
	d, p := c.takeDstPair(types["b32"])
	a, member := c.takeSrc(t), c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		if f := w.checkMemberMask(mask, w.get(member)); f != nil {
			return f
		}
		x := w.get(a)
		var r lanes
		for i := range r {
			for j := range x {
				if mask>>j&1 != 0 && x[i] == x[j] {
					r[i] |= 1 << j
				}
			}
		}
		if all {
			agree := r[bits.TrailingZeros32(mask)&31] == uint64(mask)
			r = broadcast(uint64(mask) * truth(agree))
			w.setPred(p, mask, -uint32(b2i(agree)))
		}
		w.put(d, mask, &r)
		return nil
	}
}

func redux(c *cursor) exec {
	t := c.takeType()
	f := integers[t.name][c.oneOf("add", "min", "max", "and", "or", "xor")]
	d, a, member := c.takeDst(t), c.takeSrc(t), c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		if f := w.checkMemberMask(mask, w.get(member)); f != nil {
			return f
		}
		x := w.get(a)
		first := bits.TrailingZeros32(mask) & 31
		v := x[first]
		for i := first + 1; i < warpSize; i++ {
			if mask>>i&1 != 0 {
				v = f(v, x[i])
			}
		}
		r := broadcast(v)
		w.put(d, mask, &r)
		return nil
	}
}

func activeMask(c *cursor) exec {
	d := c.takeDst(c.takeType())
	return func(w *warp, mask uint32) *Fault {
		r := broadcast(uint64(mask))
		w.put(d, mask, &r)
		return nil
	}
}

// elect picks the lowest thread.
func elect(c *cursor) exec {
	d, p := c.takeDstPair(types["b32"])
	member := c.takeSrc(types["u32"])
	return func(w *warp, mask uint32) *Fault {
		if f := w.checkMemberMask(mask, w.get(member)); f != nil {
			return f
		}
		first := bits.TrailingZeros32(mask)
		r := broadcast(uint64(first))
		w.put(d, mask, &r)
		w.setPred(p, mask, 1<<(first&31))
		return nil
	}
}
