package facts

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// TripCount is how often a loop from lower while below upper runs; never where step is below 1.
func TripCount(lower, upper, step int64) uint64 {
	if step < 1 || lower >= upper {
		return 0
	}
	return (uint64(upper)-uint64(lower)-1)/uint64(step) + 1 // the difference of two int64 fits a uint64
}

// ConstTrips is how often a for loop runs whose bounds are constants, as far as constant knows them.
func ConstTrips(loop *ir.Instr, constant func(*ir.Value) (int64, bool)) (n uint64, known bool) {
	var bounds [3]int64
	for i := range bounds {
		if bounds[i], known = constant(loop.Operands[i]); !known {
			return 0, false
		}
	}
	return TripCount(bounds[0], bounds[1], bounds[2]), true
}

// Step is a value that an iteration of a loop adds, Sign times, to what it carries.
type Step struct {
	Value *ir.Value
	Sign  int64
}

// maxSteps is how many additions one iteration may make.
const maxSteps = 8

// StepsTo finds what makes next of the carried value v, if that is nothing but additions of values that are steps.
func StepsTo(next, v *ir.Value, step func(*ir.Value) bool) (list []Step, ok bool) {
	for next != v && next.Def != nil && len(list) < maxSteps {
		in := next.Def
		switch {
		case in.Op == ops.Hint || in.Op == ops.ConvertLayout || in.Op == ops.Uniform:
			next = in.Operands[0]
			continue
		case in.Op != ops.Add && in.Op != ops.Sub && in.Op != ops.AddPtr || logical(in.Results[0]):
			return nil, false
		}
		switch x, y := in.Operands[0], in.Operands[1]; {
		case step(y):
			s := Step{y, 1}
			if next = x; in.Op == ops.Sub {
				s.Sign = -1
			}
			list = append(list, s)
		case in.Op == ops.Add && step(x):
			list, next = append(list, Step{x, 1}), y
		default:
			return nil, false
		}
	}
	return list, next == v
}

// Induction is what each iteration of a loop adds to a carried value. Even: it adds the same, as all steps come from
// outside the loop. Not OK where it does something else than to add.
type Induction struct {
	Steps    []Step
	Even, OK bool
}

// inductionsOf finds what a for loop does to each of its carried values; the function is numbered.
func inductionsOf(loop *ir.Instr) []Induction {
	body := loop.Regions[0]
	outside := func(v *ir.Value) bool { return v.ID < body.Args[0].ID }
	next := body.Terminator().Operands
	out := make([]Induction, len(next))
	for i, v := range next {
		if out[i].Steps, out[i].Even = StepsTo(v, body.Args[1+i], outside); out[i].Even {
			out[i].OK = true
		} else {
			out[i] = accumulation(v, body.Args[1+i])
		}
	}
	return out
}

// accumulation is the Induction whose steps may be any values.
func accumulation(next, v *ir.Value) (how Induction) {
	how.Steps, how.OK = StepsTo(next, v, func(x *ir.Value) bool { return x != v })
	return how
}

// logical reports whether v holds truth values, of which conditions are known in place of sums.
func logical(v *ir.Value) bool { return v.Type.DType == num.Int1 && !v.Type.Pointer }
