package host

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// The flags of re.
const (
	reIgnoreCase = 2
	reLocale     = 4
	reMultiline  = 8
	reDotAll     = 16
	reUnicode    = 32
	reVerbose    = 64
	reASCII      = 256
)

// pattern is a compiled regular expression of Go, whose alternatives and repetitions take what Python's take.
type pattern struct {
	text                 string
	flags                int
	names                []string       // of the groups by number, "" for those without
	search, match, whole *regexp.Regexp // anywhere, at the start, all of the text
	dollar               bool           // has "$" that also stands before a final newline
	empty                bool           // matches the empty text wherever it is asked
}

// match is one match; spans are byte offsets into text, -1 for groups without a match.
type match struct {
	pattern *pattern
	object  *Instance // the pattern's
	text    string
	spans   []int
}

// reLibrary is re.
func reLibrary(*machine) map[string]Value {
	failure := &Class{Name: "error", attrs: newMembers(), bases: []*Class{exceptions["Exception"]}, exception: true}
	failure.define("__module__", python.Str("re"))
	re := &regexes{failure: failure, compiled: map[string]*Instance{}}
	re.matches = matchClass()
	re.patterns = re.patternClass()
	members := map[string]Value{"error": failure, "Pattern": re.patterns, "Match": re.matches,
		"escape": &Builtin{"escape", func(m *machine, a arguments) Value {
			return python.Str(reEscape(m.strOf(a.bound("escape", "pattern")[0])))
		}},
		"purge": &Builtin{"purge", ignore},
		"compile": &Builtin{"compile", func(m *machine, a arguments) Value {
			v := a.bound("compile", "pattern, flags=")
			return re.compile(m, v[0], v[1])
		}},
	}
	for name, bit := range map[string]int{"IGNORECASE": reIgnoreCase, "I": reIgnoreCase, "MULTILINE": reMultiline,
		"M": reMultiline, "DOTALL": reDotAll, "S": reDotAll, "UNICODE": reUnicode, "U": reUnicode,
		"VERBOSE": reVerbose, "X": reVerbose, "ASCII": reASCII, "A": reASCII, "NOFLAG": 0} {
		members[name] = intValue(bit)
	}
	for _, name := range []string{"match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn"} {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			flags, _ := a.take("flags")
			if len(a.positional) == 0 {
				raise("TypeError", "%s() missing 1 required positional argument: 'pattern'", name)
			}
			// The flags come last; what comes before them differs.
			last := map[string]int{"split": 3, "sub": 4, "subn": 4}[name]
			if last == 0 {
				last = 2
			}
			if len(a.positional) > last {
				flags = a.positional[last]
				a.positional = a.positional[:last]
			}
			return m.callValue(m.attrOf(re.compile(m, a.positional[0], flags), name), a.tail())
		}}
	}
	return members
}

// regexes are the patterns that one session has compiled.
type regexes struct {
	failure, patterns, matches *Class
	compiled                   map[string]*Instance
}

func (re *regexes) compile(m *machine, v, flags Value) *Instance {
	if o, ok := v.(*Instance); ok && o.class == re.patterns {
		return o
	}
	text, ok := v.(python.Str)
	if !ok {
		raise("TypeError", "first argument must be string or compiled pattern")
	}
	bits := int(asIndex(given(flags, intValue(0))))
	key := strconv.Itoa(bits) + ":" + string(text)
	if o := re.compiled[key]; o != nil {
		return o
	}
	// Go compiles a pattern in time and memory that grow with its length; the scripts' own are far shorter.
	if len(text) > 1<<14 {
		limit("ValueError", "a regular expression has more than %d characters", 1<<14)
	}
	o := m.newNative(re.patterns, re.translate(string(text), bits))
	// The size of re's own cache (_MAXCACHE).
	if len(re.compiled) < 512 {
		re.compiled[key] = o
	}
	return o
}

func (re *regexes) fail(message string, at int) {
	panic(&raised{exception: newException(re.failure, python.Str(message+" at position "+strconv.Itoa(at)))})
}

