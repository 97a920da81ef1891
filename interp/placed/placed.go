// Package placed runs functions that are placed on the threads of a GPU (ir.VerifyPlaced) as those threads do. Each
// warp runs the function by itself and has what its threads hold, element by element and replicas as well; shared
// memory is bytes in the layouts of memory descriptors; warps take turns at random, from a seed, and asynchronous
// copies complete at any time between their issue and their wait. What an operation computes comes from package tile.
//
// # Hazards
//
// Two accesses of one element, one of which writes, have to be ordered: by a barrier if two warps make them, by a wait
// if one is asynchronous. Each warp has a vector clock, which barriers join; each element of shared memory, and each
// that is accessed in global memory, knows its last write and the reads since. Scratch memory counts as one element,
// and so does a buffer where another one was. So a hazard is reported whether or not it shows in this order of the
// warps. Threads of one warp are taken to be in step.
//
// It is the meaning of placed IR, for tests of what the compiler makes and for texts that people write, and not fast:
// some microseconds an operation and warp.
package placed

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// Report says what happened in a launch.
type Report struct {
	*tile.Report
	Hazards []Hazard // in the order of the function's text
}

// Kind is what is wrong between two operations.
type Kind uint8

// The kinds of hazards.
const (
	RAW      Kind = iota // the second reads what the first wrote
	WAR                  // the second writes what the first read
	WAW                  // both write
	Early                // the second needs what the first has begun and nobody has waited for
	Unfenced             // wgmma or a tensor copy reads what threads wrote without fence_async
	Replicas             // the second takes a tile of which threads that hold the same element have different ones
	Index                // the second takes a tile that memory does not have
	Stuck                // warps wait at the first, others at the second or nowhere
)

// codes are the rows of the catalogue.
var codes = [...]string{RAW: "placed-raw", WAR: "placed-war", WAW: "placed-waw", Early: "placed-early",
	Unfenced: "placed-unfenced", Replicas: "placed-replicas", Index: "placed-index", Stuck: "placed-stuck"}

// Hazard is an error in how operations are ordered, once for each two of them in a launch.
type Hazard struct {
	Kind          Kind
	First, Second *ir.Instr // First is nil where one operation alone is concerned
	Program       [3]int    // the first that has it
	Count         int       // of elements
}

// Diagnostic puts the hazard in words, at the second operation.
func (h Hazard) Diagnostic() *diag.Diagnostic {
	name := func(in *ir.Instr) string {
		if in == nil {
			return ops.Return.String() // it has ended
		}
		return in.Op.String()
	}
	at := cmp.Or(h.Second, h.First).Span
	d := diag.New(codes[h.Kind], at, name(h.Second), name(h.First))
	if h.First != nil && h.First.Span != at {
		d.Because(h.First.Span, "placed-first")
	}
	d.Runtime = &diag.Runtime{Program: h.Program, Count: int64(h.Count)}
	return d
}

// Run runs every program of a launch of fn, which passes ir.VerifyPlaced, one after the other. The seed decides the
// order of the warps. Budget bounds the operations that all warps run, 0 is 2^24. A hazard by which warps wait for ever
// ends the launch.
func Run(ctx context.Context, fn *ir.Func, l tile.Launch, seed uint64) (report *Report, fault *tile.Fault) {
	x, fault := tile.NewExecutor(ctx, fn, l)
	if fault != nil {
		return &Report{Report: &tile.Report{}}, fault
	}
	m := &machine{
		ctx: ctx, fn: fn, args: l.Args, exec: x, rng: rand.New(rand.NewPCG(seed, 11)),
		budget: cmp.Or(l.Budget, defaultBudget),
		values: fn.Number(), size: warpsOf(fn), sharedBytes: sharedBytes(fn),
		steps: map[stepKey]*tile.Operation{}, found: map[Hazard]*Hazard{},
	}
	done := int64(0)
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*tile.Fault)
			if !ok {
				panic(r)
			}
			fault = f
		}
		report = &Report{x.Report(done), m.hazards()}
	}()
	for total := int64(l.Grid[0]) * int64(l.Grid[1]) * int64(l.Grid[2]); done < total && !m.stuck; done++ {
		x.Begin(done)
		m.at = trace.ProgramAt(l.Grid, done)
		newProgram(m).run()
	}
	return nil, nil
}

