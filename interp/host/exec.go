package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// flow says how a statement ends.
type flow uint8

const (
	next flow = iota
	breaks
	continues
	returns
)

// block compiles statements, which run until one leaves the block.
func (c compilation) block(body []syntax.Stmt) execution {
	list, spans := make([]execution, len(body)), make([]source.Span, len(body))
	for i, s := range body {
		list[i], spans[i] = c.stmt(s), s.Span()
	}
	return func(f *frame) (flow, Value) {
		m := f.m
		for i, run := range list {
			m.at = spans[i]
			m.budget.countStep(m.at)
			if how, v := run(f); how != next {
				return how, v
			}
		}
		return next, nil
	}
}

// ends is a statement that does nothing but end so.
func ends(how flow) execution { return func(*frame) (flow, Value) { return how, nil } }

// goesOn is a statement after which the next runs.
func goesOn(run func(f *frame)) execution {
	return func(f *frame) (flow, Value) {
		run(f)
		return next, nil
	}
}

func (c compilation) stmt(s syntax.Stmt) execution {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		value := c.expr(s.Value)
		return func(f *frame) (flow, Value) {
			value(f)
			return next, nil
		}
	case *syntax.Assign:
		value, targets := c.expr(s.Value), c.targets(s.Targets)
		return func(f *frame) (flow, Value) {
			v := value(f)
			for _, assign := range targets {
				assign(f, v)
			}
			return next, nil
		}
	case *syntax.AnnAssign:
		return c.annotated(s)
	case *syntax.AugAssign:
		return goesOn(c.augmented(s))
	case *syntax.Return:
		value := c.optional(s.Value)
		return func(f *frame) (flow, Value) { return returns, value(f) }
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
		return ends(next)
	case *syntax.Break:
		return ends(breaks)
	case *syntax.Continue:
		return ends(continues)
	case *syntax.If:
		test, body, otherwise := c.expr(s.Test), c.block(s.Body), c.block(s.Else)
		return func(f *frame) (flow, Value) {
			if f.m.truthOf(test(f)) {
				return body(f)
			}
			return otherwise(f)
		}
	case *syntax.For:
		return c.forLoop(s)
	case *syntax.While:
		return c.whileLoop(s)
	case *syntax.With:
		return c.with(s, s.Items)
	case *syntax.Try:
		return c.try(s)
	case *syntax.Match:
		return c.match(s)
	case *syntax.Raise:
		return c.raise(s)
	case *syntax.Assert:
		return c.assert(s)
	case *syntax.Delete:
		deletes := make([]func(*frame), len(s.Targets))
		for i, t := range s.Targets {
			deletes[i] = c.deletion(t)
		}
		return goesOn(func(f *frame) {
			for _, remove := range deletes {
				remove(f)
			}
		})
	}
	return c.definition(s)
}

// definition compiles the statements that bind names of definitions and modules.
func (c compilation) definition(s syntax.Stmt) execution {
	switch s := s.(type) {
	case *syntax.Import:
		return goesOn(func(f *frame) {
			for _, a := range s.Names {
				f.importModule(a)
			}
		})
	case *syntax.ImportFrom:
		return goesOn(func(f *frame) { f.importFrom(s) })
	case *syntax.FunctionDef:
		value, store := c.function(s), c.variableNamed(s.Name).store
		return goesOn(func(f *frame) { store(f, value(f)) })
	case *syntax.ClassDef:
		value, store := c.class(s), c.variableNamed(s.Name).store
		return goesOn(func(f *frame) { store(f, value(f)) })
	}
	return goesOn(func(*frame) { halt(diag.New("host-unsupported", s.Span())) })
}

// headSpan is the first line of a statement.
func (c compilation) headSpan(s syntax.Stmt) source.Span {
	span, file := s.Span(), c.unit.file
	line := file.LineSpan(file.Position(span.Start).Line)
	span.End = max(span.Start, min(span.End, line.End))
	return span
}

func (c compilation) forLoop(s *syntax.For) execution {
	iterable, assign, body, otherwise := c.expr(s.Iter), c.target(s.Target), c.block(s.Body), c.block(s.Else)
	head, iterSpan, targetSpan := c.headSpan(s), s.Iter.Span(), s.Target.Span()
	return func(f *frame) (flow, Value) {
		m := f.m
		items := iterable(f)
		it := m.iterateOver(items)
		outer := m.budget.loop
		m.budget.loop = head
		for {
			m.at = iterSpan // the body has moved it, and the iterator may raise
			v, ok := it()
			if !ok {
				break
			}
			m.budget.countStep(targetSpan)
			assign(f, v)
			how, result := body(f)
			if how == breaks || how == returns {
				m.budget.loop = outer
				closeUnnamed(items, iterSpan)
				return leaveFlow(how), result
			}
		}
		m.budget.loop = outer
		return otherwise(f) // which runs unless the loop was left by break
	}
}

