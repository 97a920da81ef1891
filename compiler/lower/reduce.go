package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/types"
)

// collectives are the kinds that the prelude's _promote knows.
var collectives = map[string]types.Collective{
	"sum": types.Sum, "max": types.MaxOf, "min": types.MinOf, "argmax": types.ArgMax, "argmin": types.ArgMin,
	"xor_sum": types.XorSum, "cumsum": types.CumSum, "cumprod": types.CumProd, "sort": types.Sort,
	"flip": types.Flip, "softmax": types.Softmax,
}

// lowerPromote is the prelude's _promote(x, kind): x converted as a collective wants its input.
func lowerPromote(l *lowerer, c *call) value {
	a := c.arg("x")
	x, ok := l.numberArg(a)
	if !ok {
		return poison{}
	}
	kind := string(c.value("kind").(constant).v.(python.Str))
	p, r := types.Reduce(collectives[kind], x.Type.DType)
	if !l.isAllowed(r, l.frame.span) {
		return poison{}
	}
	return tensor{l.b.cast(c.node.Span(), x, p.Compute)}
}

// lowerFlipWithoutDim is the prelude's: Triton's flip has to be told a dimension.
func lowerFlipWithoutDim(l *lowerer, _ *call) value {
	l.warnSuperset(refusal(types.FlipWithoutDim(), l.frame.span))
	return pyNone
}

// lowerAxis is the prelude's _axis(x, axis).
func lowerAxis(l *lowerer, c *call) value {
	a := c.arg("x")
	x, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return poison{}
	}
	axis, ok := l.axisArg(c.arg("axis"), len(x.Type.Shape))
	if !ok {
		return poison{}
	}
	return integer(int64(axis))
}

// collectiveInputs reads the tiles of a reduction or scan: one, or a tuple of tiles of one shape.
func (c *call) collectiveInputs() (vs []*ir.Value, isTuple, ok bool) {
	l := c.l
	a := c.arg("input")
	t, isTuple := a.val.(tuple)
	if !isTuple {
		t = tuple{elems: []value{a.val}}
	}
	var first value
	for _, e := range t.elems {
		v, ok := l.numberArg(argument{e, a.expr})
		if !ok {
			return nil, false, false
		}
		if first == nil {
			first = tensor{v}
		}
		shape, r := types.BroadcastShapes(shapeOfValue(first), v.Type.Shape)
		if r != nil || !slices.Equal(shape, shapeOfValue(first)) {
			l.fail(diag.New("reduce-shapes", l.spanOf(a.expr)))
			return nil, false, false
		}
		vs = append(vs, l.b.broadcast(a.expr.Span(), v, shape))
	}
	if len(vs) == 0 || vs[0].Type.IsScalar() {
		l.fail(diag.New("needs-tile", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr)))
		return nil, false, false
	}
	return vs, isTuple, true
}

// lowerReduce lowers tl.reduce.
func lowerReduce(l *lowerer, c *call) value {
	vs, isTuple, ok := c.collectiveInputs()
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	shape := vs[0].Type.Shape
	keep := false
	if k, isConstant := c.value("keep_dims").(constant); isConstant {
		keep = python.Truth(k.v)
	}
	axis, kept := 0, make([]int, len(shape))
	// Python's reduction over everything: one axis of all elements, in row-major order.
	if isNone(c.value("axis")) {
		for i, v := range vs {
			vs[i] = l.b.reshape(at, v, []int{v.Type.Numel()})
		}
		for i := range kept {
			kept[i] = 1
		}
	} else {
		if axis, ok = l.axisArg(c.arg("axis"), len(shape)); !ok {
			return poison{}
		}
		copy(kept, shape)
		kept[axis] = 1
	}
	region, ok := c.combineRegion(vs)
	if !ok {
		return poison{}
	}
	c.hintUndefinedLanes(neutralFill(c), vs...)
	results := l.b.emitRegions(at, ops.Reduce, vs, []*ir.Block{region}, axisAttr(axis))
	out := make([]value, len(results))
	for i, v := range results {
		// keep_dims gives the axis back with length 1; a scalar becomes a tile of one element.
		if keep && len(v.Type.Shape) > 0 {
			v = l.b.reshape(at, v, kept)
		} else if keep {
			v = l.b.broadcast(at, v, kept)
		}
		out[i] = tensor{v}
	}
	if !isTuple {
		return out[0]
	}
	return tuple{elems: out}
}

