package lower

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// lowerDot lowers tl.dot: the product of two matrices, or of two batches of them, added to acc. Several
// batch dimensions are one to the operation.
func lowerDot(c *call) value {
	a, b := c.arg("input"), c.arg("other")
	x, y := c.numberOf(a), c.numberOf(b)
	if x.Type.IsScalar() || y.Type.IsScalar() {
		return c.fail(diag.New("dot-rank", c.spanOf(c.node), typeText(x.Type), typeText(y.Type),
			"input and other must have equal ranks >= 2"))
	}
	out := c.productType(x.Type)
	// Shapes, dtypes and the least sizes of an MMA are the type rules' business.
	result, r := types.Dot(x.Type, y.Type, out.DType)
	if r != nil && !r.Runs {
		d := refusal(r, c.spanOf(c.node))
		c.noteShape(d, a.val, a.expr)
		c.noteShape(d, b.val, b.expr)
		if r.Code == types.DotMixed {
			d.Related = nil
			c.noteTypes(d, tensor{x}, tensor{y}, operandNodes{c.node, a.expr, b.expr})
			d.Suggest(false, diag.Text{Key: "fix-to-other", Args: []any{c.sourceText(b.expr), c.sourceText(a.expr)}},
				wrapEdits(c.spanOf(b.expr), b.expr, ".to("+c.sourceText(a.expr)+".dtype)")...)
		}
		return c.fail(d)
	}
	if r != nil {
		c.warnSuperset(refusal(r, c.spanOf(c.node)))
	}
	acc, precision := c.accumulatorArg(result), c.precisionArg()
	c.hintUndefinedLanes("0.0", x, y)
	at := c.node.Span()
	// A Hopper GPU's sums of fp8 products are less precise than fp32, as Triton's default allows. Who bounds how many
	// of them are added so gets fp16 operands, whose products are exact and whose sums are fp32 throughout.
	if c.isGiven("max_num_imprecise_acc") && x.Type.DType.IsFP8() && y.Type.DType.IsFP8() {
		x, y = c.b.cast(at, x, num.Float16), c.b.cast(at, y, num.Float16)
	}
	operands := []*ir.Value{x, y, acc}
	// Triton 3.x flattens the batch dimensions of 4D and more; the IR's dot has one of them at most.
	if len(result.Shape) > 3 {
		for i, v := range operands {
			operands[i] = c.b.reshape(at, v, oneBatch(v.Type.Shape))
		}
	}
	product := c.b.emit(at, ops.Dot, operands, ir.Attr{Name: "input_precision", Value: precision})
	return tensor{c.b.reshape(at, product, result.Shape)}
}

// productType is out_dtype. Where it is left out, it is acc's dtype, or fp32; products of integers are int32 all the
// same.
func (c *call) productType(x types.Type) types.Type {
	acc, ok := c.value("acc").(tensor)
	switch {
	case c.isGiven("out_dtype"):
		return c.elementType("out_dtype")
	case ok && x.IsFloat() && acc.v.Type.IsFloat() && c.has(triton.DotFollowsAcc):
		return acc.v.Type.Elem()
	}
	return types.Scalar(num.Float32)
}

// addProduct lowers acc + tl.dot(a, b) as tl.dot(a, b, acc), which Triton's compiler makes of it, too (its combine
// pass): the products are added to acc one by one, without a sum of their own that is rounded first. Of fp8, whose
// sums Triton keeps apart, and of other dtypes of sums it is left alone. ok is false where there is nothing to combine.
func (l *lowerer) addProduct(x, y value, at operandNodes) (v value, ok bool) {
	for _, side := range [2]struct {
		product, acc value
		written      syntax.Expr
	}{{y, x, at.right}, {x, y, at.left}} {
		// A product under a name may have other uses, and would be computed twice.
		_, isCall := side.written.(*syntax.Call)
		product, isTensor := side.product.(tensor)
		acc, ok := side.acc.(tensor)
		if !isCall || !isTensor || !ok || product.v.Def == nil || product.v.Def.Op != ops.Dot {
			continue
		}
		dot := product.v.Def
		sum := acc.v.Type
		if !sum.Equal(product.v.Type) || sum.DType != num.Float32 && sum.DType != num.Int32 ||
			dot.Operands[0].Type.DType.IsFP8() || !isZeroTile(dot.Operands[2]) {
			continue
		}
		return tensor{l.b.emit(at.whole.Span(), ops.Dot, []*ir.Value{dot.Operands[0], dot.Operands[1], acc.v},
			ir.Attr{Name: "input_precision", Value: dot.Str("input_precision")})}, true
	}
	return nil, false
}

// isZeroTile reports whether v is a tile of the constant 0.
func isZeroTile(v *ir.Value) bool {
	if v.Def == nil || v.Def.Op != ops.Const {
		return false
	}
	s := v.Def.Scalar("value")
	return s == num.FromInt(s.DType, 0)
}

// oneBatch is the shape of a batch of matrices with its batch dimensions made one.
func oneBatch(shape []int) []int {
	matrix := shape[len(shape)-2:]
	return []int{types.Tile(0, shape...).Numel() / (matrix[0] * matrix[1]), matrix[0], matrix[1]}
}

func (c *call) accumulatorArg(result types.Type) *ir.Value {
	if !c.isGiven("acc") {
		return c.b.fill(c.node.Span(), num.FromInt(result.DType, 0), result.Shape)
	}
	a, acc := c.arg("acc"), c.number("acc")
	if r := types.DotAccumulator(acc.Type, result); r != nil {
		c.fail(diag.New(r.Code, c.spanOf(a.expr), c.sourceText(a.expr), typeText(acc.Type), typeText(result),
			c.accumulatorSaid(acc.Type, result)))
	}
	if result.IsInt() && !c.isGiven("out_dtype") && !c.has(triton.DotFollowsAcc) {
		c.warnSuperset(diag.New("dot-acc-dtype", c.spanOf(a.expr), c.sourceText(a.expr)))
	}
	return acc
}

// accumulatorSaid is what Triton says of the type of an accumulator.
func (c *call) accumulatorSaid(acc, result types.Type) string {
	switch {
	case !slices.Equal(acc.Shape, result.Shape):
		return "accumulator shape is incompatible"
	case !c.has(triton.DotFollowsAcc):
		return "AssertionError"
	}
	d := acc.DType.Info().Name
	return "expected accumulator dtype " + result.DType.Info().Name + ", got " + d + "; pass out_dtype=" + d +
		" to use this accumulator dtype"
}

// DotPrecisions are what tl.dot takes for input_precision.
var DotPrecisions = []string{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"}

// precisionArg reads input_precision, and allow_tf32, its older form, which TRITON_F32_DEFAULT overrides. Triton's
// interpreter takes NumPy's product, which rounds no factor, whatever it says.
func (c *call) precisionArg() string {
	precision := ""
	if c.isGiven("input_precision") {
		precision = c.choice("input_precision", DotPrecisions...)
	}
	_, known := c.value("allow_tf32").(constant)
	switch {
	case c.opts.Interpreted:
		return "ieee"
	case precision != "" || c.opts.DotPrecision != "":
		return cmp.Or(precision, c.opts.DotPrecision)
	case known && c.isGiven("allow_tf32") && !c.isTrue("allow_tf32"):
		return "ieee"
	}
	return "tf32"
}
