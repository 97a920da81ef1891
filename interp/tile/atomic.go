package tile

import (
	"bytes"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// rmwOps are the combinations of atomic_rmw; xchg has none.
var rmwOps = map[string]num.BinaryOp{
	"add": num.Add, "max": num.Max, "min": num.Min, "and": num.And, "or": num.Or, "xor": num.Xor,
}

// atomicCost is the work of one lane.
const atomicCost = 32

type atomicOp struct {
	memoryOp
	value, dst int
	combine    num.BinaryFn // nil to exchange
	class      num.Class
}

func planAtomicRMW(p *planner, in *ir.Instr) {
	o := &atomicOp{memoryOp: p.memoryOp(trace.Atomic, in, in.Operand(2)), value: p.slot(in.Operands[1])}
	if op, ok := rmwOps[in.Str("rmw")]; ok {
		if o.combine = num.Binary(op, o.dtype); o.combine == nil {
			panic(unsupported(in))
		}
	}
	o.dst = p.resultSlot(in.Results[0])
	o.class = p.slots.class(o.dst)
	p.emitStep(atomicCost*p.slots.len(o.dst), o.run)
}

// run does one lane after the other under the launch's lock, so that programs on other
// goroutines see each lane done or not done.
func (o *atomicOp) run(m *machine) {
	value, dst := m.v[o.value], m.v[o.dst]
	if m.observe != nil {
		o.notifyAtomic(m, value, num.Vec{}, o.combine)
	}
	mask, _ := o.maskOf(m)
	ptr := m.v[o.ptr].I64
	m.run.atomics.Lock()
	defer m.run.atomics.Unlock()
	old, arg, next := m.scratchLane(o.class, 0), m.scratchLane(o.class, 1), m.scratchLane(o.class, 2)
	for i := range ptr {
		zeroAt(dst, i) // the result of a lane that does not take part
		if mask != nil && mask[i] == 0 {
			continue
		}
		lo, hi, at := o.clipRun(m, ptr[i], i, i+1)
		if lo == hi || o.readOlder(m, dst, i) {
			continue
		}
		// Lanes that name one address combine one after the other, each seeing what the last one left.
		num.LoadAt(o.dtype, old, 0, at, 0)
		moveAt(o.class, arg, 0, value, i)
		moveAt(o.class, dst, i, old, 0)
		if o.combine == nil {
			next, arg = arg, next
		} else {
			o.combine(next, old, arg)
		}
		num.StoreAt(o.dtype, at, 0, next, 0)
	}
}

// readOlder lets lane i read an older value, where the observer says so.
func (o *memoryOp) readOlder(m *machine, dst num.Vec, i int) bool {
	if m.older == nil {
		return false
	}
	was := m.older.Older(i)
	if was != nil {
		num.LoadAt(o.dtype, dst, i, was, 0)
	}
	return was != nil
}

type casOp struct {
	memoryOp
	cmp, value, dst int
}

func planAtomicCAS(p *planner, in *ir.Instr) {
	o := &casOp{memoryOp: p.memoryOp(trace.Atomic, in, nil), cmp: p.slot(in.Operands[1]), value: p.slot(in.Operands[2])}
	o.dst = p.resultSlot(in.Results[0])
	p.emitStep(atomicCost*p.slots.len(o.dst), o.run)
}

// run compares memory bit by bit, as the hardware does.
func (o *casOp) run(m *machine) {
	value, cmp, dst := m.v[o.value], m.v[o.cmp], m.v[o.dst]
	if m.observe != nil {
		o.notifyAtomic(m, value, cmp, nil)
	}
	ptr := m.v[o.ptr].I64
	size := 1 << o.shift
	var want [8]byte
	m.run.atomics.Lock()
	defer m.run.atomics.Unlock()
	for i := range ptr {
		zeroAt(dst, i)
		lo, hi, at := o.clipRun(m, ptr[i], i, i+1)
		if lo == hi || o.readOlder(m, dst, i) {
			continue
		}
		// Bytes are compared, so that NaN equals itself and 0 differs from -0.
		num.StoreAt(o.dtype, want[:], 0, cmp, i)
		same := bytes.Equal(at[:size], want[:size])
		num.LoadAt(o.dtype, dst, i, at, 0)
		if same {
			num.StoreAt(o.dtype, at, 0, value, i)
		}
	}
}