// neutralFill is the identity element of a combining function, as source; "" if it is not known.
func neutralFill(c *call) string {
	fn, _ := c.value("combine_fn").(function)
	return neutralFills[fn.name]
}

// lowerScan lowers tl.associative_scan.
func lowerScan(l *lowerer, c *call) value {
	vs, isTuple, ok := c.collectiveInputs()
	if !ok {
		return poison{}
	}
	axis, ok := l.axisArg(c.arg("axis"), len(vs[0].Type.Shape))
	if !ok {
		return poison{}
	}
	reverse := false
	if k, isConstant := c.value("reverse").(constant); isConstant {
		reverse = python.Truth(k.v)
	}
	region, ok := c.combineRegion(vs)
	if !ok {
		return poison{}
	}
	c.hintUndefinedLanes(neutralFill(c), vs...)
	results := l.b.emitRegions(c.node.Span(), ops.Scan, vs, []*ir.Block{region}, axisAttr(axis),
		ir.Attr{Name: "reverse", Value: reverse})
	out := make([]value, len(results))
	for i, v := range results {
		out[i] = tensor{v}
	}
	if !isTuple {
		return out[0]
	}
	return tuple{elems: out}
}

// combineRegion lowers the combining function into a region on scalars.
func (c *call) combineRegion(vs []*ir.Value) (*ir.Block, bool) {
	l := c.l
	a := c.arg("combine_fn")
	fn, isFunction := a.val.(function)
	b, isBuiltin := a.val.(builtin)
	if !isFunction && !isBuiltin {
		l.fail(diag.New("combine-not-function", l.spanOf(a.expr), c.row.Path(), kindText(a.val)))
		return nil, false
	}
	var argTypes []types.Type
	// The function takes the left operands of all inputs, then the right ones, all of them scalars.
	for range 2 {
		for _, v := range vs {
			argTypes = append(argTypes, v.Type.Elem())
		}
	}
	// The region runs on scalars, though it inlines the function as any call does.
	block := l.b.newBlock(argTypes...)
	args := &arguments{node: a.expr, callee: l.sourceText(a.expr)}
	for _, v := range block.Args {
		args.positional = append(args.positional, argument{tensor{v}, a.expr})
	}
	l.b.ir.Push(block)
	defer l.b.ir.Pop()
	var got value
	if isFunction {
		got = l.inlineFunction(&fn, args)
	} else {
		got = l.callBuiltin(b, args)
	}
	return block, c.yieldCombined(vs, got)
}

// yieldCombined yields what the combining function has returned, which must be like its arguments.
func (c *call) yieldCombined(vs []*ir.Value, got value) bool {
	l := c.l
	if isPoison(got) {
		return false
	}
	a := c.arg("combine_fn")
	list := []value{got}
	if t, ok := got.(tuple); ok {
		list = t.elems
	}
	if len(list) != len(vs) {
		l.fail(diag.New("combine-count", l.spanOf(a.expr), len(vs), len(list)))
		return false
	}
	out := make([]*ir.Value, len(vs))
	for i, v := range list {
		t, ok := l.tensorArg(v, a.expr)
		if !ok {
			return false
		}
		want := vs[i].Type.Elem()
		// Promotion inside of the function may have widened the result; the accumulator keeps its type.
		if !t.Type.Equal(want) {
			if !t.Type.IsScalar() || t.Type.Pointer || !promotesBack(t.Type.DType, want.DType) {
				l.fail(diag.New("combine-type", l.spanOf(a.expr), typeText(want), typeText(t.Type)))
				return false
			}
			t = l.b.cast(a.expr.Span(), t, want.DType)
		}
		out[i] = t
	}
	l.b.emitVoid(a.expr.Span(), ops.Yield, out)
	return true
}

// promotesBack: a sum of int8 stays int8, and maximum of bf16 is fp32 by Triton's rules but the
// result is one of the operands.
func promotesBack(from, to num.DType) bool {
	return from.Info().Float == to.Info().Float && from.Info().Bits >= to.Info().Bits
}