func (re *regexes) translate(text string, flags int) *pattern {
	t := &translation{re: re, text: text, flags: flags, multiline: flags&reMultiline != 0}
	t.run()
	mode := ""
	for _, f := range []struct {
		bit  int
		mode string
	}{{reIgnoreCase, "i"}, {reMultiline, "m"}, {reDotAll, "s"}} {
		if t.flags&f.bit != 0 {
			mode += f.mode
		}
	}
	body := t.out.String()
	if mode != "" {
		body = "(?" + mode + ")" + body
	}
	p := &pattern{text: text, flags: t.flags | reUnicode, dollar: t.dollar}
	for _, r := range []struct {
		to            **regexp.Regexp
		before, after string
	}{{&p.search, "", ""}, {&p.match, `\A(?:`, ")"}, {&p.whole, `\A(?:`, `)\z`}} {
		compiled, err := regexp.Compile(r.before + body + r.after)
		if err != nil {
			re.fail(strings.TrimPrefix(err.Error(), "error parsing regexp: "), 0)
		}
		*r.to = compiled
	}
	p.names = p.search.SubexpNames()
	// With ^, $ or \b in it, whether the empty text matches depends on where it is.
	p.empty = !t.asserts && p.whole.MatchString("")
	return p
}

// translation rewrites a pattern of Python's in Go's syntax.
type translation struct {
	re        *regexes
	text      string
	flags     int
	multiline bool
	out       strings.Builder
	dollar    bool
	asserts   bool // has ^, $, \b or the like
}

func (t *translation) run() {
	for i := 0; i < len(t.text); {
		i += t.one(t.text[i:], i)
	}
}

// unicodeClasses are the classes of text, which RE2 has for ASCII alone.
var unicodeClasses = map[byte][2]string{ // outside and inside of brackets
	'd': {`\p{Nd}`, `\p{Nd}`}, 'D': {`\P{Nd}`, `\P{Nd}`}, 'w': {`[\p{L}\p{N}_]`, `\p{L}\p{N}_`},
	'W': {`[^\p{L}\p{N}_]`, `\W`}, 's': {`[\s\v\x1c-\x1f\x85\p{Z}]`, `\s\v\x1c-\x1f\x85\p{Z}`},
	'S': {`[^\s\v\x1c-\x1f\x85\p{Z}]`, `\S`},
}

// one translates what the pattern begins with and says how many bytes that was.
func (t *translation) one(rest string, at int) int {
	switch {
	case rest[0] == '\\':
		return t.escape(rest, at, false)
	case rest[0] == '[':
		return t.class(rest, at)
	case strings.HasPrefix(rest, "(?"):
		return t.extension(rest, at)
	case rest[0] == '$':
		t.asserts = true
		t.dollar = t.dollar || !t.multiline
	case rest[0] == '^':
		t.asserts = true
	// Python reads {,n} as {0,n}; RE2 takes it literally.
	case strings.HasPrefix(rest, "{,"):
		t.out.WriteString("{0,")
		return 2
	case strings.ContainsRune("*+?}", rune(rest[0])) && strings.HasPrefix(rest[1:], "+"):
		lack("ValueError", "re with possessive repetitions, such as "+rest[:2], []string{rest[:1]})
	case t.flags&reVerbose != 0 && strings.IndexByte(whitespace, rest[0]) >= 0:
		return 1
	// A comment of re.VERBOSE goes to the end of the line.
	case t.flags&reVerbose != 0 && rest[0] == '#':
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return n + 1
		}
		return len(rest)
	}
	t.out.WriteByte(rest[0])
	return 1
}