// leaveFlow is how a loop ends after its body ended by how.
func leaveFlow(how flow) flow {
	if how == returns {
		return returns
	}
	return next
}

func (c compilation) whileLoop(s *syntax.While) execution {
	test, body, otherwise := c.expr(s.Test), c.block(s.Body), c.block(s.Else)
	head, testSpan := c.headSpan(s), s.Test.Span()
	return func(f *frame) (flow, Value) {
		m := f.m
		outer := m.budget.loop
		m.budget.loop = head
		for m.truthOf(test(f)) {
			m.budget.countStep(testSpan)
			how, result := body(f)
			if how == breaks || how == returns {
				m.budget.loop = outer
				return leaveFlow(how), result
			}
		}
		m.budget.loop = outer
		return otherwise(f)
	}
}

// with compiles a body inside context managers: each further item is a with statement inside the one before it.
func (c compilation) with(s *syntax.With, items []syntax.WithItem) execution {
	if len(items) == 0 {
		return c.block(s.Body)
	}
	context, assign, body := c.expr(items[0].Context), assignment(nil), c.with(s, items[1:])
	if items[0].Target != nil {
		assign = c.target(items[0].Target)
	}
	return func(f *frame) (how flow, v Value) {
		m := f.m
		enter, exit := m.contextManager(context(f))
		// From here on __exit__ is called in every case; an exception in __enter__ itself is not the manager's.
		entered := enter()
		if assign != nil {
			assign(f, entered)
		}
		done, before := false, m.checkpoint()
		defer func() {
			if done {
				return
			}
			e, swallowed := m.unwind(recover(), before), false
			// The end of the run is no exception: managers do not see it, nor can they swallow it.
			if e.stop == nil {
				f.whileHandling(e, func() { swallowed = exit(e.exception) })
			}
			if !swallowed {
				panic(e)
			}
			how, v = next, nil
		}()
		how, v = body(f)
		done = true
		m.at = s.Span()
		exit(nil)
		return how, v
	}
}

func (c compilation) try(s *syntax.Try) execution {
	body := c.except(s)
	if s.Group {
		body = c.exceptStar(s)
	}
	if len(s.Finally) == 0 {
		return body
	}
	finally := c.block(s.Finally)
	return func(f *frame) (how flow, v Value) {
		m := f.m
		done, before := false, m.checkpoint()
		defer func() {
			if done {
				return
			}
			e := m.unwind(recover(), before)
			// The end of a run is no exception: no finally block may delay it, nor a loop in one.
			if e.stop != nil {
				panic(e)
			}
			// A finally block that returns, breaks or continues discards the exception.
			f.whileHandling(e, func() { how, v = finally(f) })
			if how == next {
				panic(e)
			}
		}()
		how, v = body(f)
		done = true
		// A finally block that leaves by return, break or continue replaces how the try block ended.
		if left, result := finally(f); left != next {
			return left, result
		}
		return how, v
	}
}

// handler is an except clause, compiled.
type handler struct {
	// classes are those that the clause names, evaluated only when the clauses before it did not match; nil takes all.
	classes func(f *frame) []*Class
	body    execution
	bind    func(f *frame, e *Exception) // its name; nil where it has none
	unbind  func(f *frame)
}

func (c compilation) handlers(list []syntax.Handler) []handler {
	out := make([]handler, len(list))
	for i, h := range list {
		out[i] = c.handler(h)
	}
	return out
}

func (c compilation) handler(h syntax.Handler) handler {
	out := handler{body: c.block(h.Body)}
	if h.Type != nil {
		out.classes = c.handlerClasses(h)
	}
	if h.Name != "" {
		name := c.variableNamed(h.Name)
		out.bind = func(f *frame, e *Exception) { name.store(f, e) }
		out.unbind = func(f *frame) { name.remove(f) }
	}
	return out
}

// attempted compiles the body of a try statement with its else: an exception that leaves the body goes to handle.
func (c compilation) attempted(s *syntax.Try, handle func(f *frame, e *raised) (flow, Value)) execution {
	body, otherwise := c.block(s.Body), c.block(s.Else)
	return func(f *frame) (flow, Value) {
		how, v, e := f.attempt(body)
		switch {
		case e != nil:
			return handle(f, e)
		case how != next:
			return how, v
		}
		return otherwise(f)
	}
}

