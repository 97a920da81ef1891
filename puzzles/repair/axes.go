package repair

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// withoutAxes has vectors along two axes be a row and a column wherever they meet, in a kernel that makes neither.
func withoutAxes(k *kernel) (out []change) {
	if strings.Contains(k.file.Text, "None") {
		return nil
	}
	of := k.axes()
	var met syntax.Expr // where they meet first
	var names []*syntax.Name
	for _, s := range k.exprs {
		switch s.expr.(type) {
		case *syntax.BinOp, *syntax.Compare:
			if list := vectors(s.expr, of); len(distinct(list, of)) == 2 {
				names = append(names, list...)
				if met == nil {
					met = s.expr
				}
			}
		}
	}
	if met == nil || len(distinct(names, of)) > 2 {
		return nil
	}
	for _, expanded := range [][2]string{{"[None, :]", "[:, None]"}, {"[:, None]", "[None, :]"}} {
		c := change{at: met.Span(), args: []any{k.text(met)}}
		for _, n := range names {
			e := inserted(n.Span().End, expanded[slices.Index(distinct(names, of), of[n.ID])])
			if !slices.Contains(c.edits, e) {
				c.edits = append(c.edits, e)
			}
		}
		out = append(out, c)
	}
	return out
}

// axes are the vectors of a kernel with the one that they have their lanes from: the offsets made of tl.arange.
func (k *kernel) axes() map[string]string {
	of := map[string]string{}
	for _, b := range k.blocks {
		for _, s := range b.list {
			a, ok := s.(*syntax.Assign)
			name := target(s)
			if !ok || name == "" {
				continue
			}
			list := distinct(vectors(a.Value, of), of)
			switch {
			case calls(a.Value, "arange"):
				of[name] = name
			case len(list) == 1 && !calls(a.Value, reductions...):
				of[name] = list[0]
			}
		}
	}
	return of
}

// calls reports whether an expression calls a function of Triton that has one of the names.
func calls(e syntax.Expr, names ...string) (found bool) {
	syntax.Walk(e, func(n syntax.Node) bool {
		found = found || callTo(n, names...) != nil
		return !found
	})
	return found
}

// vectors are the names in an expression that are of one axis.
func vectors(e syntax.Expr, of map[string]string) (list []*syntax.Name) {
	syntax.Walk(e, func(n syntax.Node) bool {
		if n, ok := n.(*syntax.Name); ok && of[n.ID] != "" {
			list = append(list, n)
		}
		return true
	})
	return list
}

// distinct are the axes of names, each once.
func distinct(names []*syntax.Name, of map[string]string) (list []string) {
	for _, n := range names {
		if !slices.Contains(list, of[n.ID]) {
			list = append(list, of[n.ID])
		}
	}
	return list
}
