package sanitize

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// Values follows values from operation to operation, lane by lane. It reports
//
//   - lanes that a mask left undefined and that reach a branch, a mask, or the value or address of a lane that takes
//     part in an access;
//   - the operation that made a NaN or an infinity of numbers that were none, if it reaches a store;
//   - tl.multiple_of and tl.max_contiguous that do not hold.
//
// It is an observer of one launch of a kernel that was planned for it (tile.PlanObserved). Memory is bounded by the
// values of one program; undefined lanes and NaNs are not followed through memory.
type Values struct {
	reports
	args []trace.Buffer

	program   [3]int
	known     conditions
	entered   map[*ir.Instr]*ir.Block // by instruction that runs: the region that was entered last
	mask      []int32                 // of the last access; nil where all lanes take part
	undefined marks
	nonfinite marks
}

// The kinds of marks: an undefined lane; an infinity, a NaN.
const (
	isUndefined = 1
	isInf       = 1
	isNaN       = 2
)

// Launch begins with the arguments of a launch.
func (v *Values) Launch(_ [3]int, args []trace.Buffer) {
	*v = Values{args: args}
	v.begin([3]int{})
}

// begin forgets the values of an earlier program.
func (v *Values) begin(program [3]int) {
	v.program, v.known, v.entered = program, conditions{}, map[*ir.Instr]*ir.Block{}
	v.undefined, v.nonfinite = marks{}, marks{}
}

// Watches is true of every program.
func (v *Values) Watches([3]int) bool { return true }

// Access keeps the mask for the operation that made the access, which comes next.
func (v *Values) Access(a *trace.Access) { v.mask = a.Mask }

// Operation follows the marks of one operation.
func (v *Values) Operation(o *trace.Operation) {
	if o.Program != v.program {
		v.begin(o.Program)
	}
	if o.Region != nil {
		v.enter(o.Instr, o.Region)
		return
	}
	switch o.Instr.Op {
	case ops.If, ops.For, ops.While:
		v.leave(o.Instr)
		return
	}
	for i, r := range o.Instr.Results {
		v.known.keep(r, o.Lanes[i])
		v.followUndefined(o.Instr, i)
		v.followNonfinite(o.Instr, i, o.Lanes[i])
	}
	// Of operations that let values out, or claim something of them.
	switch o.Instr.Op {
	case ops.Load:
		v.checkAddress(o)
	case ops.Store, ops.AtomicRMW, ops.AtomicCAS:
		v.checkStore(o)
	case ops.Hint:
		v.checkHint(o)
	}
}

// inits are the operands that the carried values of a loop begin with.
func inits(in *ir.Instr) []*ir.Value {
	if in.Op == ops.For {
		return in.Operands[3:]
	}
	return in.Operands
}

// enter gives the arguments of a region the marks of what is handed to it.
func (v *Values) enter(in *ir.Instr, region *ir.Block) {
	before, again := v.entered[in]
	v.entered[in] = region
	switch {
	case in.Op == ops.If:
		v.checkBranch(in, in.Operands[0])
	case in.Op == ops.While && region == in.Regions[1]:
		passed := before.Terminator().Operands
		v.checkBranch(in, passed[0])
		v.move(region.Args, passed[1:])
	case in.Op == ops.While && again:
		v.move(region.Args, in.Regions[1].Terminator().Operands)
	case in.Op == ops.For && again:
		v.move(region.Args[1:], region.Terminator().Operands)
	case in.Op == ops.For:
		v.move(region.Args[1:], inits(in))
	default:
		v.move(region.Args, in.Operands)
	}
}

// leave gives the results of an instruction with regions the marks of what its last region yielded.
func (v *Values) leave(in *ir.Instr) {
	last := v.entered[in]
	delete(v.entered, in)
	if in.Op == ops.For {
		v.checkBranch(in, in.Operands[:3]...) // here, since a loop of no iterations enters no region
	}
	switch {
	case last == nil:
		v.move(in.Results, inits(in))
	case in.Op == ops.While:
		passed := in.Regions[0].Terminator().Operands
		v.checkBranch(in, passed[0])
		v.move(in.Results, passed[1:])
	default:
		v.move(in.Results, last.Terminator().Operands)
	}
}

