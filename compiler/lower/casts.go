package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// castCall lowers x.to(dtype) and tl.cast(x, dtype).
func (l *lowerer) castCall(c *call) value {
	x, d := c.bound[0], c.arg("dtype")
	v, ok := l.tensorArg(x.val, x.expr)
	if !ok {
		return poison{}
	}
	t, ok := l.dtypeArg(d.val, d.expr)
	if !ok {
		return poison{}
	}
	rounding, ok := l.choice(c, "fp_downcast_rounding", []string{"rtne", "rtz"})
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if k, isConstant := c.get("bitcast").(constant); isConstant && python.Truth(k.v) {
		return l.bitcast(c, v, t, x.expr)
	}
	switch {
	case v.Type.Elem().Equal(t):
		return tensor{v}
	case t.Pointer && v.Type.Pointer:
		return l.bitcast(c, v, t, x.expr)
	case t.Pointer || v.Type.Pointer:
		return l.fail(diag.New("pointer-cast", l.place(c.node), l.text(x.expr), typeText(t)))
	}
	if !l.allowed(types.Cast(v.Type, t.DType), l.place(c.node)) {
		return poison{}
	}
	narrows := v.Type.IsFloat() && t.IsFloat() && t.DType.Info().Bits < v.Type.DType.Info().Bits
	if rounding != "" && !narrows {
		return l.fail(diag.New("rounding-not-narrowing", l.place(c.arg("fp_downcast_rounding").expr), typeText(v.Type.Elem()), typeText(t)))
	}
	attrs := []ir.Attr{{Name: "to", Value: t.DType.Info().Short}}
	if rounding != "" {
		attrs = append(attrs, ir.Attr{Name: "rounding", Value: rounding})
	}
	return tensor{l.emit(at, ops.Cast, []*ir.Value{v}, attrs...)}
}

func (l *lowerer) bitcast(c *call, v *ir.Value, t types.Type, e syntax.Expr) value {
	if v.Type.Pointer != t.Pointer {
		return l.fail(diag.New("pointer-cast", l.place(c.node), l.text(e), typeText(t)))
	}
	if v.Type.Pointer {
		if v.Type.DType.Info().Bytes != t.DType.Info().Bytes {
			return l.fail(diag.New("pointer-cast", l.place(c.node), l.text(e), typeText(t)))
		}
	} else if !l.allowed(types.Bitcast(v.Type, t.DType), l.place(c.node)) {
		return poison{}
	}
	if v.Type.DType == t.DType {
		return tensor{v}
	}
	return tensor{l.emit(c.node.Span(), ops.Bitcast, []*ir.Value{v}, ir.Attr{Name: "to", Value: t.DType.Info().Short})}
}

func (l *lowerer) pointerType(c *call) value {
	a := c.arg("element_ty")
	t, ok := l.dtypeArg(a.val, a.expr)
	if !ok || t.Pointer {
		return poison{}
	}
	return dtype{types.PointerTo(t.DType)}
}
