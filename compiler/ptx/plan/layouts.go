package plan

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
//     the first layout that reaches a value wins (propagate). What a tile is broadcast to comes last: where layouts
//     meet, the smaller tile is the one to convert.
//  3. Values that nothing has reached get a default by their shape (assignDefaults), and operations that need equal or
//     matching layouts are reconciled, whatever came first (reconcile).
//
// A value that is cheap to compute, such as an arange or a mask, does not take part in step 2: it is rematerialized in
// each layout in which it is required, which remat.go finds.
type layoutAssignment struct {
	p            *Plan
	tiles        []assigned // by Value.ID
	facts        *axis.Facts
	uses         [][]*ir.Instr      // by Value.ID
	flows        [][]*ir.Value      // by Value.ID: what holds the same tile before or after, in loops and branches
	worklist     []*ir.Value        // have a layout that is yet to be propagated
	cheap        []bool             // by Value.ID: see isCheap
	anchored     map[*ir.Instr]bool // accesses that are anchors
	includeCheap bool               // cheap values take part in propagation
	spread       bool               // tiles propagate to the larger ones that they are broadcast to
	later        []*ir.Value        // have a layout that is yet to be propagated so
}

// assigned is what is decided about one value. Scalars are in every thread alike; their layouts have rank 0.
type assigned struct {
	Tile
	layout layout.Layout
	// required says that the value is required in its own layout, versions in which others.
	required bool
	versions []layout.Layout
}

// assignLayouts decides the layouts of the function's values, and the plan's Accesses.
func (p *Plan) assignLayouts(facts *axis.Facts) *layoutAssignment {
	n := p.Func.Number()
	a := &layoutAssignment{p: p, tiles: make([]assigned, n), facts: facts, uses: make([][]*ir.Instr, n),
		flows: make([][]*ir.Value, n), cheap: make([]bool, n), anchored: map[*ir.Instr]bool{}}
	scalar := layout.ForVector(nil, nil, 1, p.Target.Warps)
	EachValue(p.Func, func(v *ir.Value) {
		if v.Type.IsScalar() {
			a.tiles[v.ID].layout = scalar
		}
	})
	// Dots come first: a conversion of their operands in a loop costs more than any other.
	p.Func.Body.Walk(a.collectUses)
	accesses := a.anchorAccesses()
	a.assignDots()
	a.propagate()
	for _, x := range accesses {
		if loads(x.in) {
			// Largest first: where two loads' layouts meet, the smaller tile is converted.
			a.worklist = append(a.worklist, x.in.Results[0])
			a.propagate()
		}
	}
	for _, x := range accesses {
		if !loads(x.in) {
			a.keepWarps(x.in)
			a.assign(x.in.Operands[1], p.Accesses[x.in].Layout, Reason{Kind: Coalesced, In: x.in})
			a.propagate()
		}
	}
	a.spread, a.worklist = true, a.later
	a.propagate()
	a.assignDefaults(accesses)
	EachValue(p.Func, a.markRematerialized)
	a.warnSpills()
	a.collectRequired()
	for in, x := range p.Accesses {
		x.Vector = vectorOf(in, x.Layout, facts)
		if in.Op.Has(ops.Atomic) {
			x.Unused = in.Result() == nil || a.uses[in.Result().ID] == nil
			u, most := p.Target.update(in, in.Operands[0].Type.DType, x.Unused)
			x.Update, x.Vector = u, min(x.Vector, most)
		}
	}
	return a
}

// vectorOf is how many elements of a load, store or atomic in layout l one instruction moves at most.
func vectorOf(in *ir.Instr, l layout.Layout, facts *axis.Facts) int {
	ptr := in.Operands[0]
	if ptr.Type.IsScalar() || facts.Argument(ptr) == axis.Mixed {
		return 1
	}
	n, _ := l.Vector(facts.Order(ptr)[0])
	return min(n, facts.Vector(in))
}

// EachValue calls f for every value of a function.
func EachValue(fn *ir.Func, f func(*ir.Value)) { eachValueOf(fn.Body, f) }

