package tile

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// stepCost is the work of a step in addition to one unit for each element.
const stepCost = 16

// maxShared bounds the bytes of values that are computed once a launch.
const maxShared = 1 << 24

// planner turns the blocks of one function into steps.
type planner struct {
	ctx  context.Context
	fn   *ir.Func
	live *liveness

	watch func(*ir.Instr) bool // the operations that observers are told of

	slots     *slotTable
	slotOf    map[*ir.Value]int
	prefer    map[*ir.Value]int  // the pinned slot that a value is to be yielded in
	invariant map[*ir.Value]bool // computed in the prologue
	formed    map[*ir.Value]bool // has a form
	noForms   bool               // all values are elements alone: what tests compare with
	sharedMem int
	tables    int64 // bytes
	runners   int   // of inline assembly
	accesses  []*ir.Instr
	lanewise  bool // an access has pointers, or a mask, that have no form

	path           []trace.Turn // to the region that is planned
	prologue, code []step
	cost           int64
	shared         int64 // work of prologue
	unpolled       int64 // work since the last step that asks whether to go on
	params         []int
}

func newPlanner(ctx context.Context, fn *ir.Func, watch func(*ir.Instr) bool) *planner {
	return &planner{
		ctx:       ctx,
		fn:        fn,
		live:      newLiveness(ctx, fn, watch),
		watch:     watch,
		slots:     newSlotTable(),
		slotOf:    map[*ir.Value]int{},
		invariant: map[*ir.Value]bool{},
		formed:    map[*ir.Value]bool{},
		prefer:    map[*ir.Value]int{},
	}
}

// checkContext gives up where the context has ended.
func (p *planner) checkContext() {
	if p.ctx.Err() != nil {
		panic(&Fault{Code: "launch-cancelled", Args: []any{0, 0}})
	}
}

func (p *planner) planFunction() {
	p.checkContext() // first, since liveness may have stopped early
	for _, param := range p.fn.Params {
		s := p.slots.add(slot{class: param.Value.Type.Class(), n: 1, shared: true})
		p.slotOf[param.Value], p.invariant[param.Value] = s, true
		p.params = append(p.params, s)
	}
	p.fn.Body.Walk(func(in *ir.Instr) {
		// The state of a program at an iteration that is watched is the elements of its slots.
		p.noForms = p.noForms || len(in.Regions) > 0 && p.watch(in)
	})
	for open := map[*ir.Value]bool{}; !p.noForms && p.findForms(p.fn.Body, open); {
		p.checkContext()
	}
	p.planBlock(p.fn.Body)
}

// newTable makes a table of n positions that steps read.
func (p *planner) newTable(n int) []int32 {
	p.tables += 4 * int64(n)
	if p.tables > maxFrame {
		panic(p.tooLarge(p.tables))
	}
	return make([]int32, n)
}

func (p *planner) tooLarge(bytes int64) *Fault {
	return &Fault{Code: "kernel-too-large", Args: []any{p.fn.Name, bytes >> 20, maxFrame >> 20}}
}

// frameBytes is the memory that one worker's frame takes, and the tables of steps.
func (p *planner) frameBytes() int64 { return p.tables + p.slots.bytes() }

// place is the slot of v, which may have a form and no elements.
func (p *planner) place(v *ir.Value) int { return p.slots.inside(p.slotOf[p.live.root(v)]) }

// slot is the slot of v, where what is planned next finds its elements.
func (p *planner) slot(v *ir.Value) int {
	s := p.place(v)
	if root := p.live.root(v); p.formed[root] {
		e := extentOf(root.Type)
		p.code = append(p.code, func(m *machine) { m.elements(s, e) })
	}
	return s
}

// planApart gives the steps that f plans, which are then not among those of the program.
func (p *planner) planApart(f func()) []step {
	code := p.code
	p.code = nil
	f()
	code, p.code = p.code, code
	return code
}

