package ir

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts the text form into tokens: names with an optional % before them, numbers, quoted
// strings and single punctuation marks. Comments run from // to the end of the line.
type lexer struct {
	text string
	pos  int
	line int
	tok  string // the current token, "" at the end
}

// SyntaxError is a mistake in the text form.
type SyntaxError struct {
	Line int // from 1
	Text string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// next moves to the next token.
func (l *lexer) next() {
	l.skipSpace()
	rest := l.text[l.pos:]
	n := 0
	switch {
	case rest == "":
	case rest[0] == '"':
		n = quotedLen(rest)
	case rest[0] == '%':
		n = 1 + nameLen(rest[1:], "#")
	default:
		n = nameLen(rest, "")
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
		}
	}
	l.tok = rest[:n]
	l.pos += n
}

func (l *lexer) skipSpace() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\n':
			l.line++
			l.pos++
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "//"):
			if end := strings.IndexByte(l.text[l.pos:], '\n'); end >= 0 {
				l.pos += end
			} else {
				l.pos = len(l.text)
			}
		default:
			return
		}
	}
}

// nameLen is the length of the letters, digits, dots, underlines, minus signs (of numbers) and
// extra characters that s begins with.
func nameLen(s, extra string) int {
	for i, r := range s {
		if r != '_' && r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) &&
			!strings.ContainsRune(extra, r) {
			return i
		}
	}
	return len(s)
}

func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

// until takes the raw text before the next end mark on this line as the token.
func (l *lexer) until(end byte) string {
	rest := l.text[l.pos:]
	n := max(0, strings.IndexAny(rest, string(end)+"\n"))
	l.pos += n
	return rest[:n]
}
