package ptx

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// assignment gives every tile a layout. It begins with the operations that care (anchors): matrix
// products, and memory accesses of at least an element a thread. From there layouts flood along
// definitions and uses, products first. What is cheap to compute takes part only where nothing else
// is left, since it is computed anew in each layout in which somebody wants it (assign_want.go).
type assignment struct {
	*emitter
	users [][]*ir.Instr      // by Value.ID
	flows [][]*ir.Value      // by Value.ID: what holds the same tile before or after, in loops and branches
	queue []*ir.Value        // given a layout, neighbours not looked at yet
	cheap []bool             // by Value.ID
	fixed map[*ir.Instr]bool // accesses that are anchors
	all   bool               // cheap values take part
}

// assign decides e.layouts, e.at and e.copies.
func (e *emitter) assign() {
	n := len(e.vals)
	a := &assignment{emitter: e, users: make([][]*ir.Instr, n), flows: make([][]*ir.Value, n), cheap: make([]bool, n), fixed: map[*ir.Instr]bool{}}
	e.layouts = make([]layout.Layout, n)
	e.at = map[*ir.Instr]layout.Layout{}
	e.wanted = make([]bool, n)
	e.again = make([]bool, n)
	scalar := layout.ForVector(nil, nil, 1, e.opt.NumWarps)
	e.eachValue(func(v *ir.Value) {
		if v.Type.IsScalar() {
			e.layouts[v.ID] = scalar
		}
	})
	e.fn.Body.Walk(a.connect)
	accesses := a.accesses()
	a.products()
	a.flood()
	for _, x := range accesses {
		if x.in.Op == ops.Load {
			a.queue = append(a.queue, x.in.Results[0])
			a.flood()
		}
	}
	for _, x := range accesses {
		if x.in.Op != ops.Load {
			a.give(x.in.Operands[1], e.at[x.in])
			a.flood()
		}
	}
	a.rest(accesses)
	e.eachValue(a.repeat)
	a.warnSpills()
	a.demand()
}

// eachValue calls f for every value of the function.
func (e *emitter) eachValue(f func(*ir.Value)) {
	visit := func(values []*ir.Value) {
		for _, v := range values {
			f(v)
		}
	}
	visit(e.fn.Body.Args)
	e.fn.Body.Walk(func(in *ir.Instr) {
		visit(in.Results)
		for _, r := range in.Regions {
			visit(r.Args)
		}
	})
}

// connect notes an instruction's uses, what flows where, and whether its result is cheap.
func (a *assignment) connect(in *ir.Instr) {
	for i, v := range in.Operands {
		if v != nil && !slices.Contains(in.Operands[:i], v) {
			a.users[v.ID] = append(a.users[v.ID], in)
		}
	}
	switch in.Op {
	case ops.If:
		for _, r := range in.Regions {
			a.tie(in.Results, r.Terminator().Operands)
		}
	case ops.For:
		body := in.Regions[0]
		a.tie(body.Args[1:], in.Operands[3:])
		a.tie(body.Args[1:], body.Terminator().Operands)
		a.tie(body.Args[1:], in.Results)
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		passed := before.Terminator().Operands[1:]
		a.tie(before.Args, in.Operands)
		a.tie(before.Args, after.Terminator().Operands)
		a.tie(after.Args, passed)
		a.tie(after.Args, in.Results)
	}
	if len(in.Results) == 1 {
		a.cheap[in.Results[0].ID] = a.isCheap(in)
	}
}

func (a *assignment) tie(x, y []*ir.Value) {
	for i := range x {
		a.flows[x[i].ID] = append(a.flows[x[i].ID], y[i])
		a.flows[y[i].ID] = append(a.flows[y[i].ID], x[i])
	}
}

// costly are elementwise operations that are not worth repeating.
var costly = map[ops.Op]bool{
	ops.Exp: true, ops.Exp2: true, ops.Log: true, ops.Log2: true, ops.Sin: true, ops.Cos: true, ops.Erf: true,
	ops.Load: true, ops.Store: true, ops.AtomicRMW: true, ops.AtomicCAS: true,
}

// renames are the operations that move no element between threads if their operand suits.
var renames = map[ops.Op]bool{
	ops.ExpandDims: true, ops.Broadcast: true, ops.Reshape: true, ops.Trans: true, ops.Splat: true,
}

