package tile

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// formRule computes the form of a result from those of the operands, of which to may be one; ok is false, and to is as
// it was, where there is none.
type formRule func(m *machine, to *form) (ok bool)

// formKind is the kind of elements that a form can say.
type formKind uint8

const (
	formIntegers formKind = 1 << iota // of 32 or 64 bits
	formPointers
	formMasks
	anyForm = formIntegers | formPointers | formMasks
)

func formKindOf(t types.Type) formKind {
	switch {
	case t.IsMemDesc():
	case t.Pointer:
		return formPointers
	case t.DType == num.Int1:
		return formMasks
	case t.IsInt() && t.DType.Info().Bits >= 32:
		return formIntegers
	}
	return 0
}

// formRules are the operations whose results may have forms: what the operands and the result may be, and the rule.
var formRules = [ops.N]struct {
	from, to formKind
	plan     func(p *planner, in *ir.Instr, e *extent) formRule
}{
	ops.Arange:    {0, anyForm, formOfArange},
	ops.Const:     {0, anyForm, formOfSplat},
	ops.Splat:     {anyForm, anyForm, formOfSplat},
	ops.Broadcast: {anyForm, anyForm, formOfBroadcast},
	ops.Cast:      {formIntegers, formIntegers, formOfCast},
	ops.Add:       {formIntegers, anyForm, formOfSum},
	ops.Sub:       {formIntegers, anyForm, formOfSum},
	ops.Mul:       {formIntegers, anyForm, formOfProduct},
	ops.Div:       {formIntegers, anyForm, formOfQuotient},
	ops.Rem:       {formIntegers, anyForm, formOfQuotient},
	ops.AddPtr:    {formPointers | formIntegers, anyForm, formOfPointers},
	ops.Lt:        {formIntegers, anyForm, formOfOrder},
	ops.Le:        {formIntegers, anyForm, formOfOrder},
	ops.Gt:        {formIntegers, anyForm, formOfOrder},
	ops.Ge:        {formIntegers, anyForm, formOfOrder},
	ops.And:       {formMasks, anyForm, formOfAnd},
}

// extentOf is the extent of values of type t, nil where they have no forms.
func extentOf(t types.Type) *extent {
	var size []int
	for _, n := range t.Shape {
		if n > 1 {
			size = append(size, n)
		}
	}
	kind := formKindOf(t)
	if len(size) == 1 {
		size = []int{1, size[0]}
	}
	if kind == 0 || len(size) != 2 {
		return nil
	}
	return &extent{size[0], size[1], kind == formMasks}
}

// findForms finds the values of b that have forms: those that a rule gives, and those that loops carry and branches
// yield where all that they may be has one. A carried value is taken to have one until that of an iteration has none,
// which adds it to open: then values that follow from it have none either, and all are to be found again.
func (p *planner) findForms(b *ir.Block, open map[*ir.Value]bool) (again bool) {
	for _, in := range b.Instrs {
		switch in.Op {
		case ops.Reduce, ops.Scan: // their regions' scalars are vectors of many lanes
		case ops.For:
			body := in.Regions[0]
			for i, a := range body.Args[1:] {
				p.formed[a] = !open[a] && p.hasForm(in.Operands[3+i])
			}
			again = p.findForms(body, open) || again
			for i, a := range body.Args[1:] {
				if p.formed[a] && !p.hasForm(body.Terminator().Operands[i]) {
					p.formed[a], open[a], again = false, true, true
				}
				p.formed[in.Results[i]] = p.formed[a]
			}
		default:
			for _, r := range in.Regions {
				again = p.findForms(r, open) || again
			}
			for i, r := range in.Results {
				if in.Op == ops.If {
					p.formed[r] = p.hasForm(in.Regions[0].Terminator().Operands[i]) &&
						p.hasForm(in.Regions[1].Terminator().Operands[i])
				} else {
					p.formed[r] = p.formable(in)
				}
			}
		}
	}
	return again
}

// hasForm reports whether v's slot has a form that is v's, too.
func (p *planner) hasForm(v *ir.Value) bool {
	root := p.live.root(v)
	if !p.formed[root] || v == root {
		return p.formed[root]
	}
	e := extentOf(v.Type)
	return e != nil && *e == *extentOf(root.Type)
}

// isUniform reports whether v's slot has one element, which is that of all lanes.
func (p *planner) isUniform(v *ir.Value) bool { return p.live.numel(p.live.root(v)) == 1 }

