package lower

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// maxAttempts bounds how often a loop is lowered again because a carried name needs another type.
const maxAttempts = 6

// carriedName is a name whose value goes from one iteration to the next.
type carriedName struct {
	name    string
	init    value // its parts are tensors of the types the loop carries
	binding binding
	becomes value // what the first body to change its type leaves
}

// loop is one run-time loop while it is lowered.
type loop struct {
	l       *lowerer
	stmt    syntax.Stmt
	span    source.Span
	targets map[string]bool // of a for statement
	carried []carriedName
	exits   []carriedName    // flags that control has left, once the body is known to set them
	widened *diag.Diagnostic // what to say of the last name that was widened, if that does not end
	broken  bool             // an error in the body has just silenced a carried name
}

// newLoop finds the names that the body assigns and that have a value already.
func (l *lowerer) newLoop(s syntax.Stmt, body []syntax.Stmt, target syntax.Expr) *loop {
	lp := &loop{l: l, stmt: s, span: s.Span(), targets: map[string]bool{}}
	syntax.Targets(target, func(n *syntax.Name) { lp.targets[n.ID] = true })
	// A name that has no value yet is local to an iteration: nothing enters the loop under it, and behind
	// the loop it is undefined, as in Triton. The target gets its value from the induction variable.
	for _, name := range assignedNames(body) {
		b, ok := l.frame.vars.get(name)
		if _, no := b.val.(unbound); ok && !no && !lp.targets[name] {
			lp.carried = append(lp.carried, carriedName{name: name, init: b.val, binding: b})
		}
	}
	return lp
}

// initialValues lists the tensors that enter the loop.
func (lp *loop) initialValues() []*ir.Value {
	var out []*ir.Value
	for _, c := range lp.allCarried() {
		out = append(out, flatten(c.init)...)
	}
	return out
}

func (lp *loop) allCarried() []carriedName {
	return append(lp.exits[:len(lp.exits):len(lp.exits)], lp.carried...)
}

func (lp *loop) carriedNames() map[string]bool {
	m := make(map[string]bool, len(lp.carried))
	for _, c := range lp.carried {
		m[c.name] = true
	}
	return m
}

// bodyAttempt is the outcome of lowering a loop's body once.
type bodyAttempt struct {
	block   *ir.Block
	changes []change
	yields  []*ir.Value
	fits    bool
	reports diag.List // where it does not fit: what there is to say of that
}

// bindCarried binds the carried names to a block's arguments and gives the arguments that are left.
func (lp *loop) bindCarried(args []*ir.Value) []*ir.Value {
	for _, c := range lp.allCarried() {
		var v value
		v, args = rebuild(c.init, args)
		lp.l.frame.bindName(c.name, binding{val: v, span: c.binding.span})
	}
	return args
}

// attemptBody lowers the body into a block whose arguments are extra types and then the carried
// values. Where a carried name changes, it adapts lp and says that the body does not fit.
func (lp *loop) attemptBody(body []syntax.Stmt, extra []types.Type, start func(args []*ir.Value)) bodyAttempt {
	l := lp.l
	saved := l.frame.carried
	l.frame.carried = lp.carriedNames()
	defer func() { l.frame.carried = saved }()

	// Block arguments: the induction variable if there is one, then the exit flags, then the names.
	argTypes := append([]types.Type(nil), extra...)
	for _, v := range lp.initialValues() {
		argTypes = append(argTypes, v.Type)
	}
	block := l.b.newBlock(argTypes...)
	mark := l.frame.vars.mark()
	l.b.ir.Push(block)
	lp.bindCarried(block.Args[len(extra):])
	for _, name := range exitFlags { // the loop's condition has looked at the flags
		l.frame.vars.set(name, binding{val: pyFalse})
	}
	start(block.Args[:len(extra)])
	l.b.nested++
	l.frame.loopDepth++
	// Falling off the end of the body is a continue: both end the iteration.
	l.lowerStmts(body, func() { l.frame.setExitFlag(exitContinue, lp.span) })
	l.frame.loopDepth--
	l.b.nested--
	// Reports of the comparison are kept apart from those of the body: the next attempt repeats the body's.
	reported := len(l.diags)
	fits := lp.reconcileCarried()
	reports := slices.Clone(l.diags[reported:])
	var yields []*ir.Value
	if fits {
		for _, c := range lp.allCarried() {
			b, _ := l.frame.vars.get(c.name)
			yields = append(yields, flatten(lp.carriedValue(c, b.val))...)
		}
	}
	l.b.ir.Pop()
	// The changes are undone: whether or not the body fits, names behind the loop are bound to its results.
	return bodyAttempt{block, l.frame.vars.rollback(mark), yields, fits, reports}
}

