package sim

var moveOps = map[string]builder{
	"mov": mov,
	"cvt": cvt,
}

func mov(c *cursor) exec {
	if c.has("pred") {
		d, a := c.takeDst(types["pred"]), c.takePredicate()
		return func(w *warp, mask uint32) *Fault {
			w.setPred(d, mask, w.pred(a))
			return nil
		}
	}
	t := c.takeType()
	if c.peekOperand().kind == operandVector {
		return unpack(c, t)
	}
	d := c.takeDst(t)
	if c.peekOperand().kind == operandVector {
		return packInto(c, t, d)
	}
	return lift1(d, c.takeSrc(t), func(a uint64) uint64 { return a })
}

// partType is the type of one of n equal parts of t.
func (c *cursor) partType(t *typ, n int) *typ {
	name, ok := map[int]string{8: "b8", 16: "b16", 32: "b32"}[t.bits/max(n, 1)]
	if !ok || t.kind != kindBits || n < 2 || n > 4 || n == 3 {
		c.failf("%d parts of .%s", n, t.name)
		return types["b16"]
	}
	return types[name]
}

func packInto(c *cursor, t *typ, d int32) exec {
	part := c.partType(t, len(c.peekOperand().elems))
	list := c.takeSrcs(len(c.peekOperand().elems), part)
	return func(w *warp, mask uint32) *Fault {
		var r lanes
		for i, v := range list {
			x := w.get(v)
			for l := range r {
				r[l] |= x[l] << (i * part.bits & 63)
			}
		}
		w.put(d, mask, &r)
		return nil
	}
}

func unpack(c *cursor, t *typ) exec {
	part := c.partType(t, len(c.peekOperand().elems))
	list := c.takeDsts(len(c.peekOperand().elems), part)
	a := c.takeSrc(t)
	return func(w *warp, mask uint32) *Fault {
		x := *w.get(a)
		for i, d := range list {
			var r lanes
			for l := range r {
				r[l] = x[l] >> (i * part.bits & 63) & part.mask()
			}
			w.put(d, mask, &r)
		}
		return nil
	}
}

// put writes the lanes of mask.
func (w *warp) put(d int32, mask uint32, v *lanes) {
	dst := &w.regs[d]
	if mask == full {
		*dst = *v
		return
	}
	for i := range dst {
		if mask>>i&1 != 0 {
			dst[i] = v[i]
		}
	}
}

// windows are where state spaces begin in the generic address space; global memory is its own.
var windows = map[space]uint64{spaceParam: paramWindow, spaceShared: sharedWindow, spaceLocal: localWindow}

const (
	sharedWindow = 0x1000_0000_0000
	localWindow  = 0x2000_0000_0000
	paramWindow  = 0x3000_0000_0000
	windowBytes  = 1 << 24
)

func cvta(c *cursor) exec {
	base, t := windows[c.op.Space], c.takeType()
	if c.has("to") {
		base = -base
	}
	return lift1(c.takeDst(t), c.takeSrc(t), func(a uint64) uint64 { return a + base })
}
