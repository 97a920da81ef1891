package lower

import (
	"github.com/newtlab/newt/compiler/syntax"
)

// hasJump reports whether a statement contains a break or continue that leaves it, or a return.
func hasJump(s syntax.Stmt) bool { return jumpsOutOf(s, false) }

func jumpsOutOf(s syntax.Stmt, inLoop bool) bool {
	any := func(list []syntax.Stmt, inLoop bool) bool {
		for _, s := range list {
			if jumpsOutOf(s, inLoop) {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case *syntax.Return:
		return true
	case *syntax.Break, *syntax.Continue:
		return !inLoop
	case *syntax.If:
		return any(s.Body, inLoop) || any(s.Else, inLoop)
	case *syntax.For:
		return any(s.Body, true)
	case *syntax.While:
		return any(s.Body, true)
	}
	return false
}

// assignedNames lists the names that statements bind, in order, each once. Nested functions count as
// one name.
func assignedNames(list []syntax.Stmt) []string {
	var names []string
	seen := make(map[string]bool)
	add := func(n *syntax.Name) {
		if !seen[n.ID] {
			seen[n.ID] = true
			names = append(names, n.ID)
		}
	}
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			syntax.Bound(n, add)
			switch n.(type) {
			case *syntax.FunctionDef, *syntax.Lambda, *syntax.Comp:
				return false
			}
			return true
		})
	}
	return names
}