func (t *translation) escape(rest string, at int, inClass bool) int {
	if len(rest) < 2 {
		t.re.fail("bad escape (end of pattern)", at)
	}
	c := rest[1]
	if class, ok := unicodeClasses[c]; ok {
		switch {
		case t.flags&reASCII != 0:
			t.out.WriteString(rest[:2])
		case inClass:
			t.out.WriteString(class[1])
		default:
			t.out.WriteString(class[0])
		}
		return 2
	}
	switch {
	// RE2 runs in linear time and has no backreferences.
	case c >= '1' && c <= '9' && !inClass:
		lack("ValueError", `re with backreferences, such as `+rest[:2], nil)
	// Python's \Z is the very end, as RE2's \z.
	case c == 'Z':
		t.asserts = true
		t.out.WriteString(`\z`)
		return 2
	case strings.IndexByte("AbB", c) >= 0:
		if inClass { // a backspace
			t.out.WriteString(`\x08`)
			return 2
		}
		t.asserts = true
	case c == '0':
		t.out.WriteString(`\x00`)
		return 2
	case c == 'u' || c == 'U':
		n := map[byte]int{'u': 6, 'U': 10}[c]
		if len(rest) < n {
			t.re.fail("incomplete escape "+rest, at)
		}
		t.out.WriteString(`\x{` + rest[2:n] + "}")
		return n
	case c|0x20 >= 'a' && c|0x20 <= 'z' && strings.IndexByte("abfnrtvx", c) < 0:
		t.re.fail("bad escape "+rest[:2], at)
	case c >= utf8.RuneSelf || c == ' ' || c == '\n':
		t.out.WriteByte(c)
		return 2
	}
	t.out.WriteString(rest[:2])
	return 2
}

// class translates [...].
func (t *translation) class(rest string, at int) int {
	t.out.WriteByte('[')
	i := 1
	if strings.HasPrefix(rest[i:], "^") {
		t.out.WriteByte('^')
		i++
	}
	for first := true; ; first = false {
		switch {
		case i >= len(rest):
			t.re.fail("unterminated character set", at)
		case rest[i] == ']' && !first:
			t.out.WriteByte(']')
			return i + 1
		case rest[i] == '\\':
			i += t.escape(rest[i:], at+i, true)
			continue
		case rest[i] == '[' || rest[i] == ']':
			t.out.WriteByte('\\')
		}
		t.out.WriteByte(rest[i])
		i++
	}
}

// extension translates (?...).
func (t *translation) extension(rest string, at int) int {
	for _, x := range []struct{ begin, what string }{{"(?=", "lookahead"}, {"(?!", "lookahead"}, {"(?<=", "lookbehind"},
		{"(?<!", "lookbehind"}, {"(?P=", "backreferences"}, {"(?>", "atomic groups"}, {"(?(", "conditional groups"}} {
		if strings.HasPrefix(rest, x.begin) {
			lack("ValueError", "re with "+x.what+", such as "+x.begin+"…)", nil)
		}
	}
	end := strings.IndexByte(rest, ')')
	switch {
	case strings.HasPrefix(rest, "(?#") && end > 0:
		return end + 1
	case strings.HasPrefix(rest, "(?P<"), strings.HasPrefix(rest, "(?:"):
		t.out.WriteString(rest[:3])
		return 3
	}
	n := 2
	for n < len(rest) && strings.IndexByte("aiLmsux-", rest[n]) >= 0 {
		n++
	}
	if n == 2 || n >= len(rest) || rest[n] != ')' && rest[n] != ':' {
		t.re.fail("unknown extension ?"+rest[2:min(3, len(rest))], at+1)
	}
	letters := map[byte]int{'a': reASCII, 'i': reIgnoreCase, 'L': reLocale, 'm': reMultiline, 's': reDotAll,
		'u': reUnicode, 'x': reVerbose}
	if rest[n] == ')' {
		if at != 0 {
			t.re.fail("global flags not at the start of the expression", at)
		}
		for _, c := range []byte(rest[2:n]) {
			t.flags |= letters[c]
		}
		t.multiline = t.flags&reMultiline != 0
		return n + 1
	}
	t.out.WriteString("(?" + strings.Map(func(c rune) rune {
		if strings.ContainsRune("aLux", c) {
			return -1
		}
		return c
	}, rest[2:n]) + ":")
	return n + 1
}

func reEscape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// subject checks the text that a pattern is matched with.
func (p *pattern) subject(m *machine, v Value) string {
	s, ok := v.(python.Str)
	if !ok {
		raise("TypeError", "expected string or bytes-like object, got '%s'", v.Type())
	}
	if p.dollar && strings.HasSuffix(string(s), "\n") {
		lack("ValueError", `re with "$" for a text that ends in a newline`, []string{`\Z`})
	}
	m.budget.chargeItems(len(s) / 8)
	return string(s)
}

