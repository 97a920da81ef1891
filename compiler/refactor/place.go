package refactor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// place is a statement's position in the structure of a function.
type place struct {
	stmt   syntax.Stmt
	block  int    // the block that the statement is in; blocks are numbered
	index  int    // in that block
	alone  bool   // it is the block's only statement
	parent *place // the compound statement around it; nil at the top of the function
}

// assignment is a place in the text where a name gets another value.
type assignment struct {
	name  string
	at    int32
	place *place // of the statement
}

// placing finds the places and the assignments of a function.
type placing struct {
	places map[syntax.Stmt]*place
	list   []assignment
	blocks int
}

func (p *placing) block(body []syntax.Stmt, parent *place) {
	p.blocks++
	number := p.blocks
	for i, s := range body {
		at := &place{stmt: s, block: number, index: i, alone: len(body) == 1, parent: parent}
		p.places[s] = at
		p.assignments(at)
		for _, inner := range blocksOf(s) {
			p.block(inner, at)
		}
	}
}

// blocksOf are the blocks of a compound statement, but for those of functions and classes, which have their own names.
func blocksOf(s syntax.Stmt) [][]syntax.Stmt {
	switch s := s.(type) {
	case *syntax.If:
		return [][]syntax.Stmt{s.Body, s.Else}
	case *syntax.For:
		return [][]syntax.Stmt{s.Body, s.Else}
	case *syntax.While:
		return [][]syntax.Stmt{s.Body, s.Else}
	case *syntax.With:
		return [][]syntax.Stmt{s.Body}
	case *syntax.Try:
		blocks := [][]syntax.Stmt{s.Body, s.Else, s.Finally}
		for _, h := range s.Handlers {
			blocks = append(blocks, h.Body)
		}
		return blocks
	case *syntax.Match:
		var blocks [][]syntax.Stmt
		for _, c := range s.Cases {
			blocks = append(blocks, c.Body)
		}
		return blocks
	}
	return nil
}

// assignments notes what a statement itself assigns.
func (p *placing) assignments(at *place) {
	add := func(n *syntax.Name) { p.list = append(p.list, assignment{n.ID, at.stmt.Span().Start, at}) }
	syntax.Bound(at.stmt, add)
	for _, e := range headOf(at.stmt) {
		syntax.Walk(e, func(n syntax.Node) bool {
			syntax.Bound(n, add)
			return true
		})
	}
}

// headOf are the expressions that a statement evaluates itself.
func headOf(s syntax.Stmt) (list []syntax.Expr) {
	some := func(exprs ...syntax.Expr) {
		for _, e := range exprs {
			if e != nil {
				list = append(list, e)
			}
		}
	}
	switch s := s.(type) {
	case *syntax.If:
		some(s.Test)
	case *syntax.While:
		some(s.Test)
	case *syntax.For:
		some(s.Iter)
	case *syntax.With:
		for _, item := range s.Items {
			some(item.Context)
		}
	case *syntax.Match:
		some(s.Subject)
		for _, c := range s.Cases {
			some(c.Guard)
		}
	case *syntax.FunctionDef, *syntax.ClassDef, *syntax.Try:
	default:
		syntax.Walk(s, func(n syntax.Node) bool {
			if e, ok := n.(syntax.Expr); ok {
				list = append(list, e)
				return false
			}
			return true
		})
	}
	return list
}

// loops are the spans of the loops around a place, from the outside in. A loop's head counts as inside of it.
func (p *place) loops() (list []source.Span) {
	for at := p; at != nil; at = at.parent {
		switch at.stmt.(type) {
		case *syntax.For, *syntax.While:
			list = append(list, at.stmt.Span())
		}
	}
	slices.Reverse(list)
	return list
}

// dominates reports whether every path to u has been at p since it entered p's block. It is a sufficient test, by the
// structure of the text: u is in p's statement or in, or below, a later one of p's block.
func (p *place) dominates(u *place) bool {
	for at := u; at != nil; at = at.parent {
		if at.block == p.block {
			return p.index <= at.index
		}
	}
	return false
}

// stable reports whether none of the names can get another value on a path from a value made before p's statement to
// its use at u. Such paths stay in a range of the text: from p to u, where p dominates u, widened to the loops around u
// that p is outside of; otherwise the paths may go round every loop around either.
func (f *function) stable(names []string, p, u *place) bool {
	around, inside := p.parent.loops(), u.loops()
	start, end := p.stmt.Span().Start, u.stmt.Span().Start
	if !p.dominates(u) {
		if len(around) > 0 {
			start = around[0].Start
		}
		around = nil
	}
	if len(inside) > len(around) {
		end = inside[len(around)].End
	}
	return !slices.ContainsFunc(f.assigned, func(a assignment) bool {
		return start <= a.at && a.at < end && slices.Contains(names, a.name)
	})
}

// isElif reports whether a statement is an if that is written as elif.
func (p *place) isElif(file *source.File) bool {
	_, isIf := p.stmt.(*syntax.If)
	return isIf && strings.HasPrefix(file.Slice(p.stmt.Span()), "elif")
}

// coveredBy is the smallest statement that has all of the sites in it and on every path through it one of them; nil if
// there is none.
func coveredBy(sites []*site) *place {
	at := sites[0].at
	for _, s := range sites {
		for at != nil && !isIn(s.at, at) {
			at = at.parent
		}
	}
	if at == nil || !covers(at.stmt, sites) {
		return nil
	}
	return at
}

// isIn reports whether a place is in a statement.
func isIn(p, in *place) bool {
	for ; p != nil; p = p.parent {
		if p == in {
			return true
		}
	}
	return false
}

// covers reports whether every path through a statement is at one of the sites.
func covers(s syntax.Stmt, sites []*site) bool {
	if branch, ok := s.(*syntax.If); ok {
		in := func(s syntax.Stmt) bool { return covers(s, sites) }
		return slices.ContainsFunc(branch.Body, in) && slices.ContainsFunc(branch.Else, in)
	}
	return slices.ContainsFunc(sites, func(x *site) bool { return x.at.stmt == s })
}
