package sim

func atomicOps() map[string]builder {
	return map[string]builder{
		"atom": atomic,
		"red":  atomic,
	}
}

// swaps are the read-modify-write operations that are not arithmetic, of the old value and the operands b and c.
var swaps = map[string]fn3{
	"exch": func(_, b, _ uint64) uint64 { return b },
	"cas": func(old, b, c uint64) uint64 {
		if old == b {
			return c
		}
		return old
	},
	"inc": func(old, b, _ uint64) uint64 {
		if old >= b {
			return 0
		}
		return old + 1
	},
	"dec": func(old, b, _ uint64) uint64 {
		if old == 0 || old > b {
			return b
		}
		return old - 1
	},
}

// combinerOf is what an atomic operation writes, of the old value and its operands.
func combinerOf(c *cursor, op string, t *typ, sp space) fn3 {
	if f := swaps[op]; f != nil {
		return f
	}
	var f fn2
	switch {
	case !t.isFloat():
		f = integers[t.name][op]
	case op == "add":
		// fp32 atomics on global memory flush subnormals; those on shared memory do not.
		f = floatMode{ftz: t.name == "f32" && sp != spaceShared}.binary(c, t, "add")
	default:
		f = floatMode{}.extremum(t, op == "max", false)
	}
	return func(old, b, _ uint64) uint64 { return f(old, b) }
}

// atomic is atom, which gives the old value, and red, which does not.
func atomic(c *cursor) exec {
	sp, order, fetch := c.op.Space, c.order(), c.op.Words[0] == "atom"
	op := c.oneOf("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")
	n, t := c.takeElements()
	var old []int32
	if fetch {
		for _, o := range c.takeList(n) {
			old = append(old, c.dstOf(o, t))
		}
	}
	a := c.takeAddress(sp)
	var values []value
	for _, o := range c.takeList(n) {
		values = append(values, c.srcOf(o, t))
	}
	third := c.d.constant(0)
	if op == "cas" {
		third = c.takeSrc(t)
	}
	c.takePolicy()
	size := t.bytes()
	c.narrowGranule(sp, n*size)
	f := combinerOf(c, op, t, sp)
	return func(w *warp, mask uint32) *Fault {
		var at lanes
		a.of(w, &at)
		return w.reach(sp, AccessAtomic, order, mask, &at, n*size, func(lane int, data []byte) {
			for i, v := range values {
				b := data[i*size : i*size+size]
				before := readBits(b)
				writeBits(b, f(before, w.get(v)[lane], w.get(third)[lane]))
				if fetch {
					w.regs[old[i]][lane] = before
				}
			}
		})
	}
}
