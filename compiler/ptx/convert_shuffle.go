package ptx

import (
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// exchange runs a program of selects and shuffles within warps on a tile's registers.
func (e *emitter) exchange(x layout.Exchange, regs []asm.Reg) []asm.Reg {
	flags := regs[0].Class == asm.Pred
	if flags {
		regs = e.each(regs, e.word)
	}
	vals := make([]asm.Reg, len(regs)+len(x.Steps))
	copy(vals, regs)
	for i := 0; i < len(x.Steps); {
		s := x.Steps[i]
		if s.Lane < 0 {
			vals[s.Dst] = e.choose(e.threadBit(s.Cond), vals[s.B], vals[s.A])
			i++
			continue
		}
		n := i
		for n < len(x.Steps) && x.Steps[n].Lane >= 0 {
			n++
		}
		e.pass(x.Lanes, x.Steps[i:n], vals)
		i = n
	}
	out := picked(vals, x.Out)
	if flags {
		out = e.each(out, e.flag)
	}
	return out
}

// pass runs shuffles that do not depend on each other, those from the same lane together.
func (e *emitter) pass(lanes []layout.LaneExpr, steps []layout.Step, vals []asm.Reg) {
	for i, l := range lanes {
		var from []asm.Reg
		for _, s := range steps {
			if s.Lane == i {
				from = append(from, vals[s.A])
			}
		}
		if len(from) == 0 {
			continue
		}
		got := e.shuffle(e.from(l), from)
		for _, s := range steps {
			if s.Lane == i {
				vals[s.Dst], got = got[0], got[1:]
			}
		}
	}
}

// sender is the lane that a shuffle reads: PTX's mode and its operand.
type sender struct {
	mode string
	lane asm.Operand
}

// butterfly is the lane whose number differs in the bits of mask.
func butterfly(mask int) sender { return sender{"bfly", asm.I(int64(mask))} }

// from is the lane that an expression says.
func (e *emitter) from(x layout.LaneExpr) sender {
	if x.Butterfly() {
		return butterfly(int(x.Const))
	}
	lane, warp := make([]uint32, len(x.Lane)), make([]uint32, len(x.Warp))
	for i, m := range x.Lane {
		lane[i] = uint32(m)
	}
	for i, m := range x.Warp {
		warp[i] = uint32(m)
	}
	at := e.threadOffset(lane, warp)
	switch {
	case !at.OK():
		return sender{"idx", asm.I(int64(x.Const))}
	case x.Const != 0:
		at = e.Do("xor.b32", asm.B32, asm.R(at), asm.I(int64(x.Const)))
	}
	return sender{"idx", asm.R(at)}
}

// shuffle gives the values, all of one class, that another lane of the warp has. 16-bit values go in pairs.
func (e *emitter) shuffle(from sender, vals []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, 0, len(vals)+1)
	for i := 0; i < len(vals); i++ {
		v := vals[i]
		switch v.Class {
		case asm.Pred:
			out = append(out, e.flag(e.shuffleWord(from, e.word(v))))
		case asm.B16:
			i++
			pair := e.Do("mov.b32", asm.B32, asm.V(v, vals[min(i, len(vals)-1)]))
			out = append(out, e.halves(e.shuffleWord(from, pair), asm.B16)...)
		case asm.B32:
			out = append(out, e.shuffleWord(from, v))
		case asm.B64:
			parts := e.halves(v, asm.B32)
			low, high := e.shuffleWord(from, parts[0]), e.shuffleWord(from, parts[1])
			out = append(out, e.Do("mov.b64", asm.B64, asm.V(low, high)))
		}
	}
	return out[:len(vals)]
}

func (e *emitter) shuffleWord(from sender, v asm.Reg) asm.Reg {
	limit := int64(31) // the last lane that a read may come from, the first one for up
	if from.mode == "up" {
		limit = 0
	}
	return e.Do("shfl.sync."+from.mode+".b32", asm.B32, asm.R(v), from.lane, asm.I(limit), asm.I(-1))
}

// word is a predicate as 0 or 1, flag undoes it.
func (e *emitter) word(p asm.Reg) asm.Reg {
	return e.Do("selp.b32", asm.B32, asm.I(1), asm.I(0), asm.R(p))
}

func (e *emitter) flag(v asm.Reg) asm.Reg { return e.Do("setp.ne.b32", asm.Pred, asm.R(v), asm.I(0)) }

var selects = [...]string{asm.B16: "selp.b16", asm.B32: "selp.b32", asm.B64: "selp.b64"}

// choose is yes where cond holds, else no.
func (e *emitter) choose(cond, yes, no asm.Reg) asm.Reg {
	if yes == no {
		return yes
	}
	if yes.Class == asm.Pred {
		return e.flag(e.choose(cond, e.word(yes), e.word(no)))
	}
	return e.Do(selects[yes.Class], yes.Class, asm.R(yes), asm.R(no), asm.R(cond))
}