// all visits the matches from left to right, at most limit of them (0: all). An empty match may directly follow
// another match, unlike in package regexp.
func (p *pattern) all(m *machine, text string, limit int, visit func(spans []int)) {
	n, end := 0, -1
	emit := func(spans []int) {
		m.budget.countStep(m.at)
		if limit == 0 || n < limit {
			visit(spans)
		}
		n++
	}
	empty := func(at int) {
		spans := slices.Repeat([]int{-1}, 2*len(p.names))
		spans[0], spans[1] = at, at
		emit(spans)
	}
	for _, spans := range p.search.FindAllStringSubmatchIndex(text, -1) {
		if p.empty && end >= 0 && spans[0] != end {
			empty(end)
		}
		emit(spans)
		end = -1
		if spans[1] > spans[0] {
			end = spans[1]
		}
	}
	if p.empty && end >= 0 {
		empty(end)
	}
}

func (re *regexes) patternClass() *Class {
	first := func(name string, which func(p *pattern) *regexp.Regexp) method {
		return func(m *machine, a arguments) Value {
			v := a.tail().bound(name, "string, pos=, endpos=")
			p := native[*pattern](a)
			text := p.subject(m, v[0])
			from := 0
			if v[2] != nil {
				text = text[:byteOffset(text, int(asIndex(v[2])))]
			}
			if v[1] != nil {
				from = byteOffset(text, int(asIndex(v[1])))
			}
			spans := which(p).FindStringSubmatchIndex(text[from:])
			if spans == nil {
				return none
			}
			for i := range spans {
				if spans[i] >= 0 {
					spans[i] += from
				}
			}
			return re.newMatch(m, a.positional[0], text, spans)
		}
	}
	c := nativeClass("re", "Pattern", map[string]method{
		"match":     first("match", func(p *pattern) *regexp.Regexp { return p.match }),
		"fullmatch": first("fullmatch", func(p *pattern) *regexp.Regexp { return p.whole }),
		"search":    first("search", func(p *pattern) *regexp.Regexp { return p.search }),
		"findall": func(m *machine, a arguments) Value {
			p, list := native[*pattern](a), &List{}
			text := p.subject(m, a.tail().bound("findall", "string")[0])
			p.all(m, text, 0, func(spans []int) {
				m.budget.chargeItems(len(spans))
				list.Items = append(list.Items, found(text, spans))
			})
			return list
		},
		"finditer": func(m *machine, a arguments) Value {
			p := native[*pattern](a)
			text := p.subject(m, a.tail().bound("finditer", "string")[0])
			var items []Value
			p.all(m, text, 0, func(spans []int) {
				items = append(items, re.newMatch(m, a.positional[0], text, spans))
			})
			return sliceIterator("callable_iterator", items)
		},
		"split": func(m *machine, a arguments) Value {
			v := a.tail().bound("split", "string, maxsplit=")
			p, list, last := native[*pattern](a), &List{}, 0
			text := p.subject(m, v[0])
			p.all(m, text, int(asIndex(given(v[1], intValue(0)))), func(spans []int) {
				list.Items = append(list.Items, python.Str(text[last:spans[0]]))
				for i := 2; i < len(spans); i += 2 {
					list.Items = append(list.Items, group(text, spans, i/2, none))
				}
				last = spans[1]
			})
			m.budget.chargeItems(len(list.Items))
			list.Items = append(list.Items, python.Str(text[last:]))
			return list
		},
		"sub": func(m *machine, a arguments) Value { s, _ := re.substitute(m, "sub", a); return s },
		"subn": func(m *machine, a arguments) Value {
			s, n := re.substitute(m, "subn", a)
			return Tuple{s, intValue(n)}
		},
		"__repr__": func(m *machine, a arguments) Value {
			p := native[*pattern](a)
			var flags []string
			for i, name := range []string{"IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "", "VERBOSE", "", "ASCII"} {
				if name != "" && p.flags&(reIgnoreCase<<i) != 0 {
					flags = append(flags, "re."+name)
				}
			}
			text := python.Repr(python.Str(p.text))
			if len(flags) > 0 {
				text += ", " + strings.Join(flags, "|")
			}
			return python.Str("re.compile(" + text + ")")
		},
	})
	c.define("pattern", getter(func(m *machine, a arguments) Value { return python.Str(native[*pattern](a).text) }))
	c.define("flags", getter(func(m *machine, a arguments) Value { return intValue(native[*pattern](a).flags) }))
	c.define("groups", getter(func(m *machine, a arguments) Value {
		return intValue(len(native[*pattern](a).names) - 1)
	}))
	c.define("groupindex", getter(func(m *machine, a arguments) Value {
		d := newDict()
		for i, name := range native[*pattern](a).names {
			if name != "" {
				d.set(python.Str(name), intValue(i))
			}
		}
		return d
	}))
	return c
}