// isCheap reports whether an operation's result can be computed in any layout from scalars and cheap
// tiles.
func (a *assignment) isCheap(in *ir.Instr) bool {
	ok := in.Op == ops.Const || in.Op == ops.Arange || renames[in.Op] || in.Op.Has(ops.Elementwise) && !costly[in.Op]
	for _, v := range in.Operands {
		ok = ok && v != nil && (v.Type.IsScalar() || a.cheap[v.ID])
	}
	return ok
}

// anchor is an access with the layout that suits it.
type anchor struct {
	in    *ir.Instr
	bytes int
}

// accesses finds the anchors among loads, stores and atomics, the largest first, and their layouts.
// Those of one shape and order agree, so that tiles of different dtypes meet without conversion: the
// widest element decides how many a thread has side by side.
func (a *assignment) accesses() (list []anchor) {
	type kind struct{ shape, order string }
	vectors, widest := map[kind]int{}, map[kind]int{}
	keys := map[*ir.Instr]kind{}
	a.fn.Body.Walk(func(in *ir.Instr) {
		if !axis.Accesses(in) {
			return
		}
		t := in.Operands[0].Type
		if t.IsScalar() || t.Numel() < a.Threads {
			return
		}
		k := kind{textOf(t.Shape), textOf(a.facts.Order(in.Operands[0]))}
		keys[in] = k
		vectors[k] = max(vectors[k], a.facts.Vector(in))
		widest[k] = max(widest[k], t.DType.Info().Bytes)
		list = append(list, anchor{in, t.Numel() * t.DType.Info().Bytes})
	})
	for _, x := range list {
		k, t := keys[x.in], x.in.Operands[0].Type
		vec := min(vectors[k], maxAccessBytes/widest[k], t.Numel()/a.Threads)
		a.fix(x.in, layout.ForVector(t.Shape, a.facts.Order(x.in.Operands[0]), vec, a.opt.NumWarps))
	}
	slices.SortStableFunc(list, func(x, y anchor) int { return cmp.Compare(y.bytes, x.bytes) })
	return list
}

// maxAccessBytes is what one thread moves with one instruction, at most.
const maxAccessBytes = 16

func textOf(ns []int) string {
	b := make([]byte, 0, 16)
	for _, n := range ns {
		b = append(b, byte(n), byte(n>>8), byte(n>>16))
	}
	return string(b)
}

// fix gives an access its layout, and its result too.
func (a *assignment) fix(in *ir.Instr, l layout.Layout) {
	a.at[in] = l
	a.fixed[in] = true
	for _, r := range in.Results {
		a.layouts[r.ID] = l
	}
}

// products assigns the layouts of dots and of their operands.
func (a *assignment) products() {
	a.fn.Body.Walk(func(in *ir.Instr) {
		if p := a.dotPlans[in]; p != nil {
			a.give(in.Results[0], p.acc)
		}
	})
}

// given reports whether v has a layout.
func (a *assignment) given(v *ir.Value) bool { return a.layouts[v.ID].Lane != nil }

// give lets v have a layout if it has none and takes part.
func (a *assignment) give(v *ir.Value, l layout.Layout) {
	if v == nil || a.given(v) || a.cheap[v.ID] && !a.all {
		return
	}
	a.layouts[v.ID] = l
	a.queue = append(a.queue, v)
}

// flood gives neighbours of the queue their layouts until there are none.
func (a *assignment) flood() {
	for len(a.queue) > 0 {
		v := a.queue[0]
		a.queue = a.queue[1:]
		l := a.layouts[v.ID]
		for _, w := range a.flows[v.ID] {
			a.give(w, l)
		}
		if v.Def != nil {
			a.backward(v.Def, l)
		}
		for _, u := range a.users[v.ID] {
			a.forward(u, v, l)
		}
	}
}

// backward gives operands layouts from a result's.
func (a *assignment) backward(in *ir.Instr, l layout.Layout) {
	if in.Op == ops.Dot {
		a.give(in.Operands[2], l)
		return
	}
	for _, v := range in.Operands {
		if v == nil || v.Type.IsScalar() {
			continue
		}
		if from, ok := operandLayout(in, v, l); ok {
			a.give(v, from)
		}
	}
}

