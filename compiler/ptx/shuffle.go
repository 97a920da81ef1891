package ptx

import (
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// exchangeLanes emits a plan of selects and shuffles within warps (layout.Exchange) on a tile's registers.
func (t *threadCode) exchangeLanes(x layout.Exchange, regs []asm.Reg) []asm.Reg {
	flags := regs[0].Class == asm.Pred
	if flags {
		regs = t.mapEach(regs, t.predToWord)
	}
	vals := make([]asm.Reg, len(regs)+len(x.Steps))
	copy(vals, regs)
	for i := 0; i < len(x.Steps); {
		s := x.Steps[i]
		// A step without a lane is a select; runs of shuffles in between do not depend on each other.
		if s.Lane < 0 {
			vals[s.Dst] = t.selectReg(t.threadBit(s.Cond), vals[s.B], vals[s.A])
			i++
			continue
		}
		n := i
		for n < len(x.Steps) && x.Steps[n].Lane >= 0 {
			n++
		}
		t.shuffleStep(x.Lanes, x.Steps[i:n], vals)
		i = n
	}
	out := pickRegs(vals, x.Out)
	if flags {
		out = t.mapEach(out, t.wordToPred)
	}
	return out
}

// shuffleStep emits shuffles that do not depend on each other, those from the same lane together.
func (t *threadCode) shuffleStep(lanes []layout.LaneExpr, steps []layout.Step, vals []asm.Reg) {
	// Together, so that 16-bit values can share a shuffle.
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
		got := t.shuffleLanes(t.senderOf(l), from)
		for _, s := range steps {
			if s.Lane == i {
				vals[s.Dst], got = got[0], got[1:]
			}
		}
	}
}

// sender is the lane that a shuffle reads from: PTX's mode and its operand b (PTX ISA, "shfl.sync").
type sender struct {
	mode string
	lane asm.Operand
}

// butterfly is the lane whose number differs in the bits of mask.
func butterfly(mask int) sender { return sender{"bfly", asm.I(int64(mask))} }

// firstLane is lane 0: what comes from one lane is uniform for ptxas too, which keeps it in uniform registers.
var firstLane = sender{"idx", asm.I(0)}

// senderOf is the lane that an expression of the thread's own number gives.
func (t *threadCode) senderOf(x layout.LaneExpr) sender {
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
	at := t.threadOffset(lane, warp)
	switch {
	case !at.OK():
		return sender{"idx", asm.I(int64(x.Const))}
	case x.Const != 0:
		at = t.Do("xor.b32", asm.R(at), asm.I(int64(x.Const)))
	}
	return sender{"idx", asm.R(at)}
}

// shuffleLanes is the values, all of one class, that another lane of the warp has. 16-bit values are shuffled in pairs,
// 64-bit ones in halves: shfl moves 32 bits.
func (t *threadCode) shuffleLanes(from sender, vals []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, 0, len(vals)+1)
	for i := 0; i < len(vals); i++ {
		v := vals[i]
		switch v.Class {
		case asm.Pred:
			out = append(out, t.wordToPred(t.shuffleWord(from, t.predToWord(v))))
		case asm.B16:
			i++
			pair := t.Do("mov.b32", asm.V(v, vals[min(i, len(vals)-1)]))
			out = append(out, t.splitHalves(t.shuffleWord(from, pair), asm.B16)...)
		case asm.B32:
			out = append(out, t.shuffleWord(from, v))
		case asm.B64:
			parts := t.splitHalves(v, asm.B32)
			low, high := t.shuffleWord(from, parts[0]), t.shuffleWord(from, parts[1])
			out = append(out, t.Do("mov.b64", asm.V(low, high)))
		}
	}
	return out[:len(vals)]
}

func (t *threadCode) shuffleWord(from sender, v asm.Reg) asm.Reg {
	// Operand c: bits 0-4 clamp the source lane, bits 8-12 would cut the warp into segments.
	limit := int64(31) // the last lane that a read may come from, the first one for up
	if from.mode == "up" {
		limit = 0
	}
	return t.Do("shfl.sync."+from.mode+".b32", asm.R(v), from.lane, asm.I(limit), asm.I(-1))
}

// predToWord is a predicate as 0 or 1; wordToPred undoes it. Predicates cannot be shuffled or selected.
func (t *threadCode) predToWord(p asm.Reg) asm.Reg {
	return t.Do("selp.b32", asm.I(1), asm.I(0), asm.R(p))
}

func (t *threadCode) wordToPred(v asm.Reg) asm.Reg {
	return t.Do("setp.ne.b32", asm.R(v), asm.I(0))
}

var selects = [...]string{asm.B16: "selp.b16", asm.B32: "selp.b32", asm.B64: "selp.b64"}

// selectReg is yes if cond holds, else no.
func (t *threadCode) selectReg(cond, yes, no asm.Reg) asm.Reg {
	if yes == no {
		return yes
	}
	if yes.Class == asm.Pred {
		return t.wordToPred(t.selectReg(cond, t.predToWord(yes), t.predToWord(no)))
	}
	return t.Do(selects[yes.Class], asm.R(yes), asm.R(no), asm.R(cond))
}
