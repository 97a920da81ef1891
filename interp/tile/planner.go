package tile

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// stepCost is the work of a step beside its elements.
const stepCost = 16

// maxShared bounds the bytes of values that are computed once a launch.
const maxShared = 1 << 24

// planner turns the blocks of one function into steps.
type planner struct {
	ctx  context.Context
	fn   *ir.Func
	live *liveness

	slots     []slot
	free      map[slot][]int // slots without a live value
	laneFree  map[slot][]int // the same for regions of reductions
	slotOf    map[*ir.Value]int
	invariant map[*ir.Value]bool // computed in the prologue
	sharedMem int
	tables    int64 // bytes

	// prefer names the slot that a value had best be in, since it is yielded there. Such a slot is
	// reserved: it never joins the free ones, and can be taken by its value while it is ready.
	prefer   map[*ir.Value]int
	reserved map[int]int // how many operations keep it
	ready    map[int]bool

	prologue, code []step
	cost           int64
	shared         int64 // work of prologue
	unpolled       int64 // work since the last step that asks whether to go on
	params         []int
	lanes          *lanes // set inside the region of a reduction
	plain          bool   // no slot twice and nothing in the prologue: what tests compare with
}

func newPlanner(fn *ir.Func) *planner {
	return &planner{
		ctx:       context.Background(),
		fn:        fn,
		live:      newLiveness(fn),
		free:      map[slot][]int{},
		laneFree:  map[slot][]int{},
		slotOf:    map[*ir.Value]int{},
		invariant: map[*ir.Value]bool{},
		prefer:    map[*ir.Value]int{},
		reserved:  map[int]int{},
		ready:     map[int]bool{},
	}
}

func (p *planner) function() {
	for _, param := range p.fn.Params {
		s := p.newSlot(slot{param.Value.Type.Class(), 1, true})
		p.slotOf[param.Value], p.invariant[param.Value] = s, true
		p.params = append(p.params, s)
	}
	p.block(p.fn.Body)
}

// table makes a table of n positions that steps read.
func (p *planner) table(n int) []int32 {
	p.tables += 4 * int64(n)
	if p.tables > maxFrame {
		panic(p.tooLarge(p.tables))
	}
	return make([]int32, n)
}

func (p *planner) tooLarge(bytes int64) *Fault {
	return &Fault{Code: "kernel-too-large", Args: []any{p.fn.Name, bytes >> 20, maxFrame >> 20}}
}

// frameBytes is the memory that one worker's frame takes.
func (p *planner) frameBytes() int64 {
	total := p.tables
	for _, s := range p.slots {
		total += int64(s.bytes())
	}
	return total
}

func (s slot) bytes() int {
	if s.class == num.ClassI32 || s.class == num.ClassF32 {
		return 4 * s.n
	}
	return 8 * s.n
}

func (p *planner) newSlot(s slot) int {
	p.slots = append(p.slots, s)
	return len(p.slots) - 1
}

// take finds or makes a slot for values of type t.
func (p *planner) take(t types.Type) int {
	return p.newTemp(slot{class: t.Class(), n: p.numel(t)})
}

// newTemp finds or makes a slot like s.
func (p *planner) newTemp(s slot) int {
	s.shared = false
	list := p.free[s]
	if len(list) == 0 {
		list = []int{p.newSlot(s)}
	}
	last := len(list) - 1
	p.free[s] = list[:last]
	if p.lanes != nil {
		p.lanes.used[list[last]] = true
	}
	return list[last]
}

// numel is the number of elements of a value of type t: in the region of a reduction, scalars
// stand for many lanes.
func (p *planner) numel(t types.Type) int { return t.Numel() * p.width() }

// width is how many lanes a scalar stands for.
func (p *planner) width() int {
	if p.lanes != nil {
		return p.lanes.n
	}
	return 1
}

// release ends the life of what is in slot s.
func (p *planner) release(s int) {
	switch {
	case p.reserved[s] > 0:
		p.ready[s] = true
	case !p.slots[s].shared && !p.plain:
		if p.lanes != nil {
			p.lanes.used[s] = false
		}
		p.free[p.slots[s]] = append(p.free[p.slots[s]], s)
	}
}

// slot is where v is.
func (p *planner) slot(v *ir.Value) int {
	root := p.live.root(v)
	s := p.slotOf[root]
	if p.lanes != nil {
		if _, own := p.lanes.used[s]; !own {
			return p.capture(s)
		}
	}
	return s
}

// optional is where v is, -1 where it is absent.
func (p *planner) optional(v *ir.Value) int {
	if v == nil {
		return -1
	}
	return p.slot(v)
}

