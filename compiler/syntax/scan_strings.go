package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
)

// scanNumber reads a numeric literal and whatever is stuck to it; its value is checked by decodeNumber.
func (s *scanner) scanNumber() {
	start := s.pos
	digits := func() {
		for s.pos < len(s.text) && (isDigit(rune(s.text[s.pos])) || s.text[s.pos] == '_') {
			s.pos++
		}
	}
	digits()
	if s.pos < len(s.text) && s.text[s.pos] == '.' {
		s.pos++
		digits()
	}
	if rest := strings.ToLower(s.text[s.pos:min(s.pos+3, len(s.text))]); strings.HasPrefix(rest, "e") {
		// "1e" needs a digit behind it, or the "e" belongs to a name stuck to the number.
		exponent := strings.TrimLeft(rest[1:], "+-")
		if exponent != "" && len(rest)-len(exponent) <= 2 && isDigit(rune(exponent[0])) {
			s.pos += len(rest) - len(exponent)
			digits()
		}
	}
	s.scanNumberSuffix()
	s.emit(number, start)
}

// scanNumberSuffix takes the letters that follow, unless they are a keyword such as the `if` of `1if`.
func (s *scanner) scanNumberSuffix() {
	end := s.pos
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !isIdentifierPart(r) {
			break
		}
		end += size
	}
	if !keywords[s.text[s.pos:end]] {
		s.pos = end
	}
}

var stringPrefixes = wordSet("r", "b", "u", "f", "br", "rb", "fr", "rf")

// openingQuotes are the opening quotes at pos: one character or three.
func (s *scanner) openingQuotes() string {
	q := s.text[s.pos : s.pos+1]
	if triple := strings.Repeat(q, 3); s.at(triple) {
		return triple
	}
	return q
}

// scanString reads a literal whose prefix starts at start and whose quotes are at the current place.
func (s *scanner) scanString(start int) {
	prefix := strings.ToLower(s.text[start:s.pos])
	quotes := s.openingQuotes()
	// The quotes may end an f-string around, not begin a string: f"{x" and the line ends.
	if s.endsFieldEarly(quotes) {
		s.pos = start
		s.breakFString()
		return
	}
	s.pos += len(quotes)
	if strings.Contains(prefix, "f") {
		s.startFString(start, quotes, strings.Contains(prefix, "r"))
		return
	}
	end, ok := s.findStringEnd(s.pos, quotes)
	s.pos = end
	s.emit(stringToken, start)
	if !ok {
		s.reportUnterminated(start, quotes)
	}
}

// findStringEnd finds the end of the literal whose text starts at pos; ok is false if it has none.
func (s *scanner) findStringEnd(pos int, quotes string) (end int, ok bool) {
	for pos < len(s.text) {
		switch c := s.text[pos]; {
		// A backslash hides any character, a line break included; "\r\n" is one.
		case c == '\\':
			pos++
			if strings.HasPrefix(s.text[pos:], "\r\n") {
				pos++
			}
			pos++
		case (c == '\n' || c == '\r') && len(quotes) == 1:
			return pos, false
		case strings.HasPrefix(s.text[pos:], quotes):
			return pos + len(quotes), true
		default:
			pos++
		}
	}
	return len(s.text), false
}

// reportUnterminated reports the literal just emitted.
func (s *scanner) reportUnterminated(start int, quotes string) {
	t := &s.tokens[len(s.tokens)-1]
	t.virtual = true
	place := span(start, s.pos)
	// A triple-quoted one has swallowed the rest of the file: point at its opening, not at all of it.
	if len(quotes) == 3 {
		place.End = int32(start + strings.Index(s.text[start:], quotes) + 3)
	}
	s.report.add(diag.New("unterminated-string", place, quotes))
	// Brackets that the string has swallowed would be reported as open: it is to blame, not they.
	s.bracketsMuted, s.lineBroken = len(s.brackets) > 0, true
}

// scanCurlyString reads text in typographic quotes as the string it was meant to be.
func (s *scanner) scanCurlyString(start int) {
	_, size := utf8.DecodeRuneInString(s.text[start:])
	line := s.text[start+size : s.endOfLine(start)]
	length := strings.IndexAny(line, "“”‘’")
	if length < 0 {
		s.pos = start + size
		s.reportLookalike(start, `"`, `"`)
		s.emit(badChar, start)
		return
	}
	s.pos = start + size + length
	_, last := utf8.DecodeRuneInString(s.text[s.pos:])
	opening, closing := span(start, start+size), span(s.pos, s.pos+last)
	s.pos += last
	// Between “ and ” there is text, which is kept; the quotes alone are replaced.
	quote := `"`
	if strings.Contains(line[:length], quote) {
		quote = "'"
	}
	s.report.add(diag.New("lookalike-character", opening, s.text[start:start+size], quote).
		Suggest(true, diag.Text{Key: "replace", Args: []any{s.text[start:s.pos], quote + line[:length] + quote}},
			diag.Edit{Span: opening, New: quote}, diag.Edit{Span: closing, New: quote}))
	s.emit(stringToken, start)
	s.tokens[len(s.tokens)-1].virtual = true
}

// fstring is an f-string being read.
type fstring struct {
	quote  byte
	triple bool
	raw    bool
	start  int
	base   int // open brackets outside it
}

func (f fstring) quotes() string {
	if f.triple {
		return strings.Repeat(string(f.quote), 3)
	}
	return string(f.quote)
}

func (s *scanner) startFString(start int, quotes string, raw bool) {
	// Bounded here, as the parser recurses on nested f-strings.
	if len(s.fstrings) >= maxFStrings {
		s.report.add(diag.New("too-deep", span(start, s.pos)))
		s.stopped = true
		return
	}
	s.emit(fstringStart, start)
	s.fstrings = append(s.fstrings, fstring{quotes[0], len(quotes) == 3, raw, start, len(s.brackets)})
}

