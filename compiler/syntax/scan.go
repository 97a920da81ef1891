package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// scanner turns a file into tokens in one pass. It keeps the stack of open brackets, joins lines
// inside them, and measures indentation outside.
type scanner struct {
	text     string
	pos      int
	tokens   []token
	report   *reporter
	indents  []indentation
	dedented dedentedLine
	offGrid  int // width of the lines last reported because they line up with no block
	margin   int // column at which the current logical line starts
	brackets []bracket
	fstrings []fstring
	muted    bool // an unterminated string has probably swallowed the bracket that closes
	tangled  bool // a bracket or string of this logical line has been reported: what the parser finds in it follows from that
	blocked  bool // indentation went too deep: the rest of the file is not read
}

// indentation is the width of a line's leading space, with tabs as 8 columns and as 1.
// Two lines can be compared only if both widths agree on the answer.
type indentation struct{ wide, narrow int }

type bracket struct {
	char  byte
	at    int32
	field bool // the brace of an f-string's replacement field
	spec  bool // of which the format is being read
}

var closers = map[byte]string{'(': ")", '[': "]", '{': "}"}

// scan reads a whole file; truncated means that it gave up before the end.
func scan(f *source.File, report *reporter) (tokens []token, truncated bool) {
	s := &scanner{text: f.Text, report: report, indents: []indentation{{}}}
	s.tokens = make([]token, 0, len(f.Text)/4+8)
	if strings.HasPrefix(s.text, "\ufeff") {
		s.pos = len("\ufeff")
	}
	s.reportEncoding()
	s.startLine()
	for s.pos < len(s.text) && !s.report.full() && !s.blocked {
		if s.inLiteral() {
			s.literalPart()
		} else {
			s.token()
		}
	}
	s.finish()
	return s.tokens, s.blocked
}

// reportEncoding reports the first byte of each kind that cannot be text.
func (s *scanner) reportEncoding() {
	if i := strings.IndexByte(s.text, 0); i >= 0 {
		s.report.add(diag.New("nul-byte", span(i, i+1)))
	}
	if utf8.ValidString(s.text) {
		return
	}
	for i, r := range s.text {
		if _, size := utf8.DecodeRuneInString(s.text[i:]); r == utf8.RuneError && size == 1 {
			s.report.add(diag.New("invalid-utf8", span(i, i+1)))
			return
		}
	}
}

func span(start, end int) source.Span { return source.Span{Start: int32(start), End: int32(end)} }

func (s *scanner) emit(kind tokenKind, start int) {
	excused := kind == newline && s.tangled
	s.tokens = append(s.tokens, token{kind: kind, virtual: excused, span: span(start, s.pos), text: s.text[start:s.pos]})
}

// emitVirtual puts in a token that the text lacks.
func (s *scanner) emitVirtual(kind tokenKind, text string) {
	at := s.lastEnd()
	s.tokens = append(s.tokens, token{kind: kind, virtual: true, span: span(at, at), text: text})
}

func (s *scanner) lastEnd() int {
	if len(s.tokens) == 0 {
		return 0
	}
	return int(s.tokens[len(s.tokens)-1].span.End)
}

func (s *scanner) last() token {
	if len(s.tokens) == 0 {
		return token{kind: newline}
	}
	return s.tokens[len(s.tokens)-1]
}

func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

// finish closes whatever the end of the file leaves open.
func (s *scanner) finish() {
	s.pos = len(s.text)
	for len(s.fstrings) > 0 {
		s.breakFString()
	}
	if len(s.brackets) > 0 {
		s.closeBrackets()
	}
	if k := s.last().kind; k != newline && k != dedent {
		s.emit(newline, s.pos)
	}
	for range s.indents[1:] {
		s.emit(dedent, s.pos)
	}
	s.emit(endOfFile, s.pos)
}

// token reads one token, or skips what separates tokens.
func (s *scanner) token() {
	start := s.pos
	c := s.text[s.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\f':
		s.pos++
	case c == '\n' || c == '\r':
		s.lineEnd()
	case c == '#':
		s.pos = s.endOfLine(s.pos)
	case c == '\\':
		s.backslash()
	case isDigit(rune(c)) || c == '.' && s.pos+1 < len(s.text) && isDigit(rune(s.text[s.pos+1])):
		s.number()
	case c == '"' || c == '\'':
		s.stringLiteral(start)
	case c < utf8.RuneSelf && isIdentifierStart(rune(c)):
		s.word()
	case c < utf8.RuneSelf:
		s.operator()
	default:
		s.unicode()
	}
}