const defaultBudget = 1 << 24

// warpsOf is how many warps a function is placed on; where no tile says so, one.
func warpsOf(fn *ir.Func) (n int) {
	n = 1
	see := func(values []*ir.Value) {
		for _, v := range values {
			if v.Layout != nil {
				n = v.Layout.Warps()
			}
		}
	}
	fn.Body.Walk(func(in *ir.Instr) { see(in.Results) })
	return n
}

// machine is a launch.
type machine struct {
	ctx         context.Context
	fn          *ir.Func
	args        []tile.Arg
	exec        *tile.Executor
	rng         *rand.Rand
	budget      int64
	values      int
	size        int // of a program, in warps
	sharedBytes int // of a program
	steps       map[stepKey]*tile.Operation
	at          [3]int // the program that runs
	found       map[Hazard]*Hazard
	stuck       bool
}

// report records a hazard of n elements.
func (m *machine) report(kind Kind, first, second *ir.Instr, n int) {
	key := Hazard{Kind: kind, First: first, Second: second}
	if m.found[key] == nil {
		m.found[key] = &Hazard{kind, first, second, m.at, 0}
	}
	m.found[key].Count += n
}

// hazards is what was reported, in the order of the text.
func (m *machine) hazards() (list []Hazard) {
	place, n := map[*ir.Instr]int{}, 0
	m.fn.Body.Walk(func(in *ir.Instr) { n++; place[in] = n })
	for _, h := range m.found {
		list = append(list, *h)
	}
	slices.SortFunc(list, func(a, b Hazard) int {
		return cmp.Or(place[a.Second]-place[b.Second], place[a.First]-place[b.First], int(a.Kind)-int(b.Kind))
	})
	return list
}

// program is one program that runs.
type program struct {
	*machine
	team       // all warps
	warpgroups []*team
	named      map[int64]*namedBarrier // by number
	buffers    map[*ir.Instr]*buffer
	shared     []byte          // in which buffers have their places
	global     map[int64]*cell // by pointer
	copies     []*copying      // that are not complete
	boxes      map[boxKey]*box // that some warps have not come to
	agents     int             // warps and mbarriers: what clocks count
}

// team is warps that do some operations together.
type team struct {
	warps   []*warp
	arrived int
}

func newProgram(m *machine) *program {
	p := &program{machine: m, named: map[int64]*namedBarrier{}, buffers: map[*ir.Instr]*buffer{},
		shared: m.random(m.sharedBytes), global: map[int64]*cell{}, boxes: map[boxKey]*box{}, agents: m.size}
	for i := range m.size {
		w := &warp{p: p, id: i, values: make([]*register, m.values), turns: map[*ir.Instr]int{},
			knowledge: knowledge{make([]uint32, m.size), make([]uint32, m.size)}}
		w.clock[i] = 1
		for k, q := range m.fn.Params {
			w.values[q.Value.ID] = &register{v: m.exec.Param(k)}
		}
		p.warps = append(p.warps, w)
	}
	for warps := range slices.Chunk(p.warps, warpgroupWarps) {
		p.warpgroups = append(p.warpgroups, &team{warps: warps})
	}
	return p
}

// stopped ends a warp that does not go on.
type stopped struct{}

// run runs the warps to their end, one at a time, each until it pauses.
func (p *program) run() {
	var resume []func() (struct{}, bool)
	for _, w := range p.warps {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				if r := recover(); r != nil && r != (stopped{}) {
					panic(r)
				}
			}()
			w.yield = yield
			w.block(p.fn.Body)
			w.done = true
		})
		defer stop()
		resume = append(resume, next)
	}
	for {
		if len(p.copies) > 0 && p.rng.IntN(4) == 0 {
			p.copies[p.rng.IntN(len(p.copies))].complete()
		}
		var can []int
		left := 0
		for i, w := range p.warps {
			if !w.done {
				left++
				if w.ready() {
					can = append(can, i)
				}
			}
		}
		switch {
		case left == 0:
			return
		case len(can) > 0:
			resume[can[p.rng.IntN(len(can))]]()
		case len(p.copies) > 0:
			p.copies[0].complete()
		default:
			p.reportStuck()
			return
		}
		if p.stuck {
			return
		}
	}
}

