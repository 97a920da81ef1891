package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Pipeline is the software pipelining of a for loop: its loads become asynchronous copies to shared memory that are
// issued Stages-1 iterations before the dots that read their tiles.
type Pipeline struct {
	Loop         *ir.Instr
	Stages       int
	Buffers      int // stage buffers: one more than stages if a dot is delayed, or stays in flight without CopiesLast
	Loads        []*AsyncLoad
	AddressSlice []*ir.Instr // the backward slice of the loads' addresses and masks, in the order of the code
	Carried      []int       // the loop-carried values in that slice, by number
	DotInFlight  *ir.Instr   // the warpgroup MMA that is waited for one iteration later; nil: none
	CopiesLast   bool        // copies are issued behind DotInFlight, when that of the iteration before is complete
	Delay        *Delay      // a dot that is issued one iteration late; nil: none
	Turns        bool        // the warpgroups take turns to issue their MMAs (ping-pong scheduling)
	StoresBefore bool        // the program may have stored to global memory by the time that the loop begins
	StageBytes   int         // size of a stage buffer
	// Of the function with the loop's copies in it:
	Nested bool // the loop may run several times in a program
	// Values that the loop carries: whether an iteration is done, nil if nothing asks; the stage buffers that this
	// iteration reads, and that the one before has read, where copies do not fill it.
	Later, Read, Last *ir.Value
	Ahead             bool      // the prologue copies for one iteration more, and the first one issues no copies
	Meet              *ir.Instr // the barrier of an iteration
}

// AsyncLoad is a load that is done asynchronously, straight to shared memory: by cp.async or by tensor copies.
type AsyncLoad struct {
	In  *ir.Instr
	Mem layout.Mem
	// Buffers is the memory descriptor of the stage buffers, once they are part of the placed function.
	Buffers *ir.Value
	Vec     int         // elements that a thread copies with one instruction
	Tensor  *TensorCopy // nil: threads copy
	Offset  int         // of its tile in a stage buffer, in bytes
	// ToRegisters: threads load the tile from the stage buffer to registers, in place of the load; else dots alone
	// read it.
	ToRegisters bool
}

// StageAlign is the alignment of tiles in stage buffers: eight rows of the widest swizzle (PTX ISA, "Matrix Descriptor
// Format": the 128-byte swizzle repeats every 1,024 bytes).
const StageAlign = 1024

func roundUp(n, to int) int { return (n + to - 1) / to * to }

const (
	// minCopyBytes is the least that one cp.async copies (PTX ISA, "cp.async": cp-size is 4, 8 or 16).
	minCopyBytes = 4
	// otherRegisters is what threads of matmuls have beside the sums: addresses, descriptors, fragments.
	otherRegisters = 48
)

// planPipelines plans the software pipelining of every for loop.
func (p *Plan) planPipelines() {
	p.Pipelines = map[*ir.Instr]*Pipeline{}
	planner := pipeliner{p, p.Facts, p.Target.Reserved}
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op != ops.For {
			return
		}
		if r := planner.plan(in); r != nil {
			p.Pipelines[in] = r
		}
	})
}

// pipeliner plans pipelines with the layouts and dots of a plan.
type pipeliner struct {
	p        *Plan
	facts    *axis.Facts
	reserved int // the shared memory that stage buffers leave to the rest of the program
}

