package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// startLine reads the beginning of a logical line: blank lines, comments, indentation, magics.
func (s *scanner) startLine() {
	s.tangled = false
	for s.pos < len(s.text) {
		start := s.pos
		width := s.measure()
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
		if c := s.text[s.pos]; c == '%' || c == '!' || c == '?' {
			s.magicLine()
		}
		return
	}
}

// joinsEmptyLine skips a backslash that stands alone on its line.
func (s *scanner) joinsEmptyLine() bool {
	rest := s.text[s.pos+1:]
	if rest == "" || rest[0] != '\n' && rest[0] != '\r' {
		return false
	}
	s.pos++
	s.skipLineBreak()
	return true
}

// measure moves past the line's leading space and returns its width.
func (s *scanner) measure() indentation {
	var w indentation
	for ; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case ' ':
			w.wide++
			w.narrow++
		case '\t':
			w.wide = (w.wide/8 + 1) * 8
			w.narrow++
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
	top := s.indents[len(s.indents)-1]
	if sign(width.wide-top.wide) != sign(width.narrow-top.narrow) {
		width = s.mixedIndentation(start)
	}
	s.margin = width.wide
	before := s.dedented
	s.dedented = dedentedLine{}
	switch {
	case width.wide > top.wide && s.continues(before, width):
		s.rejoin(before, width)
	case width.wide > top.wide:
		if len(s.indents) > maxBlocks {
			s.report.add(diag.New("too-deep", span(start, s.pos)))
			s.blocked = true
			return
		}
		s.indents = append(s.indents, width)
		s.emit(indent, start)
	case width.wide < top.wide:
		s.dedentTo(width, start)
	}
}

// dedentTo ends the blocks that a line is less indented than. A line between two blocks is taken as
// part of the inner one, so that only its indentation is wrong and not also its names.
func (s *scanner) dedentTo(width indentation, start int) {
	line := dedentedLine{indents: slices.Clone(s.indents), from: len(s.tokens), space: span(start, s.pos)}
	line.follows = strings.Count(s.text[s.lastEnd():start], "\n") == 0
	for inner := len(s.indents) - 1; width.wide < s.indents[inner].wide; inner-- {
		if width.wide > s.indents[inner-1].wide {
			if s.offGrid != width.wide {
				s.offGrid = width.wide
				s.report.add(s.lineUp(diag.New("bad-dedent", line.space), line.space, s.indents[inner]))
			}
			return
		}
		s.indents = s.indents[:inner]
		s.emit(dedent, s.pos)
	}
	line.until = len(s.tokens)
	s.offGrid = 0
	s.dedented = line
}

// dedentedLine is a line that has ended blocks, until the line after it is known.
type dedentedLine struct {
	indents     []indentation // before it
	from, until int           // its dedents among the tokens
	space       source.Span   // its own indentation
	follows     bool          // no empty line is in front of it
}

// continues reports whether a line goes on with a block as if the line before had not ended it: it
// is as deep as the block was, and no line announces another.
func (s *scanner) continues(line dedentedLine, width indentation) bool {
	if !line.follows || len(s.tokens) < 2 || s.tokens[len(s.tokens)-2].is(":") || strings.Contains(s.text[s.lastEnd():s.pos], "\n") {
		return false
	}
	return slices.Contains(line.indents, width)
}

// rejoin takes a line's dedents back and reports its indentation.
func (s *scanner) rejoin(line dedentedLine, width indentation) {
	s.report.add(s.lineUp(diag.New("outdented-line", line.space), line.space, width))
	depth := slices.Index(line.indents, width) + 1
	keep := line.until - (len(line.indents) - depth)
	s.tokens = slices.Delete(s.tokens, line.from, keep)
	s.indents = line.indents[:depth]
}

// lineUp offers to indent a line as a block is.
func (s *scanner) lineUp(d *diag.Diagnostic, space source.Span, to indentation) *diag.Diagnostic {
	return d.Suggest(false, diag.Text{Key: "line-up"}, diag.Edit{Span: space, New: strings.Repeat(" ", to.wide)})
}

// mixedIndentation reports a line whose tabs and spaces cannot be compared with the lines above,
// and guesses how wide its author sees a tab: so wide that the line fits a block that is open.
func (s *scanner) mixedIndentation(start int) indentation {
	guess := s.indents[len(s.indents)-1].wide
	for _, tab := range []int{4, 8, 2} {
		if columns := expand(s.text[start:s.pos], tab); s.hasIndent(columns) {
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
	for _, i := range s.indents {
		if i.wide == columns {
			return true
		}
	}
	return false
}

// expand is the width of leading space with tabs of the given width.
func expand(space string, tab int) int {
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

// magicLine turns a line that only IPython understands into one token.
func (s *scanner) magicLine() {
	start := s.pos
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
	'（': "(", '）': ")", '【': "[", '】': "]", '［': "[", '］': "]", '｛': "{", '｝': "}", '，': ",", '、': ",",
	'：': ":", '；': ";", '＝': "=", '＋': "+", '－': "-", '＊': "*", '／': "/", '％': "%", '＜': "<", '＞': ">",
	'．': ".", '。': ".", '＆': "&", '｜': "|", '＠': "@", '～': "~", '＾': "^", '−': "-", '×': "*", '÷': "/", '≤': "<=",
	'≥': ">=", '≠': "!=", '–': "-", '—': "-",
}

// unicode reads what begins outside ASCII.
func (s *scanner) unicode() {
	start := s.pos
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	switch {
	case isIdentifierStart(r):
		s.word()
	case r == utf8.RuneError && size == 1: // reported once for the file
		s.pos++
	case r == '\u00a0' || r == '\u3000' || r == '\u2009' || r == '\u202f':
		s.pos += size
		s.lookalike(start, " ", "space")
	case lookalikes[r] != "":
		op := s.lookalikeOperator(r, size)
		s.lookalike(start, op, op)
		s.operatorToken(op, start)
	case r == '“' || r == '”' || r == '‘' || r == '’':
		s.curlyString(start)
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

// lookalikeOperator moves past r and, where both make one operator such as "==", what follows it.
func (s *scanner) lookalikeOperator(r rune, size int) string {
	op := lookalikes[r]
	s.pos += size
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

func (s *scanner) lookalike(start int, ascii, shown string) {
	place := span(start, s.pos)
	s.report.add(diag.New("lookalike-character", place, s.text[start:s.pos], shown).
		Suggest(true, diag.Text{Key: "replace", Args: []any{s.text[start:s.pos], shown}}, diag.Edit{Span: place, New: ascii}))
}
