package inspect

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// from is one lane of an operand.
type from struct{ operand, lane int }

// origin is a lane of a result of an instruction whose operands' lanes are asked for. value gives those that decide
// which others count: conditions, masks and indices.
type origin struct {
	in     *ir.Instr
	result int
	lane   int
	value  func(operand, lane int) int64
}

// operands are the lanes that a lane is computed of: the same lane of each operand, but for some operations, and none
// where that is not known. It is a switch: a table would be linked by every program that imports the package, whether
// it asks for operands or not.
func (o origin) operands() []from {
	switch o.in.Op {
	case ops.Broadcast:
		return o.broadcast()
	case ops.Trans:
		return o.trans()
	case ops.Join:
		return []from{{o.lane % 2, o.lane / 2}}
	case ops.Split:
		return []from{{0, 2*o.lane + o.result}}
	case ops.Select:
		return o.choose()
	case ops.Load:
		return o.load()
	case ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad:
		return nil // what memory held
	case ops.Dot:
		return o.dot()
	case ops.Reduce:
		return o.reduce()
	case ops.Scan:
		return o.scan()
	case ops.Gather:
		return o.gather()
	case ops.Histogram:
		return o.histogram()
	}
	if o.in.Op.Has(ops.WholeTile) {
		return nil // nobody has said which
	}
	var out []from
	for k, v := range o.in.Operands {
		out = append(out, from{k, min(o.lane, v.Type.Numel()-1)})
	}
	return out
}

// mapped is the lane of operand 0 whose number is the sum of the coordinates of the result's lane times steps.
func (o origin) mapped(steps []int) []from {
	shape, at := o.in.Results[o.result].Type.Shape, 0
	for d, by := range types.Strides(shape) {
		at += o.lane / by % shape[d] * steps[d]
	}
	return []from{{0, at}}
}

func (o origin) broadcast() []from {
	shape := o.in.Operands[0].Type.Shape
	steps := types.Strides(shape)
	for d, n := range shape {
		if n == 1 {
			steps[d] = 0
		}
	}
	return o.mapped(steps)
}

func (o origin) trans() []from {
	of, perm := types.Strides(o.in.Operands[0].Type.Shape), o.in.Ints("perm")
	steps := make([]int, len(perm))
	for d, p := range perm {
		steps[d] = of[p]
	}
	return o.mapped(steps)
}

func (o origin) choose() []from {
	if o.value(0, o.lane) != 0 {
		return []from{{0, o.lane}, {1, o.lane}}
	}
	return []from{{0, o.lane}, {2, o.lane}}
}

// load: a lane that takes part comes from memory, one that is masked off from other.
func (o origin) load() []from {
	switch {
	case o.in.Operand(1) == nil || o.value(1, o.lane) != 0:
		return nil
	case o.in.Operand(2) == nil:
		return []from{{1, o.lane}}
	}
	return []from{{1, o.lane}, {2, o.lane}}
}

// dot: the accumulator, then row times column over K.
func (o origin) dot() []from {
	a, b := o.in.Operands[0].Type.Shape, o.in.Operands[1].Type.Shape
	m, k, n := a[len(a)-2], a[len(a)-1], b[len(b)-1]
	batch, row, col := o.lane/(m*n), o.lane/n%m, o.lane%n
	out := []from{{2, o.lane}}
	for j := range k {
		out = append(out, from{0, (batch*m+row)*k + j}, from{1, (batch*k+j)*n + col})
	}
	return out
}

// along are the lanes of a line of the operands: from the first one on, so many apart along the axis.
func (o origin) along(first, by, n int) (out []from) {
	for i := range n {
		for k := range o.in.Operands {
			out = append(out, from{k, first + i*by})
		}
	}
	return out
}

func (o origin) reduce() []from {
	axis := trace.AxisOf(o.in)
	return o.along(axis.First(o.lane), axis.Step, axis.Len)
}

// scan: the lanes up to this one, or from it on in reverse.
func (o origin) scan() []from {
	axis := trace.AxisOf(o.in)
	at := o.lane / axis.Step % axis.Len
	if o.in.Bool("reverse") {
		return o.along(o.lane, axis.Step, axis.Len-at)
	}
	return o.along(o.lane-at*axis.Step, axis.Step, at+1)
}

// gather: the index, then the lane that it picks. An index outside of the axis picks none.
func (o origin) gather() []from {
	index, picked := o.in.Operands[1].Type.Shape, o.value(1, o.lane)
	of, axis := o.in.Operands[0].Type.Shape, int(o.in.Int("axis"))
	if picked < 0 || picked >= int64(of[axis]) {
		return []from{{1, o.lane}}
	}
	at, steps := int(picked)*types.Strides(of)[axis], types.Strides(of)
	for d, by := range types.Strides(index) {
		if d != axis {
			at += o.lane / by % index[d] * steps[d]
		}
	}
	return []from{{1, o.lane}, {0, at}}
}

// histogram: the lanes that are counted in this bin.
func (o origin) histogram() (out []from) {
	for i := range o.in.Operands[0].Type.Numel() {
		if o.value(0, i) == int64(o.lane) && (o.in.Operand(1) == nil || o.value(1, i) != 0) {
			out = append(out, from{0, i})
		}
	}
	return out
}
