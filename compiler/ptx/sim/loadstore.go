package sim

func memoryOps() map[string]builder {
	return map[string]builder{
		"ld":       load,
		"st":       store,
		"prefetch": prefetch,
		"cvta":     cvta,
	}
}

var vectorSizes = map[string]int{"": 1, "v2": 2, "v4": 4, "v8": 8}

// takeElements takes the type, and gives the vector's size.
func (c *cursor) takeElements() (int, *typ) {
	return vectorSizes[c.oneOf("v2", "v4", "v8")], c.takeType()
}

// takeList is the operand's elements: n in braces, or one alone.
func (c *cursor) takeList(n int) []operand {
	if n == 1 && c.peekOperand().kind != operandVector {
		return []operand{c.takeOperand()}
	}
	return c.takeVector(n)
}

type target struct {
	slot int32
	bits int
}

func load(c *cursor) exec {
	sp, order := c.op.Space, c.order()
	n, t := c.takeElements()
	var targets []target
	for _, o := range c.takeList(n) {
		x := target{sinkSlot, t.bits}
		if r := c.wideRegister(o, t); r != nil {
			x = target{c.defineRegister(r), r.typ.bits}
		}
		targets = append(targets, x)
	}
	if sp == spaceParam {
		return loadParam(c, targets, t)
	}
	a := c.takeAddress(sp)
	size := t.bytes()
	c.narrowGranule(sp, n*size)
	signed := t.signed()
	return func(w *warp, mask uint32) *Fault {
		var at lanes
		a.of(w, &at)
		return w.reach(sp, AccessRead, order, mask, &at, n*size, func(lane int, data []byte) {
			for i, x := range targets {
				v := readBits(data[i*size : i*size+size])
				if signed {
					v = uint64(extend(v, t.bits)) & maskBits(x.bits)
				}
				w.regs[x.slot][lane] = v
			}
		})
	}
}

// loadParam reads from the launch's parameters at an address known when the text is loaded.
func loadParam(c *cursor, targets []target, t *typ) exec {
	o := c.takeOperand()
	if o.kind != operandAddress || len(o.elems) != 1 {
		c.failf("the operand must be a parameter in brackets")
		return nil
	}
	s, ok := c.d.source.symbols[o.elems[0].name]
	if !ok || s.space != spaceParam {
		c.failf("there is no parameter %s", o.elems[0].name)
		return nil
	}
	n := uint64(len(targets) * t.bytes())
	if o.imm > uint64(s.bytes) || n > uint64(s.bytes)-o.imm || o.imm%n != 0 {
		c.failf("%d bytes at %d are not in the parameter's %d bytes, or misaligned", n, int64(o.imm), s.bytes)
		return nil
	}
	start := s.offset + int(o.imm)
	return func(w *warp, mask uint32) *Fault {
		for i, x := range targets {
			at := start + i*t.bytes()
			v := w.block.machine.params[at/paramSlot] >> (at % paramSlot * 8) & t.mask()
			if t.signed() {
				v = uint64(extend(v, t.bits)) & maskBits(x.bits)
			}
			dst := &w.regs[x.slot]
			for lane := range dst {
				if mask>>lane&1 != 0 {
					dst[lane] = v
				}
			}
		}
		return nil
	}
}

func store(c *cursor) exec {
	sp, order := c.op.Space, c.order()
	n, t := c.takeElements()
	a := c.takeAddress(sp)
	var values []value
	for _, o := range c.takeList(n) {
		values = append(values, c.storeSrc(o, t))
	}
	size := t.bytes()
	c.narrowGranule(sp, n*size)
	return func(w *warp, mask uint32) *Fault {
		var at lanes
		a.of(w, &at)
		return w.reach(sp, AccessWrite, order, mask, &at, n*size, func(lane int, data []byte) {
			for i, v := range values {
				writeBits(data[i*size:i*size+size], w.get(v)[lane])
			}
		})
	}
}

// storeSrc is a value whose register may be wider than the type.
func (c *cursor) storeSrc(o operand, t *typ) value {
	if o.kind != operandName || c.st.registers.find(o.name) == nil {
		return c.srcOf(o, t)
	}
	if r := c.wideRegister(o, t); r != nil {
		return value{index: c.useRegister(r)}
	}
	return value{}
}

// prefetch changes nothing: a bad address is no fault on hardware either.
func prefetch(c *cursor) exec {
	c.takeAddress(c.op.Space)
	return nothing
}

func nothing(*warp, uint32) *Fault { return nil }