// lowerToFixpoint lowers a loop until its body fits, or to silence where it cannot.
func (lp *loop) lowerToFixpoint(once func() bodyAttempt) (bodyAttempt, bool) {
	l := lp.l
	// Each round changes at least one type, and types only widen (constant, scalar, tile; integer, float),
	// so that a few rounds suffice. Blocks of rounds that do not fit are never emitted.
	defer lp.withdrawWidened(len(l.diags))
	for range maxAttempts {
		// Conversions that the last round asked for go in front of the loop, outside of its block.
		lp.convertInits()
		reported := len(l.diags)
		a := once()
		if a.fits {
			return a, true
		}
		if lp.broken {
			lp.broken = false // with the name silenced, the next attempt would not say why
			continue
		}
		// The next attempt reports what the body itself says again.
		l.diags = append(l.diags[:reported], a.reports...)
	}
	if lp.widened != nil { // or else an error has silenced the names
		l.fail(lp.widened)
	}
	return bodyAttempt{}, false
}

// withdrawWidened takes back that newt widens a name where no type did for it, among the reports from start on.
func (lp *loop) withdrawWidened(start int) {
	l := lp.l
	failed := map[source.Span]bool{}
	for _, d := range l.diags[start:] {
		failed[d.Primary.Span] = failed[d.Primary.Span] || d.Code == "loop-type" || d.Code == "loop-unstable"
	}
	reports := slices.Clone(l.diags[start:])
	l.diags = append(l.diags[:start], slices.DeleteFunc(reports, func(d *diag.Diagnostic) bool {
		return d.Code == "loop-widened" && failed[d.Primary.Span]
	})...)
}

// bindResults binds the names after a loop: carried ones to its results, those first assigned in the
// body to nothing.
func (lp *loop) bindResults(changes []change, results []*ir.Value) {
	l := lp.l
	carried := make(map[string]bool)
	for _, c := range lp.allCarried() {
		var v value
		v, results = rebuild(c.init, results)
		carried[c.name] = true
		l.frame.bindName(c.name, binding{val: v, span: lastAssignment(changes, c)})
	}
	for _, c := range changes {
		if !carried[c.name] && !isHidden(c.name) {
			code := "undefined-loop"
			if lp.targets[c.name] {
				code = "loop-variable"
			}
			l.frame.vars.set(c.name, binding{val: unbound{code, c.after.span}, span: c.after.span})
		}
	}
	// A break of the loop ends here; a return goes on through the loops around.
	if carried[exitBreak] {
		l.frame.vars.set(exitBreak, binding{val: pyFalse})
	}
}

func lastAssignment(changes []change, c carriedName) source.Span {
	for _, ch := range changes {
		if ch.name == c.name {
			return ch.after.span
		}
	}
	return c.binding.span
}

