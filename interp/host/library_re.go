package host

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/host/regex"
)

// pattern is a compiled regular expression.
type pattern struct {
	*regex.Program
	source Value // a str, or bytes
}

// subject is what a pattern is matched with, by characters or bytes.
type subject struct {
	source Value
	text   []rune
}

// match is one match; spans are places in the subject, -1 for groups without a match.
type match struct {
	pattern  *pattern
	object   *Instance // the pattern's
	in       *subject
	pos, end int // what was searched
	spans    []int
}

// reLibrary is what prelude/re.py stands on.
func reLibrary(*machine) map[string]Value {
	re := &regexes{}
	re.matches = re.matchClass()
	re.patterns = re.patternClass()
	members := functions(map[string]method{"_compile(pattern, flags)": re.compile})
	members["Pattern"], members["Match"] = re.patterns, re.matches
	return members
}

// regexes are what the patterns of one session share.
type regexes struct {
	patterns, matches *Class
	last              *subject
}

func (re *regexes) compile(m *machine, a arguments) Value {
	v := a.positional[0]
	if !is[python.Str](v) && !is[Bytes](v) {
		raise("TypeError", "first argument must be string or compiled pattern")
	}
	text := re.subject(m, v).text
	if len(text) > 1<<14 {
		limit("ValueError", "a regular expression has more than %d characters", 1<<14)
	}
	program, err := regex.Compile(text, int(asIndex(a.positional[1])), is[Bytes](v))
	var wrong *regex.Error
	switch {
	case errors.As(err, &wrong):
		args := []Value{python.Str(wrong.Message), v, intValue(wrong.At)}
		if wrong.At < 0 {
			args = args[:1]
		}
		raiseAt(m.callWith(m.libraryMember("re", "error"), args...).(*Exception), m.at)
	case err != nil:
		limit("ValueError", "%s", err)
	}
	return m.newNative(re.patterns, &pattern{program, v})
}

// subject takes a text or bytes apart. Scripts match one text at many places: the last is kept.
func (re *regexes) subject(m *machine, v Value) *subject {
	v = plain(v)
	if s, ok := v.(python.Str); ok {
		if re.last == nil || re.last.source != v {
			m.budget.chargeItems(len(s) / 8)
			re.last = &subject{v, []rune(string(s))}
		}
		return re.last
	}
	data, ok := bytesIn(v)
	if !ok {
		raise("TypeError", "expected string or bytes-like object, got '%s'", v.Type())
	}
	m.budget.chargeItems(len(data) / 8)
	text := make([]rune, len(data))
	for i := range text {
		text[i] = rune(data[i])
	}
	return &subject{Bytes(data), text}
}

// part is a part of a subject.
func (s *subject) part(from, to int) Value {
	if !is[Bytes](s.source) {
		return python.Str(s.text[from:to])
	}
	return s.source.(Bytes)[from:to]
}

// subjectOf is the subject for a pattern, of whose kind it must be.
func (re *regexes) subjectOf(m *machine, p *pattern, v Value) *subject {
	s := re.subject(m, v)
	switch {
	case is[Bytes](p.source) && !is[Bytes](s.source):
		raise("TypeError", "cannot use a bytes pattern on a string-like object")
	case !is[Bytes](p.source) && is[Bytes](s.source):
		raise("TypeError", "cannot use a string pattern on a bytes-like object")
	}
	return s
}

// find looks for one match.
func (p *pattern) find(m *machine, s *subject, start, end int, mode regex.Mode, filled bool) []int {
	return p.Find(s.text, start, end, mode, filled, regex.Limits{Step: func() { m.budget.countStep(m.at) },
		TooDeep: func() { limit("MemoryError", "a regular expression goes back to too many places") }})
}

// matches gives the matches from left to right; one that is empty may directly follow another.
func (p *pattern) matches(m *machine, s *subject, start, end int) func() []int {
	filled := false
	return func() []int {
		m.budget.countStep(m.at)
		if start > end {
			return nil
		}
		spans := p.find(m, s, start, end, regex.Search, filled)
		if spans == nil {
			start = end + 1
			return nil
		}
		start, filled = spans[1], spans[1] == spans[0]
		return spans
	}
}

