package tile

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// allowance is how much work a machine takes from the budget at a time: about a millisecond's.
const allowance = 1 << 20

// run is one launch.
type run struct {
	kernel    *Kernel
	ctx       context.Context
	grid      [3]int
	total     int64 // programs
	chunk     int64 // programs that a worker takes at a time
	lastFirst bool  // Launch.LastFirst

	next    atomic.Int64 // the first program that no worker has
	done    atomic.Int64 // programs of chunks that are done, for progress
	budget  atomic.Int64 // what is left
	limit   int64        // what it was
	from    *trace.State // Launch.From
	stopAt  atomic.Int64 // programs from here on are not to run
	atomics sync.Mutex
	waits   waits

	report   sync.Mutex
	progress func(done, total int64)
	yield    func() // nil where nobody asks
	fault    *Fault // of the first program that has one
	faultAt  int64
}

// Run runs every program of the grid. The report is never nil; the fault is nil unless the launch
// was refused or stopped. Memory may be changed in part where there is a fault.
func (k *Kernel) Run(ctx context.Context, l Launch) (*Report, *Fault) {
	if f := k.check(&l); f != nil {
		return &Report{}, f
	}
	if limit := l.frames(); k.frame > limit {
		return &Report{}, &Fault{Code: "kernel-too-large", Args: []any{k.fn.Name, k.frame >> 20, limit >> 20}}
	}
	r := k.newRun(ctx, &l)
	first, fault := k.prepare(r, &l)
	if fault != nil {
		return &Report{}, fault
	}
	// The first machine has run the prologue; the others read its shared values.
	machines := []*machine{first}
	n := k.workers(&l, r.total)
	r.chunk = chunkOf(r.total, n)
	for len(machines) < n {
		machines = append(machines, k.machine(r, first))
	}
	r.addBatches(&l, machines)
	r.runAll(machines)
	report := r.collect(machines)
	report.Work = k.shared + r.limit - r.budget.Load()
	for _, m := range machines {
		// What a machine drew and did not use was never done.
		report.Work -= max(m.left, 0)
		m.batches.release()
		m.reset(nil)
		k.machines.Put(m)
	}
	if ctx.Err() != nil && r.fault == nil && report.Programs < r.total {
		r.fault = &Fault{Code: "launch-cancelled", Args: []any{report.Programs, r.total}}
	}
	return report, r.fault
}

func limit(l *Launch) int64 {
	if l.Budget == 0 {
		return DefaultBudget
	}
	return l.Budget
}

func (k *Kernel) newRun(ctx context.Context, l *Launch) *run {
	r := &run{kernel: k, ctx: ctx, grid: l.Grid, lastFirst: l.LastFirst, progress: l.Progress, yield: l.Yield}
	r.total, r.limit, r.from = programs(l.Grid), limit(l), l.From
	r.stopAt.Store(r.total)
	r.budget.Store(r.limit)
	if s := r.from; s != nil {
		r.budget.Add(-s.Work)
		r.next.Store(s.Program)
		r.done.Store(s.Program)
	}
	return r
}

// prepare makes the first machine and computes what all programs share.
func (k *Kernel) prepare(r *run, l *Launch) (m *machine, fault *Fault) {
	m = k.machine(r, nil)
	defer func() {
		if e := recover(); e != nil {
			fault = asFault(e)
		}
	}()
	m.args = make([]argument, len(l.Args))
	m.poison, m.exact, m.observe = l.Poison, l.ExactDot, l.Observer
	m.watch, _ = l.Observer.(trace.OperationObserver)
	m.states, _ = l.Observer.(trace.StateObserver)
	m.older, _ = l.Observer.(trace.OlderReader)
	watched := make([]trace.Buffer, len(l.Args))
	for i, a := range l.Args {
		if i >= len(k.params) {
			m.args[i], watched[i] = reachable(a.(Buffer))
			continue
		}
		s, name := k.params[i], k.fn.Params[i].Name
		switch a := a.(type) {
		case Buffer:
			if a.Name != "" {
				name = a.Name
			}
			if a.Data == nil {
				a.Data = []byte{} // nil marks scalars, into which nothing may point
			}
			origin := a.Offset * a.DType.Info().Bytes
			m.args[i] = argument{name: name, data: a.Data, origin: int64(origin), address: a.Address}
			watched[i] = trace.Buffer{Name: name, DType: a.DType, Data: a.Data, Offset: a.Offset,
				Undefined: a.Undefined}
			// The kernel's pointer is (argument, offset 0): where the argument begins in its storage is added at the
			// access.
			m.v[s].I64[0] = trace.Pointer(i, 0)
		case Scalar:
			a.Cast(k.fn.Params[i].Value.Type.DType).Fill(m.v[s])
			watched[i] = trace.Buffer{Name: name, DType: a.DType}
		}
	}
	if m.observe != nil {
		for i, written := range k.written() {
			watched[i].Written = written
		}
		m.pointees = k.pointees()
		m.observe.Launch(l.Grid, watched)
	}
	m.exec(k.prologue)
	return m, m.fault
}

