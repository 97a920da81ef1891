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

// maxAttempts bounds how often a loop is lowered again because a carried name needs another type.
const maxAttempts = 6

// carry is a name whose value goes from one iteration to the next.
type carry struct {
	name string
	init value // its parts are tensors of the types the loop carries
	from binding
}

// loop is one run-time loop while it is lowered.
type loop struct {
	stmt    syntax.Stmt
	at      source.Span
	carries []carry
	exits   []carry // flags that control has left, once the body is known to set them
	broken  bool    // an error in the body has just silenced a carried name
}

// newLoop finds the names that the body assigns and that have a value already.
func (l *lowerer) newLoop(s syntax.Stmt, body []syntax.Stmt, target syntax.Expr) *loop {
	lp := &loop{stmt: s, at: s.Span()}
	own := make(map[string]bool)
	targetNames(target, func(n *syntax.Name) { own[n.ID] = true })
	for _, name := range assigned(body) {
		b, ok := l.frame.vars.get(name)
		if _, no := b.val.(unbound); ok && !no && !own[name] {
			lp.carries = append(lp.carries, carry{name, b.val, b})
		}
	}
	return lp
}

// inits lists the tensors that enter the loop.
func (lp *loop) inits() []*ir.Value {
	var out []*ir.Value
	for _, c := range lp.all() {
		out = append(out, flatten(c.init)...)
	}
	return out
}

func (lp *loop) all() []carry { return append(lp.exits[:len(lp.exits):len(lp.exits)], lp.carries...) }

func (lp *loop) names() map[string]bool {
	m := make(map[string]bool, len(lp.carries))
	for _, c := range lp.carries {
		m[c.name] = true
	}
	return m
}

// attempt is the outcome of lowering a loop's body once.
type attempt struct {
	block   *ir.Block
	changes []change
	yields  []*ir.Value
	fits    bool
	reports diag.List // where it does not fit: what there is to say of that
}

// enter binds the carried names to a block's arguments and gives the arguments that are left.
func (l *lowerer) enter(lp *loop, args []*ir.Value) []*ir.Value {
	for _, c := range lp.all() {
		var v value
		v, args = rebuild(c.init, args)
		l.bind(c.name, binding{val: v, span: c.from.span})
	}
	return args
}

// tryBody lowers the body into a block whose arguments are extra types and then the carried
// values. Where a carried name changes, it adapts lp and says that the body does not fit.
func (l *lowerer) tryBody(lp *loop, body []syntax.Stmt, extra []types.Type, start func(args []*ir.Value)) attempt {
	saved := l.frame.carried
	l.frame.carried = lp.names()
	defer func() { l.frame.carried = saved }()

	argTypes := append([]types.Type(nil), extra...)
	for _, v := range lp.inits() {
		argTypes = append(argTypes, v.Type)
	}
	block := l.block(argTypes...)
	mark := l.frame.vars.mark()
	l.b.Push(block)
	l.enter(lp, block.Args[len(extra):])
	for _, name := range exits { // the loop's condition has looked at the flags
		l.frame.vars.set(name, binding{val: never})
	}
	start(block.Args[:len(extra)])
	l.nested++
	l.frame.loops++
	l.stmts(body, func() { l.leave(keyContinue, lp.at) })
	l.frame.loops--
	l.nested--
	reported := len(l.diags)
	fits := l.fits(lp)
	reports := slices.Clone(l.diags[reported:])
	var yields []*ir.Value
	if fits {
		for _, c := range lp.all() {
			b, _ := l.frame.vars.get(c.name)
			yields = append(yields, flatten(l.carriedForm(c, b.val))...)
		}
	}
	l.b.Pop()
	return attempt{block, l.frame.vars.rollback(mark), yields, fits, reports}
}