func (v *Values) move(to, from []*ir.Value) {
	v.undefined.move(to, from)
	v.nonfinite.move(to, from)
	kept := make([][]int32, len(to))
	for i := range to {
		kept[i] = slices.Clone(v.known[from[i]])
	}
	for i := range to {
		v.known[to[i]] = kept[i]
	}
}

// active reports whether lane i took part in the last access.
func (v *Values) active(i int) bool { return v.mask == nil || v.mask[i] != 0 }

// followUndefined gives a result its undefined lanes: those of its operands, and those that a load's mask left out.
func (v *Values) followUndefined(in *ir.Instr, result int) {
	lanes := v.undefined.through(in, result, v.known)
	if (in.Op == ops.Load || in.Op == ops.AtomicRMW) && in.Operand(maskOperand[in.Op]) != nil && v.mask != nil {
		lanes = make([]mark, len(v.mask))
		other := in.Op == ops.Load && in.Operand(2) != nil
		for i, m := range v.mask {
			switch {
			case m != 0:
			case other:
				lanes[i] = flow{marks: v.undefined, in: in}.lane(2, i)
			default:
				lanes[i] = mark{isUndefined, in}
			}
		}
	}
	v.undefined.set(in.Results[result], lanes)
}

// maskOperand is the position of the mask among an operation's operands; operations without one have an empty one.
var maskOperand = map[ops.Op]int{ops.Load: 1, ops.Store: 2, ops.AtomicRMW: 2, ops.AtomicCAS: 3}

// followNonfinite gives a result its infinities and NaNs, each with the operation that made it.
func (v *Values) followNonfinite(in *ir.Instr, result int, lanes num.Vec) {
	r := in.Results[result]
	if r.Type.Pointer || !r.Type.DType.Info().Float || !anyNonfinite(lanes) {
		delete(v.nonfinite, r)
		return
	}
	from := v.nonfinite.through(in, result, v.known)
	out := make([]mark, lanes.Len())
	for i := range out {
		kind := nonfinite(lanes, i)
		switch {
		case kind == 0:
		case from != nil && from[i].kind >= kind:
			out[i] = mark{kind, from[i].origin}
		case kind == isNaN && from != nil && from[i].kind == isInf && computed(from[i].origin):
			out[i] = mark{kind, from[i].origin} // an infinity that should not be there explains the NaN
		default:
			out[i] = mark{kind, in}
		}
	}
	v.nonfinite.set(r, out)
}

// computed reports whether an operation computes its result, rather than to find it in memory or in the source.
func computed(in *ir.Instr) bool {
	return in != nil && !in.Op.Has(ops.Reads) && in.Op != ops.Const && in.Op != ops.Splat
}

func nonfinite(lanes num.Vec, i int) uint8 {
	var x float64
	if lanes.F64 != nil {
		x = lanes.F64[i]
	} else {
		x = float64(lanes.F32[i])
	}
	switch {
	case x != x:
		return isNaN
	case math.IsInf(x, 0):
		return isInf
	}
	return 0
}

// anyNonfinite reports whether a lane is an infinity or a NaN: x-x is 0 for every other number.
func anyNonfinite(lanes num.Vec) bool {
	var sum32 float32
	for _, x := range lanes.F32 {
		sum32 += x - x
	}
	var sum64 float64
	for _, x := range lanes.F64 {
		sum64 += x - x
	}
	return sum32 != 0 || sum64 != 0
}

func (v *Values) at(tensor string) diag.Runtime {
	return diag.Runtime{Program: v.program, Tensor: tensor}
}

// report adds a finding of an undefined lane where it is used.
func (v *Values) report(code string, in *ir.Instr, m mark, lane int) {
	if d := v.add(code, in.Span, v.at(tensorOf(v.args, m.origin)), programText(v.program), lane); d != nil {
		d.Because(m.origin.Span, "undefined-origin")
	}
}