// formable reports whether in has a rule for the form of its result, and operands with forms.
func (p *planner) formable(in *ir.Instr) bool {
	rule := &formRules[in.Op]
	if rule.plan == nil || p.live.alias(in) || p.isUniform(in.Results[0]) || p.watch(in) ||
		formKindOf(in.Results[0].Type)&rule.to == 0 || extentOf(in.Results[0].Type) == nil {
		return false
	}
	return !slices.ContainsFunc(in.Operands, func(v *ir.Value) bool {
		return v == nil || formKindOf(v.Type)&rule.from == 0 || !p.isUniform(v) && !p.hasForm(v)
	})
}

// planForm plans in, whose result has a form: its operation runs on elements only where the rule gives none.
func (p *planner) planForm(in *ir.Instr, plan func(*planner, *ir.Instr)) {
	code := p.planApart(func() { plan(p, in) })
	d, rule := p.slotOf[in.Results[0]], formRules[in.Op].plan(p, in, extentOf(in.Results[0].Type))
	p.code = append(p.code, func(m *machine) {
		if !rule(m, &m.forms[d]) {
			m.runAll(code)
			m.forms[d].valid = false
		}
	})
}

// formOperand is an operand of a rule.
type formOperand struct {
	slot    int
	uniform bool
	integers
}

func (p *planner) formOperand(v *ir.Value) formOperand {
	return formOperand{p.place(v), p.isUniform(v), integersOf(v.Type.DType)}
}

// scalar is the one element of a uniform operand.
func (o *formOperand) scalar(m *machine) int64 {
	if v := &m.v[o.slot]; v.I64 != nil {
		return v.I64[0]
	}
	return int64(m.v[o.slot].I32[0])
}

func (o *formOperand) affine(m *machine) (a affine, ok bool) {
	if o.uniform {
		return affine{first: o.scalar(m)}, true
	}
	f := &m.forms[o.slot]
	return f.affine, f.valid
}

// numbers is the operand as numbers that do not wrap, with their extremes. A form keeps them for the next one that
// asks.
func (o *formOperand) numbers(m *machine, e *extent) (a affine, least, most int64, ok bool) {
	if o.uniform {
		return o.integers.numbers(affine{first: o.scalar(m)}, e)
	}
	f := &m.forms[o.slot]
	if f.valid && !f.exact {
		if a, least, most, ok = o.integers.numbers(f.affine, e); ok {
			f.exact, f.affine, f.least, f.most = true, a, least, most
		}
	}
	return f.affine, f.least, f.most, f.valid && f.exact
}

// setAffine and setBox make f the form of a tile; what f was is not read any more.
func (f *form) setAffine(a affine) bool {
	f.valid, f.made, f.exact, f.affine = true, false, false, a
	return true
}

func (f *form) setBox(b box) bool {
	f.valid, f.made, f.box = true, false, b
	return true
}

func formOfArange(_ *planner, in *ir.Instr, e *extent) formRule {
	a := affine{first: in.Int("start"), across: 1}
	return func(_ *machine, to *form) bool { return to.setAffine(a) }
}

// formOfSplat is the rule of a tile whose elements are all one constant, or one scalar.
func formOfSplat(p *planner, in *ir.Instr, e *extent) formRule {
	var scalar func(*machine) int64
	if in.Op == ops.Const {
		c := in.Scalar("value").Int()
		scalar = func(*machine) int64 { return c }
	} else {
		x := p.formOperand(in.Operands[0])
		scalar = x.scalar
	}
	if e.mask {
		return func(m *machine, to *form) bool { return to.setBox(e.where(scalar(m) != 0)) }
	}
	return func(m *machine, to *form) bool { return to.setAffine(affine{first: scalar(m)}) }
}

// formOfBroadcast is the rule of a tile that repeats a scalar, or one of its dimensions.
func formOfBroadcast(p *planner, in *ir.Instr, e *extent) formRule {
	if p.isUniform(in.Operands[0]) {
		return formOfSplat(p, in, e)
	}
	x, from := p.place(in.Operands[0]), in.Operands[0].Type.Shape
	// The source has one of the dimensions: the first that is more than 1, or the other one.
	column := from[slices.IndexFunc(in.Results[0].Type.Shape, func(n int) bool { return n > 1 })] > 1
	return func(m *machine, to *form) bool {
		f := &m.forms[x]
		if !f.valid {
			return false
		}
		if e.mask {
			b := box{0, e.rows, f.left, f.right}
			switch {
			case f.box.empty():
				b = box{}
			case column:
				b = box{f.left, f.right, 0, e.columns}
			}
			return to.setBox(b)
		}
		if column {
			return to.setAffine(affine{first: f.first, down: f.across})
		}
		return to.setAffine(affine{first: f.first, across: f.across})
	}
}

