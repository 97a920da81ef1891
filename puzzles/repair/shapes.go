package repair

import (
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// expanded turns [:, None] into [None, :] and back.
func expanded(s site, e *syntax.Subscript) []change {
	index, ok := e.Index.(*syntax.Tuple)
	if !ok {
		return nil
	}
	whole := -1
	for i, x := range index.Elts {
		switch x := x.(type) {
		case *syntax.Slice:
			if whole >= 0 || x.Lower != nil || x.Upper != nil {
				return nil
			}
			whole = i
		case *syntax.Constant:
			if x.Kind != syntax.NoneConst {
				return nil
			}
		default:
			return nil
		}
	}
	var out []change
	for at := range index.Elts {
		if whole < 0 || at == whole {
			continue
		}
		text := ""
		for i := range index.Elts {
			if i > 0 {
				text += ", "
			}
			if i == at {
				text += ":"
			} else {
				text += "None"
			}
		}
		new := s.text(e.Value) + "[" + text + "]"
		out = append(out, change{
			args: []any{s.text(e), new}, edits: []diag.Edit{replaced(e.Index, text)},
			of: strconv.Itoa(int(s.stmt.Span().Start)),
		})
	}
	return out
}

// unexpanded makes a vector a row or a column where the kernel does so elsewhere.
func unexpanded(s site, n *syntax.Name) (out []change) {
	if of := s.kinds[n.ID]; of < index || of == pointer || s.isTarget(n) || !strings.Contains(s.file.Text, "None") {
		return nil
	}
	switch s.parent().(type) {
	case *syntax.BinOp, *syntax.Compare, *syntax.Call:
	default:
		return nil
	}
	for _, axes := range []string{"[None, :]", "[:, None]"} {
		out = append(out, one(n, n.ID+axes, n.ID, n.ID+axes)...)
	}
	return out
}

var reductions = []string{"sum", "max", "min", "argmax", "argmin"}

func reducedAxis(s site, c *syntax.Call) (out []change) {
	if callTo(c, reductions...) == nil || len(c.Args) == 0 {
		return nil
	}
	axis, _ := argument(c, 1, "axis").(*syntax.Constant)
	for n := range 3 {
		text := strconv.Itoa(n)
		switch {
		case axis == nil && len(c.Args) == 1:
			all := edit(inserted(c.Args[0].Span().End, ", axis="+text), syntax.LastName(c.Func))
			all.code, all.of = "mistake-all-axes", text
			out = append(out, all)
		case axis != nil && axis.Text != text:
			out = append(out, change{args: []any{axis.Text}, edits: []diag.Edit{replaced(axis, text)}, of: text})
		}
	}
	return out
}
