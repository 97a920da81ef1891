package sanitize

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// Undefined finds lanes that a mask left undefined and that reach a branch, a mask, or the value or address of a lane
// that takes part in an access. It is an observer of one launch of a kernel that was planned for Watch.
type Undefined struct{ follower }

// isUndefined is the kind of its marks.
const isUndefined = 1

// Launch begins with the arguments of a launch.
func (u *Undefined) Launch(_ [3]int, args []trace.Buffer) { *u = Undefined{newFollower(args)} }

// Watches is true of every program.
func (u *Undefined) Watches([3]int) bool { return true }

// Operation follows the marks of one operation.
func (u *Undefined) Operation(o *trace.Operation) {
	in := o.Instr
	u.begin(o.Program)
	switch {
	case o.Region != nil:
		if in.Op == ops.If || in.Op == ops.While && o.Region == in.Regions[1] {
			u.checkBranch(in)
		}
		u.enter(in, o.Region)
		return
	case in.Op == ops.If || in.Op == ops.For || in.Op == ops.While:
		if in.Op != ops.If { // a loop of no iterations has decided, too
			u.checkBranch(in)
		}
		u.leave(in)
		return
	}
	for i, r := range in.Results {
		u.known.keep(r, o.Lanes[i])
		u.follow(in, i)
	}
	if len(u.marks.of) > 0 && (in.Op.Has(ops.Reads) || in.Op.Has(ops.Writes)) {
		u.checkAccess(in)
	}
}

// masksLanes reports whether in gives the lanes that its mask leaves out no value.
func masksLanes(in *ir.Instr) bool {
	return (in.Op == ops.Load || in.Op == ops.AtomicRMW || in.Op == ops.AtomicLoad) && in.Mask() != nil
}

// other is the operand that gives a load's masked lanes their value; nil where they have none.
func other(in *ir.Instr) *ir.Value {
	if in.Op != ops.Load {
		return nil
	}
	return in.Operand(2)
}

// follow gives a result its undefined lanes: those of its operands, and those that a load's mask left out.
func (u *Undefined) follow(in *ir.Instr, result int) {
	r := in.Results[result]
	if !masksLanes(in) {
		u.marks.set(r, u.through(in, result))
		return
	}
	delete(u.marks.of, r)
	instead := other(in)
	from := u.marks.of[instead]
	if !slices.Contains(u.mask, 0) || instead != nil && from == nil {
		return
	}
	lanes := u.marks.arena.make(len(u.mask))
	left := u.mark(isUndefined, origin{in, u.tensor(slices.Index(u.mask, 0))})
	for i, m := range u.mask {
		switch {
		case m != 0:
		case instead != nil:
			lanes[i] = from[min(i, len(from)-1)]
		default:
			lanes[i] = left
		}
	}
	u.marks.set(r, lanes)
}

// report adds a finding of an undefined lane where it is used.
func (u *Undefined) report(code string, in *ir.Instr, m mark, lane int, at diag.Runtime) {
	if d := u.add(code, in.Span, at, programText(u.program), lane); d != nil {
		d.Because(u.origin(m).instr.Span, "undefined-origin")
	}
}

func (u *Undefined) checkBranch(in *ir.Instr) {
	for _, c := range conditionsOf(in) {
		if m := anyMark(u.marks.of[c]); m != 0 {
			u.report("undefined-lane-branch", in, m, 0, u.atBranch(u.origin(m).tensor))
		}
	}
}

// checkAccess reports undefined lanes in the address, the mask and the values of an access.
func (u *Undefined) checkAccess(in *ir.Instr) {
	u.checkLanes("undefined-lane-address", in, in.Operands[0], u.mask)
	if mask := in.Mask(); mask != nil {
		u.checkLanes("undefined-lane-mask", in, mask, nil)
	}
	if in.Op.Has(ops.Writes) {
		for _, v := range storedOperands(in) {
			u.checkLanes("undefined-lane-store", in, v, u.mask)
		}
	}
}

// checkLanes reports the undefined lanes of v that a mask lets through; nil is all.
func (u *Undefined) checkLanes(code string, in *ir.Instr, v *ir.Value, mask []int32) {
	for i, m := range u.marks.of[v] {
		if m != 0 && (mask == nil || mask[i] != 0) {
			u.report(code, in, m, i, u.atAccess(u.origin(m).tensor, i))
		}
	}
}

// Watch chooses the operations that Undefined and Hints are told of, for tile.PlanObserved: those through which a lane
// without a value may go, those that compute conditions which decide whether it does, and hints.
func Watch(fn *ir.Func) func(*ir.Instr) bool {
	reached, needed := values{}, values{}
	for grew := true; grew; {
		grew = false
		fn.Body.Walk(func(in *ir.Instr) {
			for _, h := range handovers(in) {
				for i, to := range h.to {
					grew = reached.add(to, reached[h.from[i]]) || grew
					grew = needed.add(h.from[i], needed[to]) || grew
				}
			}
			for _, r := range in.Results {
				grew = reached.add(r, reaches(in, reached)) || grew
			}
			for _, c := range decides(in) {
				grew = needed.add(c, reached.any(in.Operands)) || grew
			}
		})
	}
	return func(in *ir.Instr) bool {
		return in.Op == ops.Hint || reached.any(in.Operands) || reached.any(in.Results) || needed.any(in.Results) ||
			reached.any(conditionsOf(in)) || slices.ContainsFunc(handovers(in), func(h handover) bool {
			return reached.any(h.to) || needed.any(h.to)
		})
	}
}

// values is a set of values.
type values map[*ir.Value]bool

func (s values) any(list []*ir.Value) bool {
	return slices.ContainsFunc(list, func(v *ir.Value) bool { return s[v] })
}

// add adds v if it is to be, and reports whether it is new.
func (s values) add(v *ir.Value, add bool) bool {
	if !add || s[v] {
		return false
	}
	s[v] = true
	return true
}

// reaches reports whether the results of an operation without handovers may have undefined lanes.
func reaches(in *ir.Instr, reached values) bool {
	switch {
	case masksLanes(in):
		return other(in) == nil || reached[other(in)]
	case in.Op.Has(ops.Reads) || handovers(in) != nil:
		return false
	}
	return reached.any(in.Operands)
}

// decides are the operands of an operation that decide which lanes of the others count.
func decides(in *ir.Instr) []*ir.Value {
	switch in.Op {
	case ops.Select:
		return in.Operands[:1]
	case ops.And, ops.Or:
		return in.Operands
	case ops.Mul:
		if in.Results[0].Type.IsInt() {
			return in.Operands
		}
	case ops.Gather:
		return in.Operands[1:]
	case ops.Histogram:
		if mask := in.Mask(); mask != nil {
			return []*ir.Value{mask}
		}
	}
	return nil
}
