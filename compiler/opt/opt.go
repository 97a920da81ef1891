// Package opt rewrites IR into less IR that computes the same, bit for bit, signed zeros included;
// only which of its bit patterns a NaN has may change.
//
// # Passes
//
// Passes are rows of a table, run once each in its order; passOrder says which must precede which
// and why, and a test checks it. Compilation happens at every keystroke in the browser, so there
// is no pass manager and no iteration to a fixpoint: each pass is one walk, or two, over the tree
// of blocks, with slices indexed by Value.ID on the side in place of maps.
//
//	fold, simplify, tidy   peephole rules: constant folding, canonicalization, algebra, control flow
//	licm                   loop-invariant code motion
//	cse                    common subexpression elimination
//	dce                    dead code elimination
//
// # Rules
//
// A rule looks at one instruction whose operands are already rewritten and says what replaces
// its results (fold.go, algebra.go, shapes.go, memory.go, control.go). Rules are plain functions
// in an array indexed by operation, tried in order; rewrite.go drives them. As definitions come
// before uses and what a rule emits goes through the rules itself, one walk reaches what a
// worklist would.
//
// # What must not happen
//
// The IR is structured: regions in place of a control flow graph. A value dominates what follows
// it in its block and the regions below, so that dominance is a question of scope: cse keeps a
// scoped table, licm a loop depth for each value.
//
// Loads stay where they are, even unused ones: one that is out of bounds is reported to the author
// whether or not its value matters. Stores, atomics, prints and assertions stay and keep their
// order. Constants are folded with package num, which the interpreter uses too: what is computed
// here and what is computed there cannot differ. Tests run the verifier after each pass and
// compare the interpreter's results before and after.
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
	{"simplify", simplifyPass, "removes operations that change nothing, branches not taken, single-iteration loops"},
	{"licm", licmPass, "moves what every iteration of a loop would compute again out of it"},
	{"cse", csePass, "computes the same thing once"},
	{"tidy", simplifyPass, "simplifies what has the same operand twice now"},
	{"dce", dcePass, "removes what nobody uses"},
}

// passOrder lists which pass must come before which other. It documents the table and is checked
// against it by a test.
var passOrder = []struct{ first, then, why string }{
	{"fold", "simplify", "conditions and bounds that are constant decide branches and loops"},
	{"simplify", "licm", "single-iteration loops are gone, and moving out of them would be wasted"},
	{"licm", "cse", "what two loops had each for themselves is now in one block"},
	{"cse", "tidy", "x - x is seen only once both operands are the same value"},
	{"simplify", "dce", "rules leave the operands that they looked through behind"},
	{"cse", "dce", "uses move to the first of equal values"},
	{"tidy", "dce", "as for simplify"},
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
