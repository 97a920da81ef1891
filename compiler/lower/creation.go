package lower

import (
	"strconv"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerArange lowers tl.arange. Triton wants constexpr bounds; here it is enough that the length can be
// worked out.
func lowerArange(c *call) value {
	s, e := c.arg("start"), c.arg("end")
	if start, ok := s.val.(constant); ok {
		if end, ok := e.val.(constant); ok {
			lo, ok1 := c.constantInt(start, s.expr, "start")
			hi, ok2 := c.constantInt(end, e.expr, "end")
			c.must(ok1 && ok2)
			return tensor{c.emitArange(lo, hi)}
		}
	}
	lo, hi := c.tensorOf(s), c.tensorOf(e)
	for i, v := range []*ir.Value{lo, hi} {
		if !v.Type.IsScalar() || !v.Type.IsInt() {
			a := []argument{s, e}[i]
			return c.fail(diag.New("needs-int", c.spanOf(a.expr), []string{"start", "end"}[i], c.sourceText(a.expr),
				kindText(a.val)))
		}
	}
	// Both bounds may be run-time values if their difference is known: tl.arange(i, i + 16).
	n, why, ok := c.known.difference(hi, lo)
	if !ok {
		return c.fail(c.explainUnknownBounds())
	}
	start, _, known := c.known.difference(lo, nil)
	if known {
		tile := c.emitArange(start, start+n)
		for _, a := range []argument{s, e} {
			t, isTensor := a.val.(tensor)
			if !isTensor {
				continue
			}
			_, why, _ := c.known.difference(t.v, nil)
			c.recordUsedArguments(why)
			c.warnRecovered(a.expr, why, "arange")
		}
		return tensor{tile}
	}
	c.recordUsedArguments(why)
	if !c.frame.fn.module.prelude {
		c.warnSuperset(diag.New("arange-runtime-start", c.spanOf(c.node), n, c.sourceText(s.expr),
			c.nameOfLength(e.expr, n)))
	}
	// start + arange(0, n), which is what Triton would have to be given.
	tile, at := c.emitArange(0, n), c.node.Span()
	first := c.b.broadcast(at, c.b.cast(at, lo, num.Int32), []int{int(n)})
	return tensor{c.b.emit(at, ops.Add, []*ir.Value{first, tile})}
}

// nameOfLength is a constexpr of an expression's that is n, by its name; else n itself.
func (l *lowerer) nameOfLength(e syntax.Expr, n int64) string {
	out := strconv.FormatInt(n, 10)
	syntax.Walk(e, func(x syntax.Node) bool {
		name, ok := x.(*syntax.Name)
		if !ok {
			return true
		}
		b, _ := l.frame.vars.get(name.ID)
		if c, ok := b.val.(constant); ok {
			if i, ok := python.AsInt(c.v); ok && i.String() == strconv.FormatInt(n, 10) {
				out = name.ID
			}
		}
		return true
	})
	return out
}

func (c *call) emitArange(start, end int64) *ir.Value {
	// Triton: constexpr ints in int32, end > start, and a length that is a power of two.
	if r := types.CheckArange(start, end); r != nil {
		d := refusal(r, c.spanOf(c.node))
		if r.Code == types.ArangePowerOfTwo {
			c.suggestPowerOfTwo(d, c.arg("end").expr, start, end)
		}
		c.fail(d)
	}
	return c.b.arange(c.node.Span(), start, end)
}

// explainUnknownBounds says which bound is not known, and how to make it a constexpr.
func (c *call) explainUnknownBounds() *diag.Diagnostic {
	for _, name := range []string{"end", "start"} {
		a := c.arg(name)
		t, ok := a.val.(tensor)
		if !ok {
			continue
		}
		if _, _, known := c.known.difference(t.v, nil); !known {
			return c.explainNeedsConstexpr(t, a.expr, "arange")
		}
	}
	return diag.New("needs-constexpr", c.spanOf(c.node), "arange", c.sourceText(c.node))
}

// suggestPowerOfTwo offers the next power of two for a bound that is a number in the source.
func (l *lowerer) suggestPowerOfTwo(d *diag.Diagnostic, e syntax.Expr, start, end int64) {
	k, ok := e.(*syntax.Constant)
	if !ok || k.Kind != syntax.IntConst || start != 0 {
		return
	}
	next := python.NewInt(nextPower(end)).String()
	suggestReplacement(d, false, l.spanOf(e), next)
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
				l.fail(diag.New("shape-kind", l.spanOf(e), l.sourceText(e), kindText(v)))
				return nil, false
			}
		}
		l.warnSuperset(diag.New("shape-int", l.spanOf(e), l.sourceText(e)))
		t = tuple{elems: []value{v}}
	}
	exprs := elementExprs(e, len(t.elems))
	shape := make([]int, len(t.elems))
	for i, d := range t.elems {
		n, ok := l.constantInt32(d, exprs[i], "shape")
		if !ok {
			return nil, false
		}
		shape[i] = n
	}
	return shape, l.checkShape(shape, e)
}

