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

// execBlock runs statements until one leaves the block; the Value is that of a return statement.
func (f *frame) execBlock(body []syntax.Stmt) (flow, Value) {
	for _, s := range body {
		if how, v := f.execStmt(s); how != next {
			return how, v
		}
	}
	return next, nil
}

func (f *frame) execStmt(s syntax.Stmt) (flow, Value) {
	m := f.m
	m.at = s.Span()
	m.budget.countStep(m.at)
	switch s := s.(type) {
	case *syntax.ExprStmt:
		f.evalExpr(s.Value)
	case *syntax.Assign:
		v := f.evalExpr(s.Value)
		for _, t := range s.Targets {
			f.assignTo(t, v)
		}
	case *syntax.AnnAssign:
		if s.Value != nil {
			f.assignTo(s.Target, f.evalExpr(s.Value))
		}
		f.noteAnnotation(s)
	case *syntax.AugAssign:
		f.augmentedAssign(s)
	case *syntax.Return:
		if s.Value == nil {
			return returns, none
		}
		return returns, f.evalExpr(s.Value)
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
	case *syntax.Break:
		return breaks, nil
	case *syntax.Continue:
		return continues, nil
	case *syntax.If:
		if m.truthOf(f.evalExpr(s.Test)) {
			return f.execBlock(s.Body)
		}
		return f.execBlock(s.Else)
	case *syntax.For:
		return f.execFor(s)
	case *syntax.While:
		return f.execWhile(s)
	case *syntax.With:
		return f.execWith(s, s.Items)
	case *syntax.Try:
		return f.execTry(s)
	case *syntax.Match:
		return f.execMatch(s)
	case *syntax.Raise:
		f.execRaise(s)
	case *syntax.Assert:
		f.execAssert(s)
	case *syntax.Delete:
		for _, t := range s.Targets {
			f.deleteTarget(t)
		}
	default:
		f.execDefinition(s)
	}
	return next, nil
}

// execDefinition runs the statements that bind names of definitions and modules.
func (f *frame) execDefinition(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Import:
		for _, a := range s.Names {
			f.importModule(a)
		}
	case *syntax.ImportFrom:
		f.importFrom(s)
	case *syntax.FunctionDef:
		f.bindName(s.Name, f.makeFunction(s))
	case *syntax.ClassDef:
		f.bindName(s.Name, f.makeClass(s))
	default:
		halt(diag.New("host-unsupported", s.Span()))
	}
}

// headSpan is the first line of a statement.
func (f *frame) headSpan(s syntax.Stmt) source.Span {
	span, file := s.Span(), f.unit.file
	line := file.LineSpan(file.Position(span.Start).Line)
	span.End = max(span.Start, min(span.End, line.End))
	return span
}

func (f *frame) execFor(s *syntax.For) (flow, Value) {
	m := f.m
	items := f.evalExpr(s.Iter)
	it := m.iterateOver(items)
	m.budget.enterLoop(f.headSpan(s))
	// Loops of the body that are left without leaveLoop, by an exception, are cut back to this depth.
	depth := len(m.budget.loops)
	for {
		m.at = s.Iter.Span() // the body has moved it, and the iterator may raise
		v, ok := it()
		if !ok {
			break
		}
		m.budget.countStep(s.Target.Span())
		f.assignTo(s.Target, v)
		how, result := f.execBlock(s.Body)
		m.budget.loops = m.budget.loops[:depth]
		if how == breaks || how == returns {
			m.budget.leaveLoop()
			closeUnnamed(items, s.Iter.Span())
			return leaveFlow(how), result
		}
	}
	m.budget.leaveLoop()
	return f.execBlock(s.Else) // which runs unless the loop was left by break
}

// leaveFlow is how a loop ends after its body ended by how.
func leaveFlow(how flow) flow {
	if how == returns {
		return returns
	}
	return next
}

func (f *frame) execWhile(s *syntax.While) (flow, Value) {
	m := f.m
	m.budget.enterLoop(f.headSpan(s))
	depth := len(m.budget.loops)
	for m.truthOf(f.evalExpr(s.Test)) {
		m.budget.countStep(s.Test.Span())
		how, result := f.execBlock(s.Body)
		m.budget.loops = m.budget.loops[:depth]
		if how == breaks || how == returns {
			m.budget.leaveLoop()
			return leaveFlow(how), result
		}
	}
	m.budget.leaveLoop()
	return f.execBlock(s.Else)
}

// execWith runs the body inside the context managers.
func (f *frame) execWith(s *syntax.With, items []syntax.WithItem) (how flow, v Value) {
	m := f.m
	if len(items) == 0 {
		return f.execBlock(s.Body)
	}
	manager := f.evalExpr(items[0].Context)
	enter, exit := m.contextManager(manager)
	// From here on __exit__ is called in every case; an exception in __enter__ itself is not the manager's.
	entered := enter()
	if items[0].Target != nil {
		f.assignTo(items[0].Target, entered)
	}
	done := false
	loops, depth := len(m.budget.loops), m.budget.depth
	defer func() {
		if done {
			return
		}
		e, swallowed := m.caughtFrom(recover()), false
		m.budget.loops, m.budget.depth, m.frame = m.budget.loops[:loops], depth, f
		// The end of the run is no exception: managers do not see it, nor can they swallow it.
		if e.stop == nil {
			f.whileHandling(e, func() { swallowed = exit(e.exception) })
		}
		if !swallowed {
			panic(e)
		}
		how, v = next, nil
	}()
	// Each further item is a with statement inside the one before it.
	how, v = f.execWith(s, items[1:])
	done = true
	m.at = s.Span()
	exit(nil)
	return how, v
}

