package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// cast converts a number to dtype d.
func (l *lowerer) cast(at source.Span, v *ir.Value, d num.DType) *ir.Value {
	if v.Type.DType == d && !v.Type.Pointer {
		return v
	}
	return l.emit(at, ops.Cast, []*ir.Value{v}, ir.Attr{Name: "to", Value: d.Info().Short})
}

// toBool is v != 0, int1 staying as it is.
func (l *lowerer) toBool(at source.Span, v *ir.Value) *ir.Value {
	if v.Type.Pointer {
		return l.boolean(at, true) // no argument is a null pointer
	}
	return l.cast(at, v, num.Int1)
}

// broadcastTo repeats v over a shape that types.BroadcastShapes has allowed.
func (l *lowerer) broadcastTo(at source.Span, v *ir.Value, shape []int) *ir.Value {
	have := v.Type.Shape
	switch {
	case slices.Equal(have, shape):
		return v
	case len(have) == 0:
		return l.emit(at, ops.Splat, []*ir.Value{v}, shapeAttr(shape))
	}
	for len(v.Type.Shape) < len(shape) {
		v = l.emit(at, ops.ExpandDims, []*ir.Value{v}, axisAttr(0))
	}
	if slices.Equal(v.Type.Shape, shape) {
		return v
	}
	return l.emit(at, ops.Broadcast, []*ir.Value{v}, shapeAttr(shape))
}

func axisAttr(axis int) ir.Attr { return ir.Attr{Name: "axis", Value: int64(axis)} }

// reshaped gives v another shape of as many elements.
func (l *lowerer) reshaped(at source.Span, v *ir.Value, shape []int) *ir.Value {
	if slices.Equal(v.Type.Shape, shape) {
		return v
	}
	return l.emit(at, ops.Reshape, []*ir.Value{v}, shapeAttr(shape))
}

// becauseShape adds a note that says which shape a side has and what gave it that shape.
func (l *lowerer) becauseShape(d *diag.Diagnostic, v value, e syntax.Expr) {
	t, ok := v.(tensor)
	if !ok {
		return
	}
	d.Because(l.place(e), "has-shape", l.text(e), types.ShapeString(t.v.Type.Shape))
	l.because(d, t.v, l.text(e))
}

// because follows a value to the operation that made its shape, and adds a note there.
func (l *lowerer) because(d *diag.Diagnostic, v *ir.Value, text string) *diag.Diagnostic {
	for in := v.Def; in != nil; {
		if in.Op.Has(ops.Elementwise) && len(in.Operands) > 0 && len(d.Related) < 8 {
			in = shapeMaker(in).Def
			continue
		}
		span := in.Span
		for _, r := range d.Related {
			if r.Span == span {
				return d
			}
		}
		if span != d.Primary.Span && span.End > span.Start && l.frame.fn.module == l.user {
			d.Because(span, "shape-from", types.ShapeString(v.Type.Shape))
		}
		return d
	}
	return d
}

// shapeMaker is the operand that an elementwise operation has its shape from: one that is not a
// mere repetition of a scalar.
func shapeMaker(in *ir.Instr) *ir.Value {
	for _, v := range in.Operands {
		if v != nil && v.Def != nil && v.Def.Op != ops.Splat && v.Def.Op != ops.Const && v.Def.Op != ops.Broadcast {
			return v
		}
	}
	return in.Operands[0]
}

// subscript lowers x[…]: None and : on tensors, numbers and slices on tuples.
func (l *lowerer) subscript(e *syntax.Subscript) value {
	v := l.expr(e.Value)
	switch v := v.(type) {
	case poison:
		return v
	case tensor:
		return l.tensorIndex(v, e)
	case tuple:
		return l.tupleIndex(v, e)
	}
	if c, ok := v.(constant); ok {
		return l.staticIndex(c, e)
	}
	return l.fail(diag.New("not-indexable", l.place(e), l.text(e.Value), kindText(v)))
}

func indices(e syntax.Expr) []syntax.Expr {
	if t, ok := e.(*syntax.Tuple); ok {
		return t.Elts
	}
	return []syntax.Expr{e}
}

