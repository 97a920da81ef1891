package host

import (
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
		if how, v := f.exec(s); how != next {
			return how, v
		}
	}
	return next, nil
}

func (f *frame) exec(s syntax.Stmt) (flow, Value) {
	m := f.m
	m.at = s.Span()
	m.budget.countStep(m.at)
	switch s := s.(type) {
	case *syntax.ExprStmt:
		f.eval(s.Value)
	case *syntax.Assign:
		v := f.eval(s.Value)
		for _, t := range s.Targets {
			f.assignTo(t, v)
		}
	case *syntax.AnnAssign:
		if s.Value != nil {
			f.assignTo(s.Target, f.eval(s.Value))
		}
	case *syntax.AugAssign:
		f.augmentedAssign(s)
	case *syntax.Return:
		if s.Value == nil {
			return returns, none
		}
		return returns, f.eval(s.Value)
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
	case *syntax.Break:
		return breaks, nil
	case *syntax.Continue:
		return continues, nil
	case *syntax.If:
		if m.truth(f.eval(s.Test)) {
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
func (m *machine) headSpan(s syntax.Stmt) source.Span {
	span := s.Span()
	line := m.file.LineSpan(m.file.Position(span.Start).Line)
	span.End = max(span.Start, min(span.End, line.End))
	return span
}

func (f *frame) execFor(s *syntax.For) (flow, Value) {
	m := f.m
	it := m.iterate(f.eval(s.Iter))
	m.budget.enterLoop(m.headSpan(s))
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
	m.budget.enterLoop(m.headSpan(s))
	depth := len(m.budget.loops)
	for m.truth(f.eval(s.Test)) {
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
	manager := f.eval(items[0].Context)
	enter, exit := m.contextManager(manager)
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
		e := m.caught(recover())
		m.budget.loops, m.budget.depth = m.budget.loops[:loops], depth
		// The end of the run is no exception: managers do not see it, nor can they swallow it.
		if e.stop != nil || !exit(e.exception) {
			panic(e)
		}
		how, v = next, nil
	}()
	how, v = f.execWith(s, items[1:])
	done = true
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
		e := m.caught(recover())
		if e.stop != nil {
			panic(e)
		}
		m.budget.loops, m.budget.depth = m.budget.loops[:loops], depth
		// A finally block that returns, breaks or continues discards the exception.
		if how, v = f.execBlock(s.Finally); how == next {
			panic(e)
		}
	}()
	how, v = f.tryHandlers(s)
	done = true
	if left, result := f.execBlock(s.Finally); left != next {
		return left, result
	}
	return how, v
}

func (f *frame) tryHandlers(s *syntax.Try) (flow, Value) {
	m := f.m
	how, v, e := f.runTryBody(s.Body)
	if e == nil {
		if how != next {
			return how, v
		}
		return f.execBlock(s.Else)
	}
	for _, h := range s.Handlers {
		if !f.handlerMatches(h, e) {
			continue
		}
		m.handled = append(m.handled, e) // what a bare raise raises again
		defer func() { m.handled = m.handled[:max(len(m.handled)-1, 0)] }()
		if h.Name != "" {
			f.bindName(h.Name, e.exception)
		}
		return f.execBlock(h.Body)
	}
	panic(e)
}

// runTryBody runs the body of a try statement; e is the exception that left it.
func (f *frame) runTryBody(body []syntax.Stmt) (how flow, v Value, e *raised) {
	m := f.m
	loops, depth, done := len(m.budget.loops), m.budget.depth, false
	defer func() {
		if done {
			return
		}
		if e = m.caught(recover()); e.stop != nil {
			panic(e)
		}
		m.budget.loops, m.budget.depth = m.budget.loops[:loops], depth
	}()
	how, v = f.execBlock(body)
	done = true
	return how, v, nil
}

// handlerMatches reports whether an except clause takes an exception.
func (f *frame) handlerMatches(h syntax.Handler, e *raised) bool {
	if h.Type == nil {
		return true
	}
	wanted := f.eval(h.Type)
	list, ok := wanted.(Tuple)
	if !ok {
		list = Tuple{wanted}
	}
	for _, w := range list {
		if c, ok := w.(*Class); ok && e.exception.class.inherits(c) {
			return true
		}
	}
	return false
}

func (f *frame) execRaise(s *syntax.Raise) {
	m := f.m
	if s.Exc == nil {
		if n := len(m.handled); n > 0 {
			panic(m.handled[n-1])
		}
		raise("RuntimeError", "No active exception to reraise")
	}
	v := f.eval(s.Exc)
	if s.Cause != nil {
		f.eval(s.Cause)
	}
	m.at = s.Span()
	if c, ok := v.(*Class); ok {
		v = m.call(c, arguments{})
	}
	e, ok := v.(*Exception)
	if !ok {
		raise("TypeError", "exceptions must derive from BaseException")
	}
	panic(&raised{exception: e, span: s.Span(), placed: true})
}

func (f *frame) execAssert(s *syntax.Assert) {
	m := f.m
	if m.truth(f.eval(s.Test)) {
		return
	}
	e := &Exception{class: exceptions["AssertionError"]}
	if s.Msg != nil {
		e.args = Tuple{f.eval(s.Msg)}
	}
	panic(&raised{exception: e, span: s.Span(), placed: true})
}
