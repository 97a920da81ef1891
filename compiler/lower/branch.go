package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// exitFlags are the three hidden variables of the frame that hold True once a break, continue or
// return has been executed: this is how control flow that leaves a block early is lowered. They
// are ordinary bindings, so an if merges them and a loop carries them like any other name; most
// often they are known constants.
var exitFlags = [...]string{exitBreak, exitContinue, exitReturn}

// exitState says whether control has left: known True, known False, or a run-time int1.
func (l *lowerer) exitState() (known, left bool, flag *ir.Value) {
	// One flag that is known to be set decides; those of run time are joined.
	for _, name := range exitFlags {
		b, ok := l.frame.vars.get(name)
		if !ok {
			continue
		}
		switch v := b.val.(type) {
		case constant:
			if v == pyTrue {
				return true, true, nil
			}
		case tensor:
			if flag == nil {
				flag = v.v
			} else {
				flag = l.b.emit(b.span, ops.Or, []*ir.Value{flag, v.v})
			}
		}
	}
	return flag == nil, false, flag
}

// lowerStmts lowers a list of statements, then end, the continuation: what follows the list.
func (l *lowerer) lowerStmts(list []syntax.Stmt, end func()) {
	for i, s := range list {
		// What follows the list is a closure, as it has to be lowered inside a branch where an if may jump.
		rest := func() { l.lowerStmts(list[i+1:], end) }
		if f, ok := s.(*syntax.If); ok && hasJump(f) {
			l.countStep(f.Span())
			l.lowerIf(f, rest)
			return
		}
		l.countStep(s.Span())
		l.lowerStmt(s)
		if !hasJump(s) {
			continue
		}
		l.hintUnreachable(s, list[i+1:])
		// From here on control may have left, so that the rest is the rest of a branch.
		l.lowerGuarded(s.Span(), rest)
		return
	}
	end()
}

// leaving are the statements that always leave their list, by the names of their nodes.
var leaving = map[string]string{"Return": "return", "Break": "break", "Continue": "continue"}

// hintUnreachable warns of statements behind one that always leaves their list.
func (l *lowerer) hintUnreachable(s syntax.Stmt, rest []syntax.Stmt) {
	if len(rest) == 0 || l.inModuleCode() || l.frame.fn.module != l.user {
		return
	}
	word, leaves := leaving[nodeName(s)]
	if !leaves {
		return
	}
	at := source.Span{Start: rest[0].Span().Start, End: rest[len(rest)-1].Span().End}
	l.diags.AddNew(asHint(diag.New("unreachable-code", at, word)).Because(s.Span(), "leaves-here", word).
		Suggest(false, diag.Text{Key: "remove", Args: []any{word}}, diag.Edit{Span: s.Span()}))
}

// lowerGuarded lowers rest unless control has left.
func (l *lowerer) lowerGuarded(at source.Span, rest func()) {
	known, left, flag := l.exitState()
	switch {
	case left:
	case known:
		rest()
	default:
		then := l.lowerBranch(func() {})
		then.exited = true
		other := l.lowerBranch(func() {
			l.frame.clearExitFlags()
			rest()
		})
		l.mergeBranches(at, flag, then, other)
	}
}

// lowerIf lowers an if and then rest, what follows it, which belongs to one branch where the other is sure to leave:
// with a break, continue or return.
func (l *lowerer) lowerIf(f *syntax.If, rest func()) {
	cond, known, ok := l.lowerCondition(f.Test)
	switch {
	case !ok:
		l.frame.poisonAssigned(f)
		l.lowerBrokenIf(f)
		rest()
	case cond == nil && known:
		l.lowerTakenBranch(f.Body, f.Else, rest)
	case cond == nil:
		l.lowerTakenBranch(f.Else, f.Body, rest)
	default:
		nothing := func() {}
		l.frame.pending++
		then := l.lowerBranch(func() { l.lowerStmts(f.Body, nothing) })
		l.frame.pending--
		// A return in one branch: the rest belongs to the other one, with no flag to test. This is the
		// early return of most kernels, and gives the code that an else would have given.
		if then.exited {
			l.mergeBranches(f.Span(), cond, then, l.lowerBranch(func() { l.lowerStmts(f.Else, rest) }))
			return
		}
		l.frame.pending++
		other := l.lowerBranch(func() { l.lowerStmts(f.Else, nothing) })
		l.frame.pending--
		// Likewise with the branches the other way around; then goes on in the block where it stopped.
		if other.exited {
			l.mergeBranches(f.Span(), cond, l.resumeBranch(then, rest), other)
			return
		}
		// Either may leave, in some deeper if: both are merged and the flag decides.
		l.mergeBranches(f.Span(), cond, then, other)
		l.lowerGuarded(f.Span(), rest)
	}
}