// inLiteral reports whether the current place is literal text of an f-string or of a field's format.
func (s *scanner) inLiteral() bool {
	if len(s.fstrings) == 0 {
		return false
	}
	// Literal text: not inside a field, or inside a field's format.
	n := len(s.brackets)
	return n == s.fstrings[len(s.fstrings)-1].base || s.brackets[n-1].spec
}

// inField reports whether the current place is directly inside a replacement field.
func (s *scanner) inField() bool {
	n := len(s.brackets)
	return n > 0 && s.brackets[n-1].field && !s.brackets[n-1].spec
}

// scanLiteralPart reads literal text up to a field, the end of the format, or the end of the f-string.
func (s *scanner) scanLiteralPart() {
	f := s.fstrings[len(s.fstrings)-1]
	spec := len(s.brackets) > f.base
	start := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '\\' && !spec:
			s.skipLiteralEscape(f.raw)
		// Doubled braces stand for one; a format has no such escapes.
		case !spec && (s.at("{{") || s.at("}}")):
			s.pos += 2
		case s.at(f.quotes()), (c == '\n' || c == '\r') && !f.triple, c == '{', c == '}':
			s.endLiteralPart(f, spec, start)
			return
		default:
			s.pos++
		}
	}
	s.pos = min(s.pos, len(s.text))
	if s.pos > start {
		s.emit(fstringMiddle, start)
	}
}

// skipLiteralEscape moves past an escape sequence; a brace after the backslash keeps its meaning
// except in \N{name}.
func (s *scanner) skipLiteralEscape(raw bool) {
	// \N{DIGIT ONE}: the brace belongs to the escape and opens no field.
	if !raw && s.at(`\N{`) {
		if i := strings.IndexAny(s.text[s.pos:s.endOfLine(s.pos)], "}\"'"); i > 0 {
			s.pos += i
			return
		}
	}
	s.pos++
	if s.pos < len(s.text) && s.text[s.pos] != '{' && s.text[s.pos] != '}' {
		if s.at("\r\n") {
			s.pos++
		}
		s.pos++
	}
}

// endLiteralPart emits the literal text since start and acts on the character that ended it.
func (s *scanner) endLiteralPart(f fstring, spec bool, start int) {
	if s.pos > start {
		s.emit(fstringMiddle, start)
	}
	at := s.pos
	switch c := s.text[s.pos]; {
	case c == '{':
		s.pos++
		s.brackets = append(s.brackets, bracket{char: '{', at: int32(at), field: true})
		s.emit(operator, at)
	case c == '}' && spec:
		s.pos++
		s.brackets = s.brackets[:len(s.brackets)-1]
		s.emit(operator, at)
	// "}" that closes no field: Python wants it doubled, and so does the edit.
	case c == '}':
		s.pos++
		place := span(at, s.pos)
		s.report.add(suggestReplacement(diag.New("fstring-brace", place), place, "}", "}}"))
	case s.at(f.quotes()) && !spec:
		s.pos += len(f.quotes())
		s.fstrings = s.fstrings[:len(s.fstrings)-1]
		s.emit(fstringEnd, at)
	default:
		s.breakFString()
	}
}

// scanFieldOperator reads the operators that mean something else directly inside a field.
func (s *scanner) scanFieldOperator() bool {
	start := s.pos
	switch c := s.text[s.pos]; {
	case c == ':':
		s.brackets[len(s.brackets)-1].spec = true
	case c == '!' && !s.at("!="):
	case c == '=' && !s.at("=="):
	default:
		return false
	}
	s.pos++
	s.emit(operator, start)
	return true
}

// endsFieldEarly reports whether quotes met inside a field of an f-string with the same quotes
// are that f-string's own end, because they begin no string that ends on this line.
func (s *scanner) endsFieldEarly(quotes string) bool {
	if len(s.fstrings) == 0 {
		return false
	}
	if f := s.fstrings[len(s.fstrings)-1]; f.quotes() != quotes || f.triple {
		return false
	}
	// Whether the string inside would end on this line decides; Python before 3.12 forbids the same quotes.
	_, ok := s.findStringEnd(s.pos+len(quotes), quotes)
	return !ok
}

// breakFString reports the innermost f-string as unfinished and closes what it leaves open.
func (s *scanner) breakFString() {
	f := s.fstrings[len(s.fstrings)-1]
	s.fstrings = s.fstrings[:len(s.fstrings)-1]
	s.lineBroken = true
	// Ended inside a field by its own quotes: the field lacks its brace, the f-string is complete.
	if open := len(s.brackets) > f.base; open && s.at(f.quotes()) {
		at := int(s.brackets[f.base].at)
		place := span(s.pos, s.pos)
		d := diag.New("fstring-unclosed-field", place).Because(span(at, at+1), "opened-here")
		s.report.add(suggestInsertion(d, false, place, "}"))
		s.closeFields(f.base)
		start := s.pos
		s.pos += len(f.quotes())
		s.emit(fstringEnd, start)
		return
	}
	end := s.pos
	if f.triple {
		end = f.start + strings.Index(s.text[f.start:], f.quotes()) + 3
	}
	if !s.stopped {
		s.report.add(diag.New("unterminated-string", span(f.start, end), f.quotes()))
	}
	s.closeFields(f.base)
	s.emitVirtual(fstringEnd, "")
	s.bracketsMuted = len(s.brackets) > 0
}

func (s *scanner) closeFields(base int) {
	for len(s.brackets) > base {
		s.popBracket()
	}
}