// plan plans a for loop's software pipelining; it is nil if no load qualifies. A load does if only dots of the
// loop take its tile, in the dtype that it has in memory, or if an operand of a dot is computed from it; if its address
// and mask depend on the induction variable and loop-carried values by pure arithmetic, and on integers that the loop
// loads (findsAddresses); and if the loop stores to other arguments alone, since a load that is issued early would miss
// what is stored. Shared memory bounds the number of stages. Loads of the second kind take none of it from those of the
// first.
func (e pipeliner) plan(loop *ir.Instr) *Pipeline {
	r := &Pipeline{Loop: loop, Stages: e.p.Target.Stages}
	if n := int(loop.Int("num_stages")); n > 0 {
		r.Stages = n
	}
	// A stage for an iteration that never comes takes shared memory.
	if trips, known := facts.ConstTrips(loop, e.facts.Const); known {
		r.Stages = int(min(uint64(r.Stages), trips))
	}
	stored, ok := e.storedArguments(loop)
	if r.Stages < 2 || !ok || loop.Operands[0].Type.DType.Info().Bits < 32 {
		return nil
	}
	s := newBackwardSlicer(loop, func(in *ir.Instr) bool { return e.findsAddresses(in) && !stored[e.memoryOf(in)] })
	for _, in := range loop.Regions[0].Instrs {
		if in.Op != ops.Load || stored[e.memoryOf(in)] {
			continue
		}
		if l := e.asyncLoad(loop, in); l != nil && s.take(in.Operands[0], in.Operand(1)) {
			r.Loads = append(r.Loads, l)
		}
	}
	bytes, limit := 0, e.p.Target.Shared-e.reserved
	for _, l := range r.Loads {
		bytes += l.Mem.Bytes()
	}
	if bytes > 0 {
		r.Stages = min(r.Stages, limit/bytes)
	}
	for _, in := range e.feedsDots(loop) {
		l := e.loadToRegisters(in)
		if l == nil || stored[e.memoryOf(in)] ||
			r.Copies(in) ||
			(bytes+l.Mem.Bytes())*(r.Stages+1) > limit || !s.take(in.Operands[0], in.Operand(1)) {
			continue
		}
		r.Loads = append(r.Loads, l)
		bytes += l.Mem.Bytes()
	}
	if bytes == 0 || limit/bytes < 2 {
		return nil
	}
	r.AddressSlice, r.Carried = s.result()
	// One warp issues tensor copies, and in a turn of its own where there are turns: no other may have to come along.
	if e.p.exchangesAny(r.AddressSlice) {
		r.withoutTensors()
	}
	r.Buffers = r.Stages
	spare := limit/bytes > r.Stages
	if in := e.overlappableDot(loop, r.Loads); in != nil && (spare || r.Stages > 2) {
		e.p.Dots[in].InFlight, r.DotInFlight = true, in
		r.CopiesLast = !spare || e.costsProgram(in, r.Buffers, bytes)
		if !r.CopiesLast {
			r.Buffers++
		}
	}
	delayed := e.delayedDot(loop, r)
	if r.Stages <= 2 && !spare {
		delayed = nil
	}
	if !e.tensorsPay(r, delayed) {
		r.withoutTensors()
	}
	// A buffer more could cost the SM a program, so a deep pipeline gives one up instead.
	if delayed != nil {
		r.Delay = delayed
		if r.Stages > 2 {
			r.Stages--
		} else {
			r.Buffers++
		}
	}
	_, tensors := r.Tensors()
	r.Turns = r.Delay != nil && tensors && e.p.Target.Warps > WarpgroupWarps && e.nothingWaits(loop, r)
	r.StoresBefore = e.storesBefore(loop)
	for _, l := range r.Loads {
		l.Offset = r.StageBytes
		r.StageBytes += roundUp(l.Mem.Bytes(), StageAlign)
	}
	return r
}

// withoutTensors makes no load by tensor copies.
func (r *Pipeline) withoutTensors() {
	for _, l := range r.Loads {
		l.Tensor = nil
	}
}

// storesBefore reports whether the program may have stored to global memory, or synchronized with another program that
// has, by the time that a loop begins: in the code before it, or anywhere if the loop is in another one.
func (e pipeliner) storesBefore(loop *ir.Instr) (stores bool) {
	body := e.p.Func.Body
	reached, nested := false, !slices.Contains(body.Instrs, loop)
	body.Walk(func(in *ir.Instr) {
		reached = reached || in == loop
		stores = stores || in.Op.Has(ops.Writes) && (nested || !reached)
	})
	return stores
}

// nothingWaits reports whether no barrier for the whole program can lie before the loop's first dot. A warpgroup in its
// turn would wait there for those that wait for theirs. The operations of the address slice exchange nothing, or no
// load would be a tensor copy.
func (e pipeliner) nothingWaits(loop *ir.Instr, r *Pipeline) bool {
	for _, in := range loop.Regions[0].Instrs {
		switch {
		case in.Op == ops.Dot:
			return true
		case r.Copies(in), slices.Contains(r.AddressSlice, in):
		case !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) || e.p.exchanges(in):
			return false
		}
	}
	return false
}

// Load is how a load is done asynchronously; nil: it is not.
func (r *Pipeline) Load(in *ir.Instr) *AsyncLoad {
	i := slices.IndexFunc(r.Loads, func(l *AsyncLoad) bool { return l.In == in })
	if i < 0 {
		return nil
	}
	return r.Loads[i]
}

