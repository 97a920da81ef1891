package host

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// coroutine is a generator: a call of a function with yield in it, which runs from one yield to the next. Only the
// script refers to it, so that the collector finds those that nobody will ask again.
type coroutine struct{ *routine }

// routine is the state of a generator.
type routine struct {
	m       *machine
	body    func(yield func(Value) bool)
	pull    func() (Value, bool)
	stop    func()      // unwinds the body without running any of it
	number  int         // of those that have begun in the run
	born    source.Span // the call that made it
	loop    source.Span // the loop around the yield that it stopped at
	active  *activation // of its frame, whose caller is who asked for the next item
	started bool
	running bool
	ended   bool
	bare    bool    // closing it does nothing
	sent    Value   // what the yield that it stopped at is worth
	thrown  *raised // what that yield raises instead
	emit    func(Value) bool
	result  Value // of its return statement
}

// Type is "generator".
func (*coroutine) Type() string { return "generator" }

// generatorList are the generators of a run that have begun and not ended.
type generatorList struct {
	begun  int
	most   int // how many may be open before the collector looks for those that nobody can ask
	open   map[*routine]bool
	lock   sync.Mutex
	unused []*routine // of those, what the collector has found
}

// startGenerator makes the generator of a call whose arguments are in f. Its body begins when the first item is asked
// for.
func startGenerator(m *machine, fn *Function, x *functionFrame) Value {
	g := &routine{m: m, active: &x.activation, sent: none, result: none, born: m.at}
	x.call.generator = g
	g.body = func(yield func(Value) bool) {
		defer g.leave()
		g.emit = yield
		g.result = fn.execute(&x.frame)
	}
	g.bare = !cleansUp(fn.body)
	return &coroutine{g}
}

// resume runs the body to its next yield, the first time in a coroutine that is made now.
func (c *coroutine) resume(v Value) (Value, bool) {
	if c.pull == nil && !c.ended && v == none {
		c.begin()
		if c.bare {
			runtime.AddCleanup(c, c.m.generators.abandon, c.routine)
		}
	}
	return c.routine.resume(v)
}

// abandon notes that nobody can ask a generator for its next item.
func (l *generatorList) abandon(g *routine) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.unused = append(l.unused, g)
}

// begin makes the coroutine in which the body runs, and ends those that have been abandoned.
func (g *routine) begin() {
	l := &g.m.generators
	l.lock.Lock()
	unused := l.unused
	l.unused = nil
	l.lock.Unlock()
	for _, old := range unused {
		switch {
		case old.running: // for the last time
			l.abandon(old)
		case l.open[old]:
			delete(l.open, old)
			old.stop()
		}
	}
	g.pull, g.stop = iter.Pull(iter.Seq[Value](g.body))
	if l.open == nil {
		l.open = map[*routine]bool{}
	}
	if l.begun++; len(l.open) > l.most {
		runtime.GC()
		for range 8 { // the collector's cleanups run in a goroutine of their own
			runtime.Gosched()
		}
		l.lock.Lock()
		l.most = max(2*(len(l.open)-len(l.unused)), 4096)
		l.lock.Unlock()
	}
	g.number, l.open[g] = l.begun, true
}

// inOrder are the open generators, the oldest first.
func (l *generatorList) inOrder() []*routine {
	return slices.SortedFunc(maps.Keys(l.open), func(x, y *routine) int { return x.number - y.number })
}

// cleansUp reports whether the body of a generator does something when it is closed: whether it has a try or with
// statement.
func cleansUp(body []syntax.Stmt) (found bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Try, *syntax.With:
				found = true
			case *syntax.Yield:
				found = found || n.From // what is below may
			}
			return !found
		})
	}
	return found
}

// closeUnnamed closes the generator that a call in a loop's header has made, when the loop is left: nothing else holds
// it. Generators that a variable holds are closed when the run ends, since objects have no reference counts here.
func closeUnnamed(v Value, header source.Span) {
	if g, ok := v.(*coroutine); ok && g.born == header {
		g.close()
	}
}