// all visits the matches, at most limit of them (0: all).
func (p *pattern) all(m *machine, s *subject, limit int, visit func(spans []int)) {
	next := p.matches(m, s, 0, len(s.text))
	for n := 0; limit == 0 || n < limit; n++ {
		spans := next()
		if spans == nil {
			return
		}
		visit(spans)
	}
}

// within are the arguments string, pos and endpos of a method.
func (re *regexes) within(m *machine, a arguments) (p *pattern, s *subject, start, end int) {
	p = native[*pattern](a)
	s = re.subjectOf(m, p, a.positional[1])
	n := int64(len(s.text))
	end = int(max(0, min(n, asIndex(given(a.positional[3], python.NewInt(n))))))
	start = int(max(0, min(n, asIndex(a.positional[2]))))
	return p, s, start, end
}

// searchParameters are those of the methods that search a text.
const searchParameters = "(self, /, string, pos=0, endpos=...)"

func (re *regexes) patternClass() *Class {
	first := func(mode regex.Mode) method {
		return func(m *machine, a arguments) Value {
			p, s, start, end := re.within(m, a)
			if start > end {
				return none
			}
			spans := p.find(m, s, start, end, mode, false)
			if spans == nil {
				return none
			}
			return re.newMatch(m, a.positional[0], s, start, end, spans)
		}
	}
	c := nativeClass("re", "Pattern", map[string]method{
		"match" + searchParameters: first(regex.Match), "fullmatch" + searchParameters: first(regex.Full),
		"search" + searchParameters: first(regex.Search),
		"findall" + searchParameters: func(m *machine, a arguments) Value {
			p, s, start, end := re.within(m, a)
			list, next := &List{}, p.matches(m, s, start, end)
			for spans := next(); spans != nil; spans = next() {
				m.budget.chargeItems(len(spans))
				list.Items = append(list.Items, found(s, spans))
			}
			return list
		},
		"finditer" + searchParameters: func(m *machine, a arguments) Value {
			p, s, start, end := re.within(m, a)
			next := p.matches(m, s, start, end)
			return m.newIterator("callable_iterator", func() (Value, bool) {
				spans := next()
				if spans == nil {
					return nil, false
				}
				return re.newMatch(m, a.positional[0], s, start, end, spans), true
			})
		},
		"split(self, /, string, maxsplit=...)": func(m *machine, a arguments) Value {
			p, list, last := native[*pattern](a), &List{}, 0
			s := re.subjectOf(m, p, a.positional[1])
			p.all(m, s, int(asIndex(given(a.positional[2], intValue(0)))), func(spans []int) {
				m.budget.chargeItems(len(spans) / 2)
				list.Items = append(list.Items, s.part(last, spans[0]))
				for i := 1; i < len(spans)/2; i++ {
					list.Items = append(list.Items, group(s, spans, i, none))
				}
				last = spans[1]
			})
			list.Items = append(list.Items, s.part(last, len(s.text)))
			return list
		},
		"sub(self, /, repl, string, count=0)": func(m *machine, a arguments) Value {
			s, _ := re.substitute(m, a)
			return s
		},
		"subn(self, /, repl, string, count=0)": func(m *machine, a arguments) Value {
			s, n := re.substitute(m, a)
			return Tuple{s, intValue(n)}
		},
		"__repr__(self, /)": func(m *machine, a arguments) Value {
			p := native[*pattern](a)
			var flags []string
			for i, name := range []string{"IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "", "VERBOSE", "", "ASCII"} {
				if name != "" && p.Flags&(regex.IgnoreCase<<i) != 0 {
					flags = append(flags, "re."+name)
				}
			}
			text := fmt.Sprintf("%.200s", Repr(p.source))
			if len(flags) > 0 {
				text += ", " + strings.Join(flags, "|")
			}
			return python.Str("re.compile(" + text + ")")
		},
		"@property pattern(self)": func(m *machine, a arguments) Value { return native[*pattern](a).source },
		"@property flags(self)":   func(m *machine, a arguments) Value { return intValue(native[*pattern](a).Flags) },
		"@property groups(self)": func(m *machine, a arguments) Value {
			return intValue(len(native[*pattern](a).Names) - 1)
		},
		"@property groupindex(self)": func(m *machine, a arguments) Value {
			d := newDict()
			for i, name := range native[*pattern](a).Names {
				if name != "" {
					d.set(python.Str(name), intValue(i))
				}
			}
			return d
		},
	})
	return c
}

