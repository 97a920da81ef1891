package lower

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// gridAxis lowers tl.program_id and tl.num_programs.
func gridAxis(l *lowerer, c *call) value {
	a := c.arg("axis")
	axis, ok := l.constantSmall(a.val, a.expr, "axis")
	if !ok {
		return poison{}
	}
	if axis < 0 || axis > 2 {
		return l.fail(diag.New("grid-axis", l.place(a.expr), c.row.Name, axis))
	}
	op := ops.ProgramID
	if c.row.Name == "num_programs" {
		op = ops.NumPrograms
	}
	return tensor{l.emit(c.node.Span(), op, nil, axisAttr(axis))}
}

// rangeCall makes the range that a for loop walks.
func (l *lowerer) rangeCall(c *call) value {
	r := ranges{lo: integer(0), hi: c.get("arg1"), step: integer(1), static: c.row.Name == "static_range" || l.inModule(), span: c.node.Span()}
	if c.has("arg2") {
		r.lo, r.hi = c.get("arg1"), c.get("arg2")
	}
	if c.has("step") {
		r.step = c.get("step")
	}
	if c.row.Where == tl.Builtin {
		l.rangeHints(c)
	} else if c.has("num_stages") {
		a := c.arg("num_stages")
		n, ok := l.constantSmall(a.val, a.expr, "num_stages")
		if !ok {
			return poison{}
		}
		r.stages = int64(min(max(n, 0), ops.MaxStages))
	}
	return r
}

// rangeHints says of the hints of tl.range that Python's range, which Triton lets have them, drops them.
func (l *lowerer) rangeHints(c *call) {
	for i, p := range c.params.List {
		if p.Kind == syntax.KeywordOnly && c.given[i] {
			l.diags.Add(hint(diag.New("range-hint", l.place(c.bound[i].expr), p.Name).
				Suggest(true, diag.Text{Key: "fix-replace", Args: []any{"tl.range"}}, l.calleeEdit(c, "tl.range"))))
		}
	}
}

func (l *lowerer) conditionCall(c *call) value { return c.get("arg1") }

// constexprCall is tl.constexpr(v).
func (l *lowerer) constexprCall(c *call) value {
	a := c.arg("value")
	if t, ok := a.val.(tensor); ok {
		return l.constexprOf(t, a.expr, "constexpr")
	}
	return a.val
}

// arange lowers tl.arange. Triton wants constexpr bounds; here it is enough that the length can be
// worked out.
func (l *lowerer) arange(c *call) value {
	s, e := c.arg("start"), c.arg("end")
	if start, ok := s.val.(constant); ok {
		if end, ok := e.val.(constant); ok {
			lo, ok1 := l.constantInt(start, s.expr, "start")
			hi, ok2 := l.constantInt(end, e.expr, "end")
			if !ok1 || !ok2 {
				return poison{}
			}
			return l.arangeOf(c, lo, hi)
		}
	}
	lo, ok1 := l.tensorArg(s.val, s.expr)
	hi, ok2 := l.tensorArg(e.val, e.expr)
	if !ok1 || !ok2 {
		return poison{}
	}
	for i, v := range []*ir.Value{lo, hi} {
		if !v.Type.IsScalar() || !v.Type.IsInt() {
			a := []argument{s, e}[i]
			return l.fail(diag.New("needs-int", l.place(a.expr), []string{"start", "end"}[i], l.text(a.expr), kindText(a.val)))
		}
	}
	n, why, ok := l.knownLength(lo, hi)
	if !ok {
		return l.fail(l.arangeUnknown(c))
	}
	start, _, known := l.knownInt(lo)
	if known {
		for _, a := range []argument{s, e} {
			if t, isTensor := a.val.(tensor); isTensor {
				_, why, _ := l.knownInt(t.v)
				l.warnPlain(a.expr, why, "arange")
			}
		}
		return l.arangeOf(c, start, start+n)
	}
	for _, k := range why {
		l.useArgument(k)
	}
	if !l.frame.fn.module.prelude {
		l.superset(diag.New("arange-runtime-start", l.place(c.node), n, l.text(s.expr)))
	}
	tile := l.arangeOf(c, 0, n)
	if isPoison(tile) {
		return tile
	}
	at := c.node.Span()
	first := l.broadcastTo(at, l.cast(at, lo, num.Int32), []int{int(n)})
	return tensor{l.emit(at, ops.Add, []*ir.Value{first, tile.(tensor).v})}
}