func (l *lowerer) tensorIndex(t tensor, e *syntax.Subscript) value {
	v := t.v
	rank := len(v.Type.Shape)
	list := indices(e.Index)
	colons := 0
	for _, x := range list {
		switch {
		case l.isFullSlice(x):
			colons++
		case !l.isNoneIndex(x):
			return l.fail(l.badIndex(t, x, e))
		}
	}
	if colons > rank {
		l.diags.Add(hint(diag.New("too-many-indices", l.place(e), l.text(e.Value), rank, colons)))
	}
	for axis, x := range list {
		if l.isFullSlice(x) {
			continue
		}
		if len(v.Type.Shape) >= ops.MaxRank {
			return l.fail(diag.New("rank-too-large", l.place(e), ops.MaxRank))
		}
		// Triton inserts the axis as Python's list.insert does: behind the last one, wherever that is.
		v = l.emit(e.Span(), ops.ExpandDims, []*ir.Value{v}, axisAttr(min(axis, len(v.Type.Shape))))
	}
	return tensor{v}
}

// isNoneIndex reports whether an index is None, or a name that stands for it.
func (l *lowerer) isNoneIndex(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Constant:
		return x.Kind == syntax.NoneConst
	case *syntax.Name:
		b, ok := l.frame.vars.get(x.ID)
		return ok && isNone(b.val)
	}
	return false
}

// isFullSlice reports whether an index is a slice of everything; None is the same as no bound.
func (l *lowerer) isFullSlice(e syntax.Expr) bool {
	s, ok := e.(*syntax.Slice)
	if !ok {
		return false
	}
	for _, bound := range []syntax.Expr{s.Lower, s.Upper, s.Step} {
		if bound != nil && !l.isNoneIndex(bound) {
			return false
		}
	}
	return true
}

// badIndex explains what to write instead of an index that tensors do not have.
func (l *lowerer) badIndex(t tensor, x syntax.Expr, e *syntax.Subscript) *diag.Diagnostic {
	if !t.v.Type.Pointer || len(indices(e.Index)) != 1 {
		return diag.New("index-unsupported", l.place(x), l.text(e.Value), l.text(x))
	}
	load := "tl.load(" + l.text(e.Value) + " + " + l.text(x) + ")"
	return diag.New("pointer-indexed", l.place(e), l.text(e.Value)).
		Suggest(true, diag.Text{Key: "fix-replace", Args: []any{load}}, diag.Edit{Span: l.place(e), New: load})
}

// explainSubscriptStore is for x[i] = v.
func (l *lowerer) explainSubscriptStore(t *syntax.Subscript) *diag.Diagnostic {
	return diag.New("subscript-assigned", l.place(t), l.text(t.Value))
}

func (l *lowerer) tupleIndex(t tuple, e *syntax.Subscript) value {
	if s, ok := e.Index.(*syntax.Slice); ok {
		return l.tupleSlice(t, s, e)
	}
	i, ok := l.constantSmall(l.expr(e.Index), e.Index, "index")
	if !ok {
		return poison{}
	}
	if i < 0 {
		i += len(t.elems)
	}
	if i < 0 || i >= len(t.elems) {
		return l.fail(diag.New("index-out-of-range", l.place(e.Index), l.text(e.Index), len(t.elems)))
	}
	return t.elems[i]
}

func (l *lowerer) tupleSlice(t tuple, s *syntax.Slice, e *syntax.Subscript) value {
	step := 1
	bounds := [2]*int{}
	ok := true
	get := func(x syntax.Expr) *int {
		if x == nil || l.isNoneIndex(x) {
			return nil
		}
		n, good := l.constantSmall(l.expr(x), x, "index")
		ok = ok && good
		return &n
	}
	bounds[0], bounds[1] = get(s.Lower), get(s.Upper)
	if p := get(s.Step); p != nil {
		step = *p
	}
	if !ok || step == 0 {
		return poison{}
	}
	lo, hi := sliceBounds(len(t.elems), bounds[0], bounds[1], step)
	out := tuple{}
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; i += step {
		out.elems = append(out.elems, t.elems[i])
	}
	return out
}

// sliceBounds applies Python's rules for a slice's defaults and clipping.
func sliceBounds(n int, lower, upper *int, step int) (lo, hi int) {
	clip := func(p *int, missing, least, most int) int {
		if p == nil {
			return missing
		}
		i := *p
		if i < 0 {
			i += n
		}
		return max(least, min(i, most))
	}
	if step > 0 {
		return clip(lower, 0, 0, n), clip(upper, n, 0, n)
	}
	return clip(lower, n-1, -1, n-1), clip(upper, -1, -1, n-1)
}
