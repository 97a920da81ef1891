package ops

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// RegionArgs gives the types of the arguments that region i of op has for these operands.
// first holds what region 0 yields; only the second region of while asks for it. The operands
// must have passed CheckOperands or Infer.
func RegionArgs(op Op, i int, operands, first []*types.Type) []types.Type {
	switch op {
	case For:
		return append([]types.Type{*operands[0]}, values(operands[3:])...)
	case While:
		if i == 0 {
			return values(operands)
		}
		if len(first) == 0 {
			return nil
		}
		return values(first[1:])
	case Reduce, Scan:
		elems := elemsOf(operands)
		return append(elems, elems...)
	}
	return nil
}

// CheckOperands checks what can be checked of an operation before its regions are known.
func CheckOperands(op Op, operands []*types.Type, attrs Attrs) *Mismatch {
	u := use{op: op, operands: operands, attrs: attrs}
	if m := checkAttrs(op, attrs); m != nil {
		return m
	}
	u.form = u.chooseForm()
	if m := u.match(); m != nil {
		return m
	}
	if op == Reduce || op == Scan {
		_, m := u.combined()
		return m
	}
	return nil
}

func values(ts []*types.Type) []types.Type {
	out := make([]types.Type, len(ts))
	for i, t := range ts {
		out[i] = *t
	}
	return out
}

func elemsOf(ts []*types.Type) []types.Type {
	out := make([]types.Type, len(ts), 2*len(ts))
	for i, t := range ts {
		out[i] = t.Elem()
	}
	return out
}

// yielded checks what region i hands back against want.
func (u *use) yielded(i int, got []*types.Type, want []types.Type) *Mismatch {
	name := table[u.op].Regions[i]
	if len(got) != len(want) {
		return u.bad(BadRegion, fmt.Sprintf("%s from region %s, not %d", plural(len(want), "value"), name, len(got)))
	}
	for k := range want {
		if !got[k].Equal(want[k]) {
			m := u.bad(BadRegion, fmt.Sprintf("%s as value %d from region %s, not %s", want[k], k, name, got[k]))
			m.Operand, m.Got = k, *got[k]
			return m
		}
	}
	return nil
}

func (u *use) regions() *Mismatch {
	if want := len(table[u.op].Regions); len(u.yields) != want {
		return u.bad(BadRegion, plural(want, "region"))
	}
	return nil
}

// combined checks the operands of reduce and scan and gives the axis.
func (u *use) combined() (int, *Mismatch) {
	for i := 1; i < len(u.operands); i++ {
		if !slices.Equal(u.operands[i].Shape, u.operands[0].Shape) {
			return 0, u.differ(DifferShape, i, 0)
		}
	}
	if len(u.operands[0].Shape) == 0 {
		return 0, u.wrong(WrongRank, 0, "a tile")
	}
	for i := range u.operands {
		if u.operands[i].Pointer {
			return 0, u.wrong(WrongElem, i, Num.String())
		}
	}
	return u.axisAttr(len(u.operands[0].Shape))
}

// combining checks the operands and the region of reduce and scan, and gives the axis.
func (u *use) combining() (axis int, m *Mismatch) {
	if axis, m = u.combined(); m == nil {
		m = u.regions()
	}
	if m == nil {
		m = u.yielded(0, u.yields[0], elemsOf(u.operands))
	}
	return axis, m
}

func reduceRule(u *use) *Mismatch {
	axis, m := u.combining()
	if m != nil {
		return m
	}
	u.results = values(u.operands)
	shape := slices.Delete(slices.Clone(u.operands[0].Shape), axis, axis+1)
	for i := range u.results {
		u.results[i].Shape = shape
	}
	return nil
}

func scanRule(u *use) *Mismatch {
	if _, m := u.combining(); m != nil {
		return m
	}
	u.results = values(u.operands)
	return nil
}

func ifRule(u *use) *Mismatch {
	if m := u.regions(); m != nil {
		return m
	}
	u.results = values(u.yields[0])
	return u.yielded(1, u.yields[1], u.results)
}

func forRule(u *use) *Mismatch {
	if n := u.attrs.Int("num_stages"); n < 0 || n > MaxStages {
		return u.badAttr("num_stages", fmt.Sprintf("from 0 to %d", MaxStages))
	}
	if m := u.regions(); m != nil {
		return m
	}
	u.results = values(u.operands[3:])
	return u.yielded(0, u.yields[0], u.results)
}

func whileRule(u *use) *Mismatch {
	if m := u.regions(); m != nil {
		return m
	}
	if first := u.yields[0]; len(first) == 0 || !first[0].Equal(types.Scalar(num.Int1)) {
		return u.bad(BadRegion, "region cond to end in condition with an i1 first")
	}
	u.results = values(u.yields[0][1:])
	return u.yielded(1, u.yields[1], values(u.operands))
}