func (re *regexes) newMatch(m *machine, object Value, s *subject, pos, end int, spans []int) *Instance {
	o := object.(*Instance)
	return m.newNative(re.matches, &match{o.native.(*pattern), o, s, pos, end, spans})
}

// found is what findall gives for a match: the text, the only group, or all groups.
func found(s *subject, spans []int) Value {
	empty := s.part(0, 0)
	switch len(spans) / 2 {
	case 1:
		return s.part(spans[0], spans[1])
	case 2:
		return group(s, spans, 1, empty)
	}
	out := make(Tuple, 0, len(spans)/2-1)
	for i := 1; i < len(spans)/2; i++ {
		out = append(out, group(s, spans, i, empty))
	}
	return out
}

// group is the text of a group, or otherwise.
func group(s *subject, spans []int, i int, otherwise Value) Value {
	if spans[2*i] < 0 || spans[2*i+1] < 0 {
		return otherwise
	}
	return s.part(spans[2*i], spans[2*i+1])
}

func (re *regexes) substitute(m *machine, a arguments) (Value, int) {
	v := a.positional[1:]
	p := native[*pattern](a)
	s := re.subjectOf(m, p, v[1])
	var template []Value
	filled := !callable(v[0])
	if filled {
		// What is no template is refused also where nothing matches.
		template = re.template(m, a.positional[0], v[0])
	}
	out := s.joiner(m)
	last, n := 0, 0
	p.all(m, s, int(asIndex(v[2])), func(spans []int) {
		out.add(s.part(last, spans[0]))
		if filled {
			out.expand(template, s, spans)
		} else if text := m.callWith(v[0], re.newMatch(m, a.positional[0], s, 0, len(s.text), spans)); text != none {
			out.add(text)
		}
		last = spans[1]
		n++
	})
	if n == 0 {
		return s.source, 0
	}
	out.add(s.part(last, len(s.text)))
	return out.value(), n
}

// template are the pieces of a template for a pattern: texts, and numbers of groups.
func (re *regexes) template(m *machine, of, v Value) []Value {
	return m.callWith(m.libraryMember("re", "_template"), of, v).(*List).Items
}

// joiner joins what is of the kind of a subject: texts, or bytes.
type joiner struct {
	strings.Builder
	m     *machine
	bytes bool
}

func (s *subject) joiner(m *machine) joiner { return joiner{m: m, bytes: is[Bytes](s.source)} }

func (j *joiner) add(text Value) {
	before, expected := j.Len(), "str instance"
	if j.bytes {
		expected = "a bytes-like object"
	}
	switch t := plain(text).(type) {
	case python.Str:
		j.WriteString(string(t))
	case Bytes:
		j.WriteString(string(t))
	}
	if v := plain(text); j.bytes && !is[Bytes](v) || !j.bytes && !is[python.Str](v) {
		raise("TypeError", "sequence item 0: expected %s, %s found", expected, text.Type())
	}
	j.m.budget.chargeItems(j.Len() - before) // while it grows: it may be larger than both texts together
}

// expand adds a template with the groups of a match.
func (j *joiner) expand(template []Value, s *subject, spans []int) {
	for _, piece := range template {
		if i, ok := piece.(python.Int); ok {
			piece = group(s, spans, int(asIndex(i)), s.part(0, 0))
		}
		j.add(piece)
	}
}

// value is what was joined.
func (j *joiner) value() Value {
	if j.bytes {
		return Bytes(j.String())
	}
	return python.Str(j.String())
}

