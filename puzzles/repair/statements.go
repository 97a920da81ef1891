package repair

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// target is the name that a statement assigns; "" where it is none, or several.
func target(s syntax.Stmt) string {
	var t syntax.Expr
	switch s := s.(type) {
	case *syntax.Assign:
		if len(s.Targets) == 1 {
			t = s.Targets[0]
		}
	case *syntax.AugAssign:
		t = s.Target
	}
	if n, ok := t.(*syntax.Name); ok {
		return n.ID
	}
	return ""
}

// reads reports whether a node reads a name.
func reads(n syntax.Node, name string) (found bool) {
	if a, ok := n.(*syntax.Assign); ok {
		return reads(a.Value, name)
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.Name); ok && x.ID == name {
			found = true
		}
		if a, ok := n.(*syntax.Assign); ok {
			found = found || reads(a.Value, name)
			return false
		}
		return true
	})
	return found
}

// moved takes a statement out of its place and writes it before another one. It is not ok where one of the two shares
// its line with others.
func (k *kernel) moved(s, before syntax.Stmt) ([]diag.Edit, bool) {
	_, alone := k.indent(s)
	indent, first := k.indent(before)
	if !alone || !first {
		return nil, false
	}
	text := strings.TrimRight(k.text(s), " \t\r\n")
	return []diag.Edit{
		{Span: k.lines(s)}, inserted(k.lines(before).Start, indent+text+"\n"),
	}, true
}

// resets moves what a loop begins each iteration with before the loop.
func resets(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil {
			continue
		}
		for i, s := range b.list {
			name := target(s)
			if a, ok := s.(*syntax.Assign); !ok || name == "" || reads(a, name) || len(b.list) < 2 {
				continue
			}
			changed := false
			for _, later := range b.list[i+1:] {
				changed = changed || target(later) == name
			}
			if edits, ok := k.moved(s, b.loop); ok && changed {
				out = append(out, change{at: s.Span(), args: []any{name}, edits: edits})
			}
		}
	}
	return out
}

// replacedTotals has a loop add to what it assigns, or keep the larger.
func replacedTotals(k *kernel) (out []change) {
	for _, b := range k.blocks {
		for _, s := range b.list {
			a, ok := s.(*syntax.Assign)
			name := target(s)
			if b.loop == nil || !ok || name == "" || reads(a, name) {
				continue
			}
			combined := []string{name + " + " + k.text(a.Value), "tl.maximum(" + name + ", " + k.text(a.Value) + ")"}
			for _, old := range k.accumulators(b) {
				if old != name && !reads(a, old) {
					combined = append(combined, "tl.maximum("+old+", "+k.text(a.Value)+")")
				}
			}
			for _, new := range combined {
				out = append(out, change{at: s.Span(), args: []any{name}, edits: []diag.Edit{replaced(a.Value, new)}})
			}
		}
	}
	return out
}

// accumulators are the values that have an initial value before a loop, and another one in it.
func (k *kernel) accumulators(b block) (names []string) {
	for _, s := range b.before.list[:b.at] {
		name := target(s)
		inside := func(t syntax.Stmt) bool { return target(t) == name }
		if name != "" && k.kinds[name] == value && slices.ContainsFunc(b.list, inside) {
			names = append(names, name)
		}
	}
	return names
}

// carried assigns a loop's result to what the next iteration reads.
func carried(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil || len(b.list) == 0 {
			continue
		}
		assigned := map[string]bool{}
		for _, s := range b.list {
			assigned[target(s)] = true
		}
		last := b.list[len(b.list)-1]
		indent, ok := k.indent(last)
		if !ok {
			continue
		}
		for _, s := range b.before.list[:b.at] {
			old := target(s)
			if old == "" || assigned[old] || k.kinds[old] != value {
				continue
			}
			used := false
			for _, t := range b.list {
				used = used || reads(t, old)
			}
			for _, t := range b.list {
				new := target(t)
				if used && new != "" && k.kinds[new] == value && reads(t, old) {
					c := edit(inserted(last.Span().End, "\n"+indent+old+" = "+new), old)
					c.at = b.loop.Iter.Span()
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// once moves what is computed before a loop into it.
func once(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil || len(b.list) == 0 {
			continue
		}
		for _, s := range b.before.list[:b.at] {
			name := target(s)
			if _, ok := s.(*syntax.Assign); !ok || name == "" {
				continue
			}
			if edits, ok := k.moved(s, b.list[0]); ok {
				out = append(out, change{at: s.Span(), args: []any{name}, edits: edits})
			}
		}
	}
	return out
}

// outOfOrder moves a statement before another one of its block.
func outOfOrder(k *kernel) (out []change) {
	for _, b := range k.blocks {
		for i, s := range b.list {
			name := target(s)
			for j := range i {
				before := b.list[j]
				old := target(before)
				if name == "" || !reads(before, name) && old != name && (old == "" || !reads(s, old)) {
					continue
				}
				if edits, ok := k.moved(s, before); ok {
					out = append(out, change{at: s.Span(), args: []any{name, k.line(before)}, edits: edits})
				}
			}
		}
	}
	return out
}

// isTile reports whether an expression is seen to have two axes: it is made of a vector that is given another, or of a
// product of matrices.
func (k *kernel) isTile(e syntax.Expr, within []string) (found bool) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subscript:
			_, tuple := n.Index.(*syntax.Tuple)
			found = found || tuple
		case *syntax.Name:
			if v := k.definition(n.ID); v != nil && !slices.Contains(within, n.ID) {
				found = found || k.isTile(v, append(within, n.ID))
			}
		case *syntax.Call:
			found = found || callTo(n, "dot") != nil
			return callTo(n, reductions...) == nil
		}
		return !found
	})
	return found
}

// lanes sets the lanes that a mask leaves out, in what is computed of a load, to a value that changes nothing.
func lanes(k *kernel) (out []change) {
	var tests []string
	for _, s := range k.exprs {
		switch e := s.expr.(type) {
		case *syntax.Compare:
			if len(e.Ops) == 1 && k.kind(e.Left) == index {
				tests = append(tests, k.text(e))
			}
		case *syntax.Name:
			if k.kinds[e.ID] == mask {
				tests = append(tests, e.ID)
			}
		}
	}
	seen := map[string]bool{}
	for _, b := range k.blocks {
		for _, s := range b.list {
			a, ok := s.(*syntax.Assign)
			if !ok || target(s) == "" || k.kind(a.Value) != value {
				continue
			}
			for _, test := range tests {
				axes := []string{"", "[None, :]", "[:, None]"}
				if strings.Contains(test, "[") || !k.isTile(a.Value, nil) {
					axes = axes[:1] // of a vector, they would make a tile
				}
				for _, axes := range axes {
					test := test
					if axes != "" && strings.Contains(test, " ") {
						test = "(" + test + ")"
					}
					for _, v := range neutral[:2] {
						new := "tl.where(" + test + axes + ", " + k.text(a.Value) + ", " + v + ")"
						if !seen[k.text(s)+new] {
							seen[k.text(s)+new] = true
							c := edit(replaced(a.Value, new), target(s))
							c.at = s.Span()
							out = append(out, c)
						}
					}
				}
			}
		}
	}
	return out
}
