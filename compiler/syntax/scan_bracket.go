package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
)

// continuedLine looks at the first token of a line inside brackets. Where that can only begin a
// statement, the bracket was forgotten before it.
func (s *scanner) continuedLine() {
	if len(s.fstrings) > 0 {
		return
	}
	start := s.pos
	wide := s.measure().wide
	if word := s.peekWord(); statementKeywords[word] || s.opensBlock(word) || wide <= s.margin && s.beginsStatement() {
		s.pos = start
		s.closeBrackets()
		s.emit(newline, start)
		s.startLine()
	}
}

// opensBlock reports whether a line that could also continue a comprehension or a conditional
// expression ends as the first line of a block does.
func (s *scanner) opensBlock(word string) bool {
	if word != "if" && word != "for" && word != "else" {
		return false
	}
	line, _, _ := strings.Cut(s.text[s.pos:s.endOfLine(s.pos)], "#")
	return strings.HasSuffix(strings.TrimRight(line, " \t"), ":")
}

// beginsStatement reports whether the line at the current place, which stands no deeper than the
// statement whose brackets are open, cannot continue it.
func (s *scanner) beginsStatement() bool {
	word := s.peekWord()
	if word == "" {
		return s.last().endsOperand() && s.at("@") && s.pos+1 < len(s.text) && isIdentifierStart(rune(s.text[s.pos+1]))
	}
	after := strings.TrimLeft(s.text[s.pos+len(word):], " \t")
	assigns := strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
	return assigns && s.brackets[len(s.brackets)-1].char != '(' ||
		s.last().endsOperand() && token{kind: wordKind(word), text: word}.beginsOperand()
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
	inner := s.brackets[len(s.brackets)-1]
	at := s.lastEnd()
	if !s.muted && !s.tangled {
		missing := ""
		for i := len(s.brackets) - 1; i >= 0; i-- {
			missing += closers[s.brackets[i].char]
			if len(missing) == maxNesting {
				break
			}
		}
		d := diag.New("unclosed-bracket", span(at, at), string(inner.char), closers[inner.char]).
			Because(span(int(inner.at), int(inner.at)+1), "opened-here")
		s.report.add(d.Suggest(false, diag.Text{Key: "insert", Args: []any{missing}}, diag.Edit{Span: span(at, at), New: missing}))
	}
	for len(s.brackets) > 0 {
		s.popBracket()
	}
	s.muted, s.tangled = false, true
}

func (s *scanner) popBracket() {
	top := len(s.brackets) - 1
	s.emitVirtual(operator, closers[s.brackets[top].char])
	s.brackets = s.brackets[:top]
}

// closer matches a closing bracket with the one that is open.
func (s *scanner) closer(op string, start int) {
	place := span(start, s.pos)
	depth := len(s.brackets) - 1
	floor := 0
	if n := len(s.fstrings); n > 0 {
		floor = s.fstrings[n-1].base
	}
	if depth < floor || s.inField() && op != "}" {
		s.tangle(diag.New("unmatched-bracket", place, op).
			Suggest(false, diag.Text{Key: "remove", Args: []any{op}}, diag.Edit{Span: place}))
		return
	}
	if open := s.brackets[depth]; closers[open.char] != op {
		s.tangle(diag.New("mismatched-bracket", place, op, string(open.char), closers[open.char]).
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

// tangle reports a bracket that does not fit, once for each logical line.
func (s *scanner) tangle(d *diag.Diagnostic) {
	if !s.tangled {
		s.report.add(d)
	}
	s.tangled = true
}