func (c compilation) except(s *syntax.Try) execution {
	handlers := c.handlers(s.Handlers)
	return c.attempted(s, func(f *frame, e *raised) (how flow, v Value) {
		for _, h := range handlers {
			if h.matches(f, e) {
				f.whileHandling(e, func() { how, v = h.run(f, e) })
				return how, v
			}
		}
		panic(e)
	})
}

// matches reports whether an except clause takes an exception.
func (h handler) matches(f *frame, e *raised) bool {
	return h.classes == nil || slices.ContainsFunc(h.classes(f), e.exception.class.inherits)
}

// run runs an except clause. Its name is unbound at the end, as in Python.
func (h handler) run(f *frame, e *raised) (flow, Value) {
	if h.bind != nil {
		h.bind(f, e.exception)
		defer h.unbind(f)
	}
	return h.body(f)
}

// whileHandling runs g while an exception is being handled: a bare raise raises it again, and it is the context of
// those that are raised.
func (f *frame) whileHandling(e *raised, g func()) {
	m, done := f.m, false
	before := m.checkpoint()
	e.exception.trace = append(slices.Clone(e.trace), level{e.at, f.tracebackTitle()})
	// sys.exc_info()'s stack: handlers nest.
	m.handled = append(m.handled, e)
	defer func() {
		m.handled = m.handled[:max(len(m.handled)-1, 0)]
		if done {
			return
		}
		next := m.unwind(recover(), before)
		if next.stop == nil {
			// __context__: what "During handling of the above exception" shows.
			next.exception.during(e.exception)
		}
		panic(next)
	}()
	g()
	done = true
}

// during notes that an exception was raised while another was being handled. A chain never becomes a ring.
func (e *Exception) during(context *Exception) {
	for at := context; at != nil; at = at.context {
		if at == e {
			return
		}
	}
	for at := e; at != context; at = at.context {
		if at.context == nil {
			at.context = context
			return
		}
	}
}

// attempt runs the body of a try statement; e is the exception that left it.
func (f *frame) attempt(body execution) (how flow, v Value, e *raised) {
	e = f.m.exceptionOf(func() { how, v = body(f) })
	if e != nil && e.stop != nil {
		panic(e)
	}
	return how, v, e
}

// handlerClasses compiles the classes that an except clause names.
func (c compilation) handlerClasses(h syntax.Handler) func(f *frame) []*Class {
	value := c.expr(h.Type)
	return func(f *frame) (classes []*Class) {
		wanted := value(f)
		list, ok := wanted.(Tuple)
		if !ok {
			list = Tuple{wanted}
		}
		f.m.at = h.Type.Span()
		for _, w := range list {
			c, ok := w.(*Class)
			if !ok || !c.exception {
				raise("TypeError", "catching classes that do not inherit from BaseException is not allowed")
			}
			classes = append(classes, c)
		}
		return classes
	}
}

func (c compilation) raise(s *syntax.Raise) execution {
	if s.Exc == nil {
		return goesOn(func(f *frame) {
			if n := len(f.m.handled); n > 0 {
				panic(f.m.handled[n-1])
			}
			raise("RuntimeError", "No active exception to reraise")
		})
	}
	value, cause := c.expr(s.Exc), c.optional(s.Cause)
	return goesOn(func(f *frame) {
		m := f.m
		e := raisableFrom(m, value(f), s.Span(), "exceptions must derive from BaseException")
		if s.Cause != nil {
			e.suppress, e.cause = true, nil
			if cause := cause(f); cause != none {
				e.cause = raisableFrom(m, cause, s.Span(), "exception causes must derive from BaseException")
			}
		}
		raiseAt(e, s.Span())
	})
}

// raisableFrom is an exception that a raise statement names: itself, or one of its class.
func raisableFrom(m *machine, v Value, at source.Span, otherwise string) *Exception {
	m.at = at
	if c, ok := v.(*Class); ok && c.exception {
		v = m.callValue(c, arguments{})
	}
	e, ok := v.(*Exception)
	if !ok {
		raise("TypeError", "%s", otherwise)
	}
	return e
}

func (c compilation) assert(s *syntax.Assert) execution {
	test, message, explained := c.expr(s.Test), c.optional(s.Msg), isTestFile(c.unit.file.Name)
	return goesOn(func(f *frame) {
		m := f.m
		if m.explain != nil && (explained || c.unit.space == m.main) {
			m.explain(f, s)
			return
		}
		if m.truthOf(test(f)) {
			return
		}
		e := newException(exceptions["AssertionError"])
		if s.Msg != nil {
			e.args = Tuple{message(f)}
		}
		// Python marks the test; what has failed is the statement.
		panic(&raised{exception: e, span: s.Span(), placed: true, at: s.Test.Span()})
	})
}
