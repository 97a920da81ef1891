package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// matcher is a pattern, compiled: it reports whether it takes a value, and binds its names. Names of a pattern that
// fails halfway stay bound, as CPython leaves open.
type matcher func(f *frame, v Value) bool

// match compiles a statement that runs the first case whose pattern takes the subject.
func (c compilation) match(s *syntax.Match) execution {
	type matchCase struct {
		takes matcher
		guard evaluation // nil where there is none
		body  execution
	}
	subject, cases := c.expr(s.Subject), make([]matchCase, len(s.Cases))
	for i, one := range s.Cases {
		cases[i] = matchCase{takes: c.pattern(one.Pattern), body: c.block(one.Body)}
		if one.Guard != nil {
			cases[i].guard = c.expr(one.Guard)
		}
	}
	return func(f *frame) (flow, Value) {
		m, v := f.m, subject(f)
		for i, one := range cases {
			m.at = s.Cases[i].Pattern.Span()
			m.budget.countStep(m.at)
			if one.takes(f, v) && (one.guard == nil || m.truthOf(one.guard(f))) {
				return one.body(f)
			}
		}
		return next, nil
	}
}

func (c compilation) pattern(p syntax.Pattern) matcher {
	switch p := p.(type) {
	case *syntax.MatchValue:
		return c.valuePattern(p)
	case *syntax.MatchAs:
		takes, store := matcher(anything), c.capture(p.Name)
		if p.Pattern != nil {
			takes = c.pattern(p.Pattern)
		}
		return func(f *frame, v Value) bool {
			if !takes(f, v) {
				return false
			}
			store(f, v)
			return true
		}
	case *syntax.MatchOr:
		patterns := c.patterns(p.Patterns)
		return func(f *frame, v Value) bool {
			return slices.ContainsFunc(patterns, func(takes matcher) bool { return takes(f, v) })
		}
	case *syntax.MatchSequence:
		return c.sequencePattern(p.Patterns)
	case *syntax.MatchMapping:
		return c.mappingPattern(p)
	case *syntax.MatchClass:
		return c.classPattern(p)
	}
	return func(*frame, Value) bool { return false }
}

func (c compilation) patterns(list []syntax.Pattern) []matcher {
	out := make([]matcher, len(list))
	for i, p := range list {
		out[i] = c.pattern(p)
	}
	return out
}

func anything(*frame, Value) bool { return true }

// capture stores what a pattern has taken, if it has a name.
func (c compilation) capture(name *syntax.Name) assignment {
	if name == nil {
		return func(*frame, Value) {}
	}
	return c.storeName(name)
}

func (c compilation) valuePattern(p *syntax.MatchValue) matcher {
	value, same := c.expr(p.Value), (*machine).equalValues
	if constant, ok := p.Value.(*syntax.Constant); ok && constant.Kind <= syntax.FalseConst { // None, True and False
		same = func(_ *machine, v, wanted Value) bool { return identical(v, wanted) }
	}
	return func(f *frame, v Value) bool {
		wanted := value(f)
		f.m.at = p.Span()
		return same(f.m, v, wanted)
	}
}

// sequencePattern compares items with patterns, of which one may be *rest.
func (c compilation) sequencePattern(list []syntax.Pattern) matcher {
	patterns, star, n, store := c.patterns(list), -1, len(list), c.capture(nil)
	for i, p := range list {
		if rest, ok := p.(*syntax.MatchStar); ok {
			star, n, store = i, len(list)-1, c.capture(rest.Name)
		}
	}
	return func(f *frame, v Value) bool {
		// A str is a sequence everywhere else in Python, but not for a pattern.
		items, ok := sequenceItems(plain(v))
		more := len(items) - n
		if !ok || more < 0 || more > 0 && star < 0 {
			return false
		}
		for i, takes := range patterns {
			switch {
			case i == star:
				continue
			case star >= 0 && i > star:
				i += more - 1
			}
			if !takes(f, items[i]) {
				return false
			}
		}
		if star >= 0 {
			f.m.budget.chargeItems(more)
			store(f, &List{slices.Clone(items[star : star+more])})
		}
		return true
	}
}

// mappingPattern takes mappings with more keys than it names; **rest gets those.
func (c compilation) mappingPattern(p *syntax.MatchMapping) matcher {
	keys, patterns, store := c.exprs(p.Keys), c.patterns(p.Patterns), c.capture(p.Rest)
	return func(f *frame, v Value) bool {
		d, ok := plain(v).(*Dict)
		if !ok {
			return false
		}
		rest := newDict()
		d.each(rest.set)
		for i, k := range keys {
			key := k(f)
			v, ok := d.get(key)
			if !ok || !patterns[i](f, v) {
				return false
			}
			rest.remove(key)
		}
		f.m.budget.chargeItems(rest.live)
		store(f, rest)
		return true
	}
}

// selfMatched are the classes whose one positional pattern takes the object itself.
var selfMatched = map[string]bool{"bool": true, "bytearray": true, "bytes": true, "dict": true, "float": true,
	"frozenset": true, "int": true, "list": true, "set": true, "str": true, "tuple": true}

func (c compilation) classPattern(p *syntax.MatchClass) matcher {
	class, patterns, attrs := c.expr(p.Class), c.patterns(p.Patterns), c.patterns(p.AttrPatterns)
	return func(f *frame, v Value) bool {
		m := f.m
		m.at = p.Class.Span()
		c, ok := class(f).(*Class)
		if !ok {
			raise("TypeError", "called match pattern must be a class")
		}
		if !m.isInstance(v, c) {
			return false
		}
		// A pattern does not match where the attribute is missing; it raises nothing.
		has := func(name string, takes matcher) bool {
			x, ok := m.attrOr(v, name)
			return ok && takes(f, x)
		}
		// PEP 634: for these builtin classes case int(x) binds x to the subject itself.
		if n := len(patterns); n == 1 && selfMatched[c.Name] && builtinClass(c) {
			if !patterns[0](f, v) {
				return false
			}
		} else if n > 0 {
			named, _ := c.find("__match_args__")
			names, _ := named.(Tuple)
			if n > len(names) {
				raise("TypeError", "%s() accepts %d positional sub-pattern%s (%d given)", c.Name, len(names),
					plural(len(names)), n)
			}
			for i, takes := range patterns {
				if !has(string(names[i].(python.Str)), takes) {
					return false
				}
			}
		}
		for i, name := range p.Attrs {
			if !has(name, attrs[i]) {
				return false
			}
		}
		return true
	}
}
