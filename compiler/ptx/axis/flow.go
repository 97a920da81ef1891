package axis

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// How often the whole function is walked before what changes from one iteration of a loop to the
// next is given up, and then all that loops carry. Usual kernels need two or three walks.
const (
	manyPasses = 8
	maxPasses  = 16
)

// analysis is a forward dataflow analysis: it walks the function again and again, each time with less known of
// loop-carried values, to a fixpoint. What is known of a value only shrinks from one walk to the next.
type analysis struct {
	values  []fact
	params  int // how many the function has
	assume  bool
	believe bool // the author's hints
	changed bool
	pass    int
	record  bool // the last walk: collect assumptions
	assumes []Assumption
}

func analyze(fn *ir.Func, assume, believe bool) *Facts {
	a := &analysis{values: make([]fact, fn.Values()), params: len(fn.Params), assume: assume, believe: believe}
	for i, p := range fn.Params {
		a.values[p.Value.ID] = parameter(p, i)
	}
	// to a fixpoint
	for ; a.pass == 0 || a.changed; a.pass++ {
		a.changed = false
		a.visitBlock(fn.Body)
	}
	a.record = assume
	a.visitBlock(fn.Body)
	return &Facts{values: a.values, assumes: a.assumes}
}

func parameter(p *ir.Param, index int) fact {
	f := bottom(p.Value)
	f.argument = index
	f.dims[0].Divisibility = lowBit(int64(p.Divisible))
	return f
}

// bottom is the fact that says nothing of v.
func bottom(v *ir.Value) fact {
	dims := make([]Dim, max(1, len(v.Type.Shape)))
	for i := range dims {
		dims[i] = unknown
	}
	return fact{dims: dims, argument: Mixed, nonNegative: v.Type.IsInt() && !v.Type.DType.Info().Signed}
}

func (a *analysis) visitBlock(b *ir.Block) {
	for _, in := range b.Instrs {
		a.visit(in)
	}
}

func (a *analysis) visit(in *ir.Instr) {
	switch in.Op {
	case ops.If:
		a.visitBlock(in.Regions[0])
		a.visitBlock(in.Regions[1])
		a.meet(in.Results, in.Regions[0].Terminator().Operands, in.Regions[1].Terminator().Operands)
	case ops.For:
		a.visitLoop(in)
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		next := after.Terminator().Operands
		a.enterLoop(before.Args, in.Operands, next)
		a.visitBlock(before)
		passed := before.Terminator().Operands[1:]
		a.enterLoop(after.Args, passed, nil)
		a.visitBlock(after)
		a.meet(in.Results, passed, nil)
	case ops.Reduce, ops.Scan:
		a.setUnknown(in.Regions[0].Args)
		a.visitBlock(in.Regions[0])
		a.setUnknown(in.Results)
	case ops.InlineAsm, ops.InlineAsmVolatile:
		a.setUnknown(in.Results)
	default:
		a.transfer(in)
	}
}

func (a *analysis) visitLoop(in *ir.Instr) {
	body := in.Regions[0]
	lower, step := a.values[in.Operands[0].ID], a.values[in.Operands[2].ID]
	index := bottom(body.Args[0])
	index.dims[0].Divisibility = min(lower.dims[0].Divisibility, step.dims[0].Divisibility)
	index.nonNegative = lower.nonNegative || index.nonNegative
	index.hinted = lower.hinted || step.hinted
	a.values[body.Args[0].ID] = index
	next := body.Terminator().Operands
	a.enterLoop(body.Args[1:], in.Operands[3:], next)
	a.visitBlock(body)
	a.meet(in.Results, in.Operands[3:], next)
}

// enterLoop gives the arguments of a loop's block what all values that reach them have in common. On the first walk the
// next values are not known yet and count as equal to the first ones.
func (a *analysis) enterLoop(args, first, next []*ir.Value) {
	for i, arg := range args {
		f := a.values[first[i].ID]
		if next != nil {
			f = join(f, a.values[next[i].ID])
		}
		old := a.values[arg.ID]
		f = join(f, old)
		// Widening: what still changes after many walks is given up.
		if a.pass >= maxPasses || a.pass >= manyPasses && !equal(f, old) {
			f = bottom(arg)
		}
		if !equal(f, old) {
			a.changed = true
			a.values[arg.ID] = f
		}
	}
}

// meet sets what one of two groups of values becomes; the second may be nil.
func (a *analysis) meet(results, x, y []*ir.Value) {
	for i, r := range results {
		f := a.values[x[i].ID]
		if y != nil {
			f = join(f, a.values[y[i].ID])
		}
		a.values[r.ID] = f
	}
}

func (a *analysis) setUnknown(values []*ir.Value) {
	for _, v := range values {
		a.values[v.ID] = bottom(v)
	}
}

// join is what two values that may stand for each other have in common.
func join(x, y fact) fact {
	if x.dims == nil {
		return y
	}
	if y.dims == nil {
		return x
	}
	z := fact{dims: make([]Dim, len(x.dims)), argument: x.argument}
	for i := range z.dims {
		c := min(x.dims[i].Contiguity, y.dims[i].Contiguity)
		z.dims[i] = Dim{c, min(x.dims[i].at(c), y.dims[i].at(c)), min(x.dims[i].Constancy, y.dims[i].Constancy)}
	}
	if x.argument != y.argument {
		z.argument = Mixed
	}
	if x.known && y.known && x.value == y.value {
		z.known, z.value = true, x.value
	}
	z.nonNegative, z.hinted = x.nonNegative && y.nonNegative, x.hinted || y.hinted
	return z
}

func equal(x, y fact) bool {
	return slices.Equal(x.dims, y.dims) && x.value == y.value && x.known == y.known && x.nonNegative == y.nonNegative &&
		x.hinted == y.hinted && x.argument == y.argument
}

// at is what every element at a multiple of c is a multiple of.
func (d Dim) at(c int64) int64 {
	if c >= d.Contiguity {
		return d.Divisibility
	}
	return min(d.Divisibility, c)
}
