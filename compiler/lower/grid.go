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
func lowerGridAxis(c *call) value {
	axis := c.integer("axis")
	if axis < 0 || axis > 2 {
		return c.fail(diag.New("grid-axis", c.spanOf(c.arg("axis").expr), c.row.Name, axis))
	}
	op := ops.ProgramID
	if c.row.Name == "num_programs" {
		op = ops.NumPrograms
	}
	return tensor{c.b.emit(c.node.Span(), op, nil, axisAttr(axis))}
}

// lowerRange makes the range that a for loop walks.
func lowerRange(c *call) value {
	r := rangeValue{lo: integer(0), hi: c.value("arg1"), step: integer(1), static: c.row.Name == "static_range" ||
		c.inModuleCode(), span: c.node.Span()}
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
		r.stages = int64(min(max(c.integer("num_stages"), 0), ops.MaxStages))
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
		d := diag.New("range-hint", c.spanOf(c.bound[i].expr), p.Name)
		suggestReplacement(d, true, c.calleeSpan(), "tl.range")
		if p.Name == "step" {
			d.Severity = diag.Warning
			c.diags.Add(d)
		} else {
			c.diags.Add(asHint(d))
		}
	}
}

func lowerConditionCall(c *call) value { return c.value("arg1") }

// lowerConstexprCall is tl.constexpr(v).
func lowerConstexprCall(c *call) value {
	a := c.arg("value")
	if t, ok := a.val.(tensor); ok {
		return c.wrapTensor(t, a.expr, "constexpr")
	}
	return a.val
}

// lowerNumWarps is the constexpr of how many warps run a program, four by default, times what each of them counts for.
func lowerNumWarps(each int) special {
	return func(c *call) value {
		return integer(int64(each * cmp.Or(c.opts.NumWarps, 4)))
	}
}

// lowerHint lowers tl.multiple_of and its like.
func lowerHint(attr string) special {
	return func(c *call) value {
		in, list, e := c.tensor("input"), c.list("values"), c.arg("values").expr
		c.warnKnown("input", "'constexpr' object has no attribute 'shape'")
		values := make([]int64, len(list))
		for i, a := range list {
			values[i] = max(1, int64(c.integerOf(argument{a.val, e}, c.row.Name)))
		}
		if n := max(1, len(in.Type.Shape)); len(values) != n {
			return c.fail(diag.New("hint-values", c.spanOf(e), c.row.Path(), n, len(values), c.row.Name))
		} else if in.Type.IsScalar() && attr != "divisibility" && !isKnown(c.value("input")) {
			c.warnSuperset(diag.New("hint-scalar", c.spanOf(c.node), c.row.Path(), c.row.Name))
		}
		return tensor{c.b.emit(c.node.Span(), ops.Hint, []*ir.Value{in}, ir.Attr{Name: attr, Value: values})}
	}
}

// warnKnown reports a number that is known while compiling, where Triton takes tensors alone.
func (c *call) warnKnown(name, said string) {
	if isKnown(c.value(name)) && !c.frame.fn.module.prelude {
		e := c.arg(name).expr
		c.warnSuperset(diag.New("known-argument", c.spanOf(e), c.row.Path(), c.sourceText(e), said))
	}
}

// isKnown reports whether a value is a number that is known while compiling.
func isKnown(v value) bool {
	_, ok := v.(constant)
	return ok
}

func lowerAssume(c *call) value {
	cond, ok := c.toScalarCondition(tensor{c.tensor("cond")}, c.arg("cond").expr)
	c.must(ok)
	c.b.emitVoid(c.node.Span(), ops.Assume, []*ir.Value{cond})
	return pyNone
}

func lowerBarrier(c *call) value {
	c.b.emitVoid(c.node.Span(), ops.Barrier, nil)
	return pyNone
}

// refuseHostOnly refuses what belongs in front of a kernel, not inside of it.
func refuseHostOnly(c *call) value {
	return c.fail(diag.New("host-only", c.spanOf(c.node), c.row.Path()))
}

func lowerNextPowerOf2(c *call) value {
	a := c.arg("n")
	n, ok := c.constantInt(a.val, a.expr, "next_power_of_2")
	c.must(ok && n <= 1<<62)
	return integer(nextPower(n))
}

func nextPower(n int64) int64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(uint64(n-1))
}
