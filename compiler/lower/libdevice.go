package lower

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// lowerLibdevice calls a function of libdevice. As in Triton, arguments of an overload are passed as they are; others
// are promoted together first, which must give one.
func lowerLibdevice(c *call) value {
	row, bound := c.row, c.bound
	vs := make([]*ir.Value, len(bound))
	for i, a := range bound {
		vs[i] = c.numberOf(a)
	}
	if !hasOverload(row, vs) && len(vs) > 1 {
		common := vs[0].Type.DType
		for i, v := range vs[1:] {
			p, r := types.Promote(types.Arithmetic, types.Tensor(common), types.Tensor(v.Type.DType))
			c.must(c.isAllowed(r, c.spanOf(bound[i+1].expr)))
			common = p.Compute
		}
		for i, v := range vs {
			vs[i] = c.b.cast(bound[i].expr.Span(), v, common)
		}
	}
	if !hasOverload(row, vs) {
		return c.refuseOverload()
	}
	passed := &arguments{node: c.node, callee: c.row.Path()}
	for i, v := range vs {
		passed.positional = append(passed.positional, argument{tensor{v}, bound[i].expr})
	}
	out := c.inlineLibrary(&c.globals.libdevice, libdeviceModule, row.Name, passed)
	if t, ok := out.(tensor); ok {
		c.result.Library = append(c.result.Library, LibraryCall{row.Name, vs, t.v})
	}
	return out
}

// LibraryCall is a call of a function of libdevice.
type LibraryCall struct {
	Name   string
	Args   []*ir.Value
	Result *ir.Value
}

func hasOverload(row *tl.Row, vs []*ir.Value) bool {
	return slices.ContainsFunc(row.Overloads, func(overload string) bool {
		for i, d := range strings.Fields(overload) {
			if vs[i].Type.DType.String() != d {
				return false
			}
		}
		return true
	})
}

// refuseOverload reports arguments that no overload takes, and converts floats that are too narrow.
func (c *call) refuseOverload() value {
	row, bound := c.row, c.bound
	var given []string
	for _, a := range bound {
		given = append(given, kindText(a.val))
	}
	first, _ := num.Parse(strings.Fields(row.Overloads[0])[0])
	d := diag.New("no-overload", c.spanOf(c.node), row.Path(), strings.Join(given, ", "),
		strings.Join(row.Overloads, " / "), first.Info().Attr)
	if a := bound[0]; len(bound) == 1 && slices.Contains(row.Overloads, "fp32") && c.frame.fn.module == c.user {
		if t, ok := a.val.(tensor); ok && t.v.Type.DType != num.Float32 {
			d.Suggest(true, diag.Text{Key: "fix-to-float32"}, wrapEdits(c.spanOf(a.expr), a.expr, ".to(tl.float32)")...)
		}
	}
	return c.fail(d)
}