// optionalSlot is the slot of v, -1 if v is absent.
func (p *planner) optionalSlot(v *ir.Value) int {
	if v == nil {
		return -1
	}
	return p.slot(v)
}

// kindOf is the kind of slot for values of type t: in the region of a reduction, a scalar is a vector of many lanes.
func (p *planner) kindOf(t types.Type) slot {
	return slot{class: t.Class(), n: t.Numel() * p.slots.width()}
}

// kindFor is the kind of slot for v.
func (p *planner) kindFor(v *ir.Value) slot {
	view := v.Def != nil && v.Def.Op == ops.Load && p.viewable(v.Def)
	return slot{class: v.Type.Class(), n: p.live.numel(v) * p.slots.width(), view: view}
}

// resultSlot finds a slot for v, which the current instruction defines.
func (p *planner) resultSlot(v *ir.Value) int {
	s, preferred := p.prefer[v]
	if !preferred || !p.slots.claim(s) {
		s = p.slots.take(p.kindFor(v))
	}
	p.slotOf[v] = s
	return s
}

// resultSlots finds slots for all results of in.
func (p *planner) resultSlots(in *ir.Instr) []int {
	slots := make([]int, len(in.Results))
	for i, r := range in.Results {
		slots[i] = p.resultSlot(r)
	}
	return slots
}

func (p *planner) slotsOf(values []*ir.Value) []int {
	slots := make([]int, len(values))
	for i, v := range values {
		slots[i] = p.slot(v)
	}
	return slots
}

// pollEvery is the work, about a nanosecond a unit and some ten in the slowest operations, after which a program asks
// whether it is to go on.
const pollEvery = 1 << 20

// emitStep appends a step whose work is n, about the number of elements.
func (p *planner) emitStep(n int, s step) {
	p.code = append(p.code, s)
	p.cost += stepCost + int64(n)
	p.unpolled += int64(n)
}

// planBlock plans every instruction of b but its terminator.
func (p *planner) planBlock(b *ir.Block) {
	for _, in := range b.Instrs {
		if !in.Op.Has(ops.Terminator) {
			p.planInstr(in)
		}
	}
}

// planRegion plans b, a region of in, on its own and returns its steps and their work; finish plans its terminator.
func (p *planner) planRegion(in *ir.Instr, b *ir.Block, finish func(*ir.Instr)) ([]step, int64) {
	code, cost := p.code, p.cost
	p.inRegion(in, b, func() {
		p.code, p.cost = nil, stepCost // entering a region costs a step
		p.notify(in, b, b.Args)
		p.planBlock(b)
		finish(b.Terminator())
		p.releaseDying(b.Terminator(), nil)
	})
	p.code, code = code, p.code
	p.cost, cost = cost, p.cost
	return code, cost
}

// planInstr plans one instruction. Operands that die with it lose their slots before its results get
// theirs where the operation may overwrite them, else after.
func (p *planner) planInstr(in *ir.Instr) {
	p.checkContext()
	if p.unpolled >= pollEvery {
		p.unpolled = 0
		p.code = append(p.code, func(m *machine) { m.halted = m.halted || m.run.pollStop() })
	}
	if p.live.alias(in) { // the result is in its operand's slot, and nothing runs
		p.notify(in, nil, in.Results)
		p.releaseDying(in, nil)
		return
	}
	plan := planners[in.Op]
	if plan == nil {
		panic(unsupported(in))
	}
	if formed := len(in.Results) == 1 && len(in.Regions) == 0 && p.formed[in.Results[0]]; formed {
		operation := plan
		plan = func(p *planner, in *ir.Instr) { p.planForm(in, operation) }
	}
	if p.hoist(in) {
		// Its steps go to the prologue, and its work is not that of a program.
		cost := p.cost
		p.prologue = append(p.prologue, p.planApart(func() {
			plan(p, in)
			p.slotsOf(in.Results) // with elements, since the workers that read them may not write them
		})...)
		p.shared += p.cost - cost
		p.cost = cost
		return
	}
	p.planOperation(in, plan)
}

