package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/syntax"
)

// lowerSubscript lowers x[…]: None and : on tensors, numbers and slices on tuples.
func (l *lowerer) lowerSubscript(e *syntax.Subscript) value {
	v := l.lowerExpr(e.Value)
	switch v := v.(type) {
	case poison:
		return v
	case tensor:
		return l.indexTensor(v, e)
	case tuple:
		return l.indexTuple(v, e)
	}
	if c, ok := v.(constant); ok {
		return l.refuseIndex(c, e)
	}
	return l.fail(diag.New("not-indexable", l.spanOf(e), l.sourceText(e.Value), kindText(v)))
}

func indexList(e syntax.Expr) []syntax.Expr {
	if t, ok := e.(*syntax.Tuple); ok {
		return t.Elts
	}
	return []syntax.Expr{e}
}

func (l *lowerer) indexTensor(t tensor, e *syntax.Subscript) value {
	v := t.v
	rank := len(v.Type.Shape)
	list := indexList(e.Index)
	colons := 0
	// Triton's tensors take None and full slices only; elements are reached by masks and reductions.
	for _, x := range list {
		switch {
		case l.isFullSlice(x):
			colons++
		case !l.isNoneIndex(x):
			return l.fail(l.explainIndex(t, x, e))
		}
	}
	if colons > rank {
		l.diags.Add(asHint(diag.New("too-many-indices", l.spanOf(e), l.sourceText(e.Value), rank, colons)))
	}
	for axis, x := range list {
		if l.isFullSlice(x) {
			continue
		}
		if len(v.Type.Shape) >= ops.MaxRank {
			return l.fail(diag.New("rank-too-large", l.spanOf(e), ops.MaxRank))
		}
		// Triton inserts the axis as Python's list.insert does: behind the last one, wherever that is.
		v = l.b.emit(e.Span(), ops.ExpandDims, []*ir.Value{v}, axisAttr(min(axis, len(v.Type.Shape))))
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

// explainIndex explains what to write instead of an index that tensors do not have.
func (l *lowerer) explainIndex(t tensor, x syntax.Expr, e *syntax.Subscript) *diag.Diagnostic {
	if syntax.LastName(x) == "newaxis" {
		return suggestReplacement(diag.New("index-newaxis", l.spanOf(x), l.sourceText(x)), true, l.spanOf(x), "None")
	}
	if !t.v.Type.Pointer {
		return diag.New("index-unsupported", l.spanOf(x), l.sourceText(e.Value), l.sourceText(x))
	}
	d := diag.New("pointer-indexed", l.spanOf(e), l.sourceText(e.Value))
	if _, slice := x.(*syntax.Slice); slice || len(indexList(e.Index)) != 1 {
		return d
	}
	load := "tl.load(" + l.sourceText(e.Value) + " + " + l.sourceText(x) + ")"
	return suggestReplacement(d, true, l.spanOf(e), load)
}

// refuseIndex is x[i] for a string.
func (l *lowerer) refuseIndex(c constant, e *syntax.Subscript) value {
	return l.fail(diag.New("not-indexable", l.spanOf(e), l.sourceText(e.Value), kindText(c)))
}

func (l *lowerer) indexTuple(t tuple, e *syntax.Subscript) value {
	if s, ok := e.Index.(*syntax.Slice); ok {
		return l.sliceTuple(t, s, e)
	}
	i, ok := l.constantInt32(l.lowerExpr(e.Index), e.Index, "index")
	if !ok {
		return poison{}
	}
	if i < 0 {
		i += len(t.elems)
	}
	if i < 0 || i >= len(t.elems) {
		return l.fail(diag.New("index-out-of-range", l.spanOf(e.Index), l.sourceText(e.Index), len(t.elems)))
	}
	return t.elems[i]
}

func (l *lowerer) sliceTuple(t tuple, s *syntax.Slice, e *syntax.Subscript) value {
	step := 1
	bounds := [2]*int{}
	ok := true
	get := func(x syntax.Expr) *int {
		if x == nil || l.isNoneIndex(x) {
			return nil
		}
		n, good := l.constantInt32(l.lowerExpr(x), x, "index")
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