// Copies reports whether an operation is a load that is done asynchronously.
func (r *Pipeline) Copies(in *ir.Instr) bool { return r.Load(in) != nil }

// costsProgram reports whether one stage buffer more costs the SM a program of the last three, which is worth more than
// the barrier that it saves: matmuls of 64 × 64 × 128 and 128 × 128 × 64 lost 4 to 30 % for it on an H100, while those
// of 64 × 64 × 64, of which the SM has four or three, gained 10 %.
func (e pipeliner) costsProgram(dot *ir.Instr, buffers, stageBytes int) bool {
	n := e.programs(dot, (buffers+1)*stageBytes)
	return n < e.programs(dot, buffers*stageBytes) && n < 3
}

// programs is about how many programs an SM has room for: by the stage buffers of a loop, and by the registers of its
// dot's sums and of what else usual programs keep.
func (e pipeliner) programs(dot *ir.Instr, stageBytes int) int {
	registers := e.p.Target.Threads() * (e.p.Dots[dot].AccLayout.Regs() + otherRegisters)
	return min(e.p.Target.Arch.Shared/(stageBytes+arch.ReservedShared), arch.Registers/registers)
}

// storedArguments is the arguments that the loop stores to, by axis.Facts.Argument. Not ok if it may store to any, has
// atomics, which may order the accesses of several programs, or a barrier. Arguments that share memory count as
// different ones, as in Triton (barriers.go).
func (e pipeliner) storedArguments(loop *ir.Instr) (arguments map[int]bool, ok bool) {
	arguments, ok = map[int]bool{}, true
	loop.Regions[0].Walk(func(in *ir.Instr) {
		switch {
		case in.Op == ops.Store:
			arguments[e.memoryOf(in)] = true
		case in.Op.Has(ops.Writes):
			ok = false
		}
	})
	return arguments, ok && !arguments[axis.Mixed]
}

// asyncLoad is a load of the loop as an asynchronous copy, nil if it cannot be one.
func (e pipeliner) asyncLoad(loop, in *ir.Instr) *AsyncLoad {
	v := in.Results[0]
	if len(v.Type.Shape) < 2 || !e.copyable(in) {
		return nil
	}
	k := e.dotAxis(loop, v)
	if k < 0 {
		return nil
	}
	size := v.Type.DType.Info().Bytes
	at := e.p.Accesses[in].Layout
	fast := FastestDim(at)
	if axis := e.takenAlong(loop, v, (*Dot).NeedsKMajor); axis >= 0 {
		k, fast = axis, axis
	}
	place := layout.ForDot
	if e.takenAlong(loop, v, (*Dot).loadsFragments) >= 0 {
		place = layout.ForAdjacentRows
	}
	mem := place(v.Type.Shape, k, fast, 8*size)
	vec := mem.Access(at, min(e.facts.Vector(in), MaxAccess/size)).Vec
	if vec*size < minCopyBytes {
		return nil
	}
	return &AsyncLoad{In: in, Mem: mem, Vec: vec, Tensor: e.tensorCopy(in, fast, mem)}
}

// copyable reports whether a load may be made by asynchronous copies, ahead of its place: they fill with zeros alone,
// and what may point into any argument may be stored to on the way.
func (e pipeliner) copyable(in *ir.Instr) bool {
	return !in.Results[0].Type.Pointer && (in.Operand(2) == nil || IsZero(in.Operand(2))) && !in.Bool("volatile") &&
		e.memoryOf(in) != axis.Mixed
}

// findsAddresses reports whether a load may be made ahead of its place, before the copies whose addresses it finds: the
// rows of a page table, say. Threads wait for it there.
func (e pipeliner) findsAddresses(in *ir.Instr) bool {
	t := in.Results[0].Type
	return t.IsInt() && t.Numel() <= e.p.Target.Threads() && !in.Bool("volatile") && e.memoryOf(in) != axis.Mixed
}

// memoryOf is the argument that an access concerns.
func (e pipeliner) memoryOf(access *ir.Instr) int { return e.p.memoryOf(access) }

// planCounts finds the loops that count their iterations down: those with a constant step. NVIDIA's assembler unrolls a
// loop whose counter it understands, and then loads for several iterations at once. Loops of dots are scheduled here.
func (p *Plan) planCounts() {
	p.Counted = map[*ir.Instr]bool{}
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.For {
			_, known := p.Facts.Const(in.Operands[2])
			p.Counted[in] = known && !HasDot(in.Regions[0])
		}
	})
}