// lowerBrokenIf lowers the body of an if whose condition is broken, for its own mistakes.
func (l *lowerer) lowerBrokenIf(f *syntax.If) {
	// Types are of no interest here: all that is assigned becomes poison.
	mark, reported := l.frame.vars.mark(), len(l.diags)
	l.lowerBranch(func() { l.lowerStmts(f.Body, func() {}) })
	l.lowerBranch(func() { l.lowerStmts(f.Else, func() {}) })
	l.frame.vars.rollback(mark)
	if l.underGuess() {
		l.markDoubtful(reported)
	}
	l.frame.poisonAssigned(f)
}

// branch is one side of a run-time if.
type branch struct {
	block   *ir.Block
	changes []change
	exited  bool // control is sure to have left at its end
}

// lowerBranch lowers code into a block of its own and takes back what it assigned.
func (l *lowerer) lowerBranch(code func()) branch {
	return l.resumeBranch(branch{block: l.b.newBlock()}, code)
}

// resumeBranch goes on at the end of a branch.
func (l *lowerer) resumeBranch(b branch, code func()) branch {
	mark := l.frame.vars.mark()
	l.b.ir.Push(b.block)
	l.b.nested++
	// What the branch assigned before it was left off is in force again.
	l.frame.vars.replay(b.changes)
	code()
	l.b.nested--
	_, left, _ := l.exitState()
	l.b.ir.Pop()
	return branch{b.block, l.frame.vars.rollback(mark), left}
}

// phi is a name that the two branches of an if leave different.
type phi struct {
	name        string
	span        source.Span
	then, other value
}

// mergeBranches ends both branches and emits the if; names that they assign get its results.
func (l *lowerer) mergeBranches(at source.Span, cond *ir.Value, then, other branch) {
	// A branch that has left does not reach what follows the if, so that a mismatch is no error.
	lenient := then.exited || other.exited
	if then.exited && other.exited {
		defer l.frame.setExitFlag(exitContinue, at) // whichever way, control has left the statements around
	}
	var names []phi
	for _, m := range pairChanges(then, other) {
		// Values that nobody can see any more make no phi.
		if then.exited && other.exited && !l.frame.isLiveAfterExit(m.name) {
			continue
		}
		if lenient && l.frame.carried[m.name] {
			m.then, m.other = l.broadcastCarried(m.then, m.other, then.block, other.block)
		}
		if lenient && then.exited != other.exited {
			l.replaceExited(&m, then.exited)
		}
		if m, ok := l.mergeName(m, lenient); ok {
			names = append(names, m)
		}
	}
	// One result for each tensor in a phi: a tuple has several.
	var thenOut, otherOut []*ir.Value
	for _, m := range names {
		thenOut = append(thenOut, flatten(m.then)...)
		otherOut = append(otherOut, flatten(m.other)...)
	}
	l.b.yield(at, then.block, thenOut)
	l.b.yield(at, other.block, otherOut)
	results := l.b.emitRegions(at, ops.If, []*ir.Value{cond}, []*ir.Block{then.block, other.block})
	for _, m := range names {
		var v value
		v, results = rebuild(m.then, results)
		l.frame.bindName(m.name, binding{val: v, span: m.span})
	}
}

// replaceExited gives a name that a branch leaves without a value, or with one of another type, a placeholder there:
// only the other branch reaches the code that follows the ifs around, if there is any.
func (l *lowerer) replaceExited(m *phi, thenExited bool) {
	left, stays := &m.then, m.other
	if !thenExited {
		left, stays = &m.other, m.then
	}
	_, unknown := stays.(unbound)
	if l.frame.pending == 0 || unknown || isHidden(m.name) || l.frame.carried[m.name] || !hasPlaceholder(stays) {
		return
	}
	if _, _, ok := l.unifyTypes(*left, stays); !ok {
		*left = l.b.placeholder(stays)
	}
}

