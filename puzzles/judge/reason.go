package judge

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// facts are what is known of a launch whose output has wrong elements.
type facts struct {
	*Case
	kernel *ir.Func // optimized
	grid   [3]int
	// needs reports whether all wrong elements would be others if some elements of an input were.
	needs func(input int, elements []int) bool
}

// reasonTable says what all wrong elements have in common, the most telling first. Each row is checked on the whole
// output, or on the kernel's IR: where one applies, it is so. Its arguments are the number of wrong elements,
// that of all, and what it gives.
var reasonTable = []struct {
	key   string
	holds func(facts) (args []any, holds bool)
}{
	{"judge.writes-nothing", facts.writesNothing},
	{"judge.same-programs", facts.samePrograms},
	{"judge.unwritten-range", facts.unwrittenRange},
	{"judge.unwritten", facts.unwritten},
	{"judge.unused", facts.unused},
	{"judge.unread-range", facts.unreadRange},
	{"judge.tf32", func(f facts) ([]any, bool) { return nil, f.rounding }},
	{"judge.transposed", facts.transposed},
	{"judge.constant", facts.constant},
	{"judge.nan", facts.nan},
	{"judge.truncated", facts.truncated},
	{"judge.off-by", facts.offBy},
}

// reasonOf says why elements are wrong, or how many are.
func reasonOf(f facts) *diag.Text {
	args := []any{len(f.Wrong), f.Expected.Len()}
	for _, reason := range reasonTable {
		if more, holds := reason.holds(f); holds {
			return &diag.Text{Key: reason.key, Args: append(args, more...)}
		}
	}
	return &diag.Text{Key: "judge.wrong", Args: args}
}

// missing are the positions that no program wrote, where at least one of them is wrong: what was in memory
// before may lie within the tolerance by accident.
func (f facts) missing() []int {
	isMissing := func(i int) bool { return f.Writers[i] == nil }
	if !slices.ContainsFunc(f.Wrong, isMissing) {
		return nil
	}
	var list []int
	for i := range f.Expected.Len() {
		if isMissing(i) {
			list = append(list, i)
		}
	}
	return list
}

func (f facts) writesNothing() ([]any, bool) {
	return []any{f.Output.Name}, !slices.ContainsFunc(f.Writers, func(program *[3]int) bool { return program != nil })
}

func (f facts) unwritten() ([]any, bool) {
	n := len(f.missing())
	return []any{n}, n > 0
}

// unwrittenRange applies where what is missing is all that lies in a range of each axis.
func (f facts) unwrittenRange() ([]any, bool) {
	list := f.missing()
	text, ok := rangeOf(f.Output, list)
	return []any{len(list), text}, ok
}

// rangeOf is a tensor's part in which all of its elements with some positions lie, and no others: z[0:90, 96].
func rangeOf(a Array, positions []int) (text string, ok bool) {
	if len(positions) == 0 {
		return "", false
	}
	low, high := a.Index(positions[0]), a.Index(positions[0])
	for _, i := range positions {
		for axis, at := range a.Index(i) {
			low[axis], high[axis] = min(low[axis], at), max(high[axis], at)
		}
	}
	size := 1
	ranges := make([]string, len(low))
	for axis := range low {
		size *= high[axis] + 1 - low[axis]
		if ranges[axis] = strconv.Itoa(low[axis]); low[axis] < high[axis] {
			ranges[axis] += ":" + strconv.Itoa(high[axis]+1)
		}
	}
	return a.Name + "[" + strings.Join(ranges, ", ") + "]", size == len(positions)
}

// elements are the positions of an input of which no more becomes than this.
func (f facts) elements(input int, most reading) (list []int) {
	for i, of := range f.reads[input] {
		if of <= most {
			list = append(list, i)
		}
	}
	return list
}

// unused applies where nothing becomes of an input that all wrong elements need.
func (f facts) unused() ([]any, bool) {
	for i, in := range f.Inputs {
		if list := f.elements(i, unused); len(list) == in.Len() && f.needs(i, list) {
			return []any{in.Name, f.Output.Name}, true
		}
	}
	return nil, false
}