// endOfLine is the offset of the end-of-line byte at or after pos, or the end of the text.
func (s *scanner) endOfLine(pos int) int {
	if i := strings.IndexAny(s.text[pos:], "\r\n"); i >= 0 {
		return pos + i
	}
	return len(s.text)
}

// skipLineBreak moves past one line break.
func (s *scanner) skipLineBreak() {
	if s.at("\r\n") {
		s.pos++
	}
	s.pos++
}

func (s *scanner) lineEnd() {
	if len(s.fstrings) > 0 && !s.fstrings[len(s.fstrings)-1].triple {
		s.breakFString()
		return
	}
	start := s.pos
	s.skipLineBreak()
	if len(s.brackets) > 0 {
		s.continuedLine()
		return
	}
	s.emit(newline, start)
	s.startLine()
}

// backslash joins the next line on.
func (s *scanner) backslash() {
	start := s.pos
	s.pos++
	if s.pos < len(s.text) && (s.text[s.pos] == '\n' || s.text[s.pos] == '\r') {
		s.skipLineBreak()
		return
	}
	s.report.add(diag.New("stray-backslash", span(start, s.pos)))
	s.emit(badChar, start)
}

func (s *scanner) word() {
	start := s.pos
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !isIdentifierPart(r) {
			break
		}
		s.pos += size
	}
	if s.pos < len(s.text) && (s.text[s.pos] == '"' || s.text[s.pos] == '\'') && stringPrefixes[strings.ToLower(s.text[start:s.pos])] {
		s.stringLiteral(start)
		return
	}
	if s.pos-start > maxName {
		s.report.add(diag.New("name-too-long", span(start, s.pos), s.pos-start, maxName))
	}
	s.emit(wordKind(s.text[start:s.pos]), start)
}

// operators in the order in which they are tried: the longest first.
var operators = [...][]string{
	{"**=", "//=", ">>=", "<<=", "..."},
	{"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=", "&&", "||"},
	{"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "="},
}

func (s *scanner) operator() {
	start := s.pos
	if s.inField() && s.fieldOperator() {
		return
	}
	for _, group := range operators {
		for _, op := range group {
			if s.at(op) {
				s.pos += len(op)
				s.operatorToken(op, start)
				return
			}
		}
	}
	s.pos++
	s.strayCharacter(start)
}

// operatorToken emits an operator as Python spells it, keeping the brackets balanced.
func (s *scanner) operatorToken(op string, start int) {
	switch op {
	case "(", "[", "{":
		s.brackets = append(s.brackets, bracket{char: op[0], at: int32(start)})
	case ")", "]", "}":
		s.closer(op, start)
		return
	case "&&":
		s.borrowed(start, "and")
		return
	case "||":
		s.borrowed(start, "or")
		return
	}
	s.tokens = append(s.tokens, token{kind: operator, span: span(start, s.pos), text: op})
}

// borrowed reports an operator of C and reads it as Python's.
func (s *scanner) borrowed(start int, python string) {
	place := span(start, s.pos)
	written := python
	if start > 0 && s.text[start] != '!' && s.text[start-1] != ' ' {
		written = " " + written
	}
	if s.pos < len(s.text) && s.text[s.pos] != ' ' {
		written += " "
	}
	s.report.add(diag.New("c-operator", place, s.text[start:s.pos], python).
		Suggest(true, diag.Text{Key: "replace", Args: []any{s.text[start:s.pos], python}}, diag.Edit{Span: place, New: written}))
	s.tokens = append(s.tokens, token{kind: keyword, span: place, text: python})
}

// strayCharacter reports an ASCII character that begins no token.
func (s *scanner) strayCharacter(start int) {
	switch c := s.text[start]; {
	case c == 0: // reported once for the file
		return
	case c == '?' && strings.TrimSpace(s.text[s.pos:s.endOfLine(s.pos)]) == "":
		s.report.add(diag.Warn("ipython-magic", span(start, s.pos), "?").
			Suggest(true, diag.Text{Key: "remove", Args: []any{"?"}}, diag.Edit{Span: span(start, s.pos)}))
	case c == '!' && s.pos < len(s.text) && !s.last().endsOperand():
		s.borrowed(start, "not")
	default:
		s.report.add(diag.New("invalid-character", span(start, s.pos), s.text[start:s.pos]))
		s.emit(badChar, start)
	}
}