func (l *lowerer) checkShape(shape []int, e syntax.Expr) bool {
	if len(shape) > ops.MaxRank {
		l.fail(diag.New("rank-too-large", l.spanOf(e), ops.MaxRank))
		return false
	}
	if r := types.CheckShape(shape); r != nil {
		l.refuse(r, l.spanOf(e))
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
			d := diag.New("python-dtype", l.spanOf(e), v.row.Name, t.Info().Attr)
			l.warnSuperset(suggestReplacement(d, true, l.spanOf(e), "tl."+t.Info().Attr))
			return types.Scalar(t), true
		}
	}
	d := diag.New("dtype-kind", l.spanOf(e), l.sourceText(e), kindText(v))
	if a, ok := e.(*syntax.Attribute); ok {
		if _, ok := dtypeNamed(a.Attr); ok {
			suggestReplacement(d, true, l.spanOf(e), "tl."+a.Attr)
		}
	}
	l.fail(d)
	return types.Type{}, false
}

var pythonDTypes = map[string]num.DType{"float": num.Float32, "int": num.Int32, "bool": num.Int1}

// lowerZeros lowers tl.zeros.
func lowerZeros(c *call) value {
	return c.fillTile(argument{integer(0), c.node})
}

// lowerFull lowers tl.full.
func lowerFull(c *call) value { return c.fillTile(c.arg("value")) }

func (c *call) fillTile(fill argument) value {
	shape, t := c.shape("shape"), c.elementType("dtype")
	if t.Pointer {
		e := c.arg("dtype").expr
		return c.fail(diag.New("dtype-kind", c.spanOf(e), c.sourceText(e), typeText(t)))
	}
	at := c.node.Span()
	if k, ok := fill.val.(constant); ok {
		// A constant of the final dtype: no cast, so that 0.1 rounds once.
		o, r := numberOf(k)
		if r != nil {
			return c.refuse(r, c.spanOf(fill.expr))
		}
		if t.DType.IsFP8() && python.Truth(k.v) {
			c.needs(triton.Float8Constants, c.spanOf(c.node), c.sourceText(fill.expr)+" in "+t.DType.Info().Name,
				"'triton._C.libtriton.ir.builder' object has no attribute 'get_"+t.DType.Info().Name+"'")
		}
		if o.DType.Info().Float && !t.DType.Info().Float {
			c.warnSuperset(diag.New("full-float-int", c.spanOf(fill.expr), c.sourceText(fill.expr),
				t.DType.Info().Name))
		}
		return tensor{c.b.fill(at, o.Constant(t.DType), shape)}
	}
	v := c.tensorOf(fill)
	if v.Type.Numel() != 1 {
		return c.fail(diag.New("needs-one-element", c.spanOf(fill.expr), c.sourceText(fill.expr), typeText(v.Type)))
	}
	return tensor{c.b.broadcast(at, c.castChecked(c.b.reshape(at, v, nil), t.DType, fill.expr), shape)}
}