// unreadRange applies where all wrong elements need what lies in a range of an input, and no program reads that.
func (f facts) unreadRange() ([]any, bool) {
	for i, in := range f.Inputs {
		list := f.elements(i, unread)
		if text, ok := rangeOf(in, list); ok && len(list) < in.Len() && f.needs(i, list) {
			return []any{len(list), text, in.Len()}, true
		}
	}
	return nil, false
}

// samePrograms applies where a grid has several programs along an axis, and nothing in the kernel depends on a
// program's place in it.
func (f facts) samePrograms() ([]any, bool) {
	var used [3]bool
	f.kernel.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.ProgramID {
			used[in.Int("axis")] = true
		}
	})
	for axis, programs := range f.grid {
		if programs > 1 && !used[axis] {
			return []any{programs, axis}, true
		}
	}
	return nil, false
}

// transposed applies where every element is right once the last two axes are exchanged in memory.
func (f facts) transposed() ([]any, bool) {
	shape := f.Expected.Shape
	if len(shape) < 2 {
		return nil, false
	}
	rows, columns := shape[len(shape)-2], shape[len(shape)-1]
	size := f.Expected.DType.Info().Bytes
	// What is in memory as [columns, rows], read as [rows, columns].
	turned := f.Output.clone()
	for i := range f.Output.Len() {
		matrix, row, column := i/(rows*columns), i/columns%rows, i%columns
		from := matrix*rows*columns + column*rows + row
		copy(turned.Data[i*size:(i+1)*size], f.Output.Data[from*size:])
	}
	positions, _ := wrong(turned, f.Expected, f.Tolerance)
	return []any{f.Output.Name}, len(positions) == 0
}

// constant applies where all elements have one value, and are to have others. A whole number but 0 may be what
// a conversion to an integer leaves of different values.
func (f facts) constant() ([]any, bool) {
	got, want := f.Output.Floats(), f.Expected.Floats()
	converted := got[0] != 0 && whole(got[:1]) && f.convertsToInteger()
	return []any{text(f.Output.DType, got[0])}, isConstant(got) && !isConstant(want) && !converted
}

func isConstant(values []float64) bool {
	return !math.IsNaN(values[0]) && !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// nan applies where every wrong element is NaN.
func (f facts) nan() ([]any, bool) {
	got := f.Output.Floats()
	return nil, !slices.ContainsFunc(f.Wrong, func(i int) bool { return !math.IsNaN(got[i]) })
}

// truncated applies where the output of floats is whole and the specification's is not: the mark of a
// conversion to an integer on the way.
func (f facts) truncated() ([]any, bool) {
	isMark := f.Expected.DType.Info().Float && whole(f.Output.Floats()) && !whole(f.Expected.Floats())
	return nil, isMark && f.convertsToInteger()
}

func (f facts) convertsToInteger() (found bool) {
	f.kernel.Body.Walk(func(in *ir.Instr) {
		converts := in.Op == ops.Cast && in.Operands[0].Type.IsFloat() && in.Results[0].Type.IsInt()
		found = found || converts
	})
	return found
}

func whole(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}

// offBy applies where all elements, of at least two, are wrong by the same amount.
func (f facts) offBy() ([]any, bool) {
	if len(f.Wrong) != f.Expected.Len() || len(f.Wrong) < 2 {
		return nil, false
	}
	got, want := f.Output.Floats(), f.Expected.Floats()
	by := got[0] - want[0]
	odd := func(i int) bool { return !(math.Abs(got[i]-want[i]-by) <= f.ATol+f.RTol*math.Abs(want[i])) }
	if by == 0 || math.IsNaN(by) || math.IsInf(by, 0) || slices.ContainsFunc(f.Wrong, odd) {
		return nil, false
	}
	return []any{fmt.Sprintf("%+.3g", by)}, true
}
