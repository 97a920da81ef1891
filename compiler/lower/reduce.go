package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// collectives are the kinds that the prelude's _promote knows.
var collectives = map[string]types.Collective{
	"sum": types.Sum, "max": types.MaxOf, "min": types.MinOf, "argmax": types.ArgMax, "argmin": types.ArgMin,
	"xor_sum": types.XorSum, "cumsum": types.CumSum, "cumprod": types.CumProd, "sort": types.Sort,
	"flip": types.Flip, "softmax": types.Softmax,
}

// lowerPromote is the prelude's _promote(x, kind): x converted as a collective wants its input.
func lowerPromote(c *call) value {
	x := c.number("x")
	kind := string(c.value("kind").(constant).v.(python.Str))
	p, r := types.Reduce(collectives[kind], x.Type.DType)
	c.must(c.isAllowed(r, c.frame.span))
	return tensor{c.b.cast(c.node.Span(), x, p.Compute)}
}

// lowerFlipWithoutDim is the prelude's: Triton's flip has to be told a dimension.
func lowerFlipWithoutDim(c *call) value {
	if !c.has(triton.FlipLastDim) {
		c.warnSuperset(refusal(types.FlipWithoutDim(), c.frame.span))
	}
	return pyNone
}

// preludeChanges are the changes that the prelude asks for with _since(name).
var preludeChanges = map[string]triton.Change{"NegativeDim": triton.NegativeDim, "SoftmaxDim": triton.SoftmaxDim,
	"TopKOne": triton.TopKOne, "FlipLastDim": triton.FlipLastDim}

// lowerSince is the prelude's _since(change): whether the version of Triton that is compiled for has a change.
func lowerSince(c *call) value {
	return constant{python.Bool(c.has(preludeChanges[string(c.value("change").(constant).v.(python.Str))]))}
}

// lowerAxis is the prelude's _axis(x, axis).
func lowerAxis(c *call) value {
	return integer(int64(c.axisOf(c.arg("axis"), len(c.tensor("x").Type.Shape))))
}

// collectiveInputs reads the tiles of a reduction or scan: one, or a tuple of tiles of one shape.
func (c *call) collectiveInputs() (vs []*ir.Value) {
	a := c.arg("input")
	for _, e := range c.list("input") {
		v := c.numberOf(argument{e.val, a.expr})
		first := v
		if len(vs) > 0 {
			first = vs[0]
		}
		shape, r := types.BroadcastShapes(first.Type.Shape, v.Type.Shape)
		if r != nil || !slices.Equal(shape, first.Type.Shape) {
			c.fail(diag.New("reduce-shapes", c.spanOf(a.expr)))
		}
		vs = append(vs, c.b.broadcast(a.expr.Span(), v, shape))
	}
	if len(vs) == 0 || vs[0].Type.IsScalar() {
		c.fail(diag.New("needs-tile", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr)))
	}
	return vs
}

// likeInput is the results of a collective: a tuple where its input is one.
func (c *call) likeInput(vs []*ir.Value) value {
	if _, isTuple := c.value("input").(tuple); isTuple {
		return tensors(vs)
	}
	return tensor{vs[0]}
}

// lowerReduce lowers tl.reduce.
func lowerReduce(c *call) value {
	vs := c.collectiveInputs()
	at := c.node.Span()
	shape := vs[0].Type.Shape
	axis, kept := 0, make([]int, len(shape))
	// Python's reduction over everything: one axis of all elements, in row-major order.
	if isNone(c.value("axis")) {
		for i, v := range vs {
			vs[i] = c.b.reshape(at, v, []int{v.Type.Numel()})
		}
		for i := range kept {
			kept[i] = 1
		}
	} else {
		axis = c.axisOf(c.arg("axis"), len(shape))
		copy(kept, shape)
		kept[axis] = 1
	}
	region := c.combineRegion(vs)
	c.hintUndefinedLanes(neutralFill(c), vs...)
	results := c.b.emitRegions(at, ops.Reduce, vs, []*ir.Block{region}, axisAttr(axis))
	if !c.isTrue("keep_dims") {
		return c.likeInput(results)
	}
	// keep_dims gives the axis back with length 1; a scalar becomes a tile of one element.
	results = slices.Clone(results)
	for i, v := range results {
		if v.Type.IsScalar() {
			results[i] = c.b.broadcast(at, v, kept)
		} else {
			results[i] = c.b.reshape(at, v, kept)
		}
	}
	return c.likeInput(results)
}

