package trace

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// Axis is the axis of an operation's operands along which it combines lanes, or picks one: how many lanes lie along
// it, and how far apart they are in row-major order.
type Axis struct{ Len, Step int }

// AxisOf is the axis of a reduction, a scan or a gather.
func AxisOf(in *ir.Instr) Axis {
	shape, axis := in.Operands[0].Type.Shape, in.Int("axis")
	return Axis{shape[axis], types.Strides(shape)[axis]}
}

// First is the first lane of a row, counted among the rows along the axis.
func (a Axis) First(row int) int { return row/a.Step*a.Len*a.Step + row%a.Step }

// Line is the first lane of a row that a reduction or scan takes, and how far the next one is from each.
func (a Axis) Line(in *ir.Instr, row int) (first, step int) {
	first, step = a.First(row), a.Step
	if in.Op == ops.Scan && in.Bool("reverse") {
		return first + (a.Len-1)*step, -step
	}
	return first, step
}