// result finds a slot for v, which the current instruction defines.
func (p *planner) result(v *ir.Value) int {
	s, wanted := p.prefer[v]
	if !wanted || !p.ready[s] || p.plain {
		s = p.newTemp(slot{class: v.Type.Class(), n: p.live.numel(v) * p.width()})
	} else {
		delete(p.ready, s)
	}
	p.slotOf[v] = s
	return s
}

// results finds slots for all results of in.
func (p *planner) results(in *ir.Instr) []int {
	slots := make([]int, len(in.Results))
	for i, r := range in.Results {
		slots[i] = p.result(r)
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

// emit appends a step whose work is n, about the number of elements.
func (p *planner) emit(n int, s step) {
	p.code = append(p.code, s)
	p.cost += stepCost + int64(n)
	if p.unpolled += int64(n); p.unpolled >= pollEvery {
		p.unpolled = 0
		p.code = append(p.code, func(m *machine) { m.halted = m.halted || m.run.interrupted() })
	}
}

// block plans every instruction of b but its terminator.
func (p *planner) block(b *ir.Block) {
	for _, in := range b.Instrs {
		if !in.Op.Has(ops.Terminator) {
			p.instr(in)
		}
	}
}

// region plans b on its own and returns its steps and their work; finish plans its terminator.
func (p *planner) region(b *ir.Block, finish func(*ir.Instr)) ([]step, int64) {
	code, cost := p.code, p.cost
	p.code, p.cost = nil, stepCost
	p.block(b)
	finish(b.Terminator())
	p.retire(b.Terminator(), nil)
	p.code, code = code, p.code
	p.cost, cost = cost, p.cost
	return code, cost
}

// instr plans one instruction. Operands that die with it lose their slots before its results get
// theirs where the operation may overwrite them, else after.
func (p *planner) instr(in *ir.Instr) {
	if p.ctx.Err() != nil {
		panic(&Fault{Code: "launch-cancelled", Args: []any{0, 0}})
	}
	if p.live.alias(in) {
		p.retire(in, nil)
		return
	}
	plan := planners[in.Op]
	if plan == nil {
		panic(unsupported(in))
	}
	if p.hoist(in) {
		code, cost := p.code, p.cost
		p.code = nil
		plan(p, in)
		p.prologue = append(p.prologue, p.code...)
		p.shared += p.cost - cost
		p.code, p.cost = code, cost
		return
	}
	p.operation(in, plan)
}

func (p *planner) operation(in *ir.Instr, plan func(*planner, *ir.Instr)) {
	early := p.overwritable(in)
	p.retire(in, func(v *ir.Value) bool { return slices.Contains(early, v) })
	plan(p, in)
	p.retire(in, func(v *ir.Value) bool { return !slices.Contains(early, v) })
}

// hoist decides whether in is computed once a launch, and if so gives its results their slots.
func (p *planner) hoist(in *ir.Instr) bool {
	if p.plain || p.lanes != nil || !in.Op.Has(ops.Pure) || !hoistable(in.Op) {
		return false
	}
	for _, v := range in.Operands {
		if v != nil && !p.invariant[p.live.root(v)] {
			return false
		}
	}
	bytes := 0
	for _, r := range in.Results {
		bytes += slot{class: r.Type.Class(), n: p.live.numel(r)}.bytes()
	}
	if p.sharedMem+bytes > maxShared {
		return false
	}
	p.sharedMem += bytes
	for _, r := range in.Results {
		s := p.newSlot(slot{r.Type.Class(), p.live.numel(r), true})
		p.invariant[r], p.prefer[r], p.ready[s] = true, s, true
	}
	return true
}

// hoistable reports whether o's work is bounded by the size of its results, which maxShared bounds,
// and the same in every program.
func hoistable(o ops.Op) bool {
	switch o {
	case ops.ProgramID, ops.Dot, ops.Gather, ops.Histogram, ops.Reduce, ops.Scan:
		return false
	}
	return true
}

// retire releases the slots of the values that die at in and that choose accepts; nil for all.
func (p *planner) retire(in *ir.Instr, choose func(*ir.Value) bool) {
	for _, v := range p.live.dying[in] {
		if p.invariant[v] || choose != nil && !choose(v) {
			continue
		}
		if s, ok := p.slotOf[v]; ok {
			p.release(s)
		}
	}
}

// overwritable are the operands of in whose slot a result may take over.
func (p *planner) overwritable(in *ir.Instr) []*ir.Value {
	var early []*ir.Value
	switch {
	case in.Op == ops.Dot && !needsTemps(in):
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
