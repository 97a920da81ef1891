package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// hoister does loop-invariant code motion: pure instructions move before the outermost loop of which
// they are independent, into what a control flow graph would call its preheader. Computing one that
// a loop of trip count 0 would never have reached is harmless: division by zero has a value.
//
// An instruction below an if stays below it, since it may be there to be avoided: the branch may be
// the cheaper one, or never taken. Register pressure is not looked at: ptx rematerializes what is
// cheap.
type hoister struct {
	depth      []int         // by Value.ID: how many loops are around its definition
	preheaders [][]*ir.Instr // by loop, outermost first: what goes before it
	minDepth   int           // loops from this one inwards may be left
}

func licmPass(fn *ir.Func) {
	h := &hoister{depth: make([]int, fn.Number())}
	h.hoistBlock(fn.Body)
}

func (h *hoister) hoistBlock(b *ir.Block) {
	h.setDepth(b.Args)
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		if target := h.targetDepth(in); target < len(h.preheaders) {
			h.preheaders[target] = append(h.preheaders[target], in)
			for _, v := range in.Results {
				h.depth[v.ID] = target
			}
			continue
		}
		out = append(h.hoistRegions(out, in), in)
		h.setDepth(in.Results)
	}
	b.Instrs = out
}

func (h *hoister) setDepth(vs []*ir.Value) {
	for _, v := range vs {
		h.depth[v.ID] = len(h.preheaders)
	}
}

// targetDepth is the number of loops that in has to stay in.
func (h *hoister) targetDepth(in *ir.Instr) int {
	if !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) {
		return len(h.preheaders)
	}
	target := h.minDepth
	for _, v := range in.Operands {
		if v != nil {
			target = max(target, h.depth[v.ID])
		}
	}
	return target
}

// hoistRegions visits in's regions and appends to out what leaves them: it comes before in.
func (h *hoister) hoistRegions(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
	switch in.Op {
	case ops.For, ops.While:
		h.preheaders = append(h.preheaders, nil)
		for _, r := range in.Regions {
			h.hoistBlock(r)
		}
		// What has left this loop but none around it lands here, right before the loop; what went
		// further out is in the list of that loop.
		last := len(h.preheaders) - 1
		out = append(out, h.preheaders[last]...)
		h.preheaders = h.preheaders[:last]
	case ops.If:
		floor := h.minDepth
		h.minDepth = len(h.preheaders)
		for _, r := range in.Regions {
			h.hoistBlock(r)
		}
		h.minDepth = floor
	}
	return out
}