func (p *program) reportStuck() {
	p.stuck = true
	var first, second *ir.Instr
	for _, w := range p.warps {
		switch {
		case w.done || w.at == second:
		case second == nil:
			second = w.at
		default:
			first = w.at
		}
	}
	p.report(Stuck, first, second, 0)
}

// warp is a warp of a program.
type warp struct {
	p      *program
	id     int
	values []*register // by Value.ID
	yield  func(struct{}) bool
	done   bool
	at     *ir.Instr   // where it waits; nil: nowhere
	until  func() bool // for which it waits there; nil: for all other warps to be there
	knowledge
	open     []*copying // asynchronous copies in no group
	groups   [][]*copying
	products []*event // wgmma that are not waited for
	turns    map[*ir.Instr]int
}

// register is a value as a warp has it: a scalar once; a tile as its threads hold it, register r of lane i at
// i·regs + r; a memory descriptor as memory.
type register struct {
	v     num.Vec
	mem   view
	event *event // that makes the value; nil: it is there
}

// ready reports whether w can go on.
func (w *warp) ready() bool { return w.at == nil || w.until != nil && w.until() }

// pause lets others run.
func (w *warp) pause() {
	if !w.yield(struct{}{}) {
		panic(stopped{})
	}
}

// meet waits until all warps are at an operation; the last to come does what they do together.
func (w *warp) meet(in *ir.Instr, together func()) { w.meetTeam(&w.p.team, in, together) }

func (w *warp) meetTeam(t *team, in *ir.Instr, together func()) {
	w.at, w.until = in, nil
	if t.arrived++; t.arrived < len(t.warps) {
		w.pause()
		return
	}
	for _, x := range t.warps {
		if x.at != in {
			w.p.reportStuck()
			panic(stopped{})
		}
	}
	together()
	t.arrived = 0
	for _, x := range t.warps {
		x.at = nil
	}
}

// exchange does what all warps do together for an operation. They meet on the way as at a barrier, if that is through
// scratch memory of which they have no parts of their own.
func (w *warp) exchange(in *ir.Instr, together func()) {
	w.useScratch(in, true)
	w.meet(in, func() {
		if in.Scratch != nil && w.values[in.Scratch.ID].mem.buffer.common {
			w.p.synchronize()
		}
		together()
	})
	w.useScratch(in, false)
}

// waitUntil waits at an operation until something holds.
func (w *warp) waitUntil(in *ir.Instr, holds func() bool) {
	w.at, w.until = in, holds
	for !holds() {
		w.pause()
	}
	w.at = nil
}

// synchronize orders what all warps have done before what they do from now on.
func (p *program) synchronize() {
	var all knowledge
	for _, w := range p.warps {
		all.learn(w.knowledge)
	}
	for _, w := range p.warps {
		w.learn(all)
		w.clock[w.id]++
	}
}

// knowledge is by agent: what it has done until this time of its own is ordered before what a warp does now. fenced is
// the same of the fences of warps.
type knowledge struct{ clock, fenced []uint32 }

// learn adds what another knows.
func (k *knowledge) learn(x knowledge) {
	k.clock, k.fenced = latest(k.clock, x.clock), latest(k.fenced, x.fenced)
}

// latest is the later times of each agent, in memory of its own.
func latest(x, y []uint32) []uint32 {
	z := make([]uint32, max(len(x), len(y)))
	copy(z, x)
	for i, t := range y {
		z[i] = max(z[i], t)
	}
	return z
}

// namedBarrier is a barrier for some warps.
type namedBarrier struct {
	threads int64 // that have arrived
	phase   int   // how often all have
	arrived knowledge
	before  knowledge // what those knew that arrived in the phase before
}