// operandLayout is the layout of operand v from which an operation makes its result in l without
// moving elements between threads.
func operandLayout(in *ir.Instr, v *ir.Value, l layout.Layout) (layout.Layout, bool) {
	switch in.Op {
	case ops.ExpandDims:
		return l.UnExpandDims(int(in.Int("axis"))), true
	case ops.Broadcast:
		from, _ := l.UnBroadcast(v.Type.Shape)
		return from, true
	case ops.Reshape:
		return l.UnReshape(v.Type.Shape), true
	case ops.Trans:
		return l.UnTrans(perm(in)), true
	case ops.Scan:
		return l, true
	}
	return l, in.Op.Has(ops.Elementwise)
}

// forward gives results, and operands beside v, layouts from that of operand v.
func (a *assignment) forward(in *ir.Instr, v *ir.Value, l layout.Layout) {
	switch in.Op {
	case ops.ExpandDims:
		a.give(in.Results[0], l.ExpandDims(int(in.Int("axis"))))
	case ops.Broadcast:
		to, _ := l.Broadcast(in.Results[0].Type.Shape)
		a.give(in.Results[0], to)
	case ops.Reshape:
		a.give(in.Results[0], l.Reshape(in.Results[0].Type.Shape))
	case ops.Trans:
		a.give(in.Results[0], l.Trans(perm(in)))
	case ops.Reduce:
		for _, r := range in.Results {
			to, _ := l.Slice(int(in.Int("axis")))
			a.give(r, to)
		}
	case ops.Join:
		a.give(in.Results[0], l.Join())
	case ops.Split:
		to, _, _ := l.ForSplit().Split()
		a.give(in.Results[0], to)
		a.give(in.Results[1], to)
	default:
		if in.Op.Has(ops.Elementwise) || in.Op == ops.Scan {
			a.alike(in, v, l)
		}
	}
}

// alike gives one layout to all that an elementwise operation has; accesses that are anchors have
// theirs already.
func (a *assignment) alike(in *ir.Instr, v *ir.Value, l layout.Layout) {
	if a.fixed[in] {
		return
	}
	for _, group := range [][]*ir.Value{in.Results, in.Operands} {
		for _, w := range group {
			if w != nil && !w.Type.IsScalar() {
				a.give(w, l)
			}
		}
	}
}

// rest gives layouts to what no anchor has reached: first what accesses are computed from, then the
// others by shape alone, in the order of the code.
func (a *assignment) rest(accesses []anchor) {
	a.all = true
	for _, x := range accesses {
		for _, v := range x.in.Operands {
			a.give(v, a.at[x.in])
		}
	}
	a.flood()
	a.eachValue(func(v *ir.Value) {
		if a.given(v) {
			return
		}
		bytes := max(1, v.Type.DType.Info().Bytes)
		vec := max(1, min(maxAccessBytes/bytes, v.Type.Numel()/a.Threads))
		order := make([]int, len(v.Type.Shape))
		for i := range order {
			order[i] = len(order) - 1 - i
		}
		a.give(v, layout.ForVector(v.Type.Shape, order, vec, a.opt.NumWarps))
		a.flood()
	})
	a.eachValue(a.settle)
	a.fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) && !a.fixed[in] {
			a.at[in] = a.layouts[follows(in).ID]
		}
	})
}

// follows is the value in whose layout an access that is no anchor works.
func follows(in *ir.Instr) *ir.Value {
	if r := in.Result(); r != nil {
		return r
	}
	return in.Operands[1]
}

// settle makes what operations must have alike, whatever the flood met first: the results of a loop
// have the layouts of its carried values; those of reductions, scans, joins and splits follow their
// operands.
func (a *assignment) settle(v *ir.Value) {
	in := v.Def
	if in == nil || v.Type.IsScalar() {
		return
	}
	set := func(l layout.Layout) { a.layouts[v.ID] = l }
	switch in.Op {
	case ops.For:
		set(a.layouts[in.Regions[0].Args[1+v.Index].ID])
	case ops.While:
		set(a.layouts[in.Regions[1].Args[v.Index].ID])
	case ops.Reduce:
		to, _ := a.layouts[in.Operands[0].ID].Slice(int(in.Int("axis")))
		set(to)
	case ops.Scan:
		set(a.layouts[in.Operands[0].ID])
	case ops.Join:
		set(a.layouts[in.Operands[0].ID].Join())
	case ops.Split:
		to, _, _ := a.layouts[in.Operands[0].ID].ForSplit().Split()
		set(to)
	case ops.Dot:
		set(a.dotPlans[in].acc)
	}
}