// neutralFill is the identity element of a combining function, as source; "" if it is not known.
func neutralFill(c *call) string {
	fn, _ := c.value("combine_fn").(function)
	return neutralFills[fn.name]
}

// lowerScan lowers tl.associative_scan.
func lowerScan(c *call) value {
	vs := c.collectiveInputs()
	axis := c.axisOf(c.arg("axis"), len(vs[0].Type.Shape))
	region := c.combineRegion(vs)
	c.hintUndefinedLanes(neutralFill(c), vs...)
	return c.likeInput(c.b.emitRegions(c.node.Span(), ops.Scan, vs, []*ir.Block{region}, axisAttr(axis),
		ir.Attr{Name: "reverse", Value: c.isTrue("reverse")}))
}

// combineRegion lowers the combining function into a region on scalars.
func (c *call) combineRegion(vs []*ir.Value) *ir.Block {
	a := c.arg("combine_fn")
	// The function takes the left operands of all inputs, then the right ones, all of them scalars.
	var argTypes []types.Type
	for _, v := range slices.Concat(vs, vs) {
		argTypes = append(argTypes, v.Type.Elem())
	}
	block := c.b.newBlock(argTypes...)
	c.b.inBlock(block, func() {
		list := []value{c.callScalar("combine_fn", block.Args, "combine-not-function", c.row.Path())}
		if t, ok := list[0].(tuple); ok {
			list = t.elems
		}
		if len(list) != len(vs) {
			c.fail(diag.New("combine-count", c.spanOf(a.expr), len(vs), len(list)))
		}
		out := make([]*ir.Value, len(vs))
		for i, v := range list {
			t, want := c.tensorOf(argument{v, a.expr}), vs[i].Type.Elem()
			// Promotion inside of the function may have widened the result; the accumulator keeps its type.
			if !t.Type.Equal(want) {
				if !t.Type.IsScalar() || t.Type.Pointer || !promotesBack(t.Type.DType, want.DType) {
					c.fail(diag.New("combine-type", c.spanOf(a.expr), typeText(want), typeText(t.Type)))
				}
				t = c.b.cast(a.expr.Span(), t, want.DType)
			}
			out[i] = t
		}
		c.b.emitVoid(a.expr.Span(), ops.Yield, out)
	})
	return block
}

// callScalar calls the function that is an argument with scalars; what is none is reported under a code, its kind last
// among the diagnostic's arguments.
func (c *call) callScalar(name string, scalars []*ir.Value, code string, about ...any) (got value) {
	a := c.arg(name)
	args := &arguments{node: a.expr, callee: c.sourceText(a.expr)}
	for _, v := range scalars {
		args.positional = append(args.positional, argument{tensor{v}, a.expr})
	}
	switch fn := a.val.(type) {
	case function:
		got = c.inlineFunction(&fn, args)
	case builtin:
		got = c.callBuiltin(fn, args)
	default:
		c.fail(diag.New(code, c.spanOf(a.expr), append(about, kindText(a.val))...))
	}
	c.must(!isPoison(got))
	return got
}

// promotesBack: a sum of int8 stays int8, and maximum of bf16 is fp32 by Triton's rules but the
// result is one of the operands.
func promotesBack(from, to num.DType) bool {
	return from.Info().Float == to.Info().Float && from.Info().Bits >= to.Info().Bits
}