func (l *lowerer) arangeOf(c *call, start, end int64) value {
	if r := types.CheckArange(start, end); r != nil {
		d := refusal(r, l.place(c.node))
		if r.Code == types.ArangePowerOfTwo {
			l.powerOfTwoFix(d, c.arg("end").expr, start, end)
		}
		return l.fail(d)
	}
	return tensor{l.emit(c.node.Span(), ops.Arange, nil, ir.Attr{Name: "start", Value: start}, ir.Attr{Name: "end", Value: end})}
}

// powerOfTwoFix offers the next power of two for a bound that is a number in the source.
func (l *lowerer) powerOfTwoFix(d *diag.Diagnostic, e syntax.Expr, start, end int64) {
	k, ok := e.(*syntax.Constant)
	if !ok || k.Kind != syntax.IntConst || start != 0 {
		return
	}
	next := python.NewInt(nextPower(end)).String()
	d.Suggest(false, diag.Text{Key: "fix-replace", Args: []any{next}}, diag.Edit{Span: l.place(e), New: next})
}

func nextPower(n int64) int64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(uint64(n-1))
}

// arangeUnknown says which bound is not known, and how to make it a constexpr.
func (l *lowerer) arangeUnknown(c *call) *diag.Diagnostic {
	for _, name := range []string{"end", "start"} {
		a := c.arg(name)
		t, ok := a.val.(tensor)
		if !ok {
			continue
		}
		if _, _, known := l.knownInt(t.v); !known {
			return l.needsConstexpr(t, a.expr, "arange")
		}
	}
	return diag.New("needs-constexpr", l.place(c.node), "arange", l.text(c.node))
}

// shapeArg reads a shape: a tuple or list of known powers of two.
func (l *lowerer) shapeArg(v value, e syntax.Expr) ([]int, bool) {
	t, ok := v.(tuple)
	if !ok {
		if isPoison(v) {
			return nil, false
		}
		if k, isConstant := v.(constant); !isConstant || k.v.Type() != "int" {
			if _, isTensor := v.(tensor); !isTensor {
				l.fail(diag.New("shape-kind", l.place(e), l.text(e), kindText(v)))
				return nil, false
			}
		}
		l.superset(diag.New("shape-int", l.place(e), l.text(e)))
		t = tuple{elems: []value{v}}
	}
	exprs := elementExprs(e, len(t.elems))
	shape := make([]int, len(t.elems))
	for i, d := range t.elems {
		n, ok := l.constantSmall(d, exprs[i], "shape")
		if !ok {
			return nil, false
		}
		shape[i] = n
	}
	return shape, l.checkShape(shape, e)
}

func (l *lowerer) checkShape(shape []int, e syntax.Expr) bool {
	if len(shape) > ops.MaxRank {
		l.fail(diag.New("rank-too-large", l.place(e), ops.MaxRank))
		return false
	}
	if r := types.CheckShape(shape); r != nil {
		l.refuse(r, l.place(e))
		return false
	}
	return true
}

// elementExprs are the expressions of a tuple's elements where the source has them.
func elementExprs(e syntax.Expr, n int) []syntax.Expr {
	var elts []syntax.Expr
	switch e := e.(type) {
	case *syntax.Tuple:
		elts = e.Elts
	case *syntax.List:
		elts = e.Elts
	}
	if len(elts) == n {
		return elts
	}
	out := make([]syntax.Expr, n)
	for i := range out {
		out[i] = e
	}
	return out
}

