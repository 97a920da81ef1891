package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// binding is the value of a name, and where it was last assigned.
type binding struct {
	val       value
	span      source.Span
	constexpr bool // annotated tl.constexpr: may not be assigned again
	defaulted bool // a parameter that has its default
}

// env holds a function's local names. It keeps a log of assignments so that the branches of an if
// and the body of a loop can be tried and taken back.
type env struct {
	vars map[string]binding
	log  []undo
}

type undo struct {
	name   string
	before binding
	had    bool
}

// change is the net effect of a stretch of code on one name.
type change struct {
	name   string
	before binding
	had    bool
	after  binding
}

func newEnv() env { return env{vars: make(map[string]binding)} }

func (e *env) get(name string) (binding, bool) { b, ok := e.vars[name]; return b, ok }

func (e *env) set(name string, b binding) {
	before, had := e.vars[name]
	e.log = append(e.log, undo{name, before, had})
	e.vars[name] = b
}

func (e *env) mark() int { return len(e.log) }

// rollback undoes every assignment since mark and lists them, each name once, in the order of the
// first assignment.
func (e *env) rollback(mark int) []change {
	var changes []change
	at := make(map[string]int)
	for _, u := range e.log[mark:] {
		// The first entry since mark holds what the name was before; later ones were overwritten in between.
		if _, ok := at[u.name]; !ok {
			at[u.name] = len(changes)
			changes = append(changes, change{u.name, u.before, u.had, e.vars[u.name]})
		}
	}
	e.log = e.log[:mark]
	for _, c := range changes {
		if c.had {
			e.vars[c.name] = c.before
		} else {
			delete(e.vars, c.name)
		}
	}
	return changes
}

// replay makes assignments again that rollback has undone.
func (e *env) replay(changes []change) {
	for _, c := range changes {
		e.set(c.name, c.after)
	}
}

// frame is one function being lowered.
type frame struct {
	fn     *function
	args   []value // that it was called with, by parameter
	parent *frame  // the caller
	vars   env
	depth  int
	span   source.Span // prelude: the user's call, at which everything in it is reported

	carried   map[string]bool // names that the innermost loop may carry
	loopDepth int             // run-time loops around
	pending   int             // ifs around whose continuation is still to be lowered
}

// isLiveAfterExit reports whether a name is looked at after control has left the statements around it:
// hidden names are, and what the loop around carries to its next iteration.
func (f *frame) isLiveAfterExit(name string) bool {
	return isHidden(name) && name != exitContinue || f.carried[name]
}

// The names under which a frame keeps how control leaves it. No Python name looks like these.
const (
	exitBreak    = "<break>"
	exitContinue = "<continue>"
	exitReturn   = "<return>"
	returnedName = "<result>"
)

// isHidden reports whether a name is one of those above.
func isHidden(name string) bool { return strings.HasPrefix(name, "<") }

func (f *frame) setExitFlag(name string, at source.Span) {
	f.vars.set(name, binding{val: pyTrue, span: at})
}

// clearExitFlags: in code that a flag guards, the flag is known to be False.
func (f *frame) clearExitFlags() {
	for _, name := range exitFlags {
		if b, ok := f.vars.get(name); ok {
			if _, dynamic := b.val.(tensor); dynamic {
				f.vars.set(name, binding{val: pyFalse, span: b.span})
			}
		}
	}
}

// poisonAssigned silences every name that s assigns.
func (f *frame) poisonAssigned(s syntax.Stmt) {
	for _, name := range assignedNames([]syntax.Stmt{s}) {
		f.vars.set(name, binding{val: poison{}, span: s.Span()})
	}
}

// poisonTarget silences the names that an assignment to a target binds.
func (f *frame) poisonTarget(target syntax.Expr) {
	syntax.Targets(target, func(n *syntax.Name) { f.vars.set(n.ID, binding{val: poison{}, span: n.Span()}) })
}

// bindName assigns a name and names the IR value after it, for people who read the IR.
func (f *frame) bindName(name string, b binding) {
	if t, ok := b.val.(tensor); ok && t.v.Name == "" && !isHidden(name) && !f.fn.module.prelude {
		t.v.Name = name
	}
	f.vars.set(name, b)
}
