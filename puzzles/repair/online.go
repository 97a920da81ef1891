package repair

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// rescaled has a loop that keeps a maximum scale the sums that it measures against that.
func rescaled(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil {
			continue
		}
		for _, s := range b.list {
			if m, ok := k.maximumOf(s); ok {
				out = append(out, k.rescaledBy(b, m)...)
			}
		}
	}
	return out
}

// maximum is the statement of a loop that updates the largest value so far.
type maximum struct {
	old, new string
	at       syntax.Stmt
}

func (k *kernel) maximumOf(s syntax.Stmt) (maximum, bool) {
	a, ok := s.(*syntax.Assign)
	m := maximum{new: target(s), at: s}
	if !ok || m.new == "" || callTo(a.Value, "maximum", "where") == nil {
		return m, false
	}
	// What has an initial value before the loop is the largest so far.
	for _, e := range a.Value.(*syntax.Call).Args {
		if n, ok := e.(*syntax.Name); ok && k.kinds[n.ID] == value && (m.old == "" || n.ID == m.new) {
			m.old = n.ID
		}
	}
	return m, m.old != ""
}

// rescaledBy multiplies the sums of a loop by the exponential of how far the maximum rose: first all, then each.
func (k *kernel) rescaledBy(b block, m maximum) (out []change) {
	old, before := m.old, []diag.Edit(nil)
	if m.old == m.new { // its value before is lost
		old = m.new + "_old"
		indent, alone := k.indent(m.at)
		if _, taken := k.kinds[old]; taken || !alone {
			return nil
		}
		before = []diag.Edit{inserted(k.lines(m.at).Start, indent+old+" = "+m.new+"\n")}
	}
	factor := k.exponential(b, m.new, old+" - "+m.new)
	if factor == "" {
		return nil
	}
	var parts []change
	for _, s := range b.list {
		name := target(s)
		if name == m.old || name == m.new || !slices.Contains(k.accumulators(b), name) {
			continue
		}
		if e, ok := k.scaledSum(s, name, factor); ok {
			edits := append(slices.Clone(before), e)
			parts = append(parts, change{args: []any{name, m.new}, at: s.Span(), edits: edits})
		}
	}
	if len(parts) > 1 {
		all := parts[0]
		all.edits = slices.Clone(before)
		for _, p := range parts {
			all.edits = append(all.edits, p.edits[len(before):]...)
		}
		out = append(out, all)
	}
	return append(out, parts...)
}

// scaledSum is the edit that multiplies a sum by a factor before something is added to it.
func (k *kernel) scaledSum(s syntax.Stmt, name, factor string) (diag.Edit, bool) {
	switch s := s.(type) {
	case *syntax.AugAssign:
		return replaced(s, name+" = "+name+" * "+factor+" + "+k.text(s.Value)), s.Op == "+"
	case *syntax.Assign:
		sum, ok := s.Value.(*syntax.BinOp)
		if !ok || sum.Op != "+" {
			return diag.Edit{}, false
		}
		for _, side := range []syntax.Expr{sum.Left, sum.Right} {
			if n, ok := side.(*syntax.Name); ok && n.ID == name {
				return replaced(n, name+" * "+factor), true
			}
		}
	}
	return diag.Edit{}, false
}

// exponential is the exponential of a difference to a maximum, as the loop writes it, of another difference.
func (k *kernel) exponential(b block, largest, difference string) (text string) {
	syntax.Walk(b.loop, func(n syntax.Node) bool {
		call := callTo(n, "exp", "exp2")
		if call == nil || text != "" {
			return text == ""
		}
		syntax.Walk(call, func(n syntax.Node) bool {
			if minus, ok := n.(*syntax.BinOp); ok && minus.Op == "-" && baseName(minus.Right) == largest {
				before := k.file.Slice(source.Span{Start: call.Span().Start, End: minus.Span().Start})
				after := k.file.Slice(source.Span{Start: minus.Span().End, End: call.Span().End})
				text = before + difference + after
			}
			return text == ""
		})
		return true
	})
	return text
}