// reachable is memory that the kernel has no parameter for.
func reachable(b Buffer) (argument, trace.Buffer) {
	if b.Data == nil {
		b.Data = []byte{}
	}
	return argument{name: b.Name, data: b.Data, address: b.Address},
		trace.Buffer{Name: b.Name, DType: b.DType, Data: b.Data, Undefined: b.Undefined, Written: true,
			Reachable: true}
}

// machine takes a machine for r; all but the first read the first one's shared values.
func (k *Kernel) machine(r *run, first *machine) *machine {
	m, _ := k.machines.Get().(*machine)
	if m == nil {
		m = newMachine(k.slots)
	}
	m.reset(r)
	if first == nil {
		return m
	}
	// Only the prologue writes shared slots, and it has run: the workers read them without a lock.
	for i, s := range k.slots {
		if s.shared {
			m.v[i], m.forms[i] = first.v[i], first.forms[i]
		}
	}
	m.args, m.poison, m.exact, m.observe = first.args, first.poison, first.exact, first.observe
	return m
}

// workers is how many machines run a launch of total programs.
func (k *Kernel) workers(l *Launch, total int64) int {
	n := l.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	if l.Observer != nil {
		n = 1 // observers see the accesses in the order of the programs
	}
	return int(min(int64(max(n, 1)), total, max(1, l.frames()/max(1, k.frame))))
}

// maxFrames bounds the bytes that the values of all workers' programs may take, where a launch says nothing.
const maxFrames = 1 << 30

func (l *Launch) frames() int64 {
	if l.MemoryBytes > 0 {
		return l.MemoryBytes
	}
	return maxFrames
}

// chunkOf is how many programs each of some workers takes at a time. Eight chunks a worker even out programs of unequal
// work; 64 programs are enough for a chunk to cost nothing.
func chunkOf(total int64, workers int) int64 {
	return max(1, min(maxChunk, total/int64(8*max(1, workers))))
}

const maxChunk = 64

// LaunchBytes is the memory that the values of all workers' programs take.
func (k *Kernel) LaunchBytes(l Launch) int64 {
	frame := k.frame
	if b := k.batchOf(&l); b != nil {
		frame += b.frame
	}
	return frame * int64(max(0, k.workers(&l, programs(l.Grid)))) // of a grid that no launch takes, there may be less
}

// programs is how many a grid has, at most the largest int64.
func programs(grid [3]int) int64 {
	total := int64(1)
	for _, n := range grid {
		if n > 0 && total > math.MaxInt64/int64(n) {
			return math.MaxInt64
		}
		total *= int64(n)
	}
	return total
}

// runAll runs the programs on machines and returns when all have stopped.
func (r *run) runAll(machines []*machine) {
	r.waits.workers = len(machines)
	var all sync.WaitGroup
	for _, m := range machines[1:] {
		all.Go(func() { r.runWorker(m) })
	}
	r.runWorker(machines[0])
	all.Wait()
}

