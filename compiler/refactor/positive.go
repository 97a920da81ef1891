package refactor

import (
	"slices"

	"github.com/newtlab/newt/compiler/syntax"
)

// positive reports whether an expression is certainly not negative, as long as nothing overflows: program ids, sizes of
// blocks, literals, loops that count up from such, and sums, products and quotients of them.
func (f *function) positive(e syntax.Expr) bool { return f.notNegative(e, map[string]bool{}) }

// keepsSign are the operators that give no negative number for operands that are not negative.
var keepsSign = []string{"+", "*", "//", "%", ">>"}

func (f *function) notNegative(e syntax.Expr, asked map[string]bool) bool {
	all := func(list ...syntax.Expr) bool {
		return !slices.ContainsFunc(list, func(x syntax.Expr) bool { return !f.notNegative(x, asked) })
	}
	switch e := e.(type) {
	case *syntax.Constant:
		n, ok := integer(e)
		return ok && n >= 0
	case *syntax.BinOp:
		return slices.Contains(keepsSign, e.Op) && all(e.Left, e.Right)
	case *syntax.IfExp:
		return all(e.Body, e.Else)
	case *syntax.Name:
		if asked[e.ID] { // it is what it was before the loop, or a sum with it
			return true
		}
		asked[e.ID] = true
		return f.sizes[e.ID] || f.nameNotNegative(e.ID, asked)
	case *syntax.Call:
		switch syntax.LastName(e.Func) {
		case "program_id", "num_programs":
			return true
		case "cdiv", "min", "max", "minimum", "maximum":
			return len(e.Args) == 2 && all(e.Args...)
		case "multiple_of", "max_contiguous", "cast":
			return len(e.Args) > 0 && all(e.Args[0])
		case "to":
			method, ok := e.Func.(*syntax.Attribute)
			return ok && all(method.Value)
		}
	}
	return false
}

// nameNotNegative reports whether nothing that is ever assigned to a local name is negative.
func (f *function) nameNotNegative(name string, asked map[string]bool) bool {
	found, fits := 0, true
	assign := func(target syntax.Expr, values ...syntax.Expr) {
		if to, isName := target.(*syntax.Name); isName && to.ID == name {
			found++
			for _, v := range values {
				fits = fits && f.notNegative(v, asked)
			}
		}
	}
	for s := range f.places {
		switch s := s.(type) {
		case *syntax.Assign:
			for _, t := range s.Targets {
				targets, values := elements(t), elements(s.Value)
				if targets == nil {
					assign(t, s.Value)
				}
				for i, x := range targets {
					if len(values) == len(targets) {
						assign(x, values[i])
					}
				}
			}
		case *syntax.AugAssign:
			if slices.Contains(keepsSign, s.Op) {
				assign(s.Target, s.Value)
			}
		case *syntax.For:
			call, isCall := s.Iter.(*syntax.Call)
			if !isCall || !slices.Contains([]string{"range", "static_range"}, syntax.LastName(call.Func)) {
				continue
			}
			switch len(call.Args) {
			case 1:
				assign(s.Target)
			case 2:
				assign(s.Target, call.Args[0])
			case 3:
				assign(s.Target, call.Args[0], call.Args[2])
			}
		}
	}
	all := 0 // the assignments that have been looked at have to be all that there are
	for _, a := range f.assigned {
		if a.name == name {
			all++
		}
	}
	return !f.hasParam(name) && fits && found > 0 && found == all
}

func (f *function) hasParam(name string) bool {
	return slices.ContainsFunc(f.def.Params.List, func(p syntax.Param) bool { return p.Name == name })
}