// leave ends the body: what it raises goes on to whoever asked for an item.
func (g *routine) leave() {
	g.ended, g.running = true, false
	delete(g.m.generators.open, g)
	r := recover()
	if _, stopped := r.(generatorStop); r == nil || stopped {
		return
	}
	m := g.m
	e := m.unwind(r, checkpoint{g.active, g.active.frame, g.loop, m.budget.depth})
	panic(e.outOfGenerator())
}

// outOfGenerator is the exception as it leaves a generator: a StopIteration would end the loop that asked, and so hide
// the mistake (PEP 479).
func (e *raised) outOfGenerator() *raised {
	if e.stop != nil || !e.exception.class.isA("StopIteration") {
		return e
	}
	wrong := newException(exceptions["RuntimeError"], python.Str("generator raised StopIteration"))
	wrong.cause, wrong.context = e.exception, e.exception
	return &raised{exception: wrong, span: e.span, placed: true, at: e.at}
}

// generatorStop unwinds the body of a generator when the run has ended.
type generatorStop struct{}

// resume runs the body to its next yield; the yield that it stopped at is worth v.
func (g *routine) resume(v Value) (Value, bool) {
	m := g.m
	switch {
	case g.ended:
		return nil, false
	case g.running:
		raise("ValueError", "generator already executing")
	case !g.started && v != none:
		raise("TypeError", "can't send non-None value to a just-started generator")
	}
	// The body's loop is its own: that of whoever asked is put aside. An exception puts back what it unwinds.
	m.budget.enterLevel()
	depth := m.budget.depth
	outer := m.enter(g.active)
	g.started, g.running, g.sent = true, true, v
	m.budget.loop = g.loop
	item, ok := g.pull()
	g.running, g.loop = false, m.budget.loop
	m.leave(g.active, outer)
	m.budget.depth = depth - 1
	return item, ok
}

// throw raises an exception at the yield where the body has stopped.
func (g *routine) throw(e *raised) (Value, bool) {
	// A generator that has not begun has no yield to raise at: the exception goes straight to the caller.
	if !g.started || g.ended {
		g.ended, g.started = true, true
		panic(e)
	}
	g.thrown = e
	return g.resume(none)
}

// close ends the body at the yield where it has stopped, so that its finally clauses run.
func (g *routine) close() {
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
func (g *routine) next(v Value, ok bool) Value {
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

func (c compilation) yield(e *syntax.Yield) evaluation {
	value, span := c.optional(e.Value), e.Span()
	return func(f *frame) Value {
		if f.call == nil || f.call.generator == nil {
			raise("SyntaxError", "'yield' outside function")
		}
		g, v := f.call.generator, value(f)
		if e.From {
			return g.delegate(v)
		}
		f.m.at = span
		return g.yield(v)
	}
}

// yield hands out an item and waits until the next is asked for.
func (g *routine) yield(v Value) Value {
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
func (g *routine) delegate(v Value) Value {
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

var generatorClass = &Class{Name: "generator"}

func init() {
	generatorClass.describe(typeRecord{
		make: refuseConstruction("generator"),
		slots: slots{
			// A generator is its own iterator: two loops over it share its items.
			iterate: func(_ *machine, v Value) func() (Value, bool) {
				g := v.(*coroutine)
				return func() (Value, bool) { return g.resume(none) }
			},
			next: func(_ *machine, v Value) Value {
				g := v.(*coroutine)
				return g.next(g.resume(none))
			},
			hash: hashIdentity,
			repr: leaf(reprObject),
		},
		methods: map[string]method{
			"__iter__": func(_ *machine, a arguments) Value { return self[*coroutine](a) },
			"send(self, value, /)": func(_ *machine, a arguments) Value {
				g := self[*coroutine](a)
				return g.next(g.resume(a.positional[1]))
			},
			"throw(self, type, value=..., traceback=..., /)": func(m *machine, a arguments) Value {
				g, at := self[*coroutine](a), m.at
				e := raisableFrom(m, a.positional[1], at,
					"exceptions must be classes or instances deriving from BaseException")
				return g.next(g.throw(&raised{exception: e, placed: true, span: at, at: at}))
			},
			"close": func(_ *machine, a arguments) Value { self[*coroutine](a).close(); return none },
		},
	})
}