// broadcastCarried broadcasts the two values of a name that a loop carries to one shape, each in its own
// branch: the loop will find that the shape has changed, and start with it the next time.
func (l *lowerer) broadcastCarried(then, other value, inThen, inOther *ir.Block) (value, value) {
	a, ok1 := l.tensorType(then)
	b, ok2 := l.tensorType(other)
	if !ok1 || !ok2 || a.Pointer != b.Pointer || a.Equal(b) {
		return then, other
	}
	shape, r := types.BroadcastShapes(a.Shape, b.Shape)
	if r != nil || a.DType != b.DType && a.IsFloat() == b.IsFloat() {
		return then, other
	}
	to := types.Type{DType: a.DType, Pointer: a.Pointer, Shape: shape}
	if b.IsFloat() {
		to.DType = b.DType
	}
	return l.b.convertIn(inThen, then, to), l.b.convertIn(inOther, other, to)
}

// pairChanges pairs what the branches say of each name, in the order of assignment.
func pairChanges(then, other branch) []phi {
	index := make(map[string]int)
	var out []phi
	of := func(c change) *phi {
		i, ok := index[c.name]
		if !ok {
			i = len(out)
			index[c.name] = i
			// A name that one branch leaves alone has the value before the if there.
			before := value(unbound{})
			if c.had {
				before = c.before.val
			}
			out = append(out, phi{c.name, c.after.span, before, before})
		}
		return &out[i]
	}
	for _, c := range then.changes {
		of(c).then = c.after.val
	}
	for _, c := range other.changes {
		of(c).other = c.after.val
	}
	return out
}

// mergeName decides what a name is after an if. It binds names that need no run-time choice itself;
// for the others it gives both sides as tensors of the same types.
func (l *lowerer) mergeName(m phi, lenient bool) (phi, bool) {
	set := func(v value) (phi, bool) {
		l.frame.vars.set(m.name, binding{val: v, span: m.span})
		return m, false
	}
	_, noThen := m.then.(unbound)
	_, noOther := m.other.(unbound)
	flag := isHidden(m.name) && m.name != returnedName
	switch {
	case flag && noThen:
		m.then = pyFalse
	case flag && noOther:
		m.other = pyFalse
	case m.name == returnedName && noThen:
		m.then = l.b.placeholder(m.other)
	case m.name == returnedName && noOther:
		m.other = l.b.placeholder(m.then)
	// A name set in one branch only is undefined behind the if (Triton's variable scoping), which is
	// reported where the name is used and not before.
	case noThen || noOther:
		return set(unbound{"undefined-branch", m.span})
	}
	switch {
	case isPoison(m.then, m.other):
		return set(poison{})
	case same(m.then, m.other):
		return set(m.then)
	}
	then, other, ok := l.unifyTypes(m.then, m.other)
	if ok {
		m.then, m.other = then, other
		return m, true
	}
	if lenient && m.name != returnedName {
		return set(unbound{"undefined-branch", m.span})
	}
	// Triton: "Mismatched type for x between then block (A) and else block (B)".
	key := "branch-type"
	if m.name == returnedName {
		key = "return-type"
	}
	becomes, instead := fullText(m.then), fullText(m.other)
	if key == "return-type" { // Triton has made tensors of numbers
		becomes, instead = returnText(m.then), returnText(m.other)
	}
	l.fail(diag.New(key, l.userSpan(m.span), m.name, becomes, instead))
	return set(poison{})
}

// returnText is the type of a value that a function returns, if others return another.
func returnText(v value) string {
	if k, ok := v.(constant); ok {
		if o, r := numberOf(k); r == nil {
			return o.DType.Info().Name
		}
	}
	return fullText(v)
}

// unifyTypes makes two values tensors of the same types, or the same constants, where they can be
// without changing what they mean: a number becomes a tensor of its own type.
func (l *lowerer) unifyTypes(a, b value) (value, value, bool) {
	if ca, ok := a.(composite); ok {
		cb, ok := b.(composite)
		if !ok || !ca.isLike(cb) {
			return a, b, false
		}
		x, y := slices.Clone(ca.parts()), slices.Clone(cb.parts())
		for i := range x {
			if x[i], y[i], ok = l.unifyTypes(x[i], y[i]); !ok {
				return a, b, false
			}
		}
		return ca.withParts(x), cb.withParts(y), true
	}
	if same(a, b) || sameTypes(a, b) {
		return a, b, true
	}
	// Constants become tensors of the types that Triton gives them: 1 and an int32 merge, 1 and fp32 do not.
	x, ok := l.tensorType(a)
	y, ok2 := l.tensorType(b)
	if !ok || !ok2 || !x.Equal(y) {
		return a, b, false
	}
	return l.b.asTensor(a), l.b.asTensor(b), true
}
