package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// scanner turns a file into tokens in one pass. It keeps the stack of open brackets, joins lines
// inside them, and measures indentation outside.
type scanner struct {
	text          string
	pos           int
	tokens        []token
	report        *reporter
	layout        lineLayout
	brackets      []bracket
	fstrings      []fstring
	bracketsMuted bool // an unterminated string has probably swallowed the bracket that closes
	lineBroken    bool // a bracket or string of this logical line has been reported; the parser is silent on it
	stopped       bool // indentation went too deep: the rest of the file is not read
}

// lineLayout is what the scanner knows of the indentation of logical lines.
type lineLayout struct {
	blocks     []indentation // of the open blocks, the module's first
	dedented   dedentedLine  // the last line, if it ended blocks
	misaligned int           // width of the lines last reported because they line up with no block
	margin     int           // column at which the current logical line starts
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
	s := &scanner{text: f.Text, report: report, layout: lineLayout{blocks: []indentation{{}}}}
	// Some three bytes a token in kernels, and not less than two and a half: one allocation for most files.
	s.tokens = make([]token, 0, len(f.Text)*2/5+8)
	// A byte order mark is no text; Python drops it, too.
	if strings.HasPrefix(s.text, "\ufeff") {
		s.pos = len("\ufeff")
	}
	s.reportEncoding()
	s.startLine()
	for s.pos < len(s.text) && !s.report.full() && !s.stopped {
		// Text inside an f-string is read by other rules than code.
		if s.inLiteral() {
			s.scanLiteralPart()
		} else {
			s.scanToken()
		}
	}
	s.finishFile()
	s.moveTo(f.Base())
	return s.tokens, s.stopped
}

// moveTo gives the places of tokens and reports, which count from the text's beginning until here, as
// offsets from base.
func (s *scanner) moveTo(base int32) {
	if base == 0 {
		return
	}
	move := func(at *source.Span) { at.Start, at.End = at.Start+base, at.End+base }
	for i := range s.tokens {
		move(&s.tokens[i].span)
	}
	for _, d := range s.report.list {
		move(&d.Primary.Span)
		for i := range d.Related {
			move(&d.Related[i].Span)
		}
		for _, fix := range d.Fixes {
			for i := range fix.Edits {
				move(&fix.Edits[i].Span)
			}
		}
	}
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
		// RuneError of size 1 is a broken byte; of size 3 it is U+FFFD itself, which is text.
		if _, size := utf8.DecodeRuneInString(s.text[i:]); r == utf8.RuneError && size == 1 {
			s.report.add(diag.New("invalid-utf8", span(i, i+1)))
			return
		}
	}
}

func span(start, end int) source.Span { return source.Span{Start: int32(start), End: int32(end)} }

