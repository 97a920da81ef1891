package sim

// floatCompare are the comparisons of floats. The unordered ones hold where an operand is NaN.
var floatCompare = map[string]func(x, y float64) bool{
	"eq": func(x, y float64) bool { return x == y }, "equ": func(x, y float64) bool { return !(x < y || x > y) },
	"ne": func(x, y float64) bool { return x < y || x > y }, "neu": func(x, y float64) bool { return x != y },
	"lt": func(x, y float64) bool { return x < y }, "ltu": func(x, y float64) bool { return !(x >= y) },
	"le": func(x, y float64) bool { return x <= y }, "leu": func(x, y float64) bool { return !(x > y) },
	"gt": func(x, y float64) bool { return x > y }, "gtu": func(x, y float64) bool { return !(x <= y) },
	"ge": func(x, y float64) bool { return x >= y }, "geu": func(x, y float64) bool { return !(x < y) },
	"num": func(x, y float64) bool { return x == x && y == y }, "nan": func(x, y float64) bool { return x != x || y != y },
}

// intCompare names what integers have; lo, ls, hi and hs are unsigned types' names for order.
var intCompare = map[string]string{"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
	"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}

var compareNames = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu",
	"leu", "gtu", "geu", "num", "nan"}

var compareOps = map[string]builder{
	"setp": setp,
	"set":  set,
	"selp": selp,
	"slct": slct,
}

// takeComparison takes the type that is compared, and gives the comparison.
func takeComparison(c *cursor) (*typ, fn2) {
	name, mode, t := c.oneOf(compareNames...), c.floatMode(), c.takeType()
	e := t
	if t.half != nil {
		e = t.half
	}
	if !e.isFloat() {
		return t, integers[t.name][intCompare[name]]
	}
	f := floatCompare[name]
	return t, func(a, b uint64) uint64 {
		return truth(f(e.format.load(mode.flush(e.format, a)), e.format.load(mode.flush(e.format, b))))
	}
}

// setp writes p and, beside it, q: the outcome and its complement, each combined with a third
// predicate if one is given; packed types have p for the low half and q for the high one.
func setp(c *cursor) exec {
	combine := predLogic[c.oneOf("and", "or", "xor")]
	t, f := takeComparison(c)
	if t.isFloat() && t.bits == 16 && c.peekOperand().second != nil {
		c.failf("there is one destination")
	}
	p, q := c.takeDstPair(types["pred"])
	a, b := c.takeSrc(t), c.takeSrc(t)
	var third predicate
	if combine != nil {
		third = c.takePredicate()
	}
	return func(w *warp, mask uint32) *Fault {
		x, y := w.get(a), w.get(b)
		yes := mask2(x, y, f)
		no := ^yes
		if t.half != nil {
			yes = mask2(x, y, func(a, b uint64) uint64 { return f(a&0xffff, b&0xffff) })
			no = mask2(x, y, func(a, b uint64) uint64 { return f(a>>16, b>>16) })
		}
		if combine != nil {
			v := w.pred(third)
			yes, no = combine(yes, v), combine(no, v)
		}
		w.setPred(q, mask, no)
		w.setPred(p, mask, yes)
		return nil
	}
}

// set writes all ones, or 1.0, where the comparison holds, combined with a predicate if one is given.
func set(c *cursor) exec {
	combine := predLogic[c.oneOf("and", "or", "xor")]
	t, f := takeComparison(c)
	r := c.takeType()
	yes := maskBits(32)
	if r.isFloat() {
		yes = f32.store(1, roundNearest)
	}
	d, a, b := c.takeDst(r), c.takeSrc(t), c.takeSrc(t)
	if combine == nil {
		return lift2(d, a, b, func(x, y uint64) uint64 { return -f(x, y) & yes })
	}
	p := c.takePredicate()
	return func(w *warp, mask uint32) *Fault {
		holds := combine(mask2(w.get(a), w.get(b), f), w.pred(p))
		var r lanes
		for i := range r {
			r[i] = -uint64(holds>>i&1) & yes
		}
		w.put(d, mask, &r)
		return nil
	}
}

func selp(c *cursor) exec {
	t := c.takeType()
	d, a, b, p := c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takePredicate()
	return func(w *warp, mask uint32) *Fault {
		dst, x, y, take := &w.regs[d], w.get(a), w.get(b), w.pred(p)
		for i := range dst {
			switch {
			case mask>>i&1 == 0:
			case take>>i&1 != 0:
				dst[i] = x[i]
			default:
				dst[i] = y[i]
			}
		}
		return nil
	}
}

func slct(c *cursor) exec {
	s, mode := c.takeType(), c.floatMode()
	t := c.takeType()
	return lift3(c.takeDst(t), c.takeSrc(t), c.takeSrc(t), c.takeSrc(s), func(a, b, x uint64) uint64 {
		if s.isFloat() && f32.load(mode.flush(f32, x)) >= 0 || !s.isFloat() && int32(x) >= 0 {
			return a
		}
		return b
	})
}