// eachValueOf calls f for every value of a block, those of the regions inside it included.
func eachValueOf(b *ir.Block, f func(*ir.Value)) {
	visit := func(values []*ir.Value) {
		for _, v := range values {
			f(v)
		}
	}
	visit(b.Args)
	b.Walk(func(in *ir.Instr) {
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
	ops.InlineAsm: true, ops.InlineAsmVolatile: true, ops.IntToPtr: true, ops.Load: true, ops.Store: true,
}

// isCheap reports whether an operation's result can be computed in any layout by a few instructions, from scalars and
// cheap tiles.
func (a *layoutAssignment) isCheap(in *ir.Instr) bool {
	computed := in.Op.Has(ops.Elementwise) && !expensiveOps[in.Op] && !in.Op.Has(ops.Atomic)
	ok := in.Op == ops.Const || in.Op == ops.Arange || ViewOps[in.Op] || computed
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
// element in the innermost loops decides how many consecutive elements a thread has. What is stored outside of these
// loops has no more than one instruction stores, for which it is converted.
func (a *layoutAssignment) anchorAccesses() (list []anchor) {
	type kind struct{ shape, order string }
	vectors, widest, deepest := map[kind]int{}, map[kind]int{}, map[kind]int{}
	keys, depths, plain := map[*ir.Instr]kind{}, loopDepths(a.p.Func.Body), a.inPlainLoops()
	a.p.Func.Body.Walk(func(in *ir.Instr) {
		if !axis.Accesses(in) {
			return
		}
		t := in.Operands[0].Type
		// Fewer elements than threads are replicated, whatever the layout: they follow others.
		if t.IsScalar() || t.Numel() < a.p.Target.Threads() || plain[in] && a.followsLarger(in) {
			return
		}
		k := kind{shapeKey(t.Shape), shapeKey(a.facts.Order(in.Operands[0]))}
		keys[in] = k
		vectors[k] = max(vectors[k], a.facts.Vector(in))
		if d := depths[in]; d > deepest[k] {
			deepest[k], widest[k] = d, 0
		}
		if depths[in] == deepest[k] {
			widest[k] = max(widest[k], t.DType.Info().Bytes)
		}
		list = append(list, anchor{in, t.Numel() * t.DType.Info().Bytes})
	})
	for _, x := range list {
		k, t := keys[x.in], x.in.Operands[0].Type
		// No wider than the facts allow, than 16 bytes of the widest dtype, or than leaves elements for all threads.
		vec := min(vectors[k], MaxAccess/widest[k], t.Numel()/a.p.Target.Threads())
		if x.in.Op != ops.Load {
			vec = min(vec, MaxAccess/t.DType.Info().Bytes)
		}
		a.pin(x.in, layout.ForVector(t.Shape, a.facts.Order(x.in.Operands[0]), vec, a.p.Target.Warps))
	}
	slices.SortStableFunc(list, func(x, y anchor) int { return cmp.Compare(y.bytes, x.bytes) })
	return list
}

// loads reports whether an access takes no value to memory.
func loads(in *ir.Instr) bool { return in.Op == ops.Load || in.Op == ops.AtomicLoad }

// keepWarps lets a store make each warp store what it has of the value, if that has another layout: it is converted
// within warps then, without a barrier.
func (a *layoutAssignment) keepWarps(in *ir.Instr) {
	v, access := in.Operands[1], a.p.Accesses[in]
	if in.Op != ops.Store || !a.hasLayout(v) || a.tiles[v.ID].layout.Equal(access.Layout) {
		return
	}
	vec, _ := access.Layout.Vector(a.facts.Order(in.Operands[0])[0])
	access.Layout, _ = access.Layout.WithWarpsOf(a.tiles[v.ID].layout, vec)
}

// inPlainLoops is the instructions in loops without dots.
func (a *layoutAssignment) inPlainLoops() map[*ir.Instr]bool {
	plain := map[*ir.Instr]bool{}
	a.p.Func.Body.Walk(func(loop *ir.Instr) {
		if loop.Op != ops.For && loop.Op != ops.While || slices.ContainsFunc(loop.Regions, HasDot) {
			return
		}
		for _, r := range loop.Regions {
			r.Walk(func(in *ir.Instr) { plain[in] = true })
		}
	})
	return plain
}

// followsLarger reports whether a load is of less than a vector a thread, and broadcast before anything else. In a loop
// it costs less that each thread loads what it needs, which is in the L1 cache, than a way through shared memory with
// its barriers, over which NVIDIA's assembler moves no load of the next iteration.
func (a *layoutAssignment) followsLarger(in *ir.Instr) bool {
	t := in.Operands[0].Type
	if in.Op != ops.Load || t.Numel()*t.DType.Info().Bytes >= MaxAccess*a.p.Target.Threads() {
		return false
	}
	v := in.Results[0]
	for {
		u := a.uses[v.ID]
		switch {
		case len(u) != 1:
			return false
		case u[0].Op == ops.Broadcast:
			return true
		case axis.Accesses(u[0]) || !u[0].Op.Has(ops.Elementwise) && u[0].Op != ops.ExpandDims:
			return false
		}
		v = u[0].Results[0]
	}
}

// loopDepths is how many loops are around each instruction.
func loopDepths(body *ir.Block) map[*ir.Instr]int {
	depths := map[*ir.Instr]int{}
	var walk func(b *ir.Block, depth int)
	walk = func(b *ir.Block, depth int) {
		for _, in := range b.Instrs {
			depths[in] = depth
			inside := depth
			if in.Op == ops.For || in.Op == ops.While {
				inside++
			}
			for _, r := range in.Regions {
				walk(r, inside)
			}
		}
	}
	walk(body, 0)
	return depths
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
	a.p.Accesses[in] = &Access{Layout: l}
	a.anchored[in] = true
	for _, r := range in.Results {
		a.tiles[r.ID].layout, a.tiles[r.ID].Reason = l, Reason{Kind: Coalesced, In: in}
	}
}

// assignDots gives the results of dots the layouts of their accumulators.
func (a *layoutAssignment) assignDots() {
	a.p.Func.Body.Walk(func(in *ir.Instr) {
		if p := a.p.Dots[in]; p != nil {
			a.assign(in.Results[0], p.AccLayout, Reason{Kind: Accumulator, In: in})
		}
	})
}

// hasLayout reports whether v has a layout.
func (a *layoutAssignment) hasLayout(v *ir.Value) bool { return a.tiles[v.ID].layout.Lane != nil }

// assign gives v a layout if it has none and takes part.
func (a *layoutAssignment) assign(v *ir.Value, l layout.Layout, why Reason) {
	if v == nil || a.hasLayout(v) || a.cheap[v.ID] && !a.includeCheap {
		return
	}
	a.tiles[v.ID].layout, a.tiles[v.ID].Reason = l, why
	a.worklist = append(a.worklist, v)
}

// propagate gives neighbors of the values in the worklist matching layouts until it is empty.
func (a *layoutAssignment) propagate() {
	for len(a.worklist) > 0 {
		v := a.worklist[0]
		a.worklist = a.worklist[1:]
		l := a.tiles[v.ID].layout
		for _, w := range a.flows[v.ID] {
			a.assign(w, l, Reason{Kind: Propagated, From: v})
		}
		// To the operands of the definition, and then to the other uses.
		if v.Def != nil {
			a.propagateToOperands(v.Def, v, l)
		}
		for _, u := range a.uses[v.ID] {
			a.propagateToResults(u, v, l)
		}
	}
}

// propagateToOperands gives an instruction's operands the layouts that match that of its result r.
func (a *layoutAssignment) propagateToOperands(in *ir.Instr, r *ir.Value, l layout.Layout) {
	why := Reason{Kind: Propagated, From: r}
	if in.Op == ops.Dot {
		a.assign(in.Operands[2], l, why)
		return
	}
	for _, v := range in.Operands {
		// Scalars are in every thread alike, so they have no layout to choose.
		if v == nil || v.Type.IsScalar() {
			continue
		}
		if from, ok := ir.OperandLayout(in, v, l); ok {
			a.assign(v, from, why)
		}
	}
}

// propagateToResults gives an instruction's results, and other operands, the layouts that match that of operand v.
func (a *layoutAssignment) propagateToResults(in *ir.Instr, v *ir.Value, l layout.Layout) {
	why := Reason{Kind: Propagated, From: v}
	switch in.Op {
	case ops.ExpandDims:
		a.assign(in.Results[0], l.ExpandDims(int(in.Int("axis"))), why)
	case ops.Broadcast:
		if !a.spread {
			a.later = append(a.later, v)
			return
		}
		to, _ := l.Broadcast(in.Results[0].Type.Shape)
		a.assign(in.Results[0], to, why)
	case ops.Reshape:
		a.assign(in.Results[0], l.Reshape(in.Results[0].Type.Shape), why)
	case ops.Trans:
		a.assign(in.Results[0], l.Trans(in.Perm()), why)
	case ops.Reduce:
		for _, r := range in.Results {
			to, _ := l.Slice(int(in.Int("axis")))
			a.assign(r, to, why)
		}
	case ops.Join:
		a.assign(in.Results[0], l.Join(), why)
	case ops.Split:
		to, _, _ := l.ForSplit().Split()
		a.assign(in.Results[0], to, why)
		a.assign(in.Results[1], to, why)
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
	why := Reason{Kind: Propagated, From: v}
	for _, group := range [][]*ir.Value{in.Results, in.Operands} {
		for _, w := range group {
			if w != nil && !w.Type.IsScalar() {
				a.assign(w, l, why)
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
			a.assign(v, a.p.Accesses[x.in].Layout, Reason{Kind: Coalesced, In: x.in})
		}
	}
	a.propagate()
	EachValue(a.p.Func, func(v *ir.Value) {
		if a.hasLayout(v) {
			return
		}
		bytes := max(1, v.Type.DType.Info().Bytes)
		vec := max(1, min(MaxAccess/bytes, v.Type.Numel()/a.p.Target.Threads()))
		order := make([]int, len(v.Type.Shape))
		for i := range order {
			order[i] = len(order) - 1 - i
		}
		a.assign(v, layout.ForVector(v.Type.Shape, order, vec, a.p.Target.Warps), Reason{Kind: Default})
		a.propagate()
	})
	EachValue(a.p.Func, a.reconcile)
	a.p.Func.Body.Walk(func(in *ir.Instr) {
		// Accesses that are no anchors work where their value is, so that it needs no conversion.
		if axis.Accesses(in) && !a.anchored[in] {
			a.p.Accesses[in] = &Access{Layout: a.tiles[accessedValue(in).ID].layout}
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
// have the layouts of its carried values; those of operations on whole tiles follow from their operands', or from how
// they are done; those of one operation are alike.
func (a *layoutAssignment) reconcile(v *ir.Value) {
	in := v.Def
	if in == nil || v.Type.IsScalar() {
		return
	}
	set := func(l layout.Layout) {
		if t := &a.tiles[v.ID]; !t.layout.Equal(l) {
			t.layout, t.Reason = l, Reason{Kind: Implied, In: in}
		}
	}
	switch in.Op {
	case ops.For:
		set(a.tiles[in.Regions[0].Args[1+v.Index].ID].layout)
	case ops.While:
		set(a.tiles[in.Regions[1].Args[v.Index].ID].layout)
	case ops.Reduce:
		to, _ := a.tiles[in.Operands[0].ID].layout.Slice(int(in.Int("axis")))
		set(to)
	case ops.Scan:
		set(a.tiles[in.Operands[0].ID].layout)
	case ops.Join:
		set(a.tiles[in.Operands[0].ID].layout.Join())
	case ops.Split:
		to, _, _ := a.tiles[in.Operands[0].ID].layout.ForSplit().Split()
		set(to)
	case ops.Dot:
		set(a.p.Dots[in].AccLayout)
	case ops.Gather:
		set(a.tiles[in.Operands[1].ID].layout)
	case ops.Histogram:
		set(layout.ForVector(v.Type.Shape, []int{0}, MaxAccess/4, a.p.Target.Warps))
	case ops.InlineAsm, ops.InlineAsmVolatile:
		set(a.tiles[in.Results[0].ID].layout)
	}
}
