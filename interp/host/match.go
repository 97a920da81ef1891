package host

import (
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// execMatch runs the first case whose pattern takes the subject.
func (f *frame) execMatch(s *syntax.Match) (flow, Value) {
	m := f.m
	subject := f.evalExpr(s.Subject)
	for i := range s.Cases {
		c := &s.Cases[i]
		m.at = c.Pattern.Span()
		m.budget.countStep(m.at)
		if f.matches(c.Pattern, subject) && (c.Guard == nil || m.truthOf(f.evalExpr(c.Guard))) {
			return f.execBlock(c.Body)
		}
	}
	return next, nil
}

// matches reports whether a pattern takes a value, and binds its names. Names of a pattern that fails halfway stay
// bound, as CPython leaves open.
func (f *frame) matches(p syntax.Pattern, v Value) bool {
	m := f.m
	switch p := p.(type) {
	case *syntax.MatchValue:
		return f.matchesValue(p, v)
	case *syntax.MatchAs:
		if p.Pattern != nil && !f.matches(p.Pattern, v) {
			return false
		}
		if p.Name != nil {
			f.storeName(p.Name, v)
		}
		return true
	case *syntax.MatchOr:
		for _, one := range p.Patterns {
			if f.matches(one, v) {
				return true
			}
		}
	case *syntax.MatchSequence:
		// A str is a sequence everywhere else in Python, but not for a pattern.
		if items, ok := sequenceItems(plain(v)); ok {
			return f.matchesSequence(p.Patterns, items)
		}
	case *syntax.MatchMapping:
		if d, ok := plain(v).(*Dict); ok {
			return f.matchesMapping(p, d)
		}
	case *syntax.MatchClass:
		m.at = p.Class.Span()
		return f.matchesClass(p, v)
	}
	return false
}

func (f *frame) matchesValue(p *syntax.MatchValue, v Value) bool {
	wanted := f.evalExpr(p.Value)
	f.m.at = p.Span()
	if c, ok := p.Value.(*syntax.Constant); ok && c.Kind <= syntax.FalseConst { // None, True and False
		return identical(v, wanted)
	}
	return f.m.equalValues(v, wanted)
}

// matchesSequence compares items with patterns, of which one may be *rest.
func (f *frame) matchesSequence(patterns []syntax.Pattern, items []Value) bool {
	star := -1
	for i, p := range patterns {
		if _, ok := p.(*syntax.MatchStar); ok {
			star = i
		}
	}
	if star < 0 {
		return len(patterns) == len(items) && f.matchesEach(patterns, items)
	}
	after := len(patterns) - star - 1
	if len(items) < star+after {
		return false
	}
	rest := items[star : len(items)-after]
	if !f.matchesEach(patterns[:star], items[:star]) || !f.matchesEach(patterns[star+1:], items[len(items)-after:]) {
		return false
	}
	if name := patterns[star].(*syntax.MatchStar).Name; name != nil {
		f.m.budget.chargeItems(len(rest))
		f.storeName(name, &List{append([]Value{}, rest...)})
	}
	return true
}

func (f *frame) matchesEach(patterns []syntax.Pattern, items []Value) bool {
	for i, p := range patterns {
		if !f.matches(p, items[i]) {
			return false
		}
	}
	return true
}

func (f *frame) matchesMapping(p *syntax.MatchMapping, d *Dict) bool {
	// A mapping pattern takes mappings with more keys than it names; **rest gets those.
	rest := newDict()
	d.each(rest.set)
	for i, k := range p.Keys {
		key := f.evalExpr(k)
		v, ok := d.get(key)
		if !ok || !f.matches(p.Patterns[i], v) {
			return false
		}
		rest.remove(key)
	}
	if p.Rest != nil {
		f.m.budget.chargeItems(rest.live)
		f.storeName(p.Rest, rest)
	}
	return true
}

// selfMatched are the classes whose one positional pattern takes the object itself.
var selfMatched = map[string]bool{"bool": true, "bytearray": true, "bytes": true, "dict": true, "float": true,
	"frozenset": true, "int": true, "list": true, "set": true, "str": true, "tuple": true}

func (f *frame) matchesClass(p *syntax.MatchClass, v Value) bool {
	m := f.m
	c, ok := f.evalExpr(p.Class).(*Class)
	if !ok {
		raise("TypeError", "called match pattern must be a class")
	}
	if !m.isInstance(v, c) {
		return false
	}
	attrs := p.Attrs
	patterns := p.AttrPatterns
	// PEP 634: for these builtin classes case int(x) binds x to the subject itself.
	if n := len(p.Patterns); n == 1 && selfMatched[c.Name] && builtinClass(c) {
		if !f.matches(p.Patterns[0], v) {
			return false
		}
	} else if n > 0 {
		named, _ := c.find("__match_args__")
		names, _ := named.(Tuple)
		if n > len(names) {
			raise("TypeError", "%s() accepts %d positional sub-pattern%s (%d given)", c.Name, len(names),
				plural(len(names)), n)
		}
		for i, q := range p.Patterns {
			x, ok := m.attrOr(v, string(names[i].(python.Str)))
			if !ok || !f.matches(q, x) {
				return false
			}
		}
	}
	for i, name := range attrs {
		// A pattern does not match where the attribute is missing; it raises nothing.
		x, ok := m.attrOr(v, name)
		if !ok || !f.matches(patterns[i], x) {
			return false
		}
	}
	return true
}