func (s *scanner) emit(kind tokenKind, start int) {
	// A broken line excuses the parser's errors in it: they follow from what has been reported.
	excused := kind == newline && s.lineBroken
	s.tokens = append(s.tokens, token{kind: kind, virtual: excused, span: span(start, s.pos),
		text: s.text[start:s.pos]})
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

func (s *scanner) lastToken() token {
	if len(s.tokens) == 0 {
		return token{kind: newline}
	}
	return s.tokens[len(s.tokens)-1]
}

func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

// finishFile closes whatever the end of the file leaves open.
func (s *scanner) finishFile() {
	s.pos = len(s.text)
	// Innermost first, as brackets may be open inside of the field of an f-string.
	for len(s.fstrings) > 0 {
		s.breakFString()
	}
	if len(s.brackets) > 0 {
		s.closeBrackets()
	}
	// The parser expects a newline after every statement and a dedent for every block.
	if k := s.lastToken().kind; k != newline && k != dedent {
		s.emit(newline, s.pos)
	}
	for range s.layout.blocks[1:] {
		s.emit(dedent, s.pos)
	}
	s.emit(endOfFile, s.pos)
}

// scanToken reads one token, or skips what separates tokens.
func (s *scanner) scanToken() {
	start := s.pos
	c := s.text[s.pos]
	// The order of cases: a digit or "." before operators, since ".5" is a number.
	switch {
	case c == ' ' || c == '\t' || c == '\f':
		s.pos++
	case c == '\n' || c == '\r':
		s.scanLineBreak()
	case c == '#':
		s.pos = s.endOfLine(s.pos)
	case c == '\\':
		s.scanBackslash()
	case isDigit(rune(c)) || c == '.' && s.pos+1 < len(s.text) && isDigit(rune(s.text[s.pos+1])):
		s.scanNumber()
	case c == '"' || c == '\'':
		s.scanString(start)
	case c < utf8.RuneSelf && isIdentifierStart(rune(c)):
		s.scanWord()
	case c < utf8.RuneSelf:
		s.scanOperator()
	default:
		s.scanNonASCII()
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

func (s *scanner) scanLineBreak() {
	if len(s.fstrings) > 0 && !s.fstrings[len(s.fstrings)-1].triple {
		s.breakFString()
		return
	}
	start := s.pos
	s.skipLineBreak()
	if len(s.brackets) > 0 {
		s.checkContinuedLine()
		return
	}
	s.emit(newline, start)
	s.startLine()
}

// scanBackslash joins the next line on.
func (s *scanner) scanBackslash() {
	start := s.pos
	s.pos++
	if s.pos < len(s.text) && (s.text[s.pos] == '\n' || s.text[s.pos] == '\r') {
		s.skipLineBreak()
		return
	}
	s.report.add(diag.New("stray-backslash", span(start, s.pos)))
	s.emit(badChar, start)
}

func (s *scanner) scanWord() {
	start := s.pos
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !isIdentifierPart(r) {
			break
		}
		s.pos += size
	}
	if s.pos < len(s.text) && (s.text[s.pos] == '"' || s.text[s.pos] == '\'') &&
		stringPrefixes[strings.ToLower(s.text[start:s.pos])] {
		s.scanString(start)
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
	{"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
		":=", "&&", "||"},
	{"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "="},
}

func (s *scanner) scanOperator() {
	start := s.pos
	// Directly inside a field ":", "!" and "=" are the format's, the conversion's and the debug marker's.
	if s.inField() && s.scanFieldOperator() {
		return
	}
	// Longest operators come first, so that "**=" is not read as "**" and "=".
	for _, group := range operators {
		for _, op := range group {
			if op[0] == s.text[start] && s.at(op) {
				s.pos += len(op)
				s.emitOperator(op, start)
				return
			}
		}
	}
	s.pos++
	s.reportStray(start)
}

// emitOperator emits an operator as Python spells it, keeping the brackets balanced.
func (s *scanner) emitOperator(op string, start int) {
	switch op {
	case "(", "[", "{":
		s.brackets = append(s.brackets, bracket{char: op[0], at: int32(start)})
	case ")", "]", "}":
		s.scanCloser(op, start)
		return
	case "&&":
		s.emitBorrowed(start, "and")
		return
	case "||":
		s.emitBorrowed(start, "or")
		return
	}
	s.tokens = append(s.tokens, token{kind: operator, span: span(start, s.pos), text: op})
}

// emitBorrowed reports an operator of C and reads it as Python's.
func (s *scanner) emitBorrowed(start int, python string) {
	place := span(start, s.pos)
	// The edit keeps words apart: a&&b becomes "a and b".
	written := python
	if start > 0 && s.text[start] != '!' && s.text[start-1] != ' ' {
		written = " " + written
	}
	if s.pos < len(s.text) && s.text[s.pos] != ' ' {
		written += " "
	}
	s.report.add(diag.New("c-operator", place, s.text[start:s.pos], python).
		Suggest(true, diag.Text{Key: "replace", Args: []any{s.text[start:s.pos], python}},
			diag.Edit{Span: place, New: written}))
	s.tokens = append(s.tokens, token{kind: keyword, span: place, text: python})
}

// reportStray reports an ASCII character that begins no token.
func (s *scanner) reportStray(start int) {
	switch c := s.text[start]; {
	case c == 0: // reported once for the file
		return
	case c == '?' && strings.TrimSpace(s.text[s.pos:s.endOfLine(s.pos)]) == "":
		s.report.add(diag.Warn("ipython-magic", span(start, s.pos), "?").
			Suggest(true, diag.Text{Key: "remove", Args: []any{"?"}}, diag.Edit{Span: span(start, s.pos)}))
	case c == '!' && s.pos < len(s.text) && !s.lastToken().endsOperand():
		s.emitBorrowed(start, "not")
	case strings.HasPrefix(s.text[start:], fence):
		s.reportFence(start)
	default:
		s.report.add(diag.New("invalid-character", span(start, s.pos), s.text[start:s.pos]))
		s.emit(badChar, start)
	}
}

// fence begins and ends code in Markdown.
const fence = "```"

// reportFence reports the first fence of a text that was copied with what is around its code, and moves past it.
func (s *scanner) reportFence(start int) {
	s.pos = start + len(fence)
	if !strings.Contains(s.text[:start], fence) {
		code := min(s.endOfLine(start)+1, len(s.text))
		edits := []diag.Edit{{Span: span(0, code)}}
		if end := strings.Index(s.text[code:], fence); end >= 0 {
			edits = append(edits, diag.Edit{Span: span(code+end, len(s.text))})
		}
		s.report.add(diag.New("markdown-fence", span(start, s.pos)).
			Suggest(true, diag.Text{Key: "keep-code"}, edits...))
	}
	s.emit(badChar, start)
}

// startLine reads the beginning of a logical line: blank lines, comments, indentation, magics.
func (s *scanner) startLine() {
	s.lineBroken = false
	// Blank lines and comments make no tokens and say nothing about indentation.
	for s.pos < len(s.text) {
		start := s.pos
		width := s.measureIndent()
		if s.pos == len(s.text) {
			return
		}
		switch s.text[s.pos] {
		case '\n', '\r':
			s.skipLineBreak()
			continue
		case '#':
			s.pos = s.endOfLine(s.pos)
			continue
		case '\\':
			if s.joinsEmptyLine() {
				continue
			}
		}
		s.indentTo(width, start)
		// IPython's line magics and shell escapes begin a line: %timeit, !pip, ?tl.load.
		if c := s.text[s.pos]; c == '%' || c == '!' || c == '?' {
			s.scanMagicLine()
		}
		return
	}
}

// joinsEmptyLine skips a backslash that is alone on its line.
func (s *scanner) joinsEmptyLine() bool {
	rest := s.text[s.pos+1:]
	if rest == "" || rest[0] != '\n' && rest[0] != '\r' {
		return false
	}
	s.pos++
	s.skipLineBreak()
	return true
}

// measureIndent moves past the line's leading space and returns its width.
func (s *scanner) measureIndent() indentation {
	var w indentation
	for ; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case ' ':
			w.wide++
			w.narrow++
		// Python's own rule: a tab goes to the next multiple of 8, and counts as 1 for the check of consistency.
		case '\t':
			w.wide = (w.wide/8 + 1) * 8
			w.narrow++
		// A form feed resets the count, for what it is worth: Python's tokenizer does so.
		case '\f':
			w = indentation{}
		default:
			return w
		}
	}
	return w
}

// indentTo emits the indent or dedents that lead to width.
func (s *scanner) indentTo(width indentation, start int) {
	top := s.layout.blocks[len(s.layout.blocks)-1]
	// The two widths disagree on deeper or shallower: Python raises a TabError here.
	if sign(width.wide-top.wide) != sign(width.narrow-top.narrow) {
		width = s.reportMixedIndent(start)
	}
	s.layout.margin = width.wide
	before := s.layout.dedented
	s.layout.dedented = dedentedLine{}
	switch {
	// A line that was less indented by mistake, and this one goes on with its block.
	case width.wide > top.wide && s.continuesBlock(before, width):
		s.rejoinBlock(before, width)
	case width.wide > top.wide:
		if len(s.layout.blocks) > maxBlocks {
			s.report.add(diag.New("too-deep", span(start, s.pos)))
			s.stopped = true
			return
		}
		s.layout.blocks = append(s.layout.blocks, width)
		s.emit(indent, start)
	case width.wide < top.wide:
		s.dedentTo(width, start)
	}
}

// dedentTo ends the blocks that a line is less indented than. A line between two blocks is taken as
// part of the inner one, so that only its indentation is wrong and not also its names.
func (s *scanner) dedentTo(width indentation, start int) {
	line := dedentedLine{indents: slices.Clone(s.layout.blocks), from: len(s.tokens), space: span(start, s.pos)}
	line.follows = strings.Count(s.text[s.lastEnd():start], "\n") == 0
	for inner := len(s.layout.blocks) - 1; width.wide < s.layout.blocks[inner].wide; inner-- {
		// The line is between two blocks: no dedent fits. It stays in the inner one, reported once for a run of
		// lines with that width.
		if width.wide > s.layout.blocks[inner-1].wide {
			if s.layout.misaligned != width.wide {
				s.layout.misaligned = width.wide
				s.report.add(s.suggestIndent(diag.New("bad-dedent", line.space), line.space, s.layout.blocks[inner]))
			}
			return
		}
		s.layout.blocks = s.layout.blocks[:inner]
		s.emit(dedent, s.pos)
	}
	// What rejoinBlock needs to take this back when the next line shows that it was a slip.
	line.until = len(s.tokens)
	s.layout.misaligned = 0
	s.layout.dedented = line
}

// dedentedLine is a line that has ended blocks, until the line after it is known.
type dedentedLine struct {
	indents     []indentation // before it
	from, until int           // its dedents among the tokens
	space       source.Span   // its own indentation
	follows     bool          // no empty line is in front of it
}

// continuesBlock reports whether a line goes on with a block as if the line before had not ended it: it
// is as deep as the block was, and no line announces another.
func (s *scanner) continuesBlock(line dedentedLine, width indentation) bool {
	// ":" before the newline: the line above opens a block, so deeper is right.
	if !line.follows || len(s.tokens) < 2 || s.tokens[len(s.tokens)-2].is(":") ||
		strings.Contains(s.text[s.lastEnd():s.pos], "\n") {
		return false
	}
	return slices.Contains(line.indents, width)
}

// rejoinBlock takes a line's dedents back and reports its indentation.
func (s *scanner) rejoinBlock(line dedentedLine, width indentation) {
	s.report.add(s.suggestIndent(diag.New("outdented-line", line.space), line.space, width))
	depth := slices.Index(line.indents, width) + 1
	// Dedents below the block that goes on are real and stay.
	keep := line.until - (len(line.indents) - depth)
	s.tokens = slices.Delete(s.tokens, line.from, keep)
	s.layout.blocks = line.indents[:depth]
}

// suggestIndent offers to indent a line as a block is.
func (s *scanner) suggestIndent(d *diag.Diagnostic, space source.Span, to indentation) *diag.Diagnostic {
	return d.Suggest(false, diag.Text{Key: "line-up"}, diag.Edit{Span: space, New: strings.Repeat(" ", to.wide)})
}

// reportMixedIndent reports a line whose tabs and spaces cannot be compared with the lines above,
// and guesses how wide its author sees a tab: so wide that the line fits a block that is open.
func (s *scanner) reportMixedIndent(start int) indentation {
	guess := s.layout.blocks[len(s.layout.blocks)-1].wide
	// The usual widths, the most usual first.
	for _, tab := range []int{4, 8, 2} {
		if columns := expandTabs(s.text[start:s.pos], tab); s.hasIndent(columns) {
			guess = columns
			break
		}
	}
	place := span(start, s.pos)
	s.report.add(diag.New("mixed-indentation", place).
		Suggest(false, diag.Text{Key: "indent-with-spaces"}, diag.Edit{Span: place, New: strings.Repeat(" ", guess)}))
	return indentation{guess, guess}
}

func (s *scanner) hasIndent(columns int) bool {
	for _, i := range s.layout.blocks {
		if i.wide == columns {
			return true
		}
	}
	return false
}

// expandTabs is the width of leading space with tabs of the given width.
func expandTabs(space string, tab int) int {
	columns := 0
	for _, c := range space {
		if c == '\t' {
			columns = (columns/tab + 1) * tab
		} else {
			columns++
		}
	}
	return columns
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// scanMagicLine turns a line that only IPython understands into one token.
func (s *scanner) scanMagicLine() {
	start := s.pos
	// A backslash at the end continues a magic as it does a shell command.
	for {
		s.pos = s.endOfLine(s.pos)
		if s.pos == len(s.text) || s.text[s.pos-1] != '\\' {
			break
		}
		s.skipLineBreak()
	}
	end := min(s.pos, start+strings.IndexAny(s.text[start:s.pos]+" ", " \t"))
	s.report.add(diag.Warn("ipython-magic", span(start, s.pos), s.text[start:end]).
		Suggest(true, diag.Text{Key: "comment-out"}, diag.Edit{Span: span(start, start), New: "# "}))
	s.emit(magic, start)
}

// lookalikes are characters that input methods and word processors put in place of ASCII ones.
var lookalikes = map[rune]string{
	'（': "(", '）': ")", '【': "[", '】': "]", '［': "[", '］': "]", '｛': "{", '｝': "}",
	'，': ",", '、': ",", '：': ":", '；': ";", '＝': "=", '＋': "+", '－': "-", '＊': "*",
	'／': "/", '％': "%", '＜': "<", '＞': ">", '．': ".", '。': ".", '＆': "&", '｜': "|",
	'＠': "@", '～': "~", '＾': "^", '−': "-", '×': "*", '÷': "/", '≤': "<=", '≥': ">=",
	'≠': "!=", '–': "-", '—': "-",
}

// scanNonASCII reads what begins outside ASCII.
func (s *scanner) scanNonASCII() {
	start := s.pos
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	switch {
	case isIdentifierStart(r):
		s.scanWord()
	case r == utf8.RuneError && size == 1: // reported once for the file
		s.pos++
	case r == '\u00a0' || r == '\u3000' || r == '\u2009' || r == '\u202f':
		s.pos += size
		s.reportLookalike(start, " ", "space")
	case lookalikes[r] != "":
		op := s.scanLookalikeOperator(r, size)
		s.reportLookalike(start, op, op)
		s.emitOperator(op, start)
	case r == '“' || r == '”' || r == '‘' || r == '’':
		s.scanCurlyString(start)
	default:
		s.pos += size
		shown := fmt.Sprintf("U+%04X", r)
		if r > ' ' && strings.TrimSpace(string(r)) != "" {
			shown = string(r)
		}
		s.report.add(diag.New("invalid-character", span(start, s.pos), shown))
		s.emit(badChar, start)
	}
}

// scanLookalikeOperator moves past r and, where both make one operator such as "==", what follows it.
func (s *scanner) scanLookalikeOperator(r rune, size int) string {
	op := lookalikes[r]
	s.pos += size
	// "＝＝" is one operator as "==" is; a mixture of both widths is, too.
	following, more := utf8.DecodeRuneInString(s.text[s.pos:])
	second := lookalikes[following]
	if second == "" && more == 1 {
		second = string(following)
	}
	if second != "" && slices.Contains(operators[1], op+second) {
		s.pos += more
		return op + second
	}
	return op
}

func (s *scanner) reportLookalike(start int, ascii, shown string) {
	place := span(start, s.pos)
	s.report.add(diag.New("lookalike-character", place, s.text[start:s.pos], shown).
		Suggest(true, diag.Text{Key: "replace", Args: []any{s.text[start:s.pos], shown}},
			diag.Edit{Span: place, New: ascii}))
}

// checkContinuedLine looks at the first token of a line inside brackets. Where that can only begin a
// statement, the bracket was forgotten before it.
func (s *scanner) checkContinuedLine() {
	// Inside an f-string's field the line ends with the string, whose own recovery applies.
	if len(s.fstrings) > 0 {
		return
	}
	start := s.pos
	wide := s.measureIndent().wide
	// Not deeper than the statement itself: a continued line would be indented by any formatter.
	if word := s.peekWord(); statementKeywords[word] || s.endsLikeHeader(word) || wide <= s.layout.margin &&
		s.looksLikeStatement() {
		s.pos = start
		s.closeBrackets()
		s.emit(newline, start)
		s.startLine()
	}
}

// endsLikeHeader reports whether a line that could also continue a comprehension or a conditional
// expression ends as the first line of a block does.
func (s *scanner) endsLikeHeader(word string) bool {
	if word != "if" && word != "for" && word != "else" {
		return false
	}
	// if, for and else occur in expressions, too; with ":" at the end they open a block.
	line, _, _ := strings.Cut(s.text[s.pos:s.endOfLine(s.pos)], "#")
	open := 0
	for _, c := range line {
		switch c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			if open--; open < 0 { // it closes the bracket, and the header began before
				return false
			}
		}
	}
	return strings.HasSuffix(strings.TrimRight(line, " \t"), ":")
}

// looksLikeStatement reports whether the line at the current place, which is no deeper than the
// statement whose brackets are open, cannot continue it.
func (s *scanner) looksLikeStatement() bool {
	word := s.peekWord()
	if word == "" {
		// "@" between operands is matrix multiplication; at the start of a line, before a name, a decorator.
		return s.lastToken().endsOperand() && s.at("@") && s.pos+1 < len(s.text) &&
			isIdentifierStart(rune(s.text[s.pos+1]))
	}
	after := strings.TrimLeft(s.text[s.pos+len(word):], " \t")
	// "name = " is a keyword argument inside parentheses, but nothing inside "[" and "{".
	assigns := strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
	return assigns && s.brackets[len(s.brackets)-1].char != '(' ||
		s.lastToken().endsOperand() && token{kind: wordKind(word), text: word}.beginsOperand()
}

func wordKind(word string) tokenKind {
	if keywords[word] {
		return keyword
	}
	return identifier
}

// peekWord is the ASCII word at the current place, or "".
func (s *scanner) peekWord() string {
	end := s.pos
	for end < len(s.text) && isIdentifierPart(rune(s.text[end])) && s.text[end] < utf8.RuneSelf {
		end++
	}
	if end > s.pos && isDigit(rune(s.text[s.pos])) {
		return ""
	}
	return s.text[s.pos:end]
}

// closeBrackets reports the innermost open bracket and puts in what would close them all.
func (s *scanner) closeBrackets() {
	// Only the innermost bracket is reported: the others may well be closed further down.
	inner := s.brackets[len(s.brackets)-1]
	at := s.lastEnd()
	if !s.bracketsMuted && !s.lineBroken {
		missing := ""
		for i := len(s.brackets) - 1; i >= 0; i-- {
			missing += closers[s.brackets[i].char]
			if len(missing) == maxNesting {
				break
			}
		}
		d := diag.New("unclosed-bracket", span(at, at), string(inner.char), closers[inner.char]).
			Because(span(int(inner.at), int(inner.at)+1), "opened-here")
		s.report.add(d.Suggest(false, diag.Text{Key: "insert", Args: []any{missing}},
			diag.Edit{Span: span(at, at), New: missing}))
	}
	for len(s.brackets) > 0 {
		s.popBracket()
	}
	s.bracketsMuted, s.lineBroken = false, true
}

func (s *scanner) popBracket() {
	top := len(s.brackets) - 1
	s.emitVirtual(operator, closers[s.brackets[top].char])
	s.brackets = s.brackets[:top]
}

// scanCloser matches a closing bracket with the one that is open.
func (s *scanner) scanCloser(op string, start int) {
	place := span(start, s.pos)
	depth := len(s.brackets) - 1
	// A bracket of an f-string's field must not close one outside of the f-string.
	floor := 0
	if n := len(s.fstrings); n > 0 {
		floor = s.fstrings[n-1].base
	}
	if depth < floor || s.inField() && op != "}" {
		s.reportBracket(diag.New("unmatched-bracket", place, op).
			Suggest(false, diag.Text{Key: "remove", Args: []any{op}}, diag.Edit{Span: place}))
		return
	}
	if open := s.brackets[depth]; closers[open.char] != op {
		// The wrong kind of bracket. If the right kind is open further out, those in between were forgotten and
		// are closed here; else it counts as the one that is open, so that the stack stays in step.
		s.reportBracket(diag.New("mismatched-bracket", place, op, string(open.char), closers[open.char]).
			Because(span(int(open.at), int(open.at)+1), "opened-here"))
		for i := depth - 1; i >= floor; i-- {
			if closers[s.brackets[i].char] == op {
				for len(s.brackets)-1 > i {
					s.popBracket()
				}
				break
			}
		}
		op = closers[s.brackets[len(s.brackets)-1].char]
	}
	s.brackets = s.brackets[:len(s.brackets)-1]
	s.tokens = append(s.tokens, token{kind: operator, span: place, text: op})
}

// reportBracket reports a bracket that does not fit, once for each logical line.
func (s *scanner) reportBracket(d *diag.Diagnostic) {
	if !s.lineBroken {
		s.report.add(d)
	}
	s.lineBroken = true
}
