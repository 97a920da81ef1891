package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// otherName writes another name of the same kind, where that says one thing: it depends on what the name is used for.
func otherName(code string) func(site, *syntax.Name) []change {
	return func(s site, n *syntax.Name) (out []change) {
		use, args := s.use(n)
		if use != code || s.isTarget(n) {
			return nil
		}
		for _, name := range s.alike(n) {
			// A block size belongs to what has it already.
			loose := code == "mistake-size" && !s.belongs(name) || code == "mistake-loop-end" && !s.bounds(name)
			// Of two operands that are the same, one says nothing.
			if loose || s.sibling(n, name) {
				continue
			}
			c := change{code: code, args: args(name), edits: []diag.Edit{replaced(n, name)}}
			// Everywhere, a block size that is 1 mends what is wrong elsewhere: with it, no lane lies past an end.
			if code == "mistake-size" {
				c.of = fmt.Sprint(n.Span().Start)
			}
			out = append(out, c)
		}
		return out
	}
}

// use says what a name is used for: the code of the mistake where another one belongs there, and its arguments.
func (s site) use(n *syntax.Name) (code string, args func(name string) []any) {
	args = func(name string) []any { return []any{n.ID, name} }
	if of := s.kinds[n.ID]; of != size {
		return uses[of], args
	}
	b, _ := s.parent().(*syntax.BinOp)
	// Of values, a number is no size.
	if b != nil && s.kind(b) == value {
		return "", nil
	}
	code, args = s.sizeUse(n)
	// What is added to the end of a loop, or taken from it, is no end.
	if b != nil && code == "mistake-loop-end" && (b.Op == "+" || b.Op == "-") {
		return "", nil
	}
	return code, args
}

var uses = [...]string{
	unknown: "", program: "mistake-index", index: "mistake-index", pointer: "mistake-tensor", mask: "mistake-mask",
	value: "mistake-value",
}

// otherSize writes a size in the place of one that is computed.
func otherSize(s site, b *syntax.BinOp) (out []change) {
	if _, part := s.parent().(*syntax.BinOp); s.kind(b) != size || part && s.kind(s.parent().(*syntax.BinOp)) == size {
		return nil
	}
	for _, p := range s.def.Params.List {
		if s.kinds[p.Name] == size && s.belongs(p.Name) {
			out = append(out, one(b, p.Name, s.text(b), p.Name)...)
		}
	}
	return out
}

// belongs reports whether a size is in the site's statement, in the loop around it, or nowhere else.
func (s site) belongs(name string) bool {
	if s.reads[name] == 0 {
		return true
	}
	for _, other := range s.exprs {
		n, ok := other.expr.(*syntax.Name)
		if !ok || n.ID != name {
			continue
		}
		loop, _ := other.stmt.(*syntax.For)
		if other.stmt == s.stmt || loop != nil && s.within(loop) && other.within(loop.Iter) {
			return true
		}
	}
	return false
}

// bounds reports whether a size may be in the iterator of a loop instead: as the step, one that the body has; else one
// that is no block size.
func (s site) bounds(name string) bool {
	loop, _ := s.stmt.(*syntax.For)
	if c := callTo(loop.Iter, "range"); c != nil && len(c.Args) == 3 && s.within(c.Args[2]) {
		return slices.ContainsFunc(loop.Body, func(b syntax.Stmt) bool { return reads(b, name) })
	}
	return !s.constexpr(name)
}

// isTarget reports whether a name is what its statement assigns, alone or among others.
func (s site) isTarget(n *syntax.Name) bool {
	at := syntax.Node(n)
	for {
		if _, several := s.parents[at].(*syntax.Tuple); !several {
			break
		}
		at = s.parents[at]
	}
	switch p := s.parents[at].(type) {
	case *syntax.Assign:
		return at != syntax.Node(p.Value)
	case *syntax.AugAssign:
		return at == syntax.Node(p.Target)
	case *syntax.For:
		return at == syntax.Node(p.Target)
	}
	return false
}

