// Package regex has the regular expressions of Python's re: a parser of its syntax, with its messages, and a matcher
// that backtracks as sre does.
package regex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The flags of re.
const (
	IgnoreCase = 2
	Locale     = 4
	Multiline  = 8
	DotAll     = 16
	Unicode    = 32
	Verbose    = 64
	ASCII      = 256
)

var flagLetters = map[rune]int{'a': ASCII, 'i': IgnoreCase, 'L': Locale, 'm': Multiline, 's': DotAll, 'u': Unicode,
	'x': Verbose}

// Error is what is wrong with a pattern, in re's words, and where; At is -1 where the place is not told.
type Error struct {
	Message string
	At      int
}

func (e *Error) Error() string { return e.Message }

// infinite is the upper bound of a repetition without one.
const infinite = 1<<31 - 1

// parser reads a pattern.
type parser struct {
	text   []rune
	at     int
	flags  int
	bytes  bool
	names  []string // of the groups by number
	open   []int    // the groups that are being read
	widths []width  // of the groups that are complete, by number
	behind []*node  // the assertions of what comes before, which need a fixed width
	tests  []int    // where conditions name groups that have not been read
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&Error{fmt.Sprintf(format, args...), at})
}

func (p *parser) more() bool { return p.at < len(p.text) }

// skip reads a text if it comes next.
func (p *parser) skip(s string) bool {
	if !strings.HasPrefix(string(p.text[p.at:min(len(p.text), p.at+len(s))]), s) {
		return false
	}
	p.at += len(s)
	return true
}

// alternatives reads up to a closing parenthesis or the end.
func (p *parser) alternatives() *node {
	list := []*node{p.sequence()}
	for p.skip("|") {
		list = append(list, p.sequence())
	}
	if len(list) == 1 {
		return list[0]
	}
	// One character or another is one set.
	merged := &set{}
	for _, n := range list {
		if len(n.parts) != 1 || n.parts[0].kind != character || !merged.add(n.parts[0].set) {
			return &node{kind: alternation, parts: list}
		}
	}
	return &node{kind: sequence, parts: []*node{{kind: character, set: merged.prepare()}}}
}

func (p *parser) sequence() *node {
	out := &node{kind: sequence}
	for p.more() && p.text[p.at] != '|' && p.text[p.at] != ')' {
		if p.flags&Verbose != 0 && p.blank() {
			continue
		}
		n := p.item()
		if last := len(out.parts) - 1; n == nil && last >= 0 { // a comment: what it follows may be repeated
			if at := p.at; out.parts[last].kind == repetition && p.more() && p.isRepeat() {
				p.fail(at, "multiple repeat")
			}
			n, out.parts = out.parts[last], out.parts[:last]
		}
		if n != nil {
			out.parts = append(out.parts, p.repeated(n))
		}
	}
	return out
}

// blank skips a blank or a comment of a verbose pattern.
func (p *parser) blank() bool {
	c := p.text[p.at]
	if c == '#' {
		for p.more() && p.text[p.at] != '\n' {
			p.at++
		}
		return true
	}
	if strings.ContainsRune(" \t\n\r\v\f", c) {
		p.at++
		return true
	}
	return false
}

// repeated reads the repetition after an item.
func (p *parser) repeated(n *node) *node {
	for p.more() && p.flags&Verbose != 0 && p.blank() {
	}
	if !p.more() {
		return n
	}
	start := p.at
	least, most, ok := p.counts()
	if !ok {
		return n
	}
	if n.kind >= lineStart || n.kind == sequence && len(n.parts) == 0 {
		p.fail(start, "nothing to repeat")
	}
	out := &node{kind: repetition, parts: []*node{n}, least: least, most: most}
	if p.skip("?") {
		out.lazy = true
	} else if p.skip("+") {
		out.atomic = true
	}
	again := p.at
	for p.more() && p.flags&Verbose != 0 && p.blank() {
	}
	if p.more() {
		if at := p.at; p.isRepeat() {
			p.fail(at, "multiple repeat")
		}
	}
	p.at = max(p.at, again)
	if out.atomic {
		return &node{kind: atomicGroup, parts: []*node{{kind: sequence, parts: []*node{out}}}}
	}
	return out
}

// isRepeat reports whether a repetition comes next.
func (p *parser) isRepeat() bool {
	at := p.at
	_, _, ok := p.counts()
	p.at = at
	return ok
}

