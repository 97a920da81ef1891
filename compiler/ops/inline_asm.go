package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/types"
)

// inlineAsmRule checks the text itself: it comes from anybody, and becomes part of the PTX.
func inlineAsmRule(u *use) *Mismatch {
	var shape []int
	for i, o := range u.operands {
		switch {
		case o.Pointer:
			return u.wrong(WrongElem, i, Num.String())
		case i > 0 && !slices.Equal(o.Shape, u.operands[0].Shape):
			return u.differ(DifferShape, i, 0)
		}
		shape = o.Shape
	}
	results, ok := resultDTypes(u.attrs)
	if !ok {
		return u.badAttr("results", "dtypes with commas between them")
	}
	out := make([]types.Type, len(results))
	for i, d := range results {
		out[i] = types.Tile(d, shape...)
	}
	if pack := u.attrs.Int("pack"); pack < 1 || len(shape) > 0 && int64(out[0].Numel())%pack != 0 {
		return u.badAttr("pack", fmt.Sprintf("a divisor of %d elements", out[0].Numel()))
	}
	if _, err := ParseInlineAsm(u.operands, u.attrs); err != nil {
		return u.badAttr("text", err.Error())
	}
	return u.result(out...)
}

// ParseInlineAsm is the checked text of an InlineAsm or InlineAsmVolatile. The error is an *inline.Error; what Infer
// has taken has none.
func ParseInlineAsm(operands []*types.Type, attrs Attrs) (*inline.Asm, error) {
	results, _ := resultDTypes(attrs)
	args := make([]num.DType, len(operands))
	for i, o := range operands {
		args[i] = o.DType
	}
	return inline.Parse(attrs.Str("text"), attrs.Str("constraints"), results, args, int(attrs.Int("pack")))
}

// resultDTypes reads the attribute that names the results' dtypes.
func resultDTypes(attrs Attrs) ([]num.DType, bool) {
	names := strings.Split(attrs.Str("results"), ",")
	list := make([]num.DType, len(names))
	for i, name := range names {
		d, ok := num.Parse(name)
		if !ok || name != d.Info().Short {
			return nil, false
		}
		list[i] = d
	}
	return list, true
}