func (g *match) at(v Value) int {
	i := -1
	if s, ok := v.(python.Str); ok {
		i = slices.Index(g.pattern.Names, string(s))
	} else if n := asIndex(v); n >= 0 && n < int64(len(g.spans)/2) {
		i = int(n)
	}
	if i < 0 {
		raise("IndexError", "no such group")
	}
	return i
}

// span is a group's place.
func (g *match) span(i int) (start, end int) {
	if g.spans[2*i+1] < 0 {
		return -1, -1
	}
	return g.spans[2*i], g.spans[2*i+1]
}

func (re *regexes) matchClass() *Class {
	place := func(of func(start, end int) Value) method {
		return func(m *machine, a arguments) Value {
			g := native[*match](a)
			return of(g.span(g.at(a.positional[1])))
		}
	}
	c := nativeClass("re", "Match", map[string]method{
		"group": func(m *machine, a arguments) Value {
			g := native[*match](a)
			list := a.positional[1:]
			switch len(list) {
			case 0:
				return group(g.in, g.spans, 0, none)
			case 1:
				return group(g.in, g.spans, g.at(list[0]), none)
			}
			out := make(Tuple, len(list))
			for i, v := range list {
				out[i] = group(g.in, g.spans, g.at(v), none)
			}
			return out
		},
		"__getitem__": func(m *machine, a arguments) Value {
			g := native[*match](a)
			return group(g.in, g.spans, g.at(a.positional[1]), none)
		},
		"groups(self, /, default=None)": func(m *machine, a arguments) Value {
			g, otherwise := native[*match](a), a.positional[1]
			var out Tuple
			for i := 1; i < len(g.spans)/2; i++ {
				out = append(out, group(g.in, g.spans, i, otherwise))
			}
			return out
		},
		"groupdict(self, /, default=None)": func(m *machine, a arguments) Value {
			g, otherwise := native[*match](a), a.positional[1]
			d := newDict()
			for i, name := range g.pattern.Names {
				if name != "" {
					d.set(python.Str(name), group(g.in, g.spans, i, otherwise))
				}
			}
			return d
		},
		"start(self, group=0, /)": place(func(start, _ int) Value { return intValue(start) }),
		"@property string(self)":  func(m *machine, a arguments) Value { return native[*match](a).in.source },
		"@property pos(self)":     func(m *machine, a arguments) Value { return intValue(native[*match](a).pos) },
		"@property endpos(self)":  func(m *machine, a arguments) Value { return intValue(native[*match](a).end) },
		"@property re(self)":      func(m *machine, a arguments) Value { return native[*match](a).object },
		"@property lastindex(self)": func(m *machine, a arguments) Value {
			if i := native[*match](a).last(); i > 0 {
				return intValue(i)
			}
			return none
		},
		"@property lastgroup(self)": func(m *machine, a arguments) Value {
			g := native[*match](a)
			if i := g.last(); i > 0 && g.pattern.Names[i] != "" {
				return python.Str(g.pattern.Names[i])
			}
			return none
		},
		"end(self, group=0, /)":  place(func(_, end int) Value { return intValue(end) }),
		"span(self, group=0, /)": place(func(start, end int) Value { return Tuple{intValue(start), intValue(end)} }),
		"expand(self, /, template)": func(m *machine, a arguments) Value {
			g := native[*match](a)
			out := g.in.joiner(m)
			out.expand(re.template(m, g.object, a.positional[1]), g.in, g.spans)
			return out.value()
		},
		"__repr__(self, /)": func(m *machine, a arguments) Value {
			g := native[*match](a)
			start, end := g.span(0)
			return python.Str("<re.Match object; span=(" + strconv.Itoa(start) + ", " + strconv.Itoa(end) +
				"), match=" + fmt.Sprintf("%.50s", Repr(group(g.in, g.spans, 0, none))) + ">")
		},
	})
	return c
}

// last is the number of the group that was closed last, below 1 if there is none.
func (g *match) last() int { return g.spans[len(g.spans)-1] }