// dtypeArg reads an element type.
func (l *lowerer) dtypeArg(v value, e syntax.Expr) (types.Type, bool) {
	switch v := v.(type) {
	case dtype:
		return v.t.Elem(), true
	case poison:
		return types.Type{}, false
	case constant:
		if s, ok := v.v.(python.Str); ok {
			if d, ok := num.Parse(string(s)); ok {
				return types.Scalar(d), true
			}
		}
	case builtin:
		if t, ok := pythonDTypes[v.row.Path()]; ok {
			l.superset(diag.New("python-dtype", l.place(e), v.row.Name, t.Info().Attr).
				Suggest(true, diag.Text{Key: "fix-replace", Args: []any{"tl." + t.Info().Attr}}, diag.Edit{Span: l.place(e), New: "tl." + t.Info().Attr}))
			return types.Scalar(t), true
		}
	}
	d := diag.New("dtype-kind", l.place(e), l.text(e), kindText(v))
	if a, ok := e.(*syntax.Attribute); ok {
		if _, ok := dtypeNamed(a.Attr); ok {
			d.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{"tl." + a.Attr}}, diag.Edit{Span: l.place(e), New: "tl." + a.Attr})
		}
	}
	l.fail(d)
	return types.Type{}, false
}

var pythonDTypes = map[string]num.DType{"float": num.Float32, "int": num.Int32, "bool": num.Int1}

// zeros lowers tl.zeros.
func (l *lowerer) zeros(c *call) value {
	return l.filled(c, argument{integer(0), c.node})
}

// fullCall lowers tl.full.
func (l *lowerer) fullCall(c *call) value { return l.filled(c, c.arg("value")) }

func (l *lowerer) filled(c *call, fill argument) value {
	s, d := c.arg("shape"), c.arg("dtype")
	shape, ok1 := l.shapeArg(s.val, s.expr)
	t, ok2 := l.dtypeArg(d.val, d.expr)
	if !ok1 || !ok2 {
		return poison{}
	}
	if t.Pointer {
		return l.fail(diag.New("dtype-kind", l.place(d.expr), l.text(d.expr), typeText(t)))
	}
	at := c.node.Span()
	if k, ok := fill.val.(constant); ok {
		o, r := numberOf(k)
		if r != nil {
			return l.refuse(r, l.place(fill.expr))
		}
		if o.DType.Info().Float && !t.DType.Info().Float {
			l.superset(diag.New("full-float-int", l.place(fill.expr), l.text(fill.expr), t.DType.Info().Name))
		}
		return tensor{l.full(at, o.Constant(t.DType), shape)}
	}
	v, ok := l.tensorArg(fill.val, fill.expr)
	if !ok {
		return poison{}
	}
	if v.Type.Numel() != 1 {
		return l.fail(diag.New("needs-one-element", l.place(fill.expr), l.text(fill.expr), typeText(v.Type)))
	}
	if v, ok = l.castChecked(l.reshaped(at, v, nil), t.DType, fill.expr); !ok {
		return poison{}
	}
	return tensor{l.broadcastTo(at, v, shape)}
}

func (l *lowerer) toTensorCall(c *call) value {
	a := c.arg("x")
	return l.toTensor(a.val, a.expr)
}

func (l *lowerer) nextPowerOf2(c *call) value {
	a := c.arg("n")
	n, ok := l.constantInt(a.val, a.expr, "next_power_of_2")
	if !ok || n > 1<<62 {
		return poison{}
	}
	return integer(nextPower(n))
}

// hostOnly refuses what belongs in front of a kernel, not inside of it.
func (l *lowerer) hostOnly(c *call) value {
	return l.fail(diag.New("host-only", l.place(c.node), c.row.Path()))
}

// hintCall lowers tl.multiple_of and its like.
func hintCall(attr string) special {
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
			n, ok := l.constantSmall(e, v.expr, c.row.Name)
			if !ok {
				return poison{}
			}
			values[i] = max(1, int64(n))
		}
		if len(values) != max(1, len(in.Type.Shape)) {
			return l.fail(diag.New("hint-values", l.place(v.expr), c.row.Path(), max(1, len(in.Type.Shape)), len(values)))
		}
		return tensor{l.emit(c.node.Span(), ops.Hint, []*ir.Value{in}, ir.Attr{Name: attr, Value: values})}
	}
}

func (l *lowerer) assume(c *call) value {
	a := c.arg("cond")
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	cond, ok := l.scalarCondition(tensor{v}, a.expr)
	if !ok {
		return poison{}
	}
	l.emitNone(c.node.Span(), ops.Assume, []*ir.Value{cond})
	return none
}

func (l *lowerer) barrier(c *call) value {
	l.emitNone(c.node.Span(), ops.Barrier, nil)
	return none
}
