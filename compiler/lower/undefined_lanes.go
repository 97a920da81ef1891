package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// neutralFills are the identity elements of the prelude's combining functions, as source:
// what masked-off lanes should hold.
var neutralFills = map[string]string{"_sum_combine": "0.0", "_elementwise_max": "-float('inf')",
	"_elementwise_min": "float('inf')", "_prod_combine": "1.0"}

// maxOpsFollowed is how many operations are looked through for a load.
const maxOpsFollowed = 64

// hintUndefinedLanes gives a hint where a tile that is combined as a whole comes straight from a load
// whose mask leaves lanes undefined.
func (c *call) hintUndefinedLanes(filler string, vs ...*ir.Value) {
	for _, v := range vs {
		load := findMaskedLoad(v, maxOpsFollowed)
		if load == nil {
			continue
		}
		if filler == "" {
			filler = "0.0"
		}
		code, argument := "mask-without-other", "other="+filler
		if c.unpadded[load] {
			code, argument = "boundary-without-padding", "padding_option='zero'"
		}
		d := diag.New(code, c.spanOf(c.node), filler)
		if load.Span != d.Primary.Span {
			d.Because(load.Span, "loaded-here")
		}
		// The fix inserts the argument before the closing parenthesis of the load.
		end := source.Span{Start: load.Span.End - 1, End: load.Span.End - 1}
		if c.userFile().Slice(source.Span{Start: end.Start, End: load.Span.End}) == ")" {
			d.Suggest(false, diag.Text{Key: "fix-add-argument", Args: []any{argument}},
				diag.Edit{Span: end, New: ", " + argument})
		}
		c.diags.Add(asHint(d))
		return
	}
}

// findMaskedLoad follows a tile to a masked load without other; nil if there is none, or where tl.where
// has chosen between lanes on the way.
func findMaskedLoad(v *ir.Value, depth int) *ir.Instr {
	in := v.Def
	switch {
	case in == nil || depth == 0 || in.Op == ops.Select:
		return nil
	case in.Op == ops.Load:
		if in.Operand(1) != nil && in.Operand(2) == nil {
			return in
		}
		return nil
	}
	switch in.Op {
	case ops.Broadcast, ops.ExpandDims, ops.Reshape, ops.Trans:
	default:
		if !in.Op.Has(ops.Elementwise | ops.Pure) {
			return nil
		}
	}
	for _, o := range in.Operands {
		if found := findMaskedLoad(o, depth-1); found != nil {
			return found
		}
		depth /= 2 // shared operands must not make this walk exponential
	}
	return nil
}