// baseName is the name that an expression is, or that it indexes.
func baseName(e syntax.Expr) string {
	if s, ok := e.(*syntax.Subscript); ok {
		e = s.Value
	}
	if n, ok := e.(*syntax.Name); ok {
		return n.ID
	}
	return ""
}

// stepless has a loop over blocks go on by a block.
func stepless(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil {
			continue
		}
		c := callTo(b.loop.Iter, "range")
		if c == nil || len(c.Args) == 0 || len(c.Args) > 2 || len(c.Keywords) > 0 {
			continue
		}
		for _, p := range k.def.Params.List {
			if !k.constexpr(p.Name) {
				continue
			}
			step := edit(inserted(c.Args[len(c.Args)-1].Span().End, ", "+p.Name), k.text(b.loop.Target), p.Name)
			step.at = c.Span()
			if len(c.Args) == 1 {
				step.edits = append(step.edits, inserted(c.Args[0].Span().Start, "0, "))
			}
			out = append(out, step)
		}
	}
	return out
}

// product has a product of matrices in the place of one element by element.
func product(s site, b *syntax.BinOp) []change {
	if b.Op != "*" || s.kind(b.Left) != value || s.kind(b.Right) != value {
		return nil
	}
	return one(b, "tl.dot("+s.text(b.Left)+", "+s.text(b.Right)+")", s.text(b))
}

// largest subtracts the largest element before an exponential.
func largest(s site, n *syntax.Name) (out []change) {
	if s.kinds[n.ID] != value || s.isTarget(n) {
		return nil
	}
	at := s.parents[syntax.Node(n)]
	for callTo(at, "exp", "exp2") == nil {
		if _, product := at.(*syntax.BinOp); !product {
			return nil
		}
		at = s.parents[at]
	}
	callee := s.text(at.(*syntax.Call).Func)
	for _, of := range []string{"tl.max(" + n.ID + ")", "tl.max(" + n.ID + ", axis=1)[:, None]"} {
		less := n.ID + " - " + of
		if _, factor := s.parent().(*syntax.BinOp); factor {
			less = "(" + less + ")"
		}
		out = append(out, one(n, less, n.ID, callee)...)
	}
	return out
}

// packed takes the bits of a number out of a shifted word, and the number of the word out of that of the number.
func packed(s site, e syntax.Expr) (out []change) {
	for _, c := range s.constants {
		if strings.Trim(c, "0123456789") != "" || c == "0" || c == "1" {
			continue
		}
		switch e := e.(type) {
		case *syntax.BinOp:
			if e.Op == ">>" && !isAnd(s.parent()) {
				out = append(out, one(e, "(("+s.text(e)+") & "+c+")", s.text(e), c)...)
			}
		case *syntax.Name:
			sum, ok := s.parent().(*syntax.BinOp)
			if ok && sum.Op == "+" && s.kinds[e.ID] == index && s.kind(sum) == pointer {
				out = append(out, one(e, "("+e.ID+" // "+c+")", e.ID, c)...)
			}
		}
	}
	return out
}

func isAnd(n syntax.Node) bool {
	b, ok := n.(*syntax.BinOp)
	return ok && b.Op == "&"
}

// renamed has the size of another axis everywhere in the place of one's. Block sizes stay: one that is 1 would mend
// what is wrong elsewhere.
func renamed(k *kernel) (out []change) {
	axis := func(name string) bool { return k.kinds[name] == size && !k.constexpr(name) }
	for _, old := range k.def.Params.List {
		if !axis(old.Name) || k.reads[old.Name] < 2 {
			continue
		}
		for _, new := range k.def.Params.List {
			if new.Name == old.Name || !axis(new.Name) {
				continue
			}
			c := change{args: []any{old.Name, new.Name}}
			for _, s := range k.exprs {
				if n, ok := s.expr.(*syntax.Name); ok && n.ID == old.Name && !s.isTarget(n) {
					part := edit(replaced(n, new.Name), old.Name, new.Name)
					part.at = n.Span()
					c.parts = append(c.parts, part)
				}
			}
			if len(c.parts) > 1 {
				c.at, c.edits = c.parts[0].at, joined(c.parts)
				out = append(out, c)
			}
		}
	}
	return out
}
