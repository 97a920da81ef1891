package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// The limits of what the conditions of a module's branches may take to evaluate.
const (
	branchSteps = 50_000
	branchItems = 1 << 20
)

// EliminateDeadBranches gives a module without the branches of its top level that do not run: those of an if whose
// condition is known, and of a try whose body succeeds or fails. What a condition depends on is run as a script runs
// it. A branch stays where that fails or takes too long, and so does if __name__ == "__main__".
func EliminateDeadBranches(tree *syntax.Module, o Options) *syntax.Module {
	if !slices.ContainsFunc(tree.Body, isBranch) {
		return tree
	}
	o.MaxSteps, o.MaxItems = branchSteps, branchItems
	m := newMachine(o)
	m.sources.Add(tree.File)
	e := &deadBranches{m: m, ran: map[syntax.Stmt]bool{}}
	u := newUnit(tree, m.main)
	e.info, e.top = u.info, m.topFrame(u)
	m.runGuarded(func() {
		u.declare()
		e.eliminate(tree.Body)
	})
	if e.done != len(tree.Body) {
		return tree
	}
	live := *tree
	live.Body = e.live
	return &live
}

func isBranch(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.If, *syntax.Try:
		return true
	}
	return false
}

// deadBranches is one walk over the top level of a module.
type deadBranches struct {
	m    *machine
	info *resolve.Info
	top  *frame
	live []syntax.Stmt        // the statements that run, so far
	ran  map[syntax.Stmt]bool // those that the machine has run
	done int                  // of the module's own statements
}

func (e *deadBranches) eliminate(body []syntax.Stmt) {
	for _, s := range body {
		e.statement(s)
		e.done++
	}
}

func (e *deadBranches) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.If:
		if isScriptGuard(s) {
			break
		}
		if truth, ok := e.condition(s.Test); ok {
			taken := s.Else
			if truth {
				taken = s.Body
			}
			for _, s := range taken {
				e.statement(s)
			}
			return
		}
	case *syntax.Try:
		if taken, ok := e.attempt(s); ok {
			e.live = append(e.live, taken...)
			return
		}
	}
	e.live = append(e.live, s)
}

// isScriptGuard reports whether a statement is if __name__ == "__main__".
func isScriptGuard(s syntax.Stmt) bool {
	branch, ok := s.(*syntax.If)
	if !ok {
		return false
	}
	c, ok := branch.Test.(*syntax.Compare)
	if !ok {
		return false
	}
	name, ok := c.Left.(*syntax.Name)
	return ok && name.ID == "__name__"
}

// condition evaluates a condition after what it depends on; ok is false where that fails.
func (e *deadBranches) condition(test syntax.Expr) (truth, ok bool) {
	e.run(test)
	failed := e.m.exceptionOf(func() { truth = e.m.truthOf(e.top.evalExpr(test)) })
	return truth, failed == nil
}

// run runs the statements so far that bind the names which nodes read. One that fails leaves its names unbound.
func (e *deadBranches) run(nodes ...syntax.Node) {
	for _, s := range definitionsFor(e.info, e.live, nodes...) {
		if !e.ran[s] {
			e.ran[s] = true
			e.m.exceptionOf(func() { e.m.inFrame(e.top, func() { e.top.execBlock([]syntax.Stmt{s}) }) })
		}
	}
}

// attempt runs the body of a try that does no more than bind names, and gives the statements that run in its place.
func (e *deadBranches) attempt(s *syntax.Try) (taken []syntax.Stmt, ok bool) {
	if s.Group || slices.ContainsFunc(s.Body, func(s syntax.Stmt) bool { return !binds(s) }) {
		return nil, false
	}
	for _, b := range s.Body {
		e.run(b)
		e.ran[b] = true
		failed := e.m.exceptionOf(func() { e.m.inFrame(e.top, func() { e.top.execBlock([]syntax.Stmt{b}) }) })
		if failed == nil {
			taken = append(taken, b)
			continue
		}
		if failed.stop != nil || importsTriton(b) {
			return nil, false
		}
		for _, h := range s.Handlers {
			matches := false
			if e.m.exceptionOf(func() { matches = e.top.compilation().handler(h).matches(e.top, failed) }) != nil {
				return nil, false
			}
			if matches {
				return append(append(taken, h.Body...), s.Finally...), true
			}
		}
		return nil, false
	}
	return append(append(taken, s.Else...), s.Finally...), true
}

// importsTriton reports whether a statement imports a part of Triton, which Triton itself may have where newt lacks it.
func importsTriton(s syntax.Stmt) bool {
	from, ok := s.(*syntax.ImportFrom)
	return ok && from.Level == 0 && strings.HasPrefix(from.Module+".", "triton.")
}

// binds reports whether a statement does no more than bind names.
func binds(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.Import, *syntax.ImportFrom, *syntax.Assign, *syntax.AnnAssign, *syntax.FunctionDef, *syntax.ClassDef,
		*syntax.Pass:
		return true
	}
	return false
}