func (f *frame) execTry(s *syntax.Try) (how flow, v Value) {
	m := f.m
	if len(s.Finally) == 0 {
		return f.tryHandlers(s)
	}
	loops, depth := len(m.budget.loops), m.budget.depth
	done := false
	defer func() {
		if done {
			return
		}
		e := m.caughtFrom(recover())
		// The end of a run is no exception: no finally block may delay it, nor a loop in one.
		if e.stop != nil {
			panic(e)
		}
		m.budget.loops, m.budget.depth, m.frame = m.budget.loops[:loops], depth, f
		// A finally block that returns, breaks or continues discards the exception.
		f.whileHandling(e, func() { how, v = f.execBlock(s.Finally) })
		if how == next {
			panic(e)
		}
	}()
	how, v = f.tryHandlers(s)
	done = true
	// A finally block that leaves by return, break or continue replaces how the try block ended.
	if left, result := f.execBlock(s.Finally); left != next {
		return left, result
	}
	return how, v
}

func (f *frame) tryHandlers(s *syntax.Try) (flow, Value) {
	if s.Group {
		return f.execExceptStar(s)
	}
	how, v, e := f.runTryBody(s.Body)
	if e == nil {
		if how != next {
			return how, v
		}
		return f.execBlock(s.Else)
	}
	// The classes of a clause are evaluated only when the clauses before it did not match.
	for _, h := range s.Handlers {
		if !f.handlerMatches(h, e) {
			continue
		}
		f.whileHandling(e, func() { how, v = f.runHandler(h, e) })
		return how, v
	}
	panic(e)
}

// runHandler runs an except clause. Its name is unbound at the end, as in Python.
func (f *frame) runHandler(h syntax.Handler, e *raised) (flow, Value) {
	if h.Name == "" {
		return f.execBlock(h.Body)
	}
	f.bindName(h.Name, e.exception)
	defer f.unbindName(h.Name)
	return f.execBlock(h.Body)
}

// whileHandling runs g while an exception is being handled: a bare raise raises it again, and it is the context of
// those that are raised.
func (f *frame) whileHandling(e *raised, g func()) {
	m, done := f.m, false
	e.exception.trace = append(slices.Clone(e.trace), level{e.at, f.tracebackTitle()})
	// sys.exc_info()'s stack: handlers nest.
	m.handled = append(m.handled, e)
	defer func() {
		m.handled = m.handled[:max(len(m.handled)-1, 0)]
		if done {
			return
		}
		next := m.caughtFrom(recover())
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

// runTryBody runs the body of a try statement; e is the exception that left it.
func (f *frame) runTryBody(body []syntax.Stmt) (how flow, v Value, e *raised) {
	e = f.m.exceptionOf(func() { how, v = f.execBlock(body) })
	if e != nil && e.stop != nil {
		panic(e)
	}
	return how, v, e
}

// handlerMatches reports whether an except clause takes an exception.
func (f *frame) handlerMatches(h syntax.Handler, e *raised) bool {
	return h.Type == nil || slices.ContainsFunc(f.handlerClasses(h), e.exception.class.inherits)
}

// handlerClasses are the classes that an except clause names.
func (f *frame) handlerClasses(h syntax.Handler) (classes []*Class) {
	wanted := f.evalExpr(h.Type)
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

func (f *frame) execRaise(s *syntax.Raise) {
	m := f.m
	if s.Exc == nil {
		if n := len(m.handled); n > 0 {
			panic(m.handled[n-1])
		}
		raise("RuntimeError", "No active exception to reraise")
	}
	e := raisableFrom(m, f.evalExpr(s.Exc), s.Span(), "exceptions must derive from BaseException")
	if s.Cause != nil {
		e.suppress, e.cause = true, nil
		if cause := f.evalExpr(s.Cause); cause != none {
			e.cause = raisableFrom(m, cause, s.Span(), "exception causes must derive from BaseException")
		}
	}
	raiseAt(e, s.Span())
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

func (f *frame) execAssert(s *syntax.Assert) {
	m := f.m
	if m.explain != nil && f.unit.space == m.main {
		m.explain(f, s)
		return
	}
	if m.truthOf(f.evalExpr(s.Test)) {
		return
	}
	e := newException(exceptions["AssertionError"])
	if s.Msg != nil {
		e.args = Tuple{f.evalExpr(s.Msg)}
	}
	// Python marks the test; what has failed is the statement.
	panic(&raised{exception: e, span: s.Span(), placed: true, at: s.Test.Span()})
}