// HasDot reports whether a block has a dot, planned or not.
func HasDot(b *ir.Block) (found bool) {
	b.Walk(func(in *ir.Instr) { found = found || in.Op == ops.Dot || in.Op == ops.WGMMA })
	return found
}

// feedsDots is the loads of the loop's body from which operands of its dots are computed, in the order of the code.
func (e pipeliner) feedsDots(loop *ir.Instr) (loads []*ir.Instr) {
	body := loop.Regions[0]
	dots, _ := loopDots(loop)
	seen := map[*ir.Instr]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		in := v.Def
		if in == nil || seen[in] {
			return
		}
		seen[in] = true
		if in.Op == ops.Dot || !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) {
			return
		}
		for _, o := range in.Operands {
			if o != nil {
				visit(o)
			}
		}
	}
	for _, in := range dots {
		visit(in.Operands[0])
		visit(in.Operands[1])
	}
	for _, in := range body.Instrs {
		if in.Op == ops.Load && seen[in] {
			loads = append(loads, in)
		}
	}
	return loads
}

// loadToRegisters is a load as an asynchronous copy from which threads load what they would have loaded, nil if it
// cannot be one.
func (e pipeliner) loadToRegisters(in *ir.Instr) *AsyncLoad {
	t := in.Results[0].Type
	if t.IsScalar() || !e.copyable(in) {
		return nil
	}
	at, size := e.p.Accesses[in].Layout, t.DType.Info().Bytes
	// as in global memory, from where threads load vectors next to each other
	mem := layout.RowMajor(t.Shape, e.facts.Order(in.Operands[0]), 8*size)
	vec := mem.Access(at, min(e.facts.Vector(in), MaxAccess/size)).Vec
	if vec*size < minCopyBytes {
		return nil
	}
	return &AsyncLoad{In: in, Mem: mem, Vec: vec, ToRegisters: true}
}

// takenAlong is the dimension along which dots of the loop sum v, or a transpose of it, as an operand of which takes
// holds, -1 if there is none. Where v has to be contiguous along it, it is the one along which v is contiguous in
// global memory (loadedAlong), so there is one at most.
func (e pipeliner) takenAlong(loop *ir.Instr, v *ir.Value, takes func(*Dot, Side) bool) int {
	axis := -1
	loop.Regions[0].Walk(func(in *ir.Instr) {
		for i, o := range in.Operands {
			switch {
			case o != v:
			case in.Op == ops.Dot && i < 2 && takes(e.p.Dots[in], Side(i)):
				axis = Side(i).KAxis(len(v.Type.Shape))
			case in.Op == ops.Trans:
				if inner := e.takenAlong(loop, in.Results[0], takes); inner >= 0 {
					axis = in.Perm()[inner]
				}
			}
		}
	})
	return axis
}

// overlappableDot is the loop's dot if that may stay in flight while the next iteration begins, else nil.
// It must be the only dot, a warpgroup MMA whose two operands are in pipelined stage buffers, and its accumulator must
// be a loop-carried value that nothing else uses.
func (e pipeliner) overlappableDot(loop *ir.Instr, loads []*AsyncLoad) *ir.Instr {
	dots, uses := loopDots(loop)
	if len(dots) != 1 {
		return nil
	}
	in := dots[0]
	acc, at := in.Operands[2], e.carriedSum(loop, in, uses)
	if e.p.Dots[in].Unit != WGMMA || at < 0 || loop.Regions[0].Args[1+at] != acc || uses[acc] != 1 {
		return nil
	}
	for s := range Side(2) {
		if !slices.ContainsFunc(loads, func(l *AsyncLoad) bool { return l.In == in.Operands[s].Def }) {
			return nil
		}
	}
	return in
}

// loopDots is the dots of a loop, and how often it uses each value.
func loopDots(loop *ir.Instr) (dots []*ir.Instr, uses map[*ir.Value]int) {
	body := loop.Regions[0]
	body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Dot {
			dots = append(dots, in)
		}
	})
	return dots, usesIn(body)
}

// usesIn is how often each value is an operand in a block and the regions in it.
func usesIn(b *ir.Block) map[*ir.Value]int {
	uses := map[*ir.Value]int{}
	b.Walk(func(in *ir.Instr) {
		for _, v := range in.Operands {
			uses[v]++
		}
	})
	return uses
}