// tensorOf names the argument that an access goes to, as far as its pointer comes from one without a choice.
func tensorOf(args []trace.Buffer, in *ir.Instr) string {
	for at := in.Operands[0]; ; at = at.Def.Operands[0] {
		if at.Def == nil {
			if at.Index < len(args) && at.Type.Pointer {
				return args[at.Index].Name
			}
			return ""
		}
		if len(at.Def.Operands) == 0 || at.Def.Operands[0] == nil || !at.Def.Op.Has(ops.Pure) {
			return ""
		}
	}
}

func (v *Values) checkBranch(in *ir.Instr, conditions ...*ir.Value) {
	for _, c := range conditions {
		if m := v.undefined.any(c); m.kind > 0 {
			v.report("undefined-lane-branch", in, m, 0)
		}
	}
}

// checkAddress reports undefined lanes in the address or the mask of an access.
func (v *Values) checkAddress(o *trace.Operation) {
	in := o.Instr
	for i, m := range v.undefined[in.Operands[0]] {
		if m.kind > 0 && v.active(i) {
			v.report("undefined-lane-address", in, m, i)
		}
	}
	if mask := in.Operand(maskOperand[in.Op]); mask != nil {
		for i, m := range v.undefined[mask] {
			if m.kind > 0 {
				v.report("undefined-lane-mask", in, m, i)
			}
		}
	}
}

// checkStore reports undefined lanes that are stored, and NaNs and infinities with what made them.
func (v *Values) checkStore(o *trace.Operation) {
	v.checkAddress(o)
	in := o.Instr
	for _, value := range in.Operands[1:] {
		if value == nil || value == in.Operand(maskOperand[in.Op]) {
			continue
		}
		for i, m := range v.undefined[value] {
			if m.kind > 0 && v.active(i) {
				v.report("undefined-lane-store", in, m, i)
			}
		}
		for i, m := range v.nonfinite[value] {
			if m.kind > 0 && v.active(i) && computed(m.origin) {
				v.reportNonfinite(in, m, i)
			}
		}
	}
}

var nonfiniteCodes = [...]string{isInf: "overflow-origin", isNaN: "nan-origin"}

func (v *Values) reportNonfinite(in *ir.Instr, m mark, lane int) {
	code := nonfiniteCodes[m.kind]
	if d := v.add(code, m.origin.Span, v.at(tensorOf(v.args, in)), programText(v.program), lane); d != nil {
		d.Severity = diag.Hint
		d.Because(in.Span, "nonfinite-stored")
	}
}

// checkHint reports a lane that a hint does not hold for. Along each dimension, tl.multiple_of is about the first value
// of each run of consecutive ones, and tl.max_contiguous about groups of as many lanes.
func (v *Values) checkHint(o *trace.Operation) {
	in, lanes := o.Instr, o.Lanes[0]
	shape := in.Results[0].Type.Shape
	for d, by := range strides(shape) {
		for i := range lanes.Len() {
			at := i / by % shape[d]
			follows := at > 0 && integer(lanes, i) == integer(lanes, i-by)+1
			if list := in.Ints("contiguity"); list != nil && at%int(list[d]) != 0 && !follows {
				v.reportHint("hint-contiguity", in, i, integer(lanes, i), list[d])
			}
			if list := in.Ints("divisibility"); list != nil && !follows && v.multiple(in, lanes, i)%list[d] != 0 {
				v.reportHint("hint-divisibility", in, i, v.multiple(in, lanes, i), list[d])
			}
		}
	}
	if list := in.Ints("divisibility"); len(shape) == 0 && list != nil && v.multiple(in, lanes, 0)%list[0] != 0 {
		v.reportHint("hint-divisibility", in, 0, v.multiple(in, lanes, 0), list[0])
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
func (v *Values) multiple(in *ir.Instr, lanes num.Vec, i int) int64 {
	x := integer(lanes, i)
	if !in.Results[0].Type.Pointer {
		return x
	}
	arg, offset := trace.Split(x)
	if arg < len(v.args) {
		offset += int64(v.args[arg].Offset)
	}
	return offset * int64(in.Results[0].Type.DType.Info().Bytes)
}

func (v *Values) reportHint(code string, in *ir.Instr, lane int, value, want int64) {
	v.add(code, in.Span, v.at(""), programText(v.program), lane, value, want)
}