// sibling reports whether a name is another operand of what n is an operand of.
func (s site) sibling(n *syntax.Name, name string) bool {
	var list []syntax.Expr
	switch p := s.parent().(type) {
	case *syntax.BinOp:
		list = []syntax.Expr{p.Left, p.Right}
	case *syntax.Compare:
		list = append(list, p.Left)
		list = append(list, p.Comparators...)
	case *syntax.Call:
		list = p.Args
	case *syntax.Assign:
		list = p.Targets
	}
	return slices.ContainsFunc(list, func(e syntax.Expr) bool {
		other, ok := e.(*syntax.Name)
		return ok && other.ID == name
	})
}

// sizeUse says what a size is used for: the code of the mistake, and its arguments.
func (s site) sizeUse(n *syntax.Name) (code string, args func(name string) []any) {
	plain := func(name string) []any { return []any{n.ID, name} }
	if loop, ok := s.stmt.(*syntax.For); ok && s.within(loop.Iter) {
		return "mistake-loop-end", plain
	}
	if c, ok := s.parent().(*syntax.Compare); ok && s.kind(c.Left) < value && c.Left != syntax.Expr(n) {
		return "mistake-mask-bound", func(name string) []any { return []any{s.text(c.Left), n.ID, name} }
	}
	if along, old := s.steps(n); along != nil {
		return "mistake-stride", func(name string) []any {
			now := slices.Clone(old)
			now[slices.Index(now, n.ID)] = name
			return []any{s.text(along), strings.Join(old, " * "), strings.Join(now, " * ")}
		}
	}
	return "mistake-size", plain
}

// steps are the factors of the offsets along an axis, n among them, in a product; nil where n is in none.
func (s site) steps(n *syntax.Name) (along syntax.Expr, factors []string) {
	outer := syntax.Node(n)
	for {
		up, ok := s.parents[outer].(*syntax.BinOp)
		if !ok || up.Op != "*" {
			break
		}
		outer = up
	}
	sum, _ := s.parents[outer].(*syntax.BinOp)
	inAddress := sum != nil && s.kind(sum) == pointer
	for _, f := range factorsOf(outer.(syntax.Expr)) {
		if of := s.kind(f); along == nil && (of == index || of == program && inAddress) {
			along = f
		} else {
			factors = append(factors, s.text(f))
		}
	}
	if along == nil || !slices.Contains(factors, n.ID) {
		return nil, nil
	}
	return along, factors
}

// strideLess multiplies a term of an address, which has a stride of 1 or only a part of its stride, by a size.
func strideLess(s site, e syntax.Expr) (out []change) {
	sum, ok := s.parent().(*syntax.BinOp)
	if of := s.kind(e); !ok || sum.Op != "+" || s.kind(sum) != pointer || of != index && of != program {
		return nil
	}
	var along syntax.Expr
	old := []string{"1"}
	for _, f := range factorsOf(e) {
		switch of := s.kind(f); {
		case along == nil && of >= program:
			along = f
		case of == size:
			old = append(old, s.text(f))
		}
	}
	if _, isSum := along.(*syntax.BinOp); isSum {
		return nil
	}
	if len(old) > 1 {
		old = old[1:]
	}
	for _, p := range s.def.Params.List {
		if s.kinds[p.Name] != size || p.Annotation != nil || slices.Contains(old, p.Name) {
			continue
		}
		now := strings.TrimPrefix(strings.Join(append(slices.Clone(old), p.Name), " * "), "1 * ")
		c := edit(inserted(e.Span().End, " * "+p.Name), s.text(along), strings.Join(old, " * "), now)
		c.at = e.Span()
		out = append(out, c)
	}
	return out
}

// factorsOf are those of a product, from left to right.
func factorsOf(e syntax.Expr) []syntax.Expr {
	if p, ok := e.(*syntax.BinOp); ok && p.Op == "*" {
		return append(factorsOf(p.Left), factorsOf(p.Right)...)
	}
	return []syntax.Expr{e}
}