// lowerRangeLoop lowers for over a run-time range.
func (l *lowerer) lowerRangeLoop(f *syntax.For, it rangeValue) {
	lp := l.newLoop(f, f.Body, f.Target)
	r, ok := l.lowerRangeBounds(it)
	if !ok {
		lp.lowerBroken(f.Body, f.Target)
		return
	}
	a, ok := lp.lowerToFixpoint(func() bodyAttempt {
		// A body that turns out to break or return makes a while: the attempt ends as if it fitted, and
		// lowerWithExits starts anew.
		if len(lp.exits) > 0 {
			return bodyAttempt{fits: true}
		}
		return lp.attemptBody(f.Body, []types.Type{r.lo.Type}, func(args []*ir.Value) {
			l.assignTarget(f.Target, tensor{r.number(args[0])}, f.Target.Span())
		})
	})
	switch {
	case !ok:
		lp.lowerBroken(f.Body, f.Target)
	case len(lp.exits) > 0:
		lp.lowerWithExits(f, r)
	default:
		l.b.yield(lp.span, a.block, a.yields)
		var attrs []ir.Attr
		if it.stages > 0 {
			attrs = append(attrs, ir.Attr{Name: "num_stages", Value: it.stages})
		}
		operands := append([]*ir.Value{r.lo, r.hi, r.step}, lp.initialValues()...)
		lp.bindResults(a.changes, l.b.emitRegions(lp.span, ops.For, operands, []*ir.Block{a.block}, attrs...))
	}
}

// lowerWithExits is a for loop that break or return may leave: a while that also carries the index and, where the
// index may pass the largest number of its type, whether it has not yet.
func (lp *loop) lowerWithExits(f *syntax.For, r rangeBounds) {
	l := lp.l
	index := []*ir.Value{r.lo}
	if r.wraps {
		zero := l.b.constant(lp.span, num.FromInt(r.lo.Type.DType, 0))
		index = append(index, l.b.emit(lp.span, ops.Gt, []*ir.Value{r.step, zero}))
	}
	a, ok := lp.lowerToFixpoint(func() bodyAttempt {
		return lp.attemptBody(f.Body, valueTypes(index), func(args []*ir.Value) {
			l.assignTarget(f.Target, tensor{r.number(args[0])}, f.Target.Span())
		})
	})
	if !ok {
		lp.lowerBroken(f.Body, f.Target)
		return
	}
	// The body's block ends with the next index in front of what it yields: args[0] of the next iteration.
	l.b.ir.Push(a.block)
	next := []*ir.Value{l.b.emit(lp.span, ops.Add, []*ir.Value{a.block.Args[0], r.step})}
	if len(index) > 1 { // a sum that wraps is smaller
		next = append(next, l.b.emit(lp.span, ops.Gt, []*ir.Value{next[0], a.block.Args[0]}))
	}
	l.b.ir.Pop()
	l.b.yield(lp.span, a.block, append(next, a.yields...))

	// The condition region passes all that it was given on to the body.
	inits := append(index, lp.initialValues()...)
	cond := l.b.newBlock(valueTypes(inits)...)
	l.b.ir.Push(cond)
	going := l.b.emit(lp.span, ops.Lt, []*ir.Value{cond.Args[0], r.hi})
	for _, forward := range cond.Args[1:len(index)] {
		going = l.b.emit(lp.span, ops.And, []*ir.Value{going, forward})
	}
	going = lp.andNotExited(cond.Args[len(index):], going)
	l.b.emitVoid(lp.span, ops.Condition, append([]*ir.Value{going}, cond.Args...))
	l.b.ir.Pop()
	results := l.b.emitRegions(lp.span, ops.While, inits, []*ir.Block{cond, a.block})
	lp.bindResults(a.changes, results[len(index):])
}

// andNotExited adds to a loop's condition that no flag has been set.
func (lp *loop) andNotExited(args []*ir.Value, going *ir.Value) *ir.Value {
	// Flags come first among the carried values; a returned value is carried, too, but is no flag.
	for _, c := range lp.exits {
		if c.name == exitBreak || c.name == exitReturn {
			going = lp.l.b.emit(lp.span, ops.And, []*ir.Value{going, lp.l.b.not(lp.span, args[0])})
		}
		args = args[len(flatten(c.init)):]
	}
	return going
}

