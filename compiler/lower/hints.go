package lower

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// applyHints lets what follows a hint see it, as in Triton: tl.multiple_of(x, 16) says something of x itself, whether
// or not its result is given a name.
func applyHints(fn *ir.Func) { applyHintsIn(fn.Body, map[*ir.Value]*ir.Value{}) }

// applyHintsIn replaces values by the last hint of them, in a block and those inside of it; hinted are those around it.
func applyHintsIn(b *ir.Block, hinted map[*ir.Value]*ir.Value) {
	var own []*ir.Value
	for _, in := range b.Instrs {
		for i, v := range in.Operands {
			for hinted[v] != nil {
				v = hinted[v]
			}
			in.Operands[i] = v
		}
		for _, r := range in.Regions {
			applyHintsIn(r, hinted)
		}
		if in.Op == ops.Hint {
			hinted[in.Operands[0]] = in.Results[0]
			own = append(own, in.Operands[0])
		}
	}
	for _, v := range own {
		delete(hinted, v)
	}
}
