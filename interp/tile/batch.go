package tile

import (
	"context"
	"slices"
	"unsafe"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// batchLanes is how many lanes a batch has: enough for the steps of a plan to cost little beside the elements, few
// enough for what it works on to stay in the nearest cache.
const batchLanes = 2048

// batch is a kernel that does what another one does in several programs, which follow each other along axis 0.
type batch struct {
	*Kernel
	programs int64
	accesses [][]int // the arguments that each load and store may reach
	stores   int     // so many of the accesses, the first ones, are stores
}

// maxBatched bounds the operations of a function that a batch is made of: one that is larger has more to do than begin.
const maxBatched = 1000

// batched is the batch of a kernel whose programs are elementwise arithmetic between loads and stores of small vectors,
// all with forms, into known arguments; nil of any other.
func batched(fn *ir.Func) *batch {
	if len(fn.Body.Instrs) > maxBatched {
		return nil
	}
	lanes, reach := 1, fn.Pointees()
	var loads, stores [][]int
	for _, in := range fn.Body.Instrs {
		for _, v := range in.Results {
			lanes = max(lanes, v.Type.Numel())
		}
		switch {
		case in.Op == ops.Load:
			loads = append(loads, reach[in])
		case in.Op == ops.Store:
			stores = append(stores, reach[in])
		}
	}
	w := &batcher{ir.NewBuilder(fn.Name), min(batchLanes/lanes, maxChunk), map[*ir.Value]*ir.Value{},
		map[*ir.Value]*ir.Value{}}
	if w.programs < 2 || !w.function(fn) {
		return nil
	}
	p := newPlanner(context.Background(), w.Finish(), nothing)
	k, err := p.kernel()
	if err != nil || p.lanewise {
		return nil
	}
	out := &batch{k, int64(w.programs), slices.Concat(stores, loads), len(stores)}
	if slices.ContainsFunc(out.accesses, func(args []int) bool { return len(args) == 0 }) {
		return nil
	}
	return out
}

// separate reports whether no store of the launch writes to memory that another access may reach.
func (b *batch) separate(args []argument) bool {
	overlap := func(i, j int) bool {
		x, y := args[i].data, args[j].data
		from, to := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
		return len(x) > 0 && len(y) > 0 && from < to+uintptr(len(y)) && to < from+uintptr(len(x))
	}
	for i, stored := range b.accesses[:b.stores] {
		for k, other := range b.accesses {
			for _, x := range stored {
				if k != i && slices.ContainsFunc(other, func(y int) bool { return overlap(x, y) }) {
					return false
				}
			}
		}
	}
	return true
}

// batchWorker runs batches beside a worker's programs.
type batchWorker struct {
	*machine
	of            *batch
	done, aborted int
}

// batchOf is the batch for a launch; nil where programs are few, in another order, observed, or have values that depend
// on the number of a lane (poison), or where memory does not suffice.
func (k *Kernel) batchOf(l *Launch) *batch {
	total := programs(l.Grid)
	workers := k.workers(l, total)
	chunk := chunkOf(total, workers)
	plain := l.Observer == nil && !l.Poison && !l.LastFirst && l.From == nil && l.Grid[1] == 1 && l.Grid[2] == 1
	if !plain || chunk < 2 {
		return nil
	}
	b := k.batch()
	if b == nil || chunk < b.programs || int64(workers)*(k.frame+b.frame) > l.frames() {
		return nil
	}
	return b
}

// addBatches gives each machine of a launch a worker for batches, where there are any.
func (r *run) addBatches(l *Launch, machines []*machine) {
	b := r.kernel.batchOf(l)
	if b == nil || !b.separate(machines[0].args) {
		return
	}
	first, fault := b.prepare(r, l)
	if fault != nil {
		return
	}
	for i, m := range machines {
		w := first
		if i > 0 {
			w = b.machine(r, first)
		}
		w.batch = true
		m.batches = &batchWorker{machine: w, of: b}
	}
}

// run runs programs from n on in m's place and says how many: none where the budget may end among them, or an access
// is not of regions inside of their arguments. No program reads what one has written, so to run them again changes
// nothing.
func (w *batchWorker) run(m *machine, n, hi int64) int64 {
	if w == nil {
		return 0
	}
	k, count := m.run.kernel, w.of.programs
	cost := count * (k.cost + programCost)
	if n+count > min(hi, m.run.stopAt.Load()) || w.aborted > 2+w.done/4 {
		return 0
	}
	if m.left -= cost; m.left < 0 && m.run.drawBudget(m) != granted {
		m.left += cost // one by one, programs find out which is the last
		return 0
	}
	w.program, w.pid = n, [3]int32{int32(n)}
	w.exec(w.of.body)
	if w.halted {
		w.halted = false
		w.aborted++
		m.left += cost
		return 0
	}
	w.done++
	m.found.programs += count
	return count
}

// release gives the worker's machine back.
func (w *batchWorker) release() {
	if w != nil {
		w.reset(nil)
		w.of.machines.Put(w.machine)
	}
}

// batcher rewrites the operations of a function for several programs: what depends on the program gets their number as
// its first dimension.
type batcher struct {
	*ir.Builder
	programs int
	of       map[*ir.Value]*ir.Value // what a value became, the same one for all programs
	whole    map[*ir.Value]*ir.Value // or one for each
}

func (w *batcher) function(fn *ir.Func) bool {
	for _, p := range fn.Params {
		w.of[p.Value] = w.Param(p.Name, p.Value.Type, p.Divisible)
	}
	return !slices.ContainsFunc(fn.Body.Instrs, func(in *ir.Instr) bool { return !w.rewrite(in) })
}

// emit appends an operation like in, of which the builder has checked the original.
func (w *batcher) emit(in *ir.Instr, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	results, err := w.Emit(in.Span, op, operands, attrs...)
	if err != nil {
		panic(err)
	}
	if len(results) == 0 {
		return nil
	}
	return results[0]
}

// rewrite appends what in does in all programs, and reports whether it can.
func (w *batcher) rewrite(in *ir.Instr) bool {
	varies := slices.ContainsFunc(in.Operands, func(v *ir.Value) bool { return w.whole[v] != nil })
	memory := in.Op == ops.Load || in.Op == ops.Store
	axis := ir.Attr{Name: "axis", Value: in.Int("axis") + 1}
	switch {
	case len(in.Regions) > 0 || len(in.Results) > 1:
		return false
	case in.Op == ops.ProgramID && in.Int("axis") == 0:
		first := w.emit(in, in.Op, nil, in.Attrs...)
		numbers := w.emit(in, ops.Arange, nil,
			ir.Attr{Name: "start", Value: int64(0)}, ir.Attr{Name: "end", Value: int64(w.programs)})
		w.whole[in.Result()] = w.emit(in, ops.Add, []*ir.Value{w.splat(in, first, w.programs), numbers})
	case !varies && (memory || in.Op.Has(ops.Pure) || in.Op == ops.Return):
		operands := slices.Clone(in.Operands)
		for i, v := range operands {
			operands[i] = w.of[v]
		}
		if v := w.emit(in, in.Op, operands, in.Attrs...); v != nil {
			w.of[in.Result()] = v
		}
	case in.Op == ops.Hint: // what it says is of one program
		w.whole[in.Result()] = w.whole[in.Operands[0]]
	case in.Op == ops.ExpandDims:
		w.whole[in.Result()] = w.emit(in, in.Op, []*ir.Value{w.whole[in.Operands[0]]}, axis)
	case in.Op == ops.Splat, in.Op == ops.Broadcast:
		w.whole[in.Result()] = w.spread(in, w.whole[in.Operands[0]], in.Result().Type.Shape)
	case memory || in.Op.Has(ops.Pure|ops.Elementwise) && in.Op != ops.InlineAsm:
		operands := slices.Clone(in.Operands)
		for i, v := range operands {
			operands[i] = w.each(in, v)
		}
		if v := w.emit(in, in.Op, operands, in.Attrs...); v != nil {
			w.whole[in.Result()] = v
		}
	default:
		return false
	}
	return true
}

func (w *batcher) splat(in *ir.Instr, v *ir.Value, shape ...int) *ir.Value {
	return w.emit(in, ops.Splat, []*ir.Value{v}, ir.Attr{Name: "shape", Value: ir.Ints(shape)})
}

// spread repeats v, of all programs, over a shape.
func (w *batcher) spread(in *ir.Instr, v *ir.Value, shape []int) *ir.Value {
	for len(v.Type.Shape) <= len(shape) {
		v = w.emit(in, ops.ExpandDims, []*ir.Value{v}, ir.Attr{Name: "axis", Value: int64(len(v.Type.Shape))})
	}
	return w.broadcast(in, v, shape)
}

// broadcast is v, which has a dimension of programs, with this shape in each of them.
func (w *batcher) broadcast(in *ir.Instr, v *ir.Value, shape []int) *ir.Value {
	return w.emit(in, ops.Broadcast, []*ir.Value{v},
		ir.Attr{Name: "shape", Value: ir.Ints(slices.Concat([]int{w.programs}, shape))})
}

// each is v of every program, nil where v is absent.
func (w *batcher) each(in *ir.Instr, v *ir.Value) *ir.Value {
	if v == nil || w.whole[v] != nil {
		return w.whole[v]
	}
	one := w.of[v]
	if one.Type.IsScalar() {
		w.whole[v] = w.splat(in, one, w.programs)
	} else {
		one = w.emit(in, ops.ExpandDims, []*ir.Value{one}, ir.Attr{Name: "axis", Value: int64(0)})
		w.whole[v] = w.broadcast(in, one, v.Type.Shape)
	}
	return w.whole[v]
}
