package sanitize

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// Hints finds tl.multiple_of, tl.max_contiguous and tl.max_constancy that do not hold. It is an observer of one launch
// of a kernel that was planned for Watch.
type Hints struct {
	reports
	accesses accesses
	args     []trace.Buffer
}

// Launch begins with the arguments of a launch.
func (h *Hints) Launch(_ [3]int, args []trace.Buffer) { *h = Hints{args: args} }

// Access counts the accesses of the program.
func (h *Hints) Access(a *trace.Access) { h.accesses.count(a.Program) }

// Watches is true of every program.
func (h *Hints) Watches([3]int) bool { return true }

// Operation reports a lane that a hint does not hold for. Along each dimension, tl.multiple_of is about the first value
// of each run of consecutive ones, and tl.max_contiguous and tl.max_constancy about groups of as many lanes.
func (h *Hints) Operation(o *trace.Operation) {
	if o.Instr.Op != ops.Hint {
		return
	}
	in, lanes := o.Instr, o.Lanes[0]
	if lanes.I32 == nil && lanes.I64 == nil {
		return // of floats, the compiler makes nothing
	}
	shape := in.Results[0].Type.Shape
	for d, by := range types.Strides(shape) {
		for i := range lanes.Len() {
			at := i / by % shape[d]
			follows := at > 0 && integer(lanes, i) == integer(lanes, i-by)+1
			if list := in.Ints("contiguity"); list != nil && at%int(list[d]) != 0 && !follows {
				h.report(o, "hint-contiguity", i, integer(lanes, i), list[d])
			}
			equal := at == 0 || integer(lanes, i) == integer(lanes, i-by)
			if list := in.Ints("constancy"); list != nil && at%int(list[d]) != 0 && !equal {
				h.report(o, "hint-constancy", i, integer(lanes, i), list[d])
			}
			if list := in.Ints("divisibility"); list != nil && !follows && h.multiple(in, lanes, i)%list[d] != 0 {
				h.report(o, "hint-divisibility", i, h.multiple(in, lanes, i), list[d])
			}
		}
	}
	if list := in.Ints("divisibility"); len(shape) == 0 && list != nil && h.multiple(in, lanes, 0)%list[0] != 0 {
		h.report(o, "hint-divisibility", 0, h.multiple(in, lanes, 0), list[0])
	}
}

func integer(lanes num.Vec, i int) int64 {
	if lanes.I64 != nil {
		return lanes.I64[i]
	}
	return int64(lanes.I32[i])
}

// multiple is the number that tl.multiple_of speaks of: an integer, or the address of a pointer in bytes, since
// storages begin at multiples of what kernels ask for.
func (h *Hints) multiple(in *ir.Instr, lanes num.Vec, i int) int64 {
	x := integer(lanes, i)
	if !in.Results[0].Type.Pointer {
		return x
	}
	arg, offset := trace.Split(x)
	if arg < len(h.args) {
		offset += int64(h.args[arg].Offset)
	}
	return offset * int64(in.Results[0].Type.DType.Info().Bytes)
}

func (h *Hints) report(o *trace.Operation, code string, lane int, value, want int64) {
	h.accesses.begin(o.Program)
	at := diag.Runtime{Program: o.Program, Access: h.accesses.made} // before the next one
	h.add(code, o.Instr.Span, at, programText(o.Program), lane, value, want)
}