// arrive arrives at a named barrier, and gives what is so when all threads that it is for have.
func (w *warp) arrive(in *ir.Instr) (b *namedBarrier, all func() bool) {
	id := w.integer(in, in.Operands[0])
	if w.p.named[id] == nil {
		w.p.named[id] = &namedBarrier{}
	}
	b = w.p.named[id]
	phase := b.phase
	b.arrived.learn(w.knowledge)
	w.clock[w.id]++
	if b.threads += lanes; b.threads >= in.Int("threads") {
		*b = namedBarrier{phase: phase + 1, before: b.arrived}
	}
	return b, func() bool { return b.phase != phase }
}

func (w *warp) namedBarrierArrive(in *ir.Instr) {
	if w.holds(in, in.Operand(1)) {
		w.arrive(in)
	}
}

// namedBarrierWait waits for all to arrive. The next phase cannot end before this warp has come to it.
func (w *warp) namedBarrierWait(in *ir.Instr) {
	if w.holds(in, in.Operand(1)) {
		b, all := w.arrive(in)
		w.waitUntil(in, all)
		w.learn(b.before)
	}
}

// block runs the instructions of a block but its terminator.
func (w *warp) block(b *ir.Block) {
	for _, in := range b.Instrs {
		if in.Op.Has(ops.Terminator) {
			return
		}
		w.instr(in)
	}
}

func (w *warp) instr(in *ir.Instr) {
	p := w.p
	if p.budget--; p.budget < 0 || p.ctx.Err() != nil {
		panic(tile.LoopBudget(in.Span, p.machine.at))
	}
	if p.rng.IntN(8) == 0 {
		w.pause()
	}
	operation := operations[in.Op]
	switch {
	case operation != nil:
		operation(w, in)
	case in.Op.Has(ops.WholeTile):
		w.together(in)
	default:
		w.elementwise(in)
	}
}

// bind makes values those of others, which are there or will be.
func (w *warp) bind(to, from []*ir.Value) {
	now := make([]*register, len(from))
	for i, v := range from {
		now[i] = w.values[v.ID]
	}
	for i, v := range to {
		w.values[v.ID] = now[i]
	}
}

// take is a value that an operation needs.
func (w *warp) take(in *ir.Instr, v *ir.Value) num.Vec {
	r := w.values[v.ID]
	if r.event != nil && r.event.pending {
		w.p.report(Early, r.event.in, in, r.v.Len())
	}
	return r.v
}

// integer is the value of an integer scalar.
func (w *warp) integer(in *ir.Instr, v *ir.Value) int64 {
	return num.ScalarAt(v.Type.DType, w.take(in, v), 0).Int()
}

func (w *warp) branch(in *ir.Instr) {
	region := in.Regions[1]
	if w.integer(in, in.Operands[0]) != 0 {
		region = in.Regions[0]
	}
	w.block(region)
	w.bind(in.Results, region.Terminator().Operands)
}

func (w *warp) loop(in *ir.Instr) {
	body, index := in.Regions[0], in.Regions[0].Args[0]
	lower, step := w.integer(in, in.Operands[0]), w.integer(in, in.Operands[2])
	trips := tile.TripCount(index.Type.DType)(lower, w.integer(in, in.Operands[1]), step)
	w.bind(body.Args[1:], in.Operands[3:])
	for ; trips > 0; trips-- {
		w.values[index.ID] = &register{v: num.FromInt(index.Type.DType, lower).Vec()}
		w.block(body)
		w.bind(body.Args[1:], body.Terminator().Operands)
		lower += step
	}
	w.bind(in.Results, body.Args[1:])
}

func (w *warp) while(in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	w.bind(before.Args, in.Operands)
	for {
		w.block(before)
		t := before.Terminator().Operands
		if w.integer(in, t[0]) == 0 {
			w.bind(in.Results, t[1:])
			return
		}
		w.bind(after.Args, t[1:])
		w.block(after)
		w.bind(before.Args, after.Terminator().Operands)
	}
}