func (re *regexes) newMatch(m *machine, object Value, text string, spans []int) *Instance {
	o := object.(*Instance)
	return m.newNative(re.matches, &match{o.native.(*pattern), o, text, spans})
}

// found is what findall gives for a match: the text, the only group, or all groups.
func found(text string, spans []int) Value {
	switch len(spans) {
	case 2:
		return python.Str(text[spans[0]:spans[1]])
	case 4:
		return group(text, spans, 1, python.Str(""))
	}
	out := make(Tuple, 0, len(spans)/2-1)
	for i := 1; i < len(spans)/2; i++ {
		out = append(out, group(text, spans, i, python.Str("")))
	}
	return out
}

// group is the text of a group, or otherwise.
func group(text string, spans []int, i int, otherwise Value) Value {
	if spans[2*i] < 0 {
		return otherwise
	}
	return python.Str(text[spans[2*i]:spans[2*i+1]])
}

func byteOffset(s string, runes int) int {
	for i := range s {
		if runes <= 0 {
			return i
		}
		runes--
	}
	return len(s)
}

func (re *regexes) substitute(m *machine, name string, a arguments) (Value, int) {
	v := a.tail().bound(name, "repl, string, count=")
	p := native[*pattern](a)
	text := p.subject(m, v[1])
	replacement, isText := v[0].(python.Str)
	var b strings.Builder
	last, n := 0, 0
	p.all(m, text, int(asIndex(given(v[2], intValue(0)))), func(spans []int) {
		b.WriteString(text[last:spans[0]])
		o := re.newMatch(m, a.positional[0], text, spans)
		if isText {
			b.WriteString(re.expand(string(replacement), o.native.(*match)))
		} else {
			b.WriteString(m.strOf(m.callWith(v[0], o)))
		}
		last = spans[1]
		n++
		m.budget.chargeItems(0)
	})
	b.WriteString(text[last:])
	m.budget.chargeItems(b.Len())
	return python.Str(b.String()), n
}

// expand fills the groups into a template: \1, \g<1>, \g<name>.
func (re *regexes) expand(template string, g *match) string {
	var b strings.Builder
	for i := 0; i < len(template); {
		c := template[i]
		if c != '\\' || i+1 >= len(template) {
			b.WriteByte(c)
			i++
			continue
		}
		next := template[i+1]
		switch {
		case next == 'g' && strings.HasPrefix(template[i+2:], "<") && strings.IndexByte(template[i:], '>') > 0:
			end := i + strings.IndexByte(template[i:], '>')
			b.WriteString(re.groupText(g, template[i+3:end], i))
			i = end + 1
		case next >= '1' && next <= '9':
			n := i + 2
			if n < len(template) && template[n] >= '0' && template[n] <= '9' {
				n++
			}
			b.WriteString(re.groupText(g, template[i+1:n], i))
			i = n
		case next == '\\':
			b.WriteByte('\\')
			i += 2
		default:
			at := strings.IndexByte("nrtvfab0", next)
			if at < 0 {
				if next|0x20 >= 'a' && next|0x20 <= 'z' {
					re.fail("bad escape \\"+string(next), i)
				}
				b.WriteString(template[i : i+2])
			} else {
				b.WriteByte("\n\r\t\v\f\a\b\x00"[at])
			}
			i += 2
		}
	}
	return b.String()
}

