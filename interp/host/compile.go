package host

import (
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// A text is compiled to Go functions once, each function of it when it is first called; to run it is to call them. What
// the text decides is decided then: where a variable is, which operator is meant, what a constant is worth.
type (
	// evaluation computes an expression in a frame of its scope.
	evaluation func(f *frame) Value
	// execution runs a statement; the Value is that of a return statement.
	execution func(f *frame) (flow, Value)
	// assignment stores a value in a target.
	assignment func(f *frame, v Value)
)

// compilation compiles what is in one scope of a unit.
type compilation struct {
	unit  *unit
	scope *resolve.Scope
}

// within is the compilation of the scope that a node opens.
func (c compilation) within(node syntax.Node) compilation {
	return compilation{c.unit, c.unit.info.Scopes[node]}
}

func (f *frame) compilation() compilation { return compilation{f.unit, f.scope} }

// evalExpr computes an expression that is computed once.
func (f *frame) evalExpr(e syntax.Expr) Value { return f.compilation().expr(e)(f) }

// execBlock runs statements that run once, until one leaves the block.
func (f *frame) execBlock(body []syntax.Stmt) (flow, Value) {
	for i := range body {
		if how, v := f.compilation().block(body[i : i+1])(f); how != next {
			return how, v
		}
	}
	return next, nil
}
