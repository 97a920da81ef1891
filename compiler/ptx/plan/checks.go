package plan

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Check is how it is found out whether an access stays in its argument's memory.
type Check uint8

// The ways.
const (
	ByVector Check = iota // by each vector's address
	ByRange               // by the range of a thread's addresses, and by each only where that is not inside
	Proved                // by the launch: nothing is computed
)

// fewVectors is how many vectors cost less to check one by one than their range does.
const fewVectors = 2

// narrow is the range in which sums of two offsets of 32 bits are.
var narrow = facts.Interval{Lo: -1 << 32, Hi: 1 << 32}

// planChecks plans how accesses are checked: by the range of addresses if that is of several vectors, aligned where
// they are in bounds, in one argument that is known, and too small to wrap around the address space. So each offset
// that was added to the pointer has to be narrow, as far as elements differ: ranges of offsets are added up. An access
// by range may be emitted twice, as atomics may not.
func (p *Plan) planChecks() {
	wide := map[int]bool{} // arguments to which other offsets have been added
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.AddPtr && !p.Facts.Spread(in.Operands[1]).Within(narrow) {
			wide[p.memoryOf(in)] = true
		}
		x := p.Accesses[in]
		if x == nil {
			return
		}
		vectors := x.Layout.Regs() >> bits.OnesCount32(x.Layout.Free().Reg) / x.Vector
		x.Aligned = x.Vector == 1 || !p.Facts.Hinted(in)
		switch at := p.memoryOf(in); {
		case p.Target.Proved(in):
			x.Check, x.Aligned = Proved, true
		case in.Op.Has(ops.Atomic) || at == axis.Mixed || wide[at]:
		case vectors > fewVectors && x.Aligned && p.Facts.Spread(in.Operands[0]).Within(narrow):
			x.Check = ByRange
		}
	})
}
