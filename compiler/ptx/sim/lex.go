package sim

import (
	"fmt"
	"strings"
)

// LoadError is text that is not PTX, or PTX that the simulator does not model.
type LoadError struct {
	Line    int // 1-based
	Message string
}

func (e *LoadError) Error() string { return fmt.Sprintf("ptx line %d: %s", e.Line, e.Message) }

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenString
	tokenPunct
)

type token struct {
	kind tokenKind
	text string
	line int
}

// lexer cuts PTX into names (dots, percent signs and :: included), numbers, strings and single
// characters.
type lexer struct {
	text string
	pos  int
	line int
}

func (l *lexer) errorf(format string, args ...any) *LoadError {
	return &LoadError{Line: l.line, Message: fmt.Sprintf(format, args...)}
}

func (l *lexer) next() (token, *LoadError) {
	if err := l.space(); err != nil {
		return token{}, err
	}
	t := token{line: l.line}
	if l.pos >= len(l.text) {
		return t, nil
	}
	start, c := l.pos, l.text[l.pos]
	switch {
	case isDigit(c):
		t.kind = tokenNumber
		l.number()
	case isNameByte(c):
		t.kind = tokenName
		l.name()
	case c == '"':
		end := strings.IndexAny(l.text[start+1:], "\"\n")
		if end < 0 || l.text[start+1+end] == '\n' {
			return t, l.errorf("the string has no end")
		}
		t.kind = tokenString
		l.pos = start + end + 2
	default:
		t.kind = tokenPunct
		l.pos++
	}
	t.text = l.text[start:l.pos]
	return t, nil
}

// space skips blanks and comments.
func (l *lexer) space() *LoadError {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case rest[0] == '\n':
			l.line++
			l.pos++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			l.pos++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.pos += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return l.errorf("the comment has no end")
			}
			l.line += strings.Count(rest[:end+4], "\n")
			l.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

// number takes letters too: 0x1F, 0f3F800000, 1.5e3, 7U. A sign belongs to a decimal exponent alone.
func (l *lexer) number() {
	start := l.pos
	for ; l.pos < len(l.text); l.pos++ {
		c := l.text[l.pos]
		exponent := (c == '+' || c == '-') && l.pos-start > 1 && l.text[start] != '0' && (l.text[l.pos-1]|0x20) == 'e'
		if !exponent && !isDigit(c) && !isLetter(c) && c != '.' {
			return
		}
	}
}

func (l *lexer) name() {
	for l.pos < len(l.text) {
		if isNameByte(l.text[l.pos]) || isDigit(l.text[l.pos]) {
			l.pos++
		} else if strings.HasPrefix(l.text[l.pos:], "::") {
			l.pos += 2
		} else {
			return
		}
	}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isNameByte(c byte) bool {
	return isLetter(c) || c == '_' || c == '$' || c == '%' || c == '.'
}