func (re *regexes) groupText(g *match, name string, at int) string {
	i := g.index(name)
	if i < 0 {
		if _, err := strconv.Atoi(name); err != nil {
			raise("IndexError", "unknown group name '%s'", name)
		}
		re.fail("invalid group reference "+name, at+1)
	}
	s, _ := group(g.text, g.spans, i, python.Str("")).(python.Str)
	return string(s)
}

// index is the number of a group by name or number, -1 if there is none.
func (g *match) index(name string) int {
	if i, err := strconv.Atoi(name); err == nil {
		if i >= 0 && i < len(g.spans)/2 {
			return i
		}
		return -1
	}
	return slices.Index(g.pattern.names, name)
}

func (g *match) at(v Value) int {
	i := -1
	if s, ok := v.(python.Str); ok {
		i = slices.Index(g.pattern.names, string(s))
	} else if n := asIndex(v); n >= 0 && n < int64(len(g.spans)/2) {
		i = int(n)
	}
	if i < 0 {
		raise("IndexError", "no such group")
	}
	return i
}

// span is a group's place in code points.
func (g *match) span(i int) (start, end int) {
	if g.spans[2*i] < 0 {
		return -1, -1
	}
	return utf8.RuneCountInString(g.text[:g.spans[2*i]]), utf8.RuneCountInString(g.text[:g.spans[2*i+1]])
}

func matchClass() *Class {
	place := func(name string, of func(start, end int) Value) method {
		return func(m *machine, a arguments) Value {
			g := native[*match](a)
			return of(g.span(g.at(given(a.tail().bound(name, "group=")[0], intValue(0)))))
		}
	}
	c := nativeClass("re", "Match", map[string]method{
		"group": func(m *machine, a arguments) Value {
			g := native[*match](a)
			list := a.positional[1:]
			switch len(list) {
			case 0:
				return group(g.text, g.spans, 0, none)
			case 1:
				return group(g.text, g.spans, g.at(list[0]), none)
			}
			out := make(Tuple, len(list))
			for i, v := range list {
				out[i] = group(g.text, g.spans, g.at(v), none)
			}
			return out
		},
		"__getitem__": func(m *machine, a arguments) Value {
			g := native[*match](a)
			return group(g.text, g.spans, g.at(a.positional[1]), none)
		},
		"groups": func(m *machine, a arguments) Value {
			g, otherwise := native[*match](a), given(a.tail().bound("groups", "default=")[0], none)
			var out Tuple
			for i := 1; i < len(g.spans)/2; i++ {
				out = append(out, group(g.text, g.spans, i, otherwise))
			}
			return out
		},
		"groupdict": func(m *machine, a arguments) Value {
			g, otherwise := native[*match](a), given(a.tail().bound("groupdict", "default=")[0], none)
			d := newDict()
			for i, name := range g.pattern.names {
				if name != "" {
					d.set(python.Str(name), group(g.text, g.spans, i, otherwise))
				}
			}
			return d
		},
		"start": place("start", func(start, _ int) Value { return intValue(start) }),
		"end":   place("end", func(_, end int) Value { return intValue(end) }),
		"span":  place("span", func(start, end int) Value { return Tuple{intValue(start), intValue(end)} }),
		"__repr__": func(m *machine, a arguments) Value {
			g := native[*match](a)
			start, end := g.span(0)
			return python.Str("<re.Match object; span=(" + strconv.Itoa(start) + ", " + strconv.Itoa(end) +
				"), match=" + python.Repr(group(g.text, g.spans, 0, none)) + ">")
		},
	})
	c.define("string", getter(func(m *machine, a arguments) Value { return python.Str(native[*match](a).text) }))
	c.define("re", getter(func(m *machine, a arguments) Value { return native[*match](a).object }))
	c.define("lastindex", getter(func(m *machine, a arguments) Value {
		g, last := native[*match](a), 0
		for i := 1; i < len(g.spans)/2; i++ {
			if g.spans[2*i] >= 0 && (last == 0 || g.spans[2*i+1] > g.spans[2*last+1]) {
				last = i
			}
		}
		if last == 0 {
			return none
		}
		return intValue(last)
	}))
	return c
}
