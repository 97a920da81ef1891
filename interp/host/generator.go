package host

import (
	"iter"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// coroutine is a generator: a call of a function with yield in it, which runs from one yield to the next.
type coroutine struct {
	m       *machine
	frame   *frame
	pull    func() (Value, bool)
	stop    func()        // unwinds the body without running any of it
	born    source.Span   // the call that made it
	loops   []source.Span // the loops around the yield that it stopped at
	asked   source.Span   // where the next item was asked for
	started bool
	running bool
	ended   bool
	sent    Value   // what the yield that it stopped at is worth
	thrown  *raised // what that yield raises instead
	emit    func(Value) bool
	result  Value // of its return statement
}

// Type is "generator".
func (*coroutine) Type() string { return "generator" }

// startGenerator makes the generator of a call whose arguments are in f. Its body begins when the first item is asked
// for.
func startGenerator(m *machine, fn *Function, f *frame) Value {
	g := &coroutine{m: m, frame: f, sent: none, result: none, born: m.at}
	f.call.generator = g
	body := func(yield func(Value) bool) {
		defer g.leave()
		g.emit = yield
		if how, v := f.execBlock(fn.body); how == returns {
			g.result = v
		}
	}
	// A generator that is not asked to its end keeps its coroutine until the run ends.
	g.pull, g.stop = iter.Pull(iter.Seq[Value](body))
	m.generators = append(m.generators, g)
	return g
}

// closeUnnamed closes the generator that a call in a loop's header has made, when the loop is left: nothing else holds
// it. Generators that a variable holds are closed when the run ends, since objects have no reference counts here.
func closeUnnamed(v Value, header source.Span) {
	if g, ok := v.(*coroutine); ok && g.born == header {
		g.close()
	}
}

// leave ends the body: what it raises goes on to whoever asked for an item.
func (g *coroutine) leave() {
	g.ended = true
	r := recover()
	if _, stopped := r.(generatorStop); r == nil || stopped {
		return
	}
	e := g.m.caughtFrom(r)
	if e.stop == nil && e.exception.class.isA("StopIteration") {
		// It would end the loop that asked, and so hide the mistake (PEP 479).
		wrong := newException(exceptions["RuntimeError"], python.Str("generator raised StopIteration"))
		wrong.cause, wrong.context = e.exception, e.exception
		e = &raised{exception: wrong, span: e.span, placed: true, at: e.at}
	}
	e.leave(g.frame.tracebackTitle(), g.asked)
	panic(e)
}

// generatorStop unwinds the body of a generator when the run has ended.
type generatorStop struct{}

// resume runs the body to its next yield; the yield that it stopped at is worth v.
func (g *coroutine) resume(v Value) (Value, bool) {
	m := g.m
	switch {
	case g.ended:
		return nil, false
	case g.running:
		raise("ValueError", "generator already executing")
	case !g.started && v != none:
		raise("TypeError", "can't send non-None value to a just-started generator")
	}
	// The body's loops are its own: they are put aside while whoever asked goes on.
	depth, outer, frame, at := m.budget.depth, m.budget.loops, m.frame, m.at
	m.budget.enterLevel()
	g.started, g.running, g.sent, g.asked = true, true, v, at
	m.budget.loops, m.frame = g.loops, g.frame
	defer func() {
		g.running, g.loops = false, m.budget.loops
		m.budget.loops, m.budget.depth, m.frame, m.at = outer, depth, frame, at
	}()
	return g.pull()
}

// throw raises an exception at the yield where the body has stopped.
func (g *coroutine) throw(e *raised) (Value, bool) {
	// A generator that has not begun has no yield to raise at: the exception goes straight to the caller.
	if !g.started || g.ended {
		g.ended, g.started = true, true
		panic(e)
	}
	g.thrown = e
	return g.resume(none)
}

// close ends the body at the yield where it has stopped, so that its finally clauses run.
func (g *coroutine) close() {
	if !g.started || g.ended {
		g.ended = true
		return
	}
	ok := false
	e := g.m.exceptionOf(func() {
		exit := newException(exceptions["GeneratorExit"])
		_, ok = g.throw(&raised{exception: exit, placed: true, span: g.m.at, at: g.m.at})
	})
	switch {
	// A body that catches GeneratorExit and yields again ignores it.
	case e == nil && ok:
		raise("RuntimeError", "generator ignored GeneratorExit")
	case e == nil:
	case e.stop != nil || !e.exception.class.isA("GeneratorExit"):
		panic(e)
	}
}

// next is one item as next() and send() give it: the end raises StopIteration with the generator's result.
func (g *coroutine) next(v Value, ok bool) Value {
	if ok {
		return v
	}
	e := newException(exceptions["StopIteration"])
	if g.result != none {
		e.args = append(e.args, g.result)
	}
	g.result = none // given once
	panic(&raised{exception: e})
}

func (f *frame) evalYield(e *syntax.Yield) Value {
	if f.call == nil || f.call.generator == nil {
		raise("SyntaxError", "'yield' outside function")
	}
	g := f.call.generator
	if e.From {
		return g.delegate(f.evalExpr(e.Value))
	}
	v := f.evalOptional(e.Value)
	f.m.at = e.Span()
	return g.yield(v)
}

// yield hands out an item and waits until the next is asked for.
func (g *coroutine) yield(v Value) Value {
	at := g.m.at
	// False: the run has ended, and the body is unwound without running its except clauses.
	if !g.emit(v) {
		panic(generatorStop{})
	}
	g.m.at = at
	if e := g.thrown; e != nil {
		g.thrown = nil
		// Where it is raised for the body: at the yield, not at the call of throw().
		e.span, e.at, e.placed = at, at, true
		panic(e)
	}
	return g.sent
}

// delegate is yield from: a generator below gets what is sent and thrown, and its result is the value.
func (g *coroutine) delegate(v Value) Value {
	// PEP 380: send and throw reach a generator below; any other iterable only gives its items.
	below, ok := v.(*coroutine)
	if !ok {
		it := g.m.iterateOver(v)
		for v, ok := it(); ok; v, ok = it() {
			g.yield(v)
		}
		return none
	}
	item, more := below.resume(none)
	for more {
		var sent Value
		e := g.m.exceptionOf(func() { sent = g.yield(item) })
		switch {
		case e == nil:
			item, more = below.resume(sent)
		case e.stop != nil:
			panic(e)
		default:
			item, more = below.throw(e)
		}
	}
	return below.result
}

// attr gives the methods of a generator.
func (g *coroutine) attr(m *machine, name string) (Value, bool) {
	f, ok := map[string]method{
		"__next__": func(m *machine, a arguments) Value { return g.next(g.resume(none)) },
		"__iter__": func(m *machine, a arguments) Value { return g },
		"send": func(m *machine, a arguments) Value {
			a.want("send", 1, 1)
			return g.next(g.resume(a.positional[0]))
		},
		"throw": func(m *machine, a arguments) Value {
			a.want("throw", 1, 3)
			at := m.at
			e := raisableFrom(m, a.at(0, none), at,
				"exceptions must be classes or instances deriving from BaseException")
			return g.next(g.throw(&raised{exception: e, placed: true, span: at, at: at}))
		},
		"close": func(m *machine, a arguments) Value { g.close(); return none },
	}[name]
	if !ok {
		return nil, false
	}
	return boundTo(name, f), true
}
