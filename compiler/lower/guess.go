package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// Guess asks what is wrong with a function whose callers are not known, so that Options.Args are
// guesses. What another module or Python itself would provide is then silently unknown, as is what
// only the branch that a guess did not take assigns. Loops are unrolled a few times only.
type Guess struct {
	Device bool        // kernels call the function, nobody launches it: it may return a value
	Steps  int         // how many statements to lower at most; the rest is left out silently
	Stop   func() bool // asked now and then: true ends lowering
	// Import finds the text of a module that another one imports, as tl.ImportedFrom spells it: a dot for each level;
	// nil where it is not known.
	Import func(from *syntax.Module, path string) *syntax.Module
}

// guessedTripCount is how often a loop is unrolled under a guess.
const guessedTripCount = 3

// underGuess reports whether the current function's callers are guesses. The prelude's own branches
// and loops are newt's and always taken as they are.
func (l *lowerer) underGuess() bool { return l.opts.Guess != nil && !l.frame.fn.module.prelude }

// lowerTakenBranch lowers the branch of an if that is known while compiling, then rest. Under a guess, what
// the branch reports is in doubt, and names that only the other branch assigns are unknown.
func (l *lowerer) lowerTakenBranch(taken, other []syntax.Stmt, rest func()) {
	if !l.underGuess() {
		l.lowerStmts(taken, rest)
		return
	}
	l.result.Branched = true
	reported := len(l.diags)
	l.lowerStmts(taken, func() {
		l.markDoubtful(reported)
		// Names that only the branch not taken assigns exist in some launch: unknown, not undefined.
		for _, name := range assignedNames(other) {
			if _, ok := l.frame.vars.get(name); !ok {
				l.frame.vars.set(name, binding{val: poison{}})
			}
		}
		rest()
		reported = len(l.diags)
	})
	l.markDoubtful(reported)
}

// lowerTakenExpr is chosen for the sides of a conditional expression.
func (l *lowerer) lowerTakenExpr(e syntax.Expr) value {
	reported := len(l.diags)
	v := l.lowerExpr(e)
	if l.underGuess() {
		l.result.Branched = true
		l.markDoubtful(reported)
	}
	return v
}

// markDoubtful marks what has been reported since: a guess has led there.
func (l *lowerer) markDoubtful(reported int) {
	for _, d := range l.diags[min(reported, len(l.diags)):] {
		if l.result.Doubtful == nil {
			l.result.Doubtful = make(map[*diag.Diagnostic]bool)
		}
		l.result.Doubtful[d] = true
	}
}

// truncateUnrolled ends an unrolled loop under a guess: what it has counted or collected is unknown.
func (l *lowerer) truncateUnrolled(loop syntax.Stmt) {
	for _, name := range assignedNames([]syntax.Stmt{loop}) {
		b, _ := l.frame.vars.get(name)
		if _, isTensor := b.val.(tensor); !isTensor {
			l.frame.vars.set(name, binding{val: poison{}, span: loop.Span()})
		}
	}
}

// hostModules are libraries whose functions certainly have no meaning in a kernel. Every other
// module may have functions for kernels.
var hostModules = map[string]bool{"torch": true, "torch.nn.functional": true, "numpy": true, "math": true,
	"random": true, "time": true}

// lookupHostMember is a name of a host module under a guess: kernels may compare torch.float16, or ask
// torch.version; only calling one of its functions with a tensor is certainly wrong.
func (l *lowerer) lookupHostMember(n namespace, e *syntax.Attribute) value {
	if strings.HasPrefix(n.name, "triton.") {
		return poison{} // of a GPU's own extension
	}
	return namespace{n.name + "." + e.Attr}
}

// callHostFunction is a call of a host module's function under a guess.
func (l *lowerer) callHostFunction(f namespace, args *arguments) value {
	takesTensor := false
	args.each(func(_ string, a argument) {
		_, isTensor := a.val.(tensor)
		takesTensor = takesTensor || isTensor
	})
	if !takesTensor {
		return poison{}
	}
	call := args.node.(*syntax.Call)
	module, _, _ := strings.Cut(f.name, ".")
	return l.fail(diag.New("module-in-kernel", l.spanOf(call.Func), l.sourceText(call.Func), module))
}
