package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// inline writes b's instructions into the current block, with args for its arguments, and gives
// what its terminator hands back.
func (r *rewriter) inline(b *ir.Block, args ...*ir.Value) []*ir.Value {
	for i, a := range b.Args {
		r.replace[a.ID] = args[i]
	}
	last := len(b.Instrs) - 1
	for _, in := range b.Instrs[:last] {
		r.instr(in)
	}
	values := make([]*ir.Value, len(b.Instrs[last].Operands))
	for i, v := range b.Instrs[last].Operands {
		values[i] = r.value(v)
	}
	return values
}

// simplifyIf takes the branch that a constant condition picks.
func simplifyIf(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	switch cond := in.Operands[0]; {
	case isConstBool(cond, true):
		return r.inline(in.Regions[0]), true
	case isConstBool(cond, false):
		return r.inline(in.Regions[1]), true
	}
	return none()
}

// simplifyFor runs loops of no or one turn, and takes values that no turn changes out of the rest.
func simplifyFor(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	body, inits := in.Regions[0], in.Operands[3:]
	switch n, known := turns(in); {
	case known && n == 0:
		return slices.Clone(inits), true
	case known && n == 1:
		return r.inline(body, append([]*ir.Value{in.Operands[0]}, inits...)...), true
	}
	end := body.Terminator()
	keep := make([]bool, len(inits))
	for i, next := range end.Operands {
		if keep[i] = next != body.Args[1+i]; !keep[i] {
			r.replace[body.Args[1+i].ID] = inits[i]
			r.replace[in.Results[i].ID] = inits[i]
		}
	}
	dropCarried(in, keep)
	return none()
}

// dropCarried removes the carried values of a for that are not kept.
func dropCarried(in *ir.Instr, keep []bool) {
	if !slices.Contains(keep, false) {
		return
	}
	body := in.Regions[0]
	end := body.Terminator()
	in.Operands = append(in.Operands[:3:3], kept(in.Operands[3:], keep)...)
	end.Operands = kept(end.Operands, keep)
	in.Results = renumber(kept(in.Results, keep), 0)
	body.Args = append(body.Args[:1:1], renumber(kept(body.Args[1:], keep), 1)...)
}

// kept gives the values at the places that keep names, in a slice of their own.
func kept(values []*ir.Value, keep []bool) []*ir.Value {
	var out []*ir.Value
	for i, v := range values {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

func renumber(values []*ir.Value, first int) []*ir.Value {
	for i, v := range values {
		v.Index = first + i
	}
	return values
}

// turns is how often a for with constant bounds runs, as far as 0, 1 and more than 1 go.
func turns(in *ir.Instr) (n int, known bool) {
	var bounds [3]int64
	for i := range bounds {
		s, ok := constantOf(in.Operands[i])
		if !ok || s.DType == num.Uint64 {
			return 0, false
		}
		bounds[i] = s.Int()
	}
	switch lower, upper, step := bounds[0], bounds[1], bounds[2]; {
	case step < 1 || lower >= upper:
		return 0, true
	case uint64(upper)-uint64(lower) <= uint64(step):
		return 1, true
	}
	return 2, true
}

// settledIf looks at an if whose regions have been rewritten: where both only hand back values from
// outside, results are those values, or a choice between scalars.
func settledIf(r *rewriter, in *ir.Instr) ([]*ir.Value, bool) {
	if len(in.Regions[0].Instrs) > 1 || len(in.Regions[1].Instrs) > 1 {
		return none()
	}
	yes, no := in.Regions[0].Instrs[0].Operands, in.Regions[1].Instrs[0].Operands
	for i := range yes {
		if yes[i] != no[i] && !yes[i].Type.IsScalar() {
			return none()
		}
	}
	values := make([]*ir.Value, len(yes))
	for i := range yes {
		if values[i] = yes[i]; yes[i] != no[i] {
			values[i] = r.emit(in.Span, ops.Select, []*ir.Value{in.Operands[0], yes[i], no[i]})
		}
	}
	return values, true
}
