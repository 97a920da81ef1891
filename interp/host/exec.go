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

// block runs statements until one leaves it; the Value is what a return statement gave.
func (m *machine) block(f *frame, body []syntax.Stmt) (flow, Value) {
	for _, s := range body {
		if how, v := m.exec(f, s); how != next {
			return how, v
		}
	}
	return next, nil
}

func (m *machine) exec(f *frame, s syntax.Stmt) (flow, Value) {
	m.at = s.Span()
	m.step(m.at)
	switch s := s.(type) {
	case *syntax.ExprStmt:
		m.eval(f, s.Value)
	case *syntax.Assign:
		v := m.eval(f, s.Value)
		for _, t := range s.Targets {
			m.assign(f, t, v)
		}
	case *syntax.AnnAssign:
		if s.Value != nil {
			m.assign(f, s.Target, m.eval(f, s.Value))
		}
	case *syntax.AugAssign:
		m.augment(f, s)
	case *syntax.Return:
		if s.Value == nil {
			return returns, none
		}
		return returns, m.eval(f, s.Value)
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
	case *syntax.Break:
		return breaks, nil
	case *syntax.Continue:
		return continues, nil
	case *syntax.If:
		if m.truth(m.eval(f, s.Test)) {
			return m.block(f, s.Body)
		}
		return m.block(f, s.Else)
	case *syntax.For:
		return m.forLoop(f, s)
	case *syntax.While:
		return m.whileLoop(f, s)
	case *syntax.With:
		return m.with(f, s, s.Items)
	case *syntax.Try:
		return m.try(f, s)
	case *syntax.Raise:
		m.raise(f, s)
	case *syntax.Assert:
		m.assert(f, s)
	case *syntax.Delete:
		for _, t := range s.Targets {
			m.delete(f, t)
		}
	default:
		m.declare(f, s)
	}
	return next, nil
}

// declare runs the statements that bind names of definitions and modules.
func (m *machine) declare(f *frame, s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Import:
		for _, a := range s.Names {
			m.importModule(f, a)
		}
	case *syntax.ImportFrom:
		m.importFrom(f, s)
	case *syntax.FunctionDef:
		m.define(f, s.Name, m.function(f, s))
	case *syntax.ClassDef:
		m.define(f, s.Name, m.class(f, s))
	default:
		halt(diag.New("host-unsupported", s.Span()))
	}
}

func (m *machine) enterLoop(span source.Span) { m.loops = append(m.loops, span) }
func (m *machine) leaveLoop()                 { m.loops = m.loops[:len(m.loops)-1] }

// headSpan is the first line of a statement.
func (m *machine) headSpan(s syntax.Stmt) source.Span {
	span := s.Span()
	line := m.file.LineSpan(m.file.Position(span.Start).Line)
	span.End = max(span.Start, min(span.End, line.End))
	return span
}

func (m *machine) forLoop(f *frame, s *syntax.For) (flow, Value) {
	it := m.iterate(m.eval(f, s.Iter))
	m.enterLoop(m.headSpan(s))
	depth := len(m.loops)
	for {
		m.at = s.Iter.Span()
		v, ok := it()
		if !ok {
			break
		}
		m.step(s.Target.Span())
		m.assign(f, s.Target, v)
		how, result := m.block(f, s.Body)
		m.loops = m.loops[:depth]
		if how == breaks || how == returns {
			m.leaveLoop()
			return leaveFlow(how), result
		}
	}
	m.leaveLoop()
	return m.block(f, s.Else)
}

// leaveFlow is how a loop ends after its body ended by how.
func leaveFlow(how flow) flow {
	if how == returns {
		return returns
	}
	return next
}

