package sim

func atomicOps() map[string]builder {
	return map[string]builder{
		"atom": func(c *cursor) exec { return atomic(c, true) },
		"red":  func(c *cursor) exec { return atomic(c, false) },
	}
}

// atomicTypes are the types that hardware has each operation for.
var atomicTypes = map[string][]string{
	"add":  {"u32", "s32", "u64", "f32", "f64", "f16", "bf16", "f16x2", "bf16x2"},
	"min":  {"u32", "s32", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2"},
	"max":  {"u32", "s32", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2"},
	"and":  {"b32", "b64"},
	"or":   {"b32", "b64"},
	"xor":  {"b32", "b64"},
	"exch": {"b32", "b64"},
	"cas":  {"b16", "b32", "b64"},
	"inc":  {"u32"},
	"dec":  {"u32"},
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
func atomic(c *cursor, fetch bool) exec {
	sp := c.takeSpace("global", "shared", "shared::cta")
	order := c.takeOrder(true)
	hint := c.takeHints()
	op := c.requireOneOf("the operation", "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")
	n := vectorSizes[c.takeOneOf("v2", "v4", "v8")]
	noftz := c.takeFlag("noftz")
	t := c.takeType(atomicTypes[op]...)
	half := t.half != nil || t.bits == 16 && t.isFloat()
	switch {
	case half != noftz:
		c.failf("%s", map[bool]string{true: ".noftz is missing", false: ".noftz is not allowed"}[half])
	case !fetch && (op == "exch" || op == "cas"):
		c.failf("red does not swap")
	case half && op != "add" && n == 1:
		c.failf("the minimum and maximum of narrow floats are vector operations")
	case n > 1 && (sp != spaceGlobal || n*t.bytes() > 16 || t.bits == 64 || !t.isFloat()):
		c.failf("vectors are of up to 16 bytes of floats in global memory")
	}
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
	c.takePolicy(hint)
	if c.err != nil {
		return nil
	}
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