// counts reads *, +, ? or {m,n}.
func (p *parser) counts() (least, most int, ok bool) {
	start := p.at
	switch c := p.text[p.at]; c {
	case '*', '+', '?':
		p.at++
		return map[rune]int{'+': 1}[c], map[rune]int{'*': infinite, '+': infinite, '?': 1}[c], true
	case '{':
		p.at++
		low := p.digits()
		high, comma := low, p.skip(",")
		if comma {
			high = p.digits()
		}
		if !p.skip("}") || !comma && low == "" {
			p.at = start
			return 0, 0, false
		}
		least, most = p.count(low, 0), p.count(high, infinite)
		if most < least {
			p.fail(start+1, "min repeat greater than max repeat")
		}
		return least, most, true
	}
	return 0, 0, false
}

func (p *parser) digits() string {
	from := p.at
	for p.more() && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return string(p.text[from:p.at])
}

func (p *parser) count(digits string, otherwise int) int {
	if digits == "" {
		return otherwise
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n >= infinite {
		panic(&Error{"the repetition number is too large", -1})
	}
	return n
}

// item reads one thing that can be repeated; nil is a comment or a flag.
func (p *parser) item() *node {
	start := p.at
	c := p.text[p.at]
	switch c {
	case '(':
		return p.parenthesis()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	}
	if p.isRepeat() {
		p.fail(start, "nothing to repeat")
	}
	p.at++
	switch c {
	case '.':
		if p.flags&DotAll != 0 {
			return &node{kind: character, set: (&set{negative: true}).prepare()}
		}
		return &node{kind: character, set: (&set{negative: true, ranges: []rune{'\n', '\n'}}).prepare()}
	case '^':
		if p.flags&Multiline != 0 {
			return &node{kind: lineStart}
		}
		return &node{kind: textStart}
	case '$':
		if p.flags&Multiline != 0 {
			return &node{kind: lineEnd}
		}
		return &node{kind: finalEnd}
	}
	return p.literal(c)
}

func (p *parser) literal(c rune) *node {
	return &node{kind: character, set: (&set{ranges: []rune{c, c}, flags: p.setFlags()}).prepare()}
}

// setFlags are the flags that matter to sets.
func (p *parser) setFlags() int { return p.flags & (IgnoreCase | ASCII) }

func (p *parser) parenthesis() *node {
	start := p.at
	p.at++
	if !p.skip("?") {
		return p.group(start, "")
	}
	from := p.at
	if !p.more() {
		p.fail(from, "unexpected end of pattern")
	}
	switch {
	case p.skip("P<"):
		return p.group(start, p.name(">", "group name", p.at))
	case p.skip("P="):
		at := p.at
		return p.named(p.name(")", "group name", p.at), at)
	case p.skip("P"):
		if !p.more() {
			p.fail(p.at, "unexpected end of pattern")
		}
		p.fail(from-1, "unknown extension ?P%c", p.text[p.at])
	case p.skip("#"):
		for !p.skip(")") {
			if p.at++; p.at > len(p.text) {
				p.fail(start, "missing ), unterminated comment")
			}
		}
		return nil
	case p.skip(":"):
		return p.closed(start, p.flags, &node{kind: group})
	case p.skip(">"):
		return p.closed(start, p.flags, &node{kind: atomicGroup})
	case p.skip("="), p.skip("!"):
		return p.closed(start, p.flags, &node{kind: look, negative: p.text[p.at-1] == '!'})
	case p.skip("<="), p.skip("<!"):
		n := p.closed(start, p.flags, &node{kind: look, negative: p.text[p.at-1] == '!'})
		p.behind = append(p.behind, n)
		return n
	case p.skip("<"):
		if !p.more() {
			p.fail(p.at, "unexpected end of pattern")
		}
		p.fail(from-1, "unknown extension ?<%c", p.text[p.at])
	case p.skip("("):
		return p.conditional(start)
	}
	return p.inlineFlags(start, from)
}

// closed reads the inside of a group up to its parenthesis, under flags of its own.
func (p *parser) closed(start, flags int, n *node) *node {
	outer := p.flags
	p.flags = flags
	n.parts = []*node{p.alternatives()}
	p.flags = outer
	if !p.skip(")") {
		p.fail(start, "missing ), unterminated subpattern")
	}
	return n
}

func (p *parser) group(start int, name string) *node {
	number := len(p.names)
	if name != "" {
		if i := slices.Index(p.names, name); i > 0 {
			p.fail(start+4, "redefinition of group name %s as group %d; was group %d", quoted(name), number, i)
		}
	}
	p.names, p.open, p.widths = append(p.names, name), append(p.open, number), append(p.widths, width{})
	n := p.closed(start, p.flags, &node{kind: group, group: number})
	p.open = p.open[:len(p.open)-1]
	p.widths[number] = p.width(n.parts[0])
	return n
}

// name reads a name up to a closing character.
func (p *parser) name(end, what string, at int) string {
	from := p.at
	for p.more() && string(p.text[p.at]) != end {
		p.at++
	}
	name := string(p.text[from:p.at])
	switch {
	case name == "":
		p.fail(at, "missing %s", what)
	case !p.more():
		p.fail(at, "missing %s, unterminated name", end)
	}
	p.at++
	for i, c := range name {
		if !(c == '_' || unicode.IsLetter(c) || i > 0 && unicode.IsDigit(c)) {
			p.fail(at, "bad character in group name %s", quoted(name))
		}
	}
	return name
}

func (p *parser) named(name string, at int) *node {
	i := slices.Index(p.names, name)
	if i < 1 {
		p.fail(at, "unknown group name %s", quoted(name))
	}
	return p.reference(i, at, at)
}

func (p *parser) reference(i, at, openAt int) *node {
	if i >= len(p.names) {
		p.fail(at, "invalid group reference %d", i)
	}
	if slices.Contains(p.open, i) {
		p.fail(openAt, "cannot refer to an open group")
	}
	return &node{kind: reference, group: i, fold: p.flags&IgnoreCase != 0}
}

// conditional reads (?(group)yes|no).
func (p *parser) conditional(start int) *node {
	at := p.at
	end := at
	for end < len(p.text) && p.text[end] != ')' {
		end++
	}
	number, err := strconv.Atoi(string(p.text[at:end]))
	if err != nil {
		number = slices.Index(p.names, p.name(")", "group name", at))
		if number < 1 {
			p.fail(at, "unknown group name %s", quoted(string(p.text[at:end])))
		}
	} else if p.at = end + 1; number < 1 {
		p.fail(at, "bad group number")
	} else if number >= len(p.names) {
		p.tests = append(p.tests, number, at)
	}
	n := &node{kind: condition, group: number, parts: []*node{p.sequence(), {kind: sequence}}}
	if p.skip("|") {
		n.parts[1] = p.sequence()
		if p.more() && p.text[p.at] == '|' {
			p.fail(p.at, "conditional backref with more than two branches")
		}
	}
	if !p.skip(")") {
		p.fail(start, "missing ), unterminated subpattern")
	}
	return n
}

// inlineFlags reads (?i) at the start of the pattern, or (?i-s:…).
func (p *parser) inlineFlags(start, from int) *node {
	on, off := 0, 0
	target := &on
	for p.more() {
		c := p.text[p.at]
		bit, known := flagLetters[c]
		switch {
		case known && c == 'L' && !p.bytes:
			p.fail(p.at+1, "bad inline flags: cannot use 'L' flag with a str pattern")
		case known:
			*target |= bit
		case c == '-' && target == &on:
			target = &off
		case c == ')' && target == &on && p.at > from:
			if start != 0 {
				p.fail(start, "global flags not at the start of the expression")
			}
			p.at++
			p.flags |= on
			return nil
		case c == ':' && p.at > from:
			p.at++
			return p.closed(start, (p.flags|on)&^off, &node{kind: group})
		case p.at == from:
			p.fail(from-1, "unknown extension ?%c", c)
		default:
			p.fail(p.at, "unknown flag")
		}
		p.at++
	}
	p.fail(p.at, "missing -, : or )")
	return nil
}

func quoted(s string) string { return "'" + s + "'" }

// simpleEscapes are the escapes that stand for one character.
var simpleEscapes = map[rune]rune{'a': '\a', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

// escape reads what a backslash begins.
func (p *parser) escape() *node {
	start := p.at
	if p.at+1 >= len(p.text) {
		p.fail(start, "bad escape (end of pattern)")
	}
	c := p.text[p.at+1]
	switch c {
	case 'A':
		p.at += 2
		return &node{kind: textStart}
	case 'Z':
		p.at += 2
		return &node{kind: textEnd}
	case 'b', 'B':
		p.at += 2
		return &node{kind: map[rune]kind{'b': boundary, 'B': noBoundary}[c], fold: p.flags&ASCII != 0}
	case 'd', 'D', 's', 'S', 'w', 'W':
		p.at += 2
		return &node{kind: character, set: (&set{classes: string(c), flags: p.setFlags()}).prepare()}
	}
	if c >= '1' && c <= '9' {
		p.at++
		digits := p.digits()
		if len(digits) >= 3 && isOctal(digits[:3]) { // \123 is a character
			p.at = start + 4
			return p.octal(digits[:3], start)
		}
		if len(digits) > 2 {
			digits, p.at = digits[:2], start+3
		}
		i, _ := strconv.Atoi(digits)
		return p.reference(i, start+1, start)
	}
	return p.literal(p.escaped())
}

func isOctal(s string) bool { return strings.Trim(s, "01234567") == "" }

func (p *parser) octal(digits string, start int) *node {
	v, _ := strconv.ParseUint(digits, 8, 16)
	if v > 0o377 {
		p.fail(start, "octal escape value \\%s outside of range 0-0o377", digits)
	}
	return p.literal(rune(v))
}

// escaped reads an escape that stands for a character.
func (p *parser) escaped() rune {
	start := p.at
	c := p.text[p.at+1]
	p.at += 2
	if r, ok := simpleEscapes[c]; ok {
		return r
	}
	if n := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]; n > 0 && (c == 'x' || !p.bytes) {
		for p.at < min(len(p.text), start+2+n) && strings.ContainsRune("0123456789abcdefABCDEF", p.text[p.at]) {
			p.at++
		}
		digits := string(p.text[start+2 : p.at])
		v, err := strconv.ParseUint(digits, 16, 32)
		if len(digits) != n || err != nil {
			p.fail(start, "incomplete escape %s", string(p.text[start:p.at]))
		}
		if v > unicode.MaxRune {
			p.fail(start, "bad escape %s", string(p.text[start:p.at]))
		}
		return rune(v)
	}
	switch {
	case c == '0':
		for p.at < min(len(p.text), start+4) && isOctal(string(p.text[p.at])) {
			p.at++
		}
		v, _ := strconv.ParseUint(string(p.text[start+1:p.at]), 8, 16)
		return rune(v)
	case c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80:
		p.fail(start, "bad escape \\%c", c)
	}
	return c
}

// class reads [...].
func (p *parser) class() *node {
	start := p.at
	p.at++
	s := &set{flags: p.setFlags(), negative: p.skip("^")}
	for first := true; ; first = false {
		if !p.more() {
			p.fail(start, "unterminated character set")
		}
		if !first && p.skip("]") {
			return &node{kind: character, set: s.prepare()}
		}
		from := p.at
		low, isClass := p.member(s, start)
		if p.at+1 >= len(p.text) || p.text[p.at] != '-' || p.text[p.at+1] == ']' {
			if !isClass {
				s.ranges = append(s.ranges, low, low)
			}
			continue
		}
		p.at++
		other := &set{}
		high, otherClass := p.member(other, start)
		if isClass || otherClass || high < low {
			p.fail(from, "bad character range %s", string(p.text[from:p.at]))
		}
		s.ranges = append(s.ranges, low, high)
	}
}

// member reads a character of a set; a class such as \d is added to it.
func (p *parser) member(s *set, start int) (c rune, isClass bool) {
	c = p.text[p.at]
	if c != '\\' {
		p.at++
		return c, false
	}
	if p.at+1 >= len(p.text) {
		p.fail(start, "unterminated character set")
	}
	switch c = p.text[p.at+1]; {
	case strings.ContainsRune("dDsSwW", c):
		p.at += 2
		s.classes += string(c)
		return 0, true
	case c == 'b':
		p.at += 2
		return '\b', false
	case c >= '1' && c <= '7':
		from := p.at
		p.at++
		for p.at < min(len(p.text), from+4) && isOctal(string(p.text[p.at])) {
			p.at++
		}
		return p.octal(string(p.text[from+1:p.at]), from).set.ranges[0], false
	case c == '8' || c == '9':
		p.fail(p.at, "bad escape \\%c", c)
	}
	return p.escaped(), false
}
