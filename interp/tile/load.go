package tile

import (
	"encoding/binary"
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

type loadOp struct {
	memoryOp
	other  int // -1 where absent
	dst    int
	views  bool    // dst may be a view of memory
	blank  num.Vec // what a lane without a value gets, unless there is other
	poison num.Vec // the same under poison, for poisonPeriod lanes
}

func planLoad(p *planner, in *ir.Instr) {
	o := &loadOp{memoryOp: p.memoryOp(trace.Load, in, in.Operand(1)), other: p.optionalSlot(in.Operand(2))}
	o.dst = p.resultSlot(in.Results[0])
	o.views = p.slots.slots[o.dst].view
	o.blank, o.poison = num.FromInt(o.dtype, 0).Vec(), poison(o.dtype)
	p.emitStep(p.slots.len(o.dst), o.run)
}

// viewable reports whether the result of a load may be a view of memory: it is dead before memory is written.
func (p *planner) viewable(in *ir.Instr) bool {
	v := in.Results[0]
	return v.Type.DType.Info().Bytes >= 4 && p.hasForm(in.Operands[0]) && p.live.unwritten(v) && !in.Bool("volatile")
}

// poisonPeriod is how many lanes poison differs in: enough to fill long blocks by copies.
const poisonPeriod = 64

// poison are values of dtype d that make their use evident, lane by lane. A maximum or a minimum takes no notice of
// NaN, so every other lane is an infinity.
func poison(d num.DType) num.Vec {
	const large = 0x5bad_c0de_5bad_c0df
	high, low := num.FromInt(d, large), num.FromInt(d, -large)
	values := [4]num.Scalar{high, low, high, high}
	if d.Info().Float {
		nan := num.FromFloat(d, math.NaN())
		values = [4]num.Scalar{nan, num.FromFloat(d, math.Inf(-1)), nan, num.FromFloat(d, math.Inf(1))}
	}
	out := num.MakeVec(d.Info().Class, poisonPeriod)
	for i := range poisonPeriod {
		copyVec(out.Slice(i, i+1), values[i%len(values)].Vec())
	}
	return out
}

// run loads, and tells the observer of it.
func (o *loadOp) run(m *machine) {
	if m.observe == nil {
		o.load(m)
		return
	}
	m.runAll(o.elements)
	o.load(m)
	o.notifyObserver(m, m.v[o.dst])
}

func (o *loadOp) load(m *machine) {
	var r region
	ok := r.find(m, &o.memoryOp)
	if o.views {
		// No view is looked at after memory has changed, but a state of the program is what its slots have.
		if ok && r.whole && m.observe == nil && num.View(o.dtype, &m.v[o.dst], r.data[r.at.first:]) {
			return
		}
		m.v[o.dst] = m.full[o.dst]
	}
	if ok {
		o.loadRegion(m, &r)
		return
	}
	if m.halted = m.batch; m.halted {
		return
	}
	m.runAll(o.elements)
	o.loadLanes(m)
}

// loadLanes loads lanes where their pointers and mask say.
func (o *loadOp) loadLanes(m *machine) {
	dst := m.v[o.dst]
	mask, none := o.maskOf(m)
	if mask != nil { // some lanes take part: those that do are overwritten
		o.fill(m, dst, 0, dst.Len())
	}
	if !none {
		o.loadActive(m, dst, mask)
	}
}

// loadActive loads every lane that takes part.
func (o *loadOp) loadActive(m *machine, dst num.Vec, mask []int32) {
	ptr := m.v[o.ptr].I64
	for i := 0; i < len(ptr); {
		if mask != nil && mask[i] == 0 {
			i++
			continue
		}
		end := trace.RunEnd(ptr, mask, i)
		if end == i+1 { // a run of one: element by element is faster than run by run
			if next := o.gather(m, dst, ptr, mask, i); next > i {
				i = next
				continue
			}
		}
		lo, hi, at := o.clipRun(m, ptr[i], i, end)
		if lo < hi {
			num.Load(o.dtype, dst.Slice(lo, hi), at)
		}
		if lo-i+end-hi > 0 { // lanes out of bounds get what masked-off ones do
			o.fill(m, dst, i, lo)
			o.fill(m, dst, hi, end)
		}
		i = end
	}
}

// gather loads single elements of one argument from lane i on, and stops before a lane that
// is out of bounds, that begins a run, or that points into another argument. It returns where.
func (o *loadOp) gather(m *machine, dst num.Vec, ptr []int64, mask []int32, i int) int {
	w := o.window(m, ptr[i])
	words := o.words(dst)
	for ; i < len(ptr); i++ {
		if mask != nil && mask[i] == 0 {
			continue
		}
		at := w.byteOffset(ptr, i)
		if at < 0 {
			return i
		}
		if words != nil {
			words[i] = binary.LittleEndian.Uint32(w.data[at:])
		} else {
			num.LoadAt(o.dtype, dst, i, w.data[at:], 0)
		}
	}
	return i
}

// fill gives lanes lo to hi of dst what lanes without a value have.
func (o *loadOp) fill(m *machine, dst num.Vec, lo, hi int) {
	if lo >= hi {
		return
	}
	if o.other >= 0 {
		copyVec(dst.Slice(lo, hi), m.v[o.other].Slice(lo, hi))
		return
	}
	if !m.poison {
		fillVec(dst.Slice(lo, hi), o.blank)
		return
	}
	for lo < hi {
		from := lo % poisonPeriod
		n := min(hi-lo, poisonPeriod-from)
		copyVec(dst.Slice(lo, lo+n), o.poison.Slice(from, from+n))
		lo += n
	}
}