// repeat lowers a loop until its body fits, or to silence where it cannot.
func (l *lowerer) repeat(lp *loop, once func() attempt) (attempt, bool) {
	for range maxAttempts {
		l.remake(lp)
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
	l.fail(diag.New("loop-unstable", l.at(lp.at)))
	return attempt{}, false
}

// leaveLoop binds the names after a loop: carried ones to its results, those first assigned in the
// body to nothing.
func (l *lowerer) leaveLoop(lp *loop, changes []change, results []*ir.Value) {
	carried := make(map[string]bool)
	for _, c := range lp.all() {
		var v value
		v, results = rebuild(c.init, results)
		carried[c.name] = true
		l.bind(c.name, binding{val: v, span: l.lastSpan(changes, c)})
	}
	for _, c := range changes {
		if !carried[c.name] && !hidden(c.name) {
			l.frame.vars.set(c.name, binding{val: unbound{"undefined-loop", c.after.span}, span: c.after.span})
		}
	}
	if carried[keyBreak] {
		l.frame.vars.set(keyBreak, binding{val: never})
	}
}

func (l *lowerer) lastSpan(changes []change, c carry) source.Span {
	for _, ch := range changes {
		if ch.name == c.name {
			return ch.after.span
		}
	}
	return c.from.span
}

// bind assigns a name and names the IR value after it, for people who read the IR.
func (l *lowerer) bind(name string, b binding) {
	if t, ok := b.val.(tensor); ok && t.v.Name == "" && !hidden(name) && !l.frame.fn.module.prelude {
		t.v.Name = name
	}
	l.frame.vars.set(name, b)
}

// forLoop lowers for over a run-time range.
func (l *lowerer) forLoop(f *syntax.For, r ranges) {
	lp := l.newLoop(f, f.Body, f.Target)
	lo, hi, step, iv, ok := l.bounds(f, r)
	if !ok {
		l.quietLoop(lp, f.Body, f.Target)
		return
	}
	a, ok := l.repeat(lp, func() attempt {
		if len(lp.exits) > 0 {
			return attempt{fits: true}
		}
		return l.tryBody(lp, f.Body, []types.Type{lo.Type}, func(args []*ir.Value) {
			l.assignTarget(f.Target, tensor{iv(args[0])}, f.Target.Span())
		})
	})
	switch {
	case !ok:
		l.quietLoop(lp, f.Body, f.Target)
	case len(lp.exits) > 0:
		l.forWithExits(f, lp, lo, hi, step, iv)
	default:
		l.endBlock(lp.at, a.block, a.yields)
		var attrs []ir.Attr
		if r.stages > 0 {
			attrs = append(attrs, ir.Attr{Name: "num_stages", Value: r.stages})
		}
		operands := append([]*ir.Value{lo, hi, step}, lp.inits()...)
		l.leaveLoop(lp, a.changes, l.emitRegions(lp.at, ops.For, operands, []*ir.Block{a.block}, attrs...))
	}
}

// forWithExits is a for loop that break or return may leave: a while that also carries the index.
func (l *lowerer) forWithExits(f *syntax.For, lp *loop, lo, hi, step *ir.Value, iv func(*ir.Value) *ir.Value) {
	index := []types.Type{lo.Type}
	a, ok := l.repeat(lp, func() attempt {
		return l.tryBody(lp, f.Body, index, func(args []*ir.Value) {
			l.assignTarget(f.Target, tensor{iv(args[0])}, f.Target.Span())
		})
	})
	if !ok {
		l.quietLoop(lp, f.Body, f.Target)
		return
	}
	l.b.Push(a.block)
	next := l.emit(lp.at, ops.Add, []*ir.Value{a.block.Args[0], step})
	l.b.Pop()
	l.endBlock(lp.at, a.block, append([]*ir.Value{next}, a.yields...))

	inits := append([]*ir.Value{lo}, lp.inits()...)
	cond := l.block(valueTypes(inits)...)
	l.b.Push(cond)
	going := l.emit(lp.at, ops.Lt, []*ir.Value{cond.Args[0], hi})
	going = l.stillIn(lp, cond.Args[1:], going)
	l.emitNone(lp.at, ops.Condition, append([]*ir.Value{going}, cond.Args...))
	l.b.Pop()
	results := l.emitRegions(lp.at, ops.While, inits, []*ir.Block{cond, a.block})
	l.leaveLoop(lp, a.changes, results[1:])
}

// stillIn adds to a loop's condition that no flag has been set.
func (l *lowerer) stillIn(lp *loop, args []*ir.Value, going *ir.Value) *ir.Value {
	for _, c := range lp.exits {
		if c.name == keyBreak || c.name == keyReturn {
			going = l.emit(lp.at, ops.And, []*ir.Value{going, l.notFlag(lp.at, args[0])})
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

// quietLoop lowers a body whose loop is broken once, for its own mistakes, and poisons what it
// assigns.
func (l *lowerer) quietLoop(lp *loop, body []syntax.Stmt, target syntax.Expr) {
	mark := l.frame.vars.mark()
	l.branch(func() {
		for _, c := range lp.carries {
			l.frame.vars.set(c.name, binding{val: poison{}, span: c.from.span})
		}
		l.frame.vars.set(keyContinue, binding{val: never})
		targetNames(target, func(n *syntax.Name) { l.frame.vars.set(n.ID, binding{val: poison{}, span: n.Span()}) })
		l.stmts(body, func() {})
	})
	l.frame.vars.rollback(mark)
	for _, name := range assigned(body) {
		l.frame.vars.set(name, binding{val: poison{}, span: lp.at})
	}
	targetNames(target, func(n *syntax.Name) { l.frame.vars.set(n.ID, binding{val: poison{}, span: n.Span()}) })
}

// whileLoop lowers while.
func (l *lowerer) whileLoop(w *syntax.While) {
	if c, ok := l.constantTest(w.Test); ok && !c {
		return
	}
	lp := l.newLoop(w, w.Body, nil)
	var cond *ir.Block
	a, ok := l.repeat(lp, func() attempt {
		if cond = l.whileCondition(lp, w); cond == nil {
			return attempt{fits: true}
		}
		return l.tryBody(lp, w.Body, nil, func([]*ir.Value) {})
	})
	if !ok || cond == nil {
		l.quietLoop(lp, w.Body, nil)
		return
	}
	l.endBlock(lp.at, a.block, a.yields)
	results := l.emitRegions(lp.at, ops.While, lp.inits(), []*ir.Block{cond, a.block})
	l.leaveLoop(lp, a.changes, results)
}

// constantTest looks whether a condition is a constexpr as things stand before the loop.
func (l *lowerer) constantTest(e syntax.Expr) (bool, bool) {
	c, ok := e.(*syntax.Constant)
	return ok && c.Kind == syntax.TrueConst, ok && (c.Kind == syntax.TrueConst || c.Kind == syntax.FalseConst)
}

// whileCondition lowers the condition into a region of its own; nil where it is broken.
func (l *lowerer) whileCondition(lp *loop, w *syntax.While) *ir.Block {
	block := l.block(valueTypes(lp.inits())...)
	mark := l.frame.vars.mark()
	l.b.Push(block)
	defer func() {
		l.b.Pop()
		l.frame.vars.rollback(mark)
	}()
	l.enter(lp, block.Args)
	cond, known, ok := l.condition(w.Test)
	if !ok {
		return nil
	}
	if cond == nil {
		l.superset(diag.New("while-constexpr", l.place(w.Test), l.text(w.Test)))
		cond = l.boolean(w.Test.Span(), known)
	}
	cond = l.stillIn(lp, block.Args, cond)
	l.emitNone(lp.at, ops.Condition, append([]*ir.Value{cond}, block.Args...))
	return block
}
