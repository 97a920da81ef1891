package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// hoister moves instructions without effects out of the loops that they do not depend on. Computing
// one that a loop of no turns would never have reached is harmless: division by zero has a value.
//
// An instruction below an if stays below it, since it may be there to be avoided.
type hoister struct {
	depth []int         // by Value.ID: how many loops are around its definition
	moved [][]*ir.Instr // by loop, outermost first: what goes before it
	floor int           // loops from this one inwards may be left
}

func licmPass(fn *ir.Func) {
	h := &hoister{depth: make([]int, fn.Number())}
	h.block(fn.Body)
}

func (h *hoister) block(b *ir.Block) {
	h.define(b.Args)
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		if target := h.target(in); target < len(h.moved) {
			h.moved[target] = append(h.moved[target], in)
			for _, v := range in.Results {
				h.depth[v.ID] = target
			}
			continue
		}
		out = append(h.regions(out, in), in)
		h.define(in.Results)
	}
	b.Instrs = out
}

func (h *hoister) define(vs []*ir.Value) {
	for _, v := range vs {
		h.depth[v.ID] = len(h.moved)
	}
}

// target is the number of loops that in has to stay in.
func (h *hoister) target(in *ir.Instr) int {
	if !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) {
		return len(h.moved)
	}
	target := h.floor
	for _, v := range in.Operands {
		if v != nil {
			target = max(target, h.depth[v.ID])
		}
	}
	return target
}

// regions looks into in's regions and appends to out what leaves them to stand before in.
func (h *hoister) regions(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
	switch in.Op {
	case ops.For, ops.While:
		h.moved = append(h.moved, nil)
		for _, r := range in.Regions {
			h.block(r)
		}
		last := len(h.moved) - 1
		out = append(out, h.moved[last]...)
		h.moved = h.moved[:last]
	case ops.If:
		floor := h.floor
		h.floor = len(h.moved)
		for _, r := range in.Regions {
			h.block(r)
		}
		h.floor = floor
	}
	return out
}
