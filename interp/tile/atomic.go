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
		o.put(m, at, next, 0)
	}
}

// put writes lane i of values to an element.
func (o *memoryOp) put(m *machine, at []byte, values num.Vec, i int) {
	var before [8]byte
	size := 1 << o.shift
	copy(before[:size], at)
	num.StoreAt(o.dtype, at, 0, values, i)
	if !bytes.Equal(before[:size], at[:size]) {
		m.changes++
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
			o.put(m, at, value, i)
		}
	}
}

type atomicLoadOp struct {
	memoryOp
	dst int
}

func planAtomicLoad(p *planner, in *ir.Instr) {
	o := &atomicLoadOp{memoryOp: p.memoryOp(trace.Load, in, in.Operand(1))}
	o.dst = p.resultSlot(in.Results[0])
	p.emitStep(atomicCost*p.slots.len(o.dst), o.run)
}

func (o *atomicLoadOp) run(m *machine) {
	dst := m.v[o.dst]
	o.eachLane(m, func(i int, at []byte) { num.LoadAt(o.dtype, dst, i, at, 0) }, func(i int) { zeroAt(dst, i) })
	if m.observe != nil {
		o.notifyObserver(m, dst)
		for i := range dst.Len() {
			o.readOlder(m, dst, i)
		}
	}
}

type atomicStoreOp struct {
	memoryOp
	value int
}

func planAtomicStore(p *planner, in *ir.Instr) {
	o := &atomicStoreOp{memoryOp: p.memoryOp(trace.Store, in, in.Operand(2)), value: p.slot(in.Operands[1])}
	p.emitStep(atomicCost*in.Operands[0].Type.Numel(), o.run)
}

func (o *atomicStoreOp) run(m *machine) {
	value := m.v[o.value]
	if m.observe != nil {
		o.notifyObserver(m, value)
	}
	o.eachLane(m, func(i int, at []byte) { o.put(m, at, value, i) }, func(int) {})
}

// eachLane calls one of two functions for each lane, under the launch's lock: access, with its element's bytes, if the
// lane takes part, else none.
func (o *memoryOp) eachLane(m *machine, access func(i int, at []byte), none func(i int)) {
	mask, _ := o.maskOf(m)
	m.run.atomics.Lock()
	defer m.run.atomics.Unlock()
	for i, p := range m.v[o.ptr].I64 {
		if mask != nil && mask[i] == 0 {
			none(i)
		} else if lo, hi, at := o.clipRun(m, p, i, i+1); lo == hi {
			none(i)
		} else {
			access(i, at)
		}
	}
}
