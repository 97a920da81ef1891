package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// groupMembers are the exceptions in a group.
func groupMembers(e *Exception) []Value {
	if len(e.args) != 2 {
		return nil
	}
	list, _ := sequenceItems(e.args[1])
	return list
}

func isGroup(e *Exception) bool { return e.class.isA("BaseExceptionGroup") }

// like makes a group of some of a group's exceptions; nil if there are none.
func (e *Exception) like(members []Value) *Exception {
	if len(members) == 0 {
		return nil
	}
	g := newException(e.class, e.args[0], &List{members})
	g.trace, g.cause, g.context, g.suppress = e.trace, e.cause, e.context, e.suppress
	return g
}

// split parts what a test takes from the rest, keeping the nesting; either may be nil.
func (e *Exception) split(takes func(*Exception) bool) (matched, rest *Exception) {
	if takes(e) {
		return e, nil
	}
	if !isGroup(e) {
		return nil, e
	}
	var in, out []Value
	for _, v := range groupMembers(e) {
		member, ok := v.(*Exception)
		if !ok {
			continue
		}
		m, r := member.split(takes)
		if m != nil {
			in = append(in, m)
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return e.like(in), e.like(out)
}

// newGroup is ExceptionGroup(message, exceptions), checked.
func newGroup(m *machine, c *Class, args []Value) *Exception {
	if len(args) != 2 {
		raise("TypeError", "BaseExceptionGroup.__new__() takes exactly 2 arguments (%d given)", len(args))
	}
	list := m.itemsOf(args[1])
	if len(list) == 0 {
		raise("ValueError", "second argument (exceptions) must be a non-empty sequence")
	}
	for i, v := range list {
		if !is[*Exception](v) {
			raise("ValueError", "Item %d of second argument (exceptions) is not an exception", i)
		}
	}
	return newException(c, args...)
}

// exceptStar compiles a try statement with except*: each clause takes its part of the group out, and what is left, with
// what the clauses raised, goes on.
func (c compilation) exceptStar(s *syntax.Try) execution {
	handlers := c.handlers(s.Handlers)
	return c.attempted(s, func(f *frame, e *raised) (how flow, v Value) {
		rest := e.exception
		var raisedAgain []Value
		for _, h := range handlers {
			if rest == nil {
				break
			}
			classes := h.classes(f)
			var matched *Exception
			if matched, rest = rest.split(func(x *Exception) bool {
				return slices.ContainsFunc(classes, x.class.inherits)
			}); matched == nil {
				continue
			}
			if !isGroup(matched) {
				matched = newException(exceptions["ExceptionGroup"], python.Str(""), Tuple{matched})
			}
			part := &raised{exception: matched, span: e.span, placed: true, at: e.at, trace: e.trace}
			again := f.m.exceptionOf(func() { f.whileHandling(part, func() { how, v = h.run(f, part) }) })
			switch {
			case again != nil && again.stop != nil:
				panic(again)
			case again != nil:
				raisedAgain = append(raisedAgain, again.exception)
			case how != next:
				return how, v
			}
		}
		if rest != nil {
			raisedAgain = append(raisedAgain, rest)
		}
		switch {
		case len(raisedAgain) == 0:
			return next, nil
		case len(raisedAgain) == 1:
			raiseAt(raisedAgain[0].(*Exception), e.span)
		}
		raiseAt(newException(exceptions["ExceptionGroup"], python.Str(""), &List{raisedAgain}), e.span)
		return next, nil
	})
}

// groupMethods are the methods of exception groups.
var groupMethods = map[string]method{
	"split(self, /, condition)": func(m *machine, a arguments) Value {
		matched, rest := self[*Exception](a).split(groupTest(m, a.positional[1]))
		return Tuple{orNone(matched), orNone(rest)}
	},
	"subgroup(self, /, condition)": func(m *machine, a arguments) Value {
		matched, _ := self[*Exception](a).split(groupTest(m, a.positional[1]))
		return orNone(matched)
	},
	"derive(self, /, excs)": func(m *machine, a arguments) Value {
		e := self[*Exception](a)
		return newException(e.class, e.args[0], a.positional[1])
	},
}

func orNone(e *Exception) Value {
	if e == nil {
		return none
	}
	return e
}

// groupTest is the condition of split: classes of exceptions, or a function.
func groupTest(m *machine, v Value) func(*Exception) bool {
	switch x := v.(type) {
	case *Class, Tuple:
		return func(e *Exception) bool { return m.isInstance(e, x) }
	}
	return func(e *Exception) bool { return m.truthOf(m.callWith(v, e)) }
}