// carriedSum is the number of the loop-carried value that a dot's result becomes as it is, in the dtype in which the
// dot adds up, if nothing else in the loop uses it; else -1.
func (e pipeliner) carriedSum(loop, dot *ir.Instr, uses map[*ir.Value]int) int {
	sum := dot.Results[0]
	at := slices.Index(loop.Regions[0].Terminator().Operands, sum)
	if uses[sum] != 1 || sum.Type.DType != e.p.Dots[dot].Acc {
		return -1
	}
	return at
}

// IsZero reports whether v is a constant without any bit set.
func IsZero(v *ir.Value) bool {
	for v.Def != nil && (v.Def.Op == ops.Splat || v.Def.Op == ops.Broadcast) {
		v = v.Def.Operands[0]
	}
	return v.Def != nil && v.Def.Op == ops.Const && v.Def.Scalar("value").Bits == 0
}

// dotAxis is the dimension of v along which the loop's dots sum, if v and its transposes are operands of dots and
// nothing else; else -1.
func (e pipeliner) dotAxis(loop *ir.Instr, v *ir.Value) int {
	axis, ok := -1, true
	loop.Regions[0].Walk(func(in *ir.Instr) {
		for i, o := range in.Operands {
			if o != v || !ok {
				continue
			}
			found := -1
			switch {
			case in.Op == ops.Trans:
				if inner := e.dotAxis(loop, in.Results[0]); inner >= 0 {
					found = in.Perm()[inner]
				}
			case in.Op == ops.Dot && i < 2 && e.p.Dots[in].ReadsDirectly(in, Side(i)):
				found = Side(i).KAxis(len(v.Type.Shape))
			}
			axis, ok = found, found >= 0
		}
	})
	if !ok {
		return -1
	}
	return axis
}

// backwardSlicer collects the backward slice of values of a loop: the instructions of its body, and the loop-carried
// values, that they are computed from.
type backwardSlicer struct {
	body    *ir.Block
	mayLoad func(*ir.Instr) bool
	own     map[*ir.Instr]bool // the body's instructions
	taken   map[*ir.Instr]bool
	args    map[int]bool // the body's arguments by number
}

func newBackwardSlicer(loop *ir.Instr, mayLoad func(*ir.Instr) bool) *backwardSlicer {
	s := &backwardSlicer{body: loop.Regions[0], mayLoad: mayLoad, own: map[*ir.Instr]bool{},
		taken: map[*ir.Instr]bool{}, args: map[int]bool{}}
	s.body.Walk(func(in *ir.Instr) { s.own[in] = true })
	return s
}

// take adds the backward slice of the given values, through loop-carried values too. It adds nothing and reports false
// if that slice has anything but pure arithmetic and loads that may be in it.
func (s *backwardSlicer) take(values ...*ir.Value) bool {
	more := &backwardSlicer{body: s.body, mayLoad: s.mayLoad, own: s.own, taken: map[*ir.Instr]bool{},
		args: map[int]bool{}}
	for _, v := range values {
		if v != nil && !more.visit(v) {
			return false
		}
	}
	for in := range more.taken {
		s.taken[in] = true
	}
	for i := range more.args {
		s.args[i] = true
	}
	return true
}

func (s *backwardSlicer) visit(v *ir.Value) bool {
	in := v.Def
	switch {
	case in == nil && v.Index < len(s.body.Args) && s.body.Args[v.Index] == v:
		if s.args[v.Index] {
			return true
		}
		s.args[v.Index] = true
		return v.Index == 0 || s.visit(s.body.Terminator().Operands[v.Index-1])
	case in == nil || !s.own[in] || s.taken[in]:
		return true
	case in.Op == ops.Load && s.mayLoad(in):
	case !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) || in.Op.Has(ops.WholeTile) || in.Op == ops.IntToPtr:
		return false
	}
	s.taken[in] = true
	for _, o := range in.Operands {
		if o != nil && !s.visit(o) {
			return false
		}
	}
	return true
}

// result is the slice in the order of the code, and the numbers of the carried values in it.
func (s *backwardSlicer) result() (slice []*ir.Instr, carried []int) {
	for _, in := range s.body.Instrs {
		if s.taken[in] {
			slice = append(slice, in)
		}
	}
	for i := range s.args {
		if i > 0 {
			carried = append(carried, i-1)
		}
	}
	slices.Sort(carried)
	return slice, carried
}
