package tile

import (
	"encoding/binary"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

type storeOp struct {
	memoryOp
	value int
}

func planStore(p *planner, in *ir.Instr) {
	o := &storeOp{p.memoryOp(trace.Store, in, in.Operand(2)), p.slot(in.Operands[1])}
	p.emitStep(p.slots.len(o.ptr), o.run)
}

func (o *storeOp) run(m *machine) {
	value := m.v[o.value]
	if m.observe != nil { // before the store: observers compare with what memory held
		m.runAll(o.elements)
		o.notifyObserver(m, value)
	}
	var r region
	if r.find(m, &o.memoryOp) {
		o.storeRegion(m, value, &r)
		return
	}
	if m.halted = m.batch; m.halted {
		return
	}
	m.runAll(o.elements)
	mask, none := o.maskOf(m)
	if none {
		return
	}
	ptr := m.v[o.ptr].I64
	for i := 0; i < len(ptr); {
		if mask != nil && mask[i] == 0 {
			i++
			continue
		}
		end := trace.RunEnd(ptr, mask, i)
		if end == i+1 {
			if next := o.scatter(m, value, ptr, mask, i); next > i {
				i = next
				continue
			}
		}
		if lo, hi, at := o.clipRun(m, ptr[i], i, end); lo < hi {
			num.Store(o.dtype, at, value.Slice(lo, hi))
		}
		i = end
	}
}

// scatter stores single elements from lane i on, on the terms of loadOp.scattered.
func (o *storeOp) scatter(m *machine, value num.Vec, ptr []int64, mask []int32, i int) int {
	w := o.window(m, ptr[i])
	words := o.words(value)
	for ; i < len(ptr); i++ {
		if mask != nil && mask[i] == 0 {
			continue
		}
		at := w.byteOffset(ptr, i)
		if at < 0 {
			return i
		}
		if words != nil {
			binary.LittleEndian.PutUint32(w.data[at:], words[i])
		} else {
			num.StoreAt(o.dtype, w.data[at:], 0, value, i)
		}
	}
	return i
}