// lowerCast lowers x.to(dtype) and tl.cast(x, dtype).
func lowerCast(c *call) value {
	v, t := c.tensorOf(c.bound[0]), c.elementType("dtype")
	rounding := c.choice("fp_downcast_rounding", "rtne", "rtz")
	pointers := t.Pointer || v.Type.Pointer // for which Triton's bitcast is a cast
	if c.isTrue("bitcast") && !pointers {
		return c.emitBitcast(v, t)
	}
	if v.Type.Elem().Equal(t) {
		return tensor{v}
	}
	if pointers {
		return c.castPointer(v, t, c.bound[0].expr)
	}
	c.must(c.isAllowed(types.Cast(v.Type, t.DType), c.spanOf(c.node)))
	narrows := v.Type.IsFloat() && t.IsFloat() && t.DType.Info().Bits < v.Type.DType.Info().Bits
	if rounding != "" && !narrows {
		return c.fail(diag.New("rounding-not-narrowing", c.spanOf(c.arg("fp_downcast_rounding").expr),
			typeText(v.Type.Elem()), typeText(t)))
	}
	attrs := []ir.Attr{dtypeAttr(t.DType)}
	if rounding != "" {
		attrs = append(attrs, ir.Attr{Name: "rounding", Value: rounding})
	}
	return tensor{c.b.emit(c.node.Span(), ops.Cast, []*ir.Value{v}, attrs...)}
}

// castPointer converts between pointers, and between pointers and addresses, which are integers of 64 bits.
func (c *call) castPointer(v *ir.Value, t types.Type, e syntax.Expr) value {
	at := c.node.Span()
	to := dtypeAttr(t.DType)
	wide := func(t types.Type) bool { return t.IsInt() && t.DType.Info().Bits == 64 }
	address := func() *ir.Value { return c.b.emit(at, ops.PtrToInt, []*ir.Value{v}) }
	switch from := v.Type; {
	case t.Pointer && from.Pointer && from.DType.Info().Bytes == t.DType.Info().Bytes:
		return tensor{c.b.emit(at, ops.Bitcast, []*ir.Value{v}, to)}
	// Offsets count elements, and a pointer may be to the middle of one of another size.
	case t.Pointer && from.Pointer:
		return tensor{c.b.emit(at, ops.IntToPtr, []*ir.Value{address()}, to)}
	case t.Pointer && wide(from.Elem()):
		return tensor{c.b.emit(at, ops.IntToPtr, []*ir.Value{c.b.cast(at, v, num.Int64)}, to)}
	case from.Pointer && wide(t):
		return tensor{c.b.cast(at, address(), t.DType)}
	case from.Pointer && t.DType == num.Int1:
		null := c.b.fill(at, num.FromInt(num.Int64, 0), from.Shape)
		return tensor{c.b.emit(at, ops.Ne, []*ir.Value{address(), null})}
	case t.Pointer && c.underGuess():
		return poison{} // the width of the integer is a guess
	}
	return c.fail(diag.New("pointer-cast", c.spanOf(c.node), c.sourceText(e), typeText(t)))
}

func (c *call) emitBitcast(v *ir.Value, t types.Type) value {
	c.must(c.isAllowed(types.Bitcast(v.Type, t.DType), c.spanOf(c.node)))
	if v.Type.DType == t.DType {
		return tensor{v}
	}
	return tensor{c.b.emit(c.node.Span(), ops.Bitcast, []*ir.Value{v}, dtypeAttr(t.DType))}
}

func lowerPointerType(c *call) value {
	t := c.elementType("element_ty")
	c.must(!t.Pointer)
	return dtype{types.PointerTo(t.DType)}
}

func lowerToTensor(c *call) value {
	a := c.arg("x")
	return c.toTensor(a.val, a.expr)
}