func (m *machine) whileLoop(f *frame, s *syntax.While) (flow, Value) {
	m.enterLoop(m.headSpan(s))
	depth := len(m.loops)
	for m.truth(m.eval(f, s.Test)) {
		m.step(s.Test.Span())
		how, result := m.block(f, s.Body)
		m.loops = m.loops[:depth]
		if how == breaks || how == returns {
			m.leaveLoop()
			return leaveFlow(how), result
		}
	}
	m.leaveLoop()
	return m.block(f, s.Else)
}

// with runs the body inside the context managers.
func (m *machine) with(f *frame, s *syntax.With, items []syntax.WithItem) (how flow, v Value) {
	if len(items) == 0 {
		return m.block(f, s.Body)
	}
	manager := m.eval(f, items[0].Context)
	enter, exit := m.managerOf(manager)
	entered := enter()
	if items[0].Target != nil {
		m.assign(f, items[0].Target, entered)
	}
	done := false
	loops, depth := len(m.loops), m.depth
	defer func() {
		if done {
			return
		}
		e := m.caught(recover())
		m.loops, m.depth = m.loops[:loops], depth
		if e.stop != nil || !exit(e.exception) {
			panic(e)
		}
		how, v = next, nil
	}()
	how, v = m.with(f, s, items[1:])
	done = true
	exit(nil)
	return how, v
}

func (m *machine) try(f *frame, s *syntax.Try) (how flow, v Value) {
	if len(s.Finally) == 0 {
		return m.tryHandlers(f, s)
	}
	loops, depth := len(m.loops), m.depth
	done := false
	defer func() {
		if done {
			return
		}
		e := m.caught(recover())
		if e.stop != nil {
			panic(e)
		}
		m.loops, m.depth = m.loops[:loops], depth
		if how, v = m.block(f, s.Finally); how == next {
			panic(e)
		}
	}()
	how, v = m.tryHandlers(f, s)
	done = true
	if left, result := m.block(f, s.Finally); left != next {
		return left, result
	}
	return how, v
}

func (m *machine) tryHandlers(f *frame, s *syntax.Try) (flow, Value) {
	how, v, e := m.attempt(f, s.Body)
	if e == nil {
		if how != next {
			return how, v
		}
		return m.block(f, s.Else)
	}
	for _, h := range s.Handlers {
		if !m.catches(f, h, e) {
			continue
		}
		m.handled = append(m.handled, e)
		defer func() { m.handled = m.handled[:max(len(m.handled)-1, 0)] }()
		if h.Name != "" {
			m.define(f, h.Name, e.exception)
		}
		return m.block(f, h.Body)
	}
	panic(e)
}

// attempt runs the body of a try statement; e is the exception that left it.
func (m *machine) attempt(f *frame, body []syntax.Stmt) (how flow, v Value, e *raised) {
	loops, depth, done := len(m.loops), m.depth, false
	defer func() {
		if done {
			return
		}
		if e = m.caught(recover()); e.stop != nil {
			panic(e)
		}
		m.loops, m.depth = m.loops[:loops], depth
	}()
	how, v = m.block(f, body)
	done = true
	return how, v, nil
}

// catches reports whether an except clause takes an exception.
func (m *machine) catches(f *frame, h syntax.Handler, e *raised) bool {
	if h.Type == nil {
		return true
	}
	wanted := m.eval(f, h.Type)
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

func (m *machine) raise(f *frame, s *syntax.Raise) {
	if s.Exc == nil {
		if n := len(m.handled); n > 0 {
			panic(m.handled[n-1])
		}
		raise("RuntimeError", "No active exception to reraise")
	}
	v := m.eval(f, s.Exc)
	if s.Cause != nil {
		m.eval(f, s.Cause)
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

func (m *machine) assert(f *frame, s *syntax.Assert) {
	if m.truth(m.eval(f, s.Test)) {
		return
	}
	e := &Exception{class: exceptions["AssertionError"]}
	if s.Msg != nil {
		e.args = Tuple{m.eval(f, s.Msg)}
	}
	panic(&raised{exception: e, span: s.Span(), placed: true})
}
