package tile

import (
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
	p.emit(p.slots[o.ptr].n, o.run)
}

func (o *storeOp) run(m *machine) {
	value := m.v[o.value]
	if m.observe != nil {
		o.watch(m, value)
	}
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
		end := runEnd(ptr, mask, i)
		lo, hi, at := o.clip(m, ptr[i], i, end)
		switch hi - lo {
		case 0:
		case 1:
			num.StoreAt(o.dtype, at, 0, value, lo)
		default:
			num.Store(o.dtype, at, value.Slice(lo, hi))
		}
		i = end
	}
}
