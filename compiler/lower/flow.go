package lower

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// exits are the three hidden variables of the frame that hold True once a break, continue or
// return has been executed: this is how control flow that leaves a block early is lowered. They
// are ordinary bindings, so an if merges them and a loop carries them like any other name; most
// often they are known constants.
var exits = [...]string{keyBreak, keyContinue, keyReturn}

// leaving says whether control has left: known True, known False, or a run-time int1.
func (l *lowerer) leaving() (known, left bool, flag *ir.Value) {
	for _, name := range exits {
		b, ok := l.frame.vars.get(name)
		if !ok {
			continue
		}
		switch v := b.val.(type) {
		case constant:
			if v == yes {
				return true, true, nil
			}
		case tensor:
			if flag == nil {
				flag = v.v
			} else {
				flag = l.emit(b.span, ops.Or, []*ir.Value{flag, v.v})
			}
		}
	}
	return flag == nil, false, flag
}

func (l *lowerer) leave(name string, at source.Span) {
	l.frame.vars.set(name, binding{val: yes, span: at})
}

// stmts lowers a list of statements, then end, which stands for what follows the list.
func (l *lowerer) stmts(list []syntax.Stmt, end func()) {
	for i, s := range list {
		rest := func() { l.stmts(list[i+1:], end) }
		if f, ok := s.(*syntax.If); ok && jumps(f) {
			l.step(f.Span())
			l.jumpingIf(f, rest)
			return
		}
		l.step(s.Span())
		l.stmt(s)
		if !jumps(s) {
			continue
		}
		l.guarded(s.Span(), rest)
		return
	}
	end()
}

// guarded lowers rest unless control has left.
func (l *lowerer) guarded(at source.Span, rest func()) {
	known, left, flag := l.leaving()
	switch {
	case left:
	case known:
		rest()
	default:
		then := l.branch(func() {})
		other := l.branch(func() {
			l.stillHere()
			rest()
		})
		l.merge(at, flag, then, other)
	}
}

// stillHere: in code that a flag guards, the flag is known to be False.
func (l *lowerer) stillHere() {
	for _, name := range exits {
		if b, ok := l.frame.vars.get(name); ok {
			if _, dynamic := b.val.(tensor); dynamic {
				l.frame.vars.set(name, binding{val: never, span: b.span})
			}
		}
	}
}

// jumpingIf lowers an if that contains a break, continue or return. Where one branch is sure to
// leave, what follows the if belongs to the other branch.
func (l *lowerer) jumpingIf(f *syntax.If, rest func()) {
	cond, known, ok := l.condition(f.Test)
	switch {
	case !ok:
		l.poisonAssigned(f)
		l.stmtsQuietly(f)
		rest()
	case cond == nil && known:
		l.chosen(f.Body, f.Else, rest)
	case cond == nil:
		l.chosen(f.Else, f.Body, rest)
	default:
		nothing := func() {}
		then := l.branch(func() { l.stmts(f.Body, nothing) })
		if then.left {
			l.merge(f.Span(), cond, then, l.branch(func() { l.stmts(f.Else, rest) }))
			return
		}
		other := l.branch(func() { l.stmts(f.Else, nothing) })
		if other.left {
			l.merge(f.Span(), cond, l.resume(then, rest), other)
			return
		}
		l.merge(f.Span(), cond, then, other)
		l.guarded(f.Span(), rest)
	}
}

// ifStmt lowers an if without jumps.
func (l *lowerer) ifStmt(f *syntax.If) {
	cond, known, ok := l.condition(f.Test)
	nothing := func() {}
	switch {
	case !ok:
		l.poisonAssigned(f)
		l.stmtsQuietly(f)
	case cond == nil && known:
		l.chosen(f.Body, f.Else, nothing)
	case cond == nil:
		l.chosen(f.Else, f.Body, nothing)
	default:
		then := l.branch(func() { l.stmts(f.Body, nothing) })
		other := l.branch(func() { l.stmts(f.Else, nothing) })
		l.merge(f.Span(), cond, then, other)
	}
}

// stmtsQuietly lowers the body of an if whose condition is broken, for its own mistakes.
func (l *lowerer) stmtsQuietly(f *syntax.If) {
	mark, reported := l.frame.vars.mark(), len(l.diags)
	l.branch(func() { l.stmts(f.Body, func() {}) })
	l.branch(func() { l.stmts(f.Else, func() {}) })
	l.frame.vars.rollback(mark)
	if l.guessing() {
		l.doubt(reported)
	}
	l.poisonAssigned(f)
}

// poisonAssigned silences every name that s assigns.
func (l *lowerer) poisonAssigned(s syntax.Stmt) {
	for _, name := range assigned([]syntax.Stmt{s}) {
		l.frame.vars.set(name, binding{val: poison{}, span: s.Span()})
	}
}

// branch is one side of a run-time if.
type branch struct {
	block   *ir.Block
	changes []change
	left    bool // control is sure to have left at its end
}

// branch lowers code into a block of its own and takes back what it assigned.
func (l *lowerer) branch(code func()) branch { return l.resume(branch{block: l.block()}, code) }

// resume goes on at the end of a branch.
func (l *lowerer) resume(b branch, code func()) branch {
	mark := l.frame.vars.mark()
	l.b.Push(b.block)
	l.nested++
	l.frame.vars.replay(b.changes)
	code()
	l.nested--
	_, left, _ := l.leaving()
	l.b.Pop()
	return branch{b.block, l.frame.vars.rollback(mark), left}
}

// notFlag is the complement of an int1.
func (l *lowerer) notFlag(at source.Span, flag *ir.Value) *ir.Value {
	return l.emit(at, ops.Not, []*ir.Value{flag})
}

func (l *lowerer) boolean(at source.Span, b bool) *ir.Value {
	return l.scalar(at, num.FromBool(b))
}
