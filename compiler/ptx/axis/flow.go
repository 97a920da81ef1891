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

// analysis walks a function again and again, each time with less known of what loops carry, until
// a walk changes nothing. What is known of a value only shrinks from one walk to the next.
type analysis struct {
	values  []fact
	assume  bool
	changed bool
	pass    int
	record  bool // the last walk: collect assumptions
	assumes []Assumption
}

func analyze(fn *ir.Func, assume bool) *Facts {
	a := &analysis{values: make([]fact, countValues(fn)), assume: assume}
	for i, p := range fn.Params {
		a.values[p.Value.ID] = parameter(p, i)
	}
	for ; a.pass == 0 || a.changed; a.pass++ {
		a.changed = false
		a.block(fn.Body)
	}
	a.record = assume
	a.block(fn.Body)
	return &Facts{values: a.values, assumes: a.assumes}
}

// countValues is one more than the largest number of a value.
func countValues(fn *ir.Func) int {
	n := len(fn.Params)
	fn.Body.Walk(func(in *ir.Instr) {
		n += len(in.Results)
		for _, r := range in.Regions {
			n += len(r.Args)
		}
	})
	return n
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
	return fact{dims: dims, argument: Mixed, natural: v.Type.IsInt() && !v.Type.DType.Info().Signed}
}

func (a *analysis) block(b *ir.Block) {
	for _, in := range b.Instrs {
		a.instr(in)
	}
}

func (a *analysis) instr(in *ir.Instr) {
	switch in.Op {
	case ops.If:
		a.block(in.Regions[0])
		a.block(in.Regions[1])
		a.meet(in.Results, in.Regions[0].Terminator().Operands, in.Regions[1].Terminator().Operands)
	case ops.For:
		a.loop(in)
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		next := after.Terminator().Operands
		a.carried(before.Args, in.Operands, next)
		a.block(before)
		passed := before.Terminator().Operands[1:]
		a.carried(after.Args, passed, nil)
		a.block(after)
		a.meet(in.Results, passed, nil)
	case ops.Reduce, ops.Scan:
		a.unknown(in.Regions[0].Args)
		a.block(in.Regions[0])
		a.unknown(in.Results)
	default:
		a.plain(in)
	}
}

func (a *analysis) loop(in *ir.Instr) {
	body := in.Regions[0]
	lower, step := a.values[in.Operands[0].ID], a.values[in.Operands[2].ID]
	index := bottom(body.Args[0])
	index.dims[0].Divisibility = min(lower.dims[0].Divisibility, step.dims[0].Divisibility)
	index.natural = lower.natural || index.natural
	index.vouched = lower.vouched || step.vouched
	a.values[body.Args[0].ID] = index
	next := body.Terminator().Operands
	a.carried(body.Args[1:], in.Operands[3:], next)
	a.block(body)
	a.meet(in.Results, in.Operands[3:], next)
}

// carried lets the arguments of a loop's block know what all that reaches them has in common. On
// the first walk the next values are not known yet and count as whatever suits.
func (a *analysis) carried(args, first, next []*ir.Value) {
	for i, arg := range args {
		f := a.values[first[i].ID]
		if next != nil {
			f = join(f, a.values[next[i].ID])
		}
		old := a.values[arg.ID]
		f = join(f, old)
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

func (a *analysis) unknown(values []*ir.Value) {
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
	z.natural, z.vouched = x.natural && y.natural, x.vouched || y.vouched
	return z
}

func equal(x, y fact) bool {
	return slices.Equal(x.dims, y.dims) && x.value == y.value && x.known == y.known && x.natural == y.natural &&
		x.vouched == y.vouched && x.argument == y.argument
}

// at is what every element at a multiple of c is a multiple of.
func (d Dim) at(c int64) int64 {
	if c >= d.Contiguity {
		return d.Divisibility
	}
	return min(d.Divisibility, c)
}
