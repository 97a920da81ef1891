// Package opt rewrites IR into less IR that computes the same, bit for bit, signed zeros included;
// only which of its bit patterns a NaN has may change.
//
// Passes are rows of a table, run in its order; order.go says which must precede which and why, and
// a test checks it. Each pass is one walk, or two, over the tree of blocks, with slices indexed by
// Value.ID on the side: compiling happens at every keystroke in the browser. Tests run the
// verifier after each pass.
//
// Rules (fold.go, algebra.go, shapes.go, memory.go) look at one instruction whose operands are
// already rewritten, and say what stands for its results. They are plain functions in an array
// indexed by operation; rewrite.go drives them.
//
// Loads stay where they are, even unused ones: one that is out of bounds is reported to the author
// whether or not its value matters.
package opt

import "github.com/newtlab/newt/compiler/ir"

// Options says how to run the passes.
type Options struct {
	// Stages, where set, is called after each pass with its name. The function is still being
	// rewritten: what is to be kept of it must be copied.
	Stages func(name string, fn *ir.Func)
}

// pass is one row: what runs under which name, and what it is for.
type pass struct {
	name string
	run  func(fn *ir.Func)
	why  string
}

var passes = []pass{
	{"fold", foldPass, "computes what is known, with the interpreter's own arithmetic"},
	{"simplify", simplifyPass, "removes operations that change nothing, branches not taken, loops of one turn"},
	{"licm", licmPass, "moves what every turn of a loop would compute again out of it"},
	{"cse", csePass, "computes the same thing once"},
	{"tidy", simplifyPass, "simplifies what has the same operand twice now"},
	{"dce", dcePass, "removes what nobody uses"},
}

// Run rewrites fn, which must pass ir.Verify, in place.
func Run(fn *ir.Func, o Options) {
	for i := range passes {
		passes[i].run(fn)
		if o.Stages != nil {
			o.Stages(passes[i].name, fn)
		}
	}
}

// Pass names a pass for people.
type Pass struct{ Name, Why string }

// Passes lists the passes in the order in which Run calls them.
func Passes() []Pass {
	list := make([]Pass, len(passes))
	for i, p := range passes {
		list[i] = Pass{p.name, p.why}
	}
	return list
}
