package sanitize

import (
	"math"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// NonfiniteStores notes the programs that store a NaN or an infinity. It is an observer of one launch.
type NonfiniteStores struct{ Programs map[[3]int]bool }

// Launch begins anew.
func (s *NonfiniteStores) Launch([3]int, []trace.Buffer) { s.Programs = map[[3]int]bool{} }

// Access looks at what a stores.
func (s *NonfiniteStores) Access(a *trace.Access) {
	if a.Kind == trace.Load || !a.DType.Info().Float || !anyNonfinite(a.Values) {
		return
	}
	for i := range a.Ptr {
		if a.Active(i) && nonfinite(a.Values, i) != 0 {
			s.Programs[a.Program] = true
			return
		}
	}
}

// Nonfinite finds the operation that made a NaN or an infinity of numbers that were none, if it reaches a store. It is
// an observer of one launch of a kernel that was planned for all its operations.
type Nonfinite struct {
	Programs map[[3]int]bool // those to be looked at
	follower
}

// The kinds of its marks.
const (
	isInf = 1
	isNaN = 2
)

// Launch begins with the arguments of a launch.
func (n *Nonfinite) Launch(_ [3]int, args []trace.Buffer) { n.follower = newFollower(args) }

// Watches is true of the programs that are to be looked at.
func (n *Nonfinite) Watches(program [3]int) bool { return n.Programs[program] }

// Operation follows the marks of one operation.
func (n *Nonfinite) Operation(o *trace.Operation) {
	in := o.Instr
	n.begin(o.Program)
	switch {
	case o.Region != nil:
		n.enter(in, o.Region)
		return
	case in.Op == ops.If || in.Op == ops.For || in.Op == ops.While:
		n.leave(in)
		return
	}
	for i, r := range in.Results {
		n.known.keep(r, o.Lanes[i])
		n.follow(in, i, o.Lanes[i])
	}
	if in.Op.Has(ops.Writes) {
		n.checkStore(in)
	}
}

// follow gives a result its infinities and NaNs, each with the operation that made it.
func (n *Nonfinite) follow(in *ir.Instr, result int, lanes num.Vec) {
	r := in.Results[result]
	if r.Type.Pointer || !r.Type.DType.Info().Float || !anyNonfinite(lanes) {
		delete(n.marks.of, r)
		return
	}
	out := n.marks.arena.make(lanes.Len())
	from := n.through(in, result)
	if from == nil {
		from = n.marks.arena.none(len(out))
	}
	for i := range out {
		kind, before := nonfinite(lanes, i), from[i]
		switch {
		case kind == 0:
		case before.kind() >= kind:
			out[i] = before.as(kind)
		case kind == isNaN && before.kind() == isInf && computed(n.origin(before).instr):
			out[i] = before.as(kind) // an infinity that should not be there explains the NaN
		default:
			out[i] = n.mark(kind, origin{instr: in})
		}
	}
	n.marks.set(r, out)
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

// anyNonfinite reports whether a lane is an infinity or a NaN: then all bits of its exponent are set, and adding one to
// it carries into the sign.
func anyNonfinite(lanes num.Vec) bool {
	var carry32 uint32
	for _, x := range lanes.F32 {
		carry32 |= math.Float32bits(x)&(1<<31-1) + 1<<23
	}
	var carry64 uint64
	for _, x := range lanes.F64 {
		carry64 |= math.Float64bits(x)&(1<<63-1) + 1<<52
	}
	return carry32>>31 != 0 || carry64>>63 != 0
}

var nonfiniteCodes = [...]string{isInf: "overflow-origin", isNaN: "nan-origin"}

// checkStore reports NaNs and infinities that are stored, with what made them.
func (n *Nonfinite) checkStore(in *ir.Instr) {
	for _, v := range storedOperands(in) {
		for i, m := range n.marks.of[v] {
			origin := n.origin(m).instr
			if !computed(origin) || !n.active(i) {
				continue
			}
			at := n.atAccess(n.tensor(i), i)
			d := n.add(nonfiniteCodes[m.kind()], origin.Span, at, programText(n.program), i)
			if d != nil {
				d.Severity = diag.Hint
				d.Because(in.Span, "nonfinite-stored")
			}
		}
	}
}
