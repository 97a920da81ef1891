package lower

import (
	"cmp"
	"math/bits"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// lowerGridAxis lowers tl.program_id and tl.num_programs.
func lowerGridAxis(l *lowerer, c *call) value {
	a := c.arg("axis")
	axis, ok := l.constantInt32(a.val, a.expr, "axis")
	if !ok {
		return poison{}
	}
	if axis < 0 || axis > 2 {
		return l.fail(diag.New("grid-axis", l.spanOf(a.expr), c.row.Name, axis))
	}
	op := ops.ProgramID
	if c.row.Name == "num_programs" {
		op = ops.NumPrograms
	}
	return tensor{l.b.emit(c.node.Span(), op, nil, axisAttr(axis))}
}

// lowerRange makes the range that a for loop walks.
func lowerRange(l *lowerer, c *call) value {
	r := rangeValue{lo: integer(0), hi: c.value("arg1"), step: integer(1), static: c.row.Name == "static_range" ||
		l.inModuleCode(), span: c.node.Span()}
	// range(stop) and range(start, stop): the first parameter changes its meaning.
	if c.isGiven("arg2") {
		r.lo, r.hi = c.value("arg1"), c.value("arg2")
	}
	step := "step"
	if c.row.Where == tl.Builtin {
		step = "arg3"
		c.reportIgnoredKeywords()
	}
	if c.isGiven(step) {
		r.step = c.value(step)
	}
	if c.row.Where != tl.Builtin && c.isGiven("num_stages") {
		a := c.arg("num_stages")
		n, ok := l.constantInt32(a.val, a.expr, "num_stages")
		if !ok {
			return poison{}
		}
		r.stages = int64(min(max(n, 0), ops.MaxStages))
	}
	return r
}

// reportIgnoredKeywords says of the keywords of tl.range that Triton lets Python's range have them and drops them. The
// step changes what the loop does, the others how fast it is.
func (c *call) reportIgnoredKeywords() {
	for i, p := range c.params.List {
		if p.Kind != syntax.KeywordOnly || !c.given[i] {
			continue
		}
		d := diag.New("range-hint", c.l.spanOf(c.bound[i].expr), p.Name)
		suggestReplacement(d, true, c.calleeSpan(), "tl.range")
		if p.Name == "step" {
			d.Severity = diag.Warning
			c.l.diags.Add(d)
		} else {
			c.l.diags.Add(asHint(d))
		}
	}
}

func lowerConditionCall(l *lowerer, c *call) value { return c.value("arg1") }

// lowerConstexprCall is tl.constexpr(v).
func lowerConstexprCall(l *lowerer, c *call) value {
	a := c.arg("value")
	if t, ok := a.val.(tensor); ok {
		return l.wrapTensor(t, a.expr, "constexpr")
	}
	return a.val
}

// lowerNumWarps is the constexpr of how many warps run a program, four by default, times what each of them counts for.
func lowerNumWarps(each int) special {
	return func(l *lowerer, _ *call) value {
		return integer(int64(each * cmp.Or(l.opts.NumWarps, 4)))
	}
}

// lowerHint lowers tl.multiple_of and its like.
func lowerHint(attr string) special {
	return func(l *lowerer, c *call) value {
		x, v := c.arg("input"), c.arg("values")
		in, ok := l.tensorArg(x.val, x.expr)
		if !ok {
			return poison{}
		}
		list, isTuple := v.val.(tuple)
		if !isTuple {
			list = tuple{elems: []value{v.val}}
		}
		values := make([]int64, len(list.elems))
		for i, e := range list.elems {
			n, ok := l.constantInt32(e, v.expr, c.row.Name)
			if !ok {
				return poison{}
			}
			values[i] = max(1, int64(n))
		}
		if len(values) != max(1, len(in.Type.Shape)) {
			return l.fail(diag.New("hint-values", l.spanOf(v.expr), c.row.Path(), max(1, len(in.Type.Shape)),
				len(values)))
		}
		return tensor{l.b.emit(c.node.Span(), ops.Hint, []*ir.Value{in}, ir.Attr{Name: attr, Value: values})}
	}
}

func lowerAssume(l *lowerer, c *call) value {
	a := c.arg("cond")
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	cond, ok := l.toScalarCondition(tensor{v}, a.expr)
	if !ok {
		return poison{}
	}
	l.b.emitVoid(c.node.Span(), ops.Assume, []*ir.Value{cond})
	return pyNone
}

func lowerBarrier(l *lowerer, c *call) value {
	l.b.emitVoid(c.node.Span(), ops.Barrier, nil)
	return pyNone
}

// refuseHostOnly refuses what belongs in front of a kernel, not inside of it.
func refuseHostOnly(l *lowerer, c *call) value {
	return l.fail(diag.New("host-only", l.spanOf(c.node), c.row.Path()))
}

func lowerNextPowerOf2(l *lowerer, c *call) value {
	a := c.arg("n")
	n, ok := l.constantInt(a.val, a.expr, "next_power_of_2")
	if !ok || n > 1<<62 {
		return poison{}
	}
	return integer(nextPower(n))
}

func nextPower(n int64) int64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(uint64(n-1))
}
