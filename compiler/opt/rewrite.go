package opt

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// rule says what replaces the results of in: one value for each. It is not ok if it does not
// apply; it may then have changed in's operands and attributes, but not its results. For an
// instruction without results, an empty list removes it.
type rule func(r *rewriter, in *ir.Instr) (values []*ir.Value, ok bool)

// ruleTable holds the rules of each operation, tried in order: those that come before its regions
// are rewritten, and the one that comes after.
type ruleTable struct {
	before [ops.N][]rule
	after  [ops.N]rule
}

// rewriter walks a function once, definitions before uses, and writes each block anew.
type rewriter struct {
	rules   *ruleTable
	replace []*ir.Value // by Value.ID: the replacement of a value, nil for itself
	fresh   int         // values from this ID on are new
	out     []*ir.Instr // the block being written
}

func rewriteFunc(fn *ir.Func, rules *ruleTable) {
	n := fn.Number()
	r := &rewriter{rules: rules, replace: make([]*ir.Value, n), fresh: n}
	r.rewriteBlock(fn.Body)
}

func (r *rewriter) rewriteBlock(b *ir.Block) {
	outer := r.out // blocks nest: the one around is taken up again
	r.out = make([]*ir.Instr, 0, len(b.Instrs)+2)
	for _, in := range b.Instrs {
		r.rewriteInstr(in)
	}
	b.Instrs = r.out
	r.out = outer
}

func (r *rewriter) rewriteInstr(in *ir.Instr) {
	for i, v := range in.Operands {
		in.Operands[i] = r.replacementOf(v)
	}
	if values, ok := r.applyRules(in); ok {
		r.replaceResults(in.Results, values)
		return
	}
	for _, region := range in.Regions {
		r.rewriteBlock(region)
	}
	// Some rules are about what is left of the regions once they are rewritten.
	if after := r.rules.after[in.Op]; after != nil {
		if values, ok := after(r, in); ok {
			r.replaceResults(in.Results, values)
			return
		}
	}
	r.out = append(r.out, in)
}

// replacementOf is the value that replaces v, v itself if none does.
func (r *rewriter) replacementOf(v *ir.Value) *ir.Value {
	if v == nil {
		return nil
	}
	if w := r.replace[v.ID]; w != nil {
		return w
	}
	return v
}

// replaceResults replaces results by values from here on. Names survive if there is none yet, but for
// constants that others may share.
func (r *rewriter) replaceResults(results, values []*ir.Value) {
	for i, old := range results {
		v := values[i]
		r.replace[old.ID] = v
		if v.Name == "" && v.Def != nil && (v.ID >= r.fresh || v.Def.Op != ops.Const) {
			v.Name = old.Name
		}
	}
}

func (r *rewriter) applyRules(in *ir.Instr) ([]*ir.Value, bool) {
	for _, f := range r.rules.before[in.Op] {
		if values, ok := f(r, in); ok {
			return values, true
		}
	}
	return nil, false
}

// emitSimplified writes a new instruction with one result before the current one, or simplifies it away.
func (r *rewriter) emitSimplified(span source.Span, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	in, m := ir.NewInstr(span, op, operands, nil, attrs...)
	if m != nil {
		// A rule built what does not type-check: a mistake in this package.
		panic("opt: " + m.Error())
	}
	// A rule may emit what another rule simplifies at once: rules compose without a second walk.
	if values, ok := r.applyRules(in); ok {
		return values[0]
	}
	for _, v := range in.Results {
		v.ID = len(r.replace)
		r.replace = append(r.replace, nil)
	}
	r.out = append(r.out, in)
	return in.Results[0]
}

// emitConstant writes a constant: value repeated over shape.
func (r *rewriter) emitConstant(span source.Span, value num.Scalar, shape []int) *ir.Value {
	return r.emitSimplified(span, ops.Const, nil, ir.Attr{Name: "value", Value: value},
		ir.Attr{Name: "shape", Value: ir.Ints(shape)})
}

// replaceBy is a rule's answer for an operation with one result.
func replaceBy(v *ir.Value) ([]*ir.Value, bool) { return []*ir.Value{v}, true }

// noMatch is the answer of a rule that does not apply.
func noMatch() ([]*ir.Value, bool) { return nil, false }

// removeInstr is a rule's answer that an instruction without results has no effect.
func removeInstr() ([]*ir.Value, bool) { return nil, true }

// definedBy is v's instruction where that is an op.
func definedBy(v *ir.Value, op ops.Op) (*ir.Instr, bool) {
	if v != nil && v.Def != nil && v.Def.Op == op {
		return v.Def, true
	}
	return nil, false
}

// constantValue is the value that v holds in every element, where that is known.
func constantValue(v *ir.Value) (num.Scalar, bool) {
	if in, ok := definedBy(v, ops.Const); ok {
		return in.Scalar("value"), true
	}
	return num.Scalar{}, false
}

func isConstBool(v *ir.Value, want bool) bool {
	s, ok := constantValue(v)
	return ok && s == num.FromBool(want)
}