// formOfCast is the rule of integers of another dtype: where they get wider, none may have wrapped.
func formOfCast(p *planner, in *ir.Instr, e *extent) formRule {
	x, to := p.formOperand(in.Operands[0]), integersOf(in.Results[0].Type.DType)
	if to.wide == x.wide || x.wide { // the upper half is left out
		return func(m *machine, f *form) bool {
			a, ok := x.affine(m)
			return ok && f.setAffine(a)
		}
	}
	return func(m *machine, f *form) bool {
		a, _, _, ok := x.numbers(m, e)
		return ok && f.setAffine(a)
	}
}

// formOfSum is the rule of sums and differences, which wrap as those of first and steps do.
func formOfSum(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.formOperand(in.Operands[0]), p.formOperand(in.Operands[1])
	sign := int64(1)
	if in.Op == ops.Sub {
		sign = -1
	}
	return func(m *machine, to *form) bool {
		a, ok := x.affine(m)
		b, known := y.affine(m)
		return ok && known && to.setAffine(a.plus(b.times(sign)))
	}
}

// formOfProduct is the rule of products of which one factor is uniform.
func formOfProduct(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.formOperand(in.Operands[0]), p.formOperand(in.Operands[1])
	return func(m *machine, to *form) bool {
		a, ok := x.affine(m)
		b, known := y.affine(m)
		switch {
		case !ok || !known:
			return false
		case b.uniform():
			return to.setAffine(a.times(b.first))
		}
		return a.uniform() && to.setAffine(b.times(a.first))
	}
}

// formOfQuotient is the rule of quotients and remainders by a uniform divisor, where all quotients are the same.
func formOfQuotient(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.formOperand(in.Operands[0]), p.formOperand(in.Operands[1])
	return func(m *machine, to *form) bool {
		a, least, most, ok := x.numbers(m, e)
		b, _, by, known := y.numbers(m, e)
		if !ok || !known || !b.uniform() || by <= 0 || least < 0 || least/by != most/by {
			return false
		}
		quotient := affine{first: least / by}
		if in.Op == ops.Div {
			return to.setAffine(quotient)
		}
		return to.setAffine(a.plus(quotient.times(-by)))
	}
}

// formOfPointers is the rule of pointers moved by offsets, where all stay within their argument.
func formOfPointers(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.formOperand(in.Operands[0]), p.formOperand(in.Operands[1])
	return func(m *machine, to *form) bool {
		a, ok := x.affine(m)
		b, least, most, known := y.numbers(m, e)
		if !ok || !known || least < -half || most > maxOffset {
			return false
		}
		sum := a.plus(b)
		_, at := trace.Split(a.first)
		least, most = affine{at + b.first, sum.down, sum.across}.extremes(e.all())
		return least >= -half && most <= maxOffset && to.setAffine(sum)
	}
}

// formOfOrder is the rule of comparisons of integers whose difference changes along one dimension.
func formOfOrder(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.formOperand(in.Operands[0]), p.formOperand(in.Operands[1])
	if in.Op == ops.Gt || in.Op == ops.Ge {
		x, y = y, x
	}
	equal := int64(0)
	if in.Op == ops.Le || in.Op == ops.Ge {
		equal = 1
	}
	return func(m *machine, to *form) bool {
		a, _, _, ok := x.numbers(m, e)
		b, _, _, known := y.numbers(m, e)
		if !ok || !known {
			return false
		}
		difference := a.plus(b.times(-1))
		difference.first -= equal
		mask, ok := e.negative(difference)
		return ok && to.setBox(mask)
	}
}

// formOfAnd is the rule of lanes that are in two boxes.
func formOfAnd(p *planner, in *ir.Instr, e *extent) formRule {
	x, y := p.place(in.Operands[0]), p.place(in.Operands[1])
	return func(m *machine, to *form) bool {
		f, g := &m.forms[x], &m.forms[y]
		return f.valid && g.valid && to.setBox(f.box.and(g.box))
	}
}