func (p *planner) planOperation(in *ir.Instr, plan func(*planner, *ir.Instr)) {
	// In between, the slots of the operands that may be overwritten are free, so that a result takes one of them.
	early := p.inPlaceOperands(in)
	p.releaseDying(in, func(v *ir.Value) bool { return slices.Contains(early, v) })
	plan(p, in)
	p.notify(in, nil, in.Results)
	p.releaseDying(in, func(v *ir.Value) bool { return !slices.Contains(early, v) })
}

// hoist decides whether in is computed once a launch, and if so gives its results their slots.
func (p *planner) hoist(in *ir.Instr) bool {
	if p.watch(in) || p.slots.noReuse || p.slots.lanes != nil || !in.Op.Has(ops.Pure) || !hoistable(in.Op) {
		return false
	}
	for _, v := range in.Operands {
		if v != nil && !p.invariant[p.live.root(v)] { // params are invariant, and what follows from them alone
			return false
		}
	}
	bytes := 0
	for _, r := range in.Results {
		bytes += p.kindFor(r).bytes()
	}
	if p.sharedMem+bytes > maxShared {
		return false
	}
	p.sharedMem += bytes
	for _, r := range in.Results {
		kind := p.kindFor(r)
		kind.shared = true
		s := p.slots.add(kind)
		// resultSlot, called by the operation's planner, finds the shared slot through prefer.
		p.invariant[r], p.prefer[r] = true, s
		p.slots.vacate(s)
	}
	return true
}

// hoistable reports whether o's work is bounded by the size of its results, which maxShared bounds,
// and the same in every program.
func hoistable(o ops.Op) bool {
	return o != ops.ProgramID && !o.Has(ops.WholeTile)
}

// releaseDying releases the slots of the values that die at in and that choose accepts; nil for all.
func (p *planner) releaseDying(in *ir.Instr, choose func(*ir.Value) bool) {
	for _, v := range p.live.dying[in] {
		// Invariant values live as long as the launch.
		if p.invariant[v] || choose != nil && !choose(v) {
			continue
		}
		if s, ok := p.slotOf[v]; ok {
			p.slots.release(s)
		}
	}
}

// inPlaceOperands are the operands of in whose slot a result may take over.
func (p *planner) inPlaceOperands(in *ir.Instr) []*ir.Value {
	early := p.overwritable(in)
	return slices.DeleteFunc(early, func(v *ir.Value) bool { return p.slots.slots[p.slotOf[v]].view })
}

// overwritable are the operands of in that it may overwrite while it computes its result.
func (p *planner) overwritable(in *ir.Instr) []*ir.Value {
	var early []*ir.Value
	switch {
	case (in.Op == ops.Dot || in.Op == ops.WGMMA) && !needsTemps(in):
		// The product is added to the accumulator in place; the factors are read throughout.
		acc := p.live.root(in.Operands[2])
		if acc != p.live.root(in.Operands[0]) && acc != p.live.root(in.Operands[1]) {
			early = append(early, acc)
		}
	case in.Op == ops.AddPtr: // what left its argument is found by taking the offset off again
		if ptr := p.live.root(in.Operands[0]); ptr != p.live.root(in.Operands[1]) {
			early = append(early, ptr)
		}
	case in.Op.Has(ops.Pure | ops.Elementwise):
		for _, v := range in.Operands {
			if v != nil {
				early = append(early, p.live.root(v))
			}
		}
	}
	return early
}

// unsupported refuses an operation on a dtype that has none.
func unsupported(in *ir.Instr) *Fault {
	t := "?"
	if len(in.Operands) > 0 && in.Operands[0] != nil {
		t = in.Operands[0].Type.Elem().String()
	}
	return &Fault{Code: "unsupported-operation", Span: in.Span, Args: []any{in.Op.String(), t}}
}