// runWorker runs chunks of programs until there are none left.
func (r *run) runWorker(m *machine) {
	defer r.waits.end(m)
	for {
		lo := r.next.Add(r.chunk) - r.chunk
		hi := min(lo+r.chunk, r.total)
		if lo >= hi {
			return
		}
		if !r.runChunk(m, lo, hi) {
			return
		}
		r.done.Add(hi - lo)
	}
}

// runChunk runs programs lo to hi and reports whether the worker may go on. Within a chunk, and from chunk to chunk, a
// worker's programs come in order.
func (r *run) runChunk(m *machine, lo, hi int64) (ok bool) {
	n := lo
	defer func() {
		if e := recover(); e != nil {
			m.fault, ok = asFault(e), false
			m.fault.Program = r.programAt(n)
		}
		if m.fault != nil {
			r.stopAfter(n, m.fault)
			m.fault, ok = nil, false
		}
	}()
	for n < hi {
		if count := m.batches.run(m, n, hi); count > 0 {
			n += count
			continue
		}
		if n >= r.stopAt.Load() || !r.runProgram(m, n) {
			return false
		}
		n++
	}
	return true
}

// runProgram runs program n and reports whether the worker may go on.
func (r *run) runProgram(m *machine, n int64) bool {
	m.program = n
	id := r.programAt(n)
	m.pid = [3]int32{int32(id[0]), int32(id[1]), int32(id[2])}
	m.told.Program = id
	m.watched = m.watch != nil && m.watch.Watches(id)
	if s := r.from; s != nil && s.Program == n {
		m.resume(s)
	} else if !m.spendOnProgram() {
		return false
	}
	if len(m.path) == 0 {
		m.begins(nil, nil)
	}
	m.exec(r.kernel.body)
	if !m.halted {
		m.found.programs++
	}
	return !m.halted
}

// programCost is the work of a program in addition to its steps.
const programCost = 64

// spendOnProgram takes the work of the program's straight code from the budget, before it begins; loops pay for each
// iteration. It reports whether the program may begin.
func (m *machine) spendOnProgram() bool {
	if m.left -= m.run.kernel.cost + programCost; m.left >= 0 {
		return true
	}
	grant := m.run.drawBudget(m)
	if grant == exhausted {
		m.fail("launch-budget", source.Span{}, m.run.done.Load(), m.run.total)
	}
	return grant == granted
}

// stopAfter ends the launch because of program n; programs before it still run, so that the fault
// that is reported is the first one in program order.
func (r *run) stopAfter(n int64, f *Fault) {
	r.report.Lock()
	defer r.report.Unlock()
	if r.fault == nil || n < r.faultAt {
		r.fault, r.faultAt = f, n
		r.stopAt.Store(n)
	}
}

type grant uint8

const (
	granted grant = iota
	exhausted
	stopped // cancelled, or an earlier program has a fault
)

// drawBudget gives m work from the budget, at least what it owes.
func (r *run) drawBudget(m *machine) grant {
	for owed := -m.left; ; {
		// About a millisecond's work is drawn at a time, so that workers seldom touch the budget together; less where
		// little is left, since what one of them holds is out of reach for the others.
		have := r.budget.Load()
		if have < owed {
			return exhausted
		}
		grant := min(have, max(min(allowance, have/8), owed))
		if r.budget.CompareAndSwap(have, have-grant) {
			m.left += grant
			break
		}
	}
	if r.pollStop() {
		return stopped
	}
	if m.program > r.stopAt.Load() {
		return stopped
	}
	if r.progress != nil {
		r.report.Lock()
		r.progress(r.done.Load(), r.total)
		r.report.Unlock()
	}
	return granted
}

// pollStop waits while the launch is to yield, and reports whether someone asked for it to stop, and if so stops
// every worker.
func (r *run) pollStop() bool {
	if r.yield != nil {
		r.yield()
	}
	if r.ctx.Err() == nil {
		return false
	}
	r.stopAt.Store(0)
	return true
}

// programAt is the index of the n-th program that runs.
func (r *run) programAt(n int64) [3]int {
	if r.lastFirst {
		n = r.total - 1 - n
	}
	return trace.ProgramAt(r.grid, n)
}
