package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// inlineBlock writes b's instructions into the current block, with args for its arguments, and gives
// what its terminator hands back.
func (r *rewriter) inlineBlock(b *ir.Block, args ...*ir.Value) []*ir.Value {
	for i, a := range b.Args {
		r.replace[a.ID] = args[i]
	}
	last := len(b.Instrs) - 1 // the terminator, whose operands are the result
	for _, in := range b.Instrs[:last] {
		r.rewriteInstr(in)
	}
	values := make([]*ir.Value, len(b.Instrs[last].Operands))
	for i, v := range b.Instrs[last].Operands {
		values[i] = r.replacementOf(v)
	}
	return values
}

// simplifyIf takes the branch that a constant condition picks.
func simplifyIf(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch cond := in.Operands[0]; {
	case isConstBool(cond, true):
		return r.inlineBlock(in.Regions[0]), true
	case isConstBool(cond, false):
		return r.inlineBlock(in.Regions[1]), true
	}
	return noMatch()
}

// simplifyFor removes loops of trip count 0, inlines the body of those of trip count 1, and takes
// loop-invariant carried values out of the others.
func simplifyFor(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	body, inits := in.Regions[0], in.Operands[3:]
	switch n, known := facts.ConstTrips(in, constantInt); {
	case known && n == 0:
		return slices.Clone(inits), true
	case known && n == 1:
		return r.inlineBlock(body, append([]*ir.Value{in.Operands[0]}, inits...)...), true
	}
	// A value that the body yields as it came in is the initial one in every iteration and behind
	// the loop. The body is rewritten after this rule, so that its uses see the replacement.
	end := body.Terminator()
	keep := make([]bool, len(inits))
	for i, next := range end.Operands {
		if keep[i] = next != body.Args[1+i]; !keep[i] {
			r.replace[body.Args[1+i].ID] = inits[i]
			r.replace[in.Results[i].ID] = inits[i]
		}
	}
	dropCarried(in, keep)
	return noMatch()
}

// dropCarried removes the loop-carried values of a for that are not kept: operand, block argument,
// yielded value and result of each. Before the carried ones, operands are lower bound, upper bound
// and step, and the first block argument is the induction variable.
func dropCarried(in *ir.Instr, keep []bool) {
	if !slices.Contains(keep, false) {
		return
	}
	body := in.Regions[0]
	end := body.Terminator()
	in.Operands = append(in.Operands[:3:3], keepMarked(in.Operands[3:], keep)...)
	end.Operands = keepMarked(end.Operands, keep)
	in.Results = renumberValues(keepMarked(in.Results, keep), 0)
	body.Args = append(body.Args[:1:1], renumberValues(keepMarked(body.Args[1:], keep), 1)...)
}

// keepMarked gives the values at the places that keep names, in a slice of their own.
func keepMarked(values []*ir.Value, keep []bool) []*ir.Value {
	var out []*ir.Value
	for i, v := range values {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

func renumberValues(values []*ir.Value, first int) []*ir.Value {
	for i, v := range values {
		v.Index = first + i
	}
	return values
}

// constantInt is a constant's integer, not ok for uint64, which int64 does not hold.
func constantInt(v *ir.Value) (n int64, ok bool) {
	s, ok := constantValue(v)
	return s.Int(), ok && s.DType != num.Uint64
}

// ifToSelect converts an if whose regions, already rewritten, hold nothing but their yield: its
// results are the yielded values where both sides agree, else a select of two scalars. Tiles keep
// the branch, since a select would touch every element.
func ifToSelect(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if len(in.Regions[0].Instrs) > 1 || len(in.Regions[1].Instrs) > 1 {
		return noMatch()
	}
	yes, no := in.Regions[0].Instrs[0].Operands, in.Regions[1].Instrs[0].Operands
	for i := range yes {
		if yes[i] != no[i] && !yes[i].Type.IsScalar() {
			return noMatch()
		}
	}
	values := make([]*ir.Value, len(yes))
	for i := range yes {
		if values[i] = yes[i]; yes[i] != no[i] {
			values[i] = r.emitSimplified(in.Span, ops.Select, []*ir.Value{in.Operands[0], yes[i], no[i]})
		}
	}
	return values, true
}
