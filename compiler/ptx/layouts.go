package ptx

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// layoutAssignment gives every tile a layout (package layout): which thread keeps which element in which register.
//
//  1. Anchors, the operations that care, get the layouts that suit them: dots that of their accumulator (planDots),
//     memory accesses of at least an element a thread a blocked one whose vectors are coalesced (anchorAccesses).
//  2. Layouts propagate from there along definitions and uses, dots first, then loads from the largest on, then stores:
//     the first layout that reaches a value wins (propagate).
//  3. Values that nothing has reached get a default by their shape (assignDefaults), and operations that need equal or
//     matching layouts are reconciled, whatever came first (reconcile).
//
// A value that is cheap to compute, such as an arange or a mask, does not take part in step 2: it is rematerialized in
// each layout in which it is required, which remat.go finds.
type layoutAssignment struct {
	e            *emitter
	uses         [][]*ir.Instr      // by Value.ID
	flows        [][]*ir.Value      // by Value.ID: what holds the same tile before or after, in loops and branches
	worklist     []*ir.Value        // have a layout that is yet to be propagated
	cheap        []bool             // by Value.ID: see isCheap
	anchored     map[*ir.Instr]bool // accesses that are anchors
	includeCheap bool               // cheap values take part in propagation
}

// assignLayouts decides e.layouts, e.accessLayouts, e.versions, e.required and e.rematerialize.
func (e *emitter) assignLayouts() {
	n := len(e.vals)
	a := &layoutAssignment{e: e, uses: make([][]*ir.Instr, n), flows: make([][]*ir.Value, n), cheap: make([]bool,
		n), anchored: map[*ir.Instr]bool{}}
	e.layouts = make([]layout.Layout, n)
	e.accessLayouts = map[*ir.Instr]layout.Layout{}
	e.required = make([]bool, n)
	e.rematerialize = make([]bool, n)
	scalar := layout.ForVector(nil, nil, 1, e.opt.NumWarps)
	e.eachValue(func(v *ir.Value) {
		if v.Type.IsScalar() {
			e.layouts[v.ID] = scalar
		}
	})
	// Dots come first: a conversion of their operands in a loop costs more than any other.
	e.fn.Body.Walk(a.collectUses)
	accesses := a.anchorAccesses()
	a.assignDots()
	a.propagate()
	for _, x := range accesses {
		if x.in.Op == ops.Load {
			// Largest first: where two loads' layouts meet, the smaller tile is converted.
			a.worklist = append(a.worklist, x.in.Results[0])
			a.propagate()
		}
	}
	for _, x := range accesses {
		if x.in.Op != ops.Load {
			a.assign(x.in.Operands[1], e.accessLayouts[x.in])
			a.propagate()
		}
	}
	a.assignDefaults(accesses)
	e.eachValue(a.markRematerialized)
	a.warnSpills()
	a.collectRequired()
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

// collectUses records an instruction's uses, what flows where, and whether its result is cheap.
func (a *layoutAssignment) collectUses(in *ir.Instr) {
	for i, v := range in.Operands {
		if v != nil && !slices.Contains(in.Operands[:i], v) {
			a.uses[v.ID] = append(a.uses[v.ID], in)
		}
	}
	switch in.Op {
	case ops.If:
		for _, r := range in.Regions {
			a.linkFlows(in.Results, r.Terminator().Operands)
		}
	case ops.For:
		body := in.Regions[0]
		// Operands are lower, upper and step, then the initial values; Args[0] is the induction variable.
		a.linkFlows(body.Args[1:], in.Operands[3:])
		a.linkFlows(body.Args[1:], body.Terminator().Operands)
		a.linkFlows(body.Args[1:], in.Results)
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		// The first operand of the condition region's terminator is the condition itself.
		passed := before.Terminator().Operands[1:]
		a.linkFlows(before.Args, in.Operands)
		a.linkFlows(before.Args, after.Terminator().Operands)
		a.linkFlows(after.Args, passed)
		a.linkFlows(after.Args, in.Results)
	}
	if len(in.Results) == 1 {
		a.cheap[in.Results[0].ID] = a.isCheap(in)
	}
}

// linkFlows records that x[i] and y[i] hold the same tile one after the other.
func (a *layoutAssignment) linkFlows(x, y []*ir.Value) {
	for i := range x {
		a.flows[x[i].ID] = append(a.flows[x[i].ID], y[i])
		a.flows[y[i].ID] = append(a.flows[y[i].ID], x[i])
	}
}

// expensiveOps are elementwise operations that cost more to rematerialize than a conversion through shared memory.
var expensiveOps = map[ops.Op]bool{
	ops.Exp: true, ops.Exp2: true, ops.Log: true, ops.Log2: true, ops.Sin: true, ops.Cos: true, ops.Erf: true,
	ops.InlineAsm: true, ops.InlineAsmVolatile: true, ops.IntToPtr: true, ops.Load: true, ops.Store: true, ops.AtomicRMW: true, ops.AtomicCAS: true,
}

// viewOps are the operations that only give registers other names, if their operand has a matching layout.
var viewOps = map[ops.Op]bool{
	ops.ExpandDims: true, ops.Broadcast: true, ops.Reshape: true, ops.Trans: true, ops.Splat: true,
}

// isCheap reports whether an operation's result can be computed in any layout by a few instructions, from scalars and
// cheap tiles.
func (a *layoutAssignment) isCheap(in *ir.Instr) bool {
	computed := in.Op.Has(ops.Elementwise) && !expensiveOps[in.Op]
	ok := in.Op == ops.Const || in.Op == ops.Arange || viewOps[in.Op] || computed
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

// anchorAccesses finds the anchors among loads, stores and atomics, the largest first, and pins their layouts. Those of
// one shape and dimension order get one layout, so that tiles of different dtypes need no conversion: the widest
// element decides how many consecutive elements a thread has.
func (a *layoutAssignment) anchorAccesses() (list []anchor) {
	type kind struct{ shape, order string }
	vectors, widest := map[kind]int{}, map[kind]int{}
	keys := map[*ir.Instr]kind{}
	a.e.fn.Body.Walk(func(in *ir.Instr) {
		if !axis.Accesses(in) {
			return
		}
		t := in.Operands[0].Type
		// Fewer elements than threads are replicated, whatever the layout: they follow others.
		if t.IsScalar() || t.Numel() < a.e.Threads {
			return
		}
		k := kind{shapeKey(t.Shape), shapeKey(a.e.facts.Order(in.Operands[0]))}
		keys[in] = k
		vectors[k] = max(vectors[k], a.e.facts.Vector(in))
		widest[k] = max(widest[k], t.DType.Info().Bytes)
		list = append(list, anchor{in, t.Numel() * t.DType.Info().Bytes})
	})
	for _, x := range list {
		k, t := keys[x.in], x.in.Operands[0].Type
		// No wider than the facts allow, than 16 bytes of the widest dtype, or than leaves elements for all threads.
		vec := min(vectors[k], maxAccess/widest[k], t.Numel()/a.e.Threads)
		a.pin(x.in, layout.ForVector(t.Shape, a.e.facts.Order(x.in.Operands[0]), vec, a.e.opt.NumWarps))
	}
	slices.SortStableFunc(list, func(x, y anchor) int { return cmp.Compare(y.bytes, x.bytes) })
	return list
}

// shapeKey is a list of numbers as the key of a map.
func shapeKey(ns []int) string {
	b := make([]byte, 0, 16)
	for _, n := range ns {
		b = append(b, byte(n), byte(n>>8), byte(n>>16))
	}
	return string(b)
}

// pin gives an anchor its layout, and its result too.
func (a *layoutAssignment) pin(in *ir.Instr, l layout.Layout) {
	a.e.accessLayouts[in] = l
	a.anchored[in] = true
	for _, r := range in.Results {
		a.e.layouts[r.ID] = l
	}
}

// assignDots gives the results of dots the layouts of their accumulators.
func (a *layoutAssignment) assignDots() {
	a.e.fn.Body.Walk(func(in *ir.Instr) {
		if p := a.e.dotPlans[in]; p != nil {
			a.assign(in.Results[0], p.accLayout)
		}
	})
}

// hasLayout reports whether v has a layout.
func (a *layoutAssignment) hasLayout(v *ir.Value) bool { return a.e.layouts[v.ID].Lane != nil }

// assign gives v a layout if it has none and takes part.
func (a *layoutAssignment) assign(v *ir.Value, l layout.Layout) {
	if v == nil || a.hasLayout(v) || a.cheap[v.ID] && !a.includeCheap {
		return
	}
	a.e.layouts[v.ID] = l
	a.worklist = append(a.worklist, v)
}

// propagate gives neighbors of the values in the worklist matching layouts until it is empty.
func (a *layoutAssignment) propagate() {
	for len(a.worklist) > 0 {
		v := a.worklist[0]
		a.worklist = a.worklist[1:]
		l := a.e.layouts[v.ID]
		for _, w := range a.flows[v.ID] {
			a.assign(w, l)
		}
		// To the operands of the definition, and then to the other uses.
		if v.Def != nil {
			a.propagateToOperands(v.Def, l)
		}
		for _, u := range a.uses[v.ID] {
			a.propagateToResults(u, v, l)
		}
	}
}

// propagateToOperands gives an instruction's operands the layouts that match its result's.
func (a *layoutAssignment) propagateToOperands(in *ir.Instr, l layout.Layout) {
	if in.Op == ops.Dot {
		a.assign(in.Operands[2], l)
		return
	}
	for _, v := range in.Operands {
		// Scalars are in every thread alike, so they have no layout to choose.
		if v == nil || v.Type.IsScalar() {
			continue
		}
		if from, ok := operandLayout(in, v, l); ok {
			a.assign(v, from)
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

// propagateToResults gives an instruction's results, and other operands, the layouts that match that of operand v.
func (a *layoutAssignment) propagateToResults(in *ir.Instr, v *ir.Value, l layout.Layout) {
	switch in.Op {
	case ops.ExpandDims:
		a.assign(in.Results[0], l.ExpandDims(int(in.Int("axis"))))
	case ops.Broadcast:
		to, _ := l.Broadcast(in.Results[0].Type.Shape)
		a.assign(in.Results[0], to)
	case ops.Reshape:
		a.assign(in.Results[0], l.Reshape(in.Results[0].Type.Shape))
	case ops.Trans:
		a.assign(in.Results[0], l.Trans(perm(in)))
	case ops.Reduce:
		for _, r := range in.Results {
			to, _ := l.Slice(int(in.Int("axis")))
			a.assign(r, to)
		}
	case ops.Join:
		a.assign(in.Results[0], l.Join())
	case ops.Split:
		to, _, _ := l.ForSplit().Split()
		a.assign(in.Results[0], to)
		a.assign(in.Results[1], to)
	default:
		if in.Op.Has(ops.Elementwise) || in.Op == ops.Scan {
			a.propagateElementwise(in, v, l)
		}
	}
}

// propagateElementwise gives all results and operands of an elementwise operation one layout. Accesses that are anchors
// have theirs already.
func (a *layoutAssignment) propagateElementwise(in *ir.Instr, v *ir.Value, l layout.Layout) {
	if a.anchored[in] {
		return
	}
	for _, group := range [][]*ir.Value{in.Results, in.Operands} {
		for _, w := range group {
			if w != nil && !w.Type.IsScalar() {
				a.assign(w, l)
			}
		}
	}
}

// assignDefaults gives layouts to values that no anchor has reached: first to the operands of accesses, then to the
// others by shape alone, in the order of the code.
func (a *layoutAssignment) assignDefaults(accesses []anchor) {
	a.includeCheap = true
	for _, x := range accesses {
		for _, v := range x.in.Operands {
			a.assign(v, a.e.accessLayouts[x.in])
		}
	}
	a.propagate()
	a.e.eachValue(func(v *ir.Value) {
		if a.hasLayout(v) {
			return
		}
		bytes := max(1, v.Type.DType.Info().Bytes)
		vec := max(1, min(maxAccess/bytes, v.Type.Numel()/a.e.Threads))
		order := make([]int, len(v.Type.Shape))
		for i := range order {
			order[i] = len(order) - 1 - i
		}
		a.assign(v, layout.ForVector(v.Type.Shape, order, vec, a.e.opt.NumWarps))
		a.propagate()
	})
	a.e.eachValue(a.reconcile)
	a.e.fn.Body.Walk(func(in *ir.Instr) {
		// Accesses that are no anchors work where their value is, so that it needs no conversion.
		if axis.Accesses(in) && !a.anchored[in] {
			a.e.accessLayouts[in] = a.e.layouts[accessedValue(in).ID]
		}
	})
}

// accessedValue is the value in whose layout an access is made that is no anchor: a load's result, a store's value.
func accessedValue(in *ir.Instr) *ir.Value {
	if r := in.Result(); r != nil {
		return r
	}
	return in.Operands[1]
}

// reconcile gives v the layout that its operation must give it, whatever propagation met first: the results of a loop
// have the layouts of its carried values; those of reductions, scans, joins and splits follow from their operands'.
func (a *layoutAssignment) reconcile(v *ir.Value) {
	in := v.Def
	if in == nil || v.Type.IsScalar() {
		return
	}
	set := func(l layout.Layout) { a.e.layouts[v.ID] = l }
	switch in.Op {
	case ops.For:
		set(a.e.layouts[in.Regions[0].Args[1+v.Index].ID])
	case ops.While:
		set(a.e.layouts[in.Regions[1].Args[v.Index].ID])
	case ops.Reduce:
		to, _ := a.e.layouts[in.Operands[0].ID].Slice(int(in.Int("axis")))
		set(to)
	case ops.Scan:
		set(a.e.layouts[in.Operands[0].ID])
	case ops.Join:
		set(a.e.layouts[in.Operands[0].ID].Join())
	case ops.Split:
		to, _, _ := a.e.layouts[in.Operands[0].ID].ForSplit().Split()
		set(to)
	case ops.Dot:
		set(a.e.dotPlans[in].accLayout)
	}
}
