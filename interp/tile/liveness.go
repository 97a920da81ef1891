package tile

import (
	"context"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// liveness tells where values are used for the last time. Values that are the same elements
// under another type share a root.
type liveness struct {
	ctx   context.Context
	roots map[*ir.Value]*ir.Value
	last  map[*ir.Value]*ir.Instr   // of a root: the last instruction of its own block that uses it
	dying map[*ir.Instr][]*ir.Value // the inverse of last, in the order of definition
	inner map[use]bool              // an instruction's regions use a root from outside
	whole map[*ir.Value]bool        // a value is needed element by element, not only by addptr
	watch func(*ir.Instr) bool      // the operations whose results observers see

	level map[*ir.Value]int // how deep the block that defines a root is
	path  []*ir.Instr       // the instructions that the walk is in
	order []*ir.Value
	steps int // since ctx was asked

	writes int                     // operations until now, in the text's order, that may write memory
	before map[*ir.Value]writeSpan // of a root: the writes before its definition, and before the end of its last use
}

// writeSpan is how many writes come before two points of the text.
type writeSpan struct{ defined, used int }

type use struct {
	value *ir.Value
	by    *ir.Instr
}

// newLiveness walks fn. Where ctx ends meanwhile, it stops early, and what it has found is of no use.
func newLiveness(ctx context.Context, fn *ir.Func, watch func(*ir.Instr) bool) *liveness {
	l := &liveness{
		ctx: ctx, roots: map[*ir.Value]*ir.Value{}, last: map[*ir.Value]*ir.Instr{},
		dying: map[*ir.Instr][]*ir.Value{}, inner: map[use]bool{}, level: map[*ir.Value]int{},
		whole: map[*ir.Value]bool{}, watch: watch, before: map[*ir.Value]writeSpan{},
	}
	l.findWhole(fn.Body)
	l.walk(fn.Body)
	for _, v := range l.order {
		if l.stopped(1) {
			return l
		}
		if in := l.last[v]; in != nil {
			l.dying[in] = append(l.dying[in], v)
		}
	}
	return l
}

// askEvery is how many steps, some hundred nanoseconds each, are done before the context is asked again.
const askEvery = 1024

// stopped counts steps and reports whether the context has ended.
func (l *liveness) stopped(steps int) bool {
	if l.steps += steps; l.steps < askEvery {
		return false
	}
	if l.ctx.Err() != nil {
		return true // and again: steps stays as it is
	}
	l.steps = 0
	return false
}

func (l *liveness) findWhole(b *ir.Block) {
	for _, in := range b.Instrs {
		if l.stopped(1 + len(in.Operands)) {
			return
		}
		for _, v := range in.Operands {
			if v != nil && in.Op != ops.AddPtr {
				l.whole[v] = true // what is yielded, too: a loop's values have whole slots
			}
		}
		if l.watch(in) {
			for _, r := range in.Results {
				l.whole[r] = true
			}
		}
		for _, r := range in.Regions {
			l.findWhole(r)
		}
	}
}

func (l *liveness) walk(b *ir.Block) {
	depth := len(l.path)
	l.path = append(l.path, nil)
	for _, a := range b.Args {
		l.define(a, depth)
	}
	for _, in := range b.Instrs {
		if l.stopped(1 + len(in.Operands)) {
			break
		}
		l.path[depth] = in
		if in.Op.Has(ops.Writes) {
			l.writes++
		}
		for _, v := range in.Operands {
			if v != nil {
				l.use(v)
			}
		}
		// A use in a region is also a use by the instruction that has the region: the value must outlive all
		// iterations.
		for _, r := range in.Regions {
			l.walk(r)
		}
		if l.alias(in) {
			if len(in.Operands) > 0 { // else it is shared memory, which nothing reads here
				l.roots[in.Results[0]] = l.root(in.Operands[0])
			}
			continue
		}
		for _, r := range in.Results {
			l.define(r, depth)
			l.last[r] = in // dead at once unless a use follows
		}
	}
	l.path = l.path[:depth]
}

func (l *liveness) define(v *ir.Value, depth int) {
	l.level[v] = depth
	l.order = append(l.order, v)
	l.before[v] = writeSpan{l.writes, l.writes}
}

func (l *liveness) use(v *ir.Value) {
	// The user in the block of the definition is the instruction there that the walk is in.
	r := l.root(v)
	depth := l.level[r]
	by := l.path[depth]
	l.last[r] = by
	l.before[r] = writeSpan{l.before[r].defined, l.writes}
	if depth < len(l.path)-1 {
		l.inner[use{r, by}] = true
	}
}

// unwritten reports whether no memory is written while v lives, nor by the operation that ends its life: one of v's
// block, without regions.
func (l *liveness) unwritten(v *ir.Value) bool {
	r := l.root(v)
	last, w := l.last[r], l.before[r]
	return w.defined == w.used && last != nil && len(last.Regions) == 0 && !last.Op.Has(ops.Terminator)
}

// numel is how many elements of v are kept: one where they are all the same and addptr, which can
// read one scalar for all lanes, is all that uses it.
func (l *liveness) numel(v *ir.Value) int {
	if v.Def != nil && v.Def.Op == ops.Const && !l.needsLanes(v) {
		return 1
	}
	return v.Type.Numel()
}

// needsLanes reports whether v is needed element by element.
func (l *liveness) needsLanes(v *ir.Value) bool { return l.whole[v] }

// root is the value whose slot v shares.
func (l *liveness) root(v *ir.Value) *ir.Value {
	if r, ok := l.roots[v]; ok {
		return r
	}
	return v
}

// alias reports whether in's result is its operand under another type.
func (l *liveness) alias(in *ir.Instr) bool {
	switch in.Op {
	case ops.Hint, ops.Reshape, ops.ExpandDims, ops.ConvertLayout, ops.Uniform, ops.LocalAlloc,
		ops.WGMMAWait:
		return true
	case ops.Splat:
		// addptr reads one scalar for all lanes, so a splat that nothing else reads is never made.
		return !l.needsLanes(in.Results[0]) || in.Results[0].Type.Numel() == 1
	case ops.Broadcast:
		return in.Operands[0].Type.Numel() == in.Results[0].Type.Numel() // row-major, dimensions of 1 change nothing
	case ops.Bitcast:
		return in.Operands[0].Type.Pointer
	case ops.Cast:
		from, to := in.Operands[0].Type, in.Results[0].Type
		return from.Pointer || from.DType == to.DType && in.Operands[0].Type.Class() == to.Class()
	}
	return false
}