func valueTypes(vs []*ir.Value) []types.Type {
	out := make([]types.Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

// lowerBroken lowers a body whose loop is broken once, for its own mistakes, and poisons what it
// assigns.
func (lp *loop) lowerBroken(body []syntax.Stmt, target syntax.Expr) {
	l := lp.l
	// A block that nobody emits takes the code; only its diagnostics stay.
	mark := l.frame.vars.mark()
	l.lowerBranch(func() {
		for _, c := range lp.carried {
			l.frame.vars.set(c.name, binding{val: poison{}, span: c.binding.span})
		}
		l.frame.vars.set(exitContinue, binding{val: pyFalse})
		l.frame.poisonTarget(target)
		l.lowerStmts(body, func() {})
	})
	l.frame.vars.rollback(mark)
	for _, name := range assignedNames(body) {
		l.frame.vars.set(name, binding{val: poison{}, span: lp.span})
	}
	l.frame.poisonTarget(target)
}

// lowerWhile lowers while.
func (l *lowerer) lowerWhile(w *syntax.While) {
	// The body is not even looked at, as with a constexpr if.
	if c, ok := literalTest(w.Test); ok && !c {
		return
	}
	if l.inModuleCode() {
		l.unrollWhile(w)
		return
	}
	lp := l.newLoop(w, w.Body, nil)
	var cond *ir.Block
	a, ok := lp.lowerToFixpoint(func() bodyAttempt {
		// The condition is lowered in every round: it sees the carried names with the types of the round.
		if cond = lp.lowerWhileCondition(w); cond == nil {
			return bodyAttempt{fits: true}
		}
		return lp.attemptBody(w.Body, nil, func([]*ir.Value) {})
	})
	if !ok || cond == nil {
		lp.lowerBroken(w.Body, nil)
		return
	}
	l.b.yield(lp.span, a.block, a.yields)
	results := l.b.emitRegions(lp.span, ops.While, lp.initialValues(), []*ir.Block{cond, a.block})
	lp.bindResults(a.changes, results)
}

// literalTest evaluates a condition that is True or False as written; ok is false for any other.
func literalTest(e syntax.Expr) (bool, bool) {
	c, ok := e.(*syntax.Constant)
	return ok && c.Kind == syntax.TrueConst, ok && (c.Kind == syntax.TrueConst || c.Kind == syntax.FalseConst)
}

// lowerWhileCondition lowers the condition into a region of its own; nil if it is broken.
func (lp *loop) lowerWhileCondition(w *syntax.While) *ir.Block {
	l := lp.l
	block := l.b.newBlock(valueTypes(lp.initialValues())...)
	mark := l.frame.vars.mark()
	l.b.ir.Push(block)
	defer func() {
		l.b.ir.Pop()
		l.frame.vars.rollback(mark)
	}()
	lp.bindCarried(block.Args)
	v := l.lowerExpr(w.Test)
	if t, isTensor := v.(tensor); isTensor && t.v.Type.Numel() > 1 {
		d := diag.New("while-tile", l.spanOf(w.Test), l.sourceText(w.Test), typeText(t.v.Type))
		l.fail(l.noteShapeOrigin(d, t.v, l.sourceText(w.Test)))
		return nil
	}
	cond, known, ok := l.conditionOf(v, w.Test)
	if !ok {
		return nil
	}
	if t, isTensor := v.(tensor); isTensor && t.v.Type.DType.Info().Bits > 1 {
		l.needs(triton.IntegerWhile, l.spanOf(w.Test), l.sourceText(w.Test), parsingFailed)
	}
	if cond == nil {
		l.warnSuperset(diag.New("while-constexpr", l.spanOf(w.Test), l.sourceText(w.Test)))
		cond = l.b.boolConstant(w.Test.Span(), known)
	}
	cond = lp.andNotExited(block.Args, cond)
	l.b.emitVoid(lp.span, ops.Condition, append([]*ir.Value{cond}, block.Args...))
	return block
}

// lowerFor lowers for: over a range at run time, over anything else by unrolling.
func (l *lowerer) lowerFor(f *syntax.For) {
	if len(f.Else) > 0 {
		l.fail(diag.New("loop-else", l.spanOf(f.Else[0])))
	}
	// Triton reads range and tl.range as one loop operation, tl.static_range as unrolling, and nothing else.
	switch it := l.lowerExpr(f.Iter).(type) {
	case poison:
		l.newLoop(f, f.Body, f.Target).lowerBroken(f.Body, f.Target)
	case rangeValue:
		if it.static {
			l.unrollStaticRange(f, it)
		} else {
			l.lowerRangeLoop(f, it)
		}
	case tuple:
		l.warnSuperset(diag.New("for-over-tuple", l.spanOf(f.Iter), tritonIteratorText(f.Iter)))
		l.unrollFor(f, func(i int) (value, bool) {
			if i >= len(it.elems) {
				return nil, false
			}
			return it.elems[i], true
		})
	default:
		l.fail(diag.New("not-iterable", l.spanOf(f.Iter), kindText(it)))
		l.newLoop(f, f.Body, f.Target).lowerBroken(f.Body, f.Target)
	}
}

// carriedValue converts a name's value at the end of the body to the form in which the loop carries it.
func (lp *loop) carriedValue(c carriedName, v value) value {
	if _, x, ok := lp.l.unifyTypes(c.init, v); ok {
		return x
	}
	return c.init // reported already
}

// reconcileCarried compares what the body leaves with what it was given.
func (lp *loop) reconcileCarried() bool {
	// Every name is compared, so that one round converts all of them and reports all that cannot be.
	ok := true
	for _, name := range []string{exitBreak, exitReturn, returnedName} {
		ok = lp.reconcileExit(name) && ok
	}
	for i := range lp.carried {
		c := &lp.carried[i]
		b, _ := lp.l.frame.vars.get(c.name)
		lp.broken = lp.broken || isPoison(b.val) && !isPoison(c.init)
		ok = lp.reconcileType(c, b) && ok
	}
	return ok
}

// reconcileExit: a body that sets a flag for the first time makes the loop carry it.
func (lp *loop) reconcileExit(name string) bool {
	for _, c := range lp.exits {
		if c.name == name {
			return true
		}
	}
	b, ok := lp.l.frame.vars.get(name)
	if !ok || b.val == value(pyFalse) || isPoison(b.val) {
		return true
	}
	if _, no := b.val.(unbound); no {
		return true
	}
	init := value(pyFalse)
	if name == returnedName {
		if flatten(b.val) == nil {
			return true // a constant: it is what it is in every iteration
		}
		init = b.val // for its types only: convertInits makes the placeholder in front of the loop
	}
	lp.exits = append(lp.exits, carriedName{name: name, init: init, binding: b})
	return false
}

// reconcileType decides whether a name keeps its type through the body, and what to do where not.
func (lp *loop) reconcileType(c *carriedName, b binding) bool {
	l := lp.l
	switch {
	case isPoison(c.init):
		return true
	case isPoison(b.val):
		c.init = poison{}
		return false
	case same(c.init, b.val):
		return true
	}
	if _, no := b.val.(unbound); no {
		l.fail(diag.New("loop-undefined", l.userSpan(b.span), c.name).
			Because(l.userSpan(c.binding.span), "first-value", c.name, kindText(c.init)))
		c.init = poison{}
		return false
	}
	if sameTypes(c.init, b.val) {
		return true
	}
	if c.becomes == nil {
		c.becomes = b.val
	}
	before := c.binding.val
	about := func(code string) *diag.Diagnostic {
		return diag.New(code, l.userSpan(b.span), c.name, fullText(before), fullText(c.becomes), l.tritonTypeOf(before),
			l.tritonTypeOf(c.becomes)).Because(l.userSpan(c.binding.span), "first-value", c.name, kindText(before))
	}
	if wider, ok := lp.widenCarried(c, b); ok {
		c.init = wider
		lp.widened = about("loop-unstable")
		return false
	}
	// Triton: "Loop-carried variable x has initial type A but is re-assigned to B in loop!"
	l.fail(about("loop-type"))
	c.init = poison{}
	return false
}

func (l *lowerer) tritonTypeOf(v value) string {
	if t, ok := l.tensorType(v); ok {
		return tritonType(t)
	}
	return kindText(v)
}

// sameTypes reports whether two values are tensors, or tuples, objects or descriptors of tensors, of the same types.
func sameTypes(a, b value) bool {
	if c, ok := a.(composite); ok {
		return equalParts(c, b, func(x, y value) bool { return same(x, y) || sameTypes(x, y) })
	}
	x, ok := a.(tensor)
	y, ok2 := b.(tensor)
	return ok && ok2 && x.v.Type.Equal(y.v.Type)
}

// widenCarried makes the value before the loop fit what the body makes of it, where that cannot change its meaning: a
// constexpr number becomes a tensor, a shape is broadcast, a whole-number constant becomes a float; interpreted, a
// float becomes a wider one. The conversion has to be emitted before the loop, which convertInits does when the next
// attempt starts.
func (lp *loop) widenCarried(c *carriedName, b binding) (value, bool) {
	l := lp.l
	from, ok := l.tensorType(c.init)
	to, ok2 := l.tensorType(b.val)
	if !ok || !ok2 || from.Pointer != to.Pointer {
		return nil, false
	}
	shape, refusal := types.BroadcastShapes(from.Shape, to.Shape)
	d := to.DType
	// What is wide enough already, and is narrower behind the body all the same, is assigned anew in each iteration.
	_, wasConstant := c.init.(constant)
	if refusal != nil || !wasConstant && from.DType == d && slices.Equal(shape, from.Shape) {
		return nil, false
	}
	// Only a number that is known may change its dtype: 0 before a loop that adds fp32 is 0.0, but a float
	// must not narrow, nor an int32 that was computed become int64 unseen.
	floats := l.opts.Interpreted && from.IsFloat() && to.IsFloat() && from.DType.Info().Bits < d.Info().Bits
	if from.DType != d && !floats {
		known, ok := l.knownNumber(c.init)
		if !ok || from.Pointer {
			return nil, false
		}
		if o, refusal := numberOf(known); refusal != nil || !isExact(o, d) {
			return nil, false
		}
	}
	// A constexpr that becomes a tensor of its own type is Triton's rule, too, unless it was annotated.
	if wasConstant && from.Equal(to) {
		if c.binding.constexpr {
			l.warnSuperset(diag.New("constexpr-reassigned", l.userSpan(b.span), c.name).
				Because(l.userSpan(c.binding.span), "first-value", c.name, "constexpr"))
		}
	} else {
		widened := diag.New("loop-widened", l.userSpan(b.span), c.name, typeText(from),
			typeText(types.Type{DType: d, Pointer: to.Pointer, Shape: shape}), tritonType(from), tritonType(to)).
			Because(l.userSpan(c.binding.span), "first-value", c.name, typeText(from))
		if floats { // the interpreter's first iteration would round to the narrow type
			l.diags.Add(asHint(widened))
		} else {
			l.warnSuperset(widened)
		}
	}
	return pendingConversion{c.init, types.Type{DType: d, Pointer: to.Pointer, Shape: shape}}, true
}

// isExact reports whether a number means the same as a constant of d.
func isExact(o types.Operand, d num.DType) bool {
	if n, ok := o.Number.(*big.Int); ok && d.Info().Float {
		// Exact in both steps: to float64, and from there to d.
		f, accuracy := new(big.Float).SetInt(n).Float64()
		return accuracy == big.Exact && num.FromFloat(d, f).Float() == f
	}
	return false
}

// pendingConversion is a carried value that still has to be converted in front of the loop.
type pendingConversion struct {
	v  value
	to types.Type
}

// convertInits emits the values that enter the loop for the next attempt.
func (lp *loop) convertInits() {
	l := lp.l
	for i := range lp.exits {
		c := &lp.exits[i]
		if c.name == returnedName {
			c.init = l.b.placeholder(c.init)
		} else {
			c.init = l.b.asTensor(c.init)
		}
	}
	for i := range lp.carried {
		c := &lp.carried[i]
		if p, ok := c.init.(pendingConversion); ok {
			v := l.b.asTensor(p.v).v
			v = l.b.cast(lp.span, v, p.to.DType)
			c.init = tensor{l.b.broadcast(lp.span, v, p.to.Shape)}
		}
	}
}

// rangeBounds are the bounds of a loop that counts from lo up to hi, and the number of the range at an index. Unless
// wraps, the sum of an index and the step is never too large for their type.
type rangeBounds struct {
	lo, hi, step *ir.Value
	number       func(index *ir.Value) *ir.Value
	wraps        bool
}

// lowerRangeBounds makes a range's bounds integers of one type. A known negative step counts down: the loop then runs
// over the same numbers upwards, as Triton's does.
func (l *lowerer) lowerRangeBounds(it rangeValue) (r rangeBounds, ok bool) {
	at := it.span
	// Only a constexpr step may be negative, as in Triton: the sign decides which code there is.
	back := false
	if c, isConstant := it.step.(constant); isConstant {
		n, isInt := python.AsInt(c.v)
		if isInt && n.Sign() == 0 {
			l.fail(diag.New("range-step-zero", l.userSpan(at)))
			return
		}
		if back = isInt && n.Sign() < 0; back {
			up, _ := python.Unary("-", n)
			it = rangeValue{lo: it.hi, hi: it.lo, step: constant{up}}
		}
	}
	d := num.Int32
	parts := []value{it.lo, it.hi, it.step}
	// The induction variable's type is the promotion of the bounds, int32 at least, as in Triton.
	for _, p := range parts {
		t, isNumber := l.tensorType(p)
		if isPoison(p) {
			return
		}
		if !isNumber || !t.IsScalar() || !t.IsInt() {
			l.fail(diag.New("range-bound", l.userSpan(at), kindText(p)))
			return
		}
		p, refusal := types.Promote(types.Arithmetic, types.Tensor(d), types.Tensor(t.DType))
		if refusal == nil {
			d = p.Compute
		}
	}
	vs := make([]*ir.Value, 3)
	for i, p := range parts {
		vs[i] = l.b.cast(at, l.b.asTensor(p).v, d)
	}
	r = rangeBounds{vs[0], vs[1], vs[2], func(index *ir.Value) *ir.Value { return index }, l.mayWrap(it, d)}
	if back {
		// index runs over lo, lo + step, … below hi, the numbers over hi, hi - step, … above lo.
		ends := l.b.emit(at, ops.Add, []*ir.Value{r.lo, r.hi})
		r.number = func(index *ir.Value) *ir.Value { return l.b.emit(at, ops.Sub, []*ir.Value{ends, index}) }
	}
	return r, true
}

// mayWrap reports whether the sum of an index below the upper bound and the step may be too large for d.
func (l *lowerer) mayWrap(it rangeValue, d num.DType) bool {
	known := func(v value) (n int64, ok bool) {
		if c, isKnown := l.knownNumber(v); isKnown {
			i, _ := python.AsInt(c.v)
			n, ok = i.Int64()
		}
		return n, ok
	}
	step, ok := known(it.step)
	hi, hiKnown := known(it.hi)
	last := hi + step - 1
	return !(ok && step == 1) && !(ok && hiKnown && last >= hi && num.FromInt(d, last).Int() == last)
}
