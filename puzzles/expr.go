package puzzles

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/newtlab/newt/compiler/diag"
)

// MaxSize bounds a size, a block and every value inside a size expression.
const MaxSize = 1 << 20

// maxExpression bounds the letters of a size expression, and so how deep its brackets nest.
const maxExpression = 200

// Eval computes a size expression such as "N0", "N0 * 2", "MID / 8 + 1" or "cdiv(n, BLOCK)" over sizes.
//
//	expression = term { "+" term }
//	term       = factor { ( "*" | "/" ) factor }
//	factor     = name | integer | "(" expression ")" | "cdiv" "(" expression "," expression ")"
//
// "/" must leave no remainder, so that a shape cannot silently lose elements; cdiv rounds up. The
// result and everything on the way lies between 1 and MaxSize.
func Eval(expression string, sizes map[string]int) (int, error) {
	e := &evaluator{rest: expression, sizes: sizes}
	v, reason := 0, because("puzzle.long", maxExpression)
	if len(expression) <= maxExpression {
		v, reason = e.sum()
	}
	if reason == nil && e.next() != "" {
		reason = because("puzzle.name", strings.TrimSpace(e.rest))
	}
	if reason != nil {
		return 0, wrong("puzzle-expression", expression, *reason)
	}
	return v, nil
}

// Words are the names and numbers in an expression, or in other Python. Package regexp would make the page's program
// larger by 36 kB.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// because is why an expression cannot be computed: a phrase of the catalogue.
func because(key string, args ...any) *diag.Text {
	return &diag.Text{Key: key, Args: args}
}

// evaluator computes an expression while it reads it.
type evaluator struct {
	rest  string
	sizes map[string]int
}

// isWord reports whether names and integers have the byte.
func isWord(c byte) bool {
	const lower = 0x20 // the bit by which a small letter differs from its capital
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|lower && c|lower <= 'z'
}

// next is the token that comes: a name or an integer, another letter, or "" at the end.
func (e *evaluator) next() string {
	e.rest = strings.TrimLeft(e.rest, " \t")
	n := 0
	for n < len(e.rest) && isWord(e.rest[n]) {
		n++
	}
	return e.rest[:max(n, min(1, len(e.rest)))]
}

// take reads a token if it is the one that comes.
func (e *evaluator) take(token string) bool {
	if e.next() != token {
		return false
	}
	e.rest = e.rest[len(token):]
	return true
}

func (e *evaluator) sum() (int, *diag.Text) {
	sum, err := e.term()
	for err == nil && e.take("+") {
		var v int
		v, err = e.term()
		if sum += v; sum > MaxSize {
			return 0, because("puzzle.passes", MaxSize)
		}
	}
	return sum, err
}

func (e *evaluator) term() (int, *diag.Text) {
	value, err := e.factor()
	for err == nil && (e.next() == "*" || e.next() == "/") {
		op := e.next()
		e.take(op)
		var v int
		if v, err = e.factor(); err == nil {
			value, err = combine(value, op, v)
		}
	}
	return value, err
}

func combine(a int, op string, b int) (int, *diag.Text) {
	switch {
	case op == "*" && a <= MaxSize/b:
		return a * b, nil
	case op == "*":
		return 0, because("puzzle.passes", MaxSize)
	case a%b != 0:
		return 0, because("puzzle.remainder", a, b)
	}
	return a / b, nil
}

func (e *evaluator) factor() (int, *diag.Text) {
	token := e.next()
	if v, known := e.sizes[token]; known {
		e.take(token)
		return bounded(token, v)
	}
	switch {
	case e.take("("):
		v, err := e.sum()
		if err == nil && !e.take(")") {
			err = because("puzzle.bracket")
		}
		return v, err
	case e.take("cdiv"):
		return e.cdiv()
	}
	v, err := strconv.Atoi(token)
	if err != nil {
		return 0, because("puzzle.name", token)
	}
	e.take(token)
	return bounded(token, v)
}

func (e *evaluator) cdiv() (int, *diag.Text) {
	wrong := because("puzzle.cdiv")
	var values [2]int
	for i, before := range []string{"(", ","} {
		if !e.take(before) {
			return 0, wrong
		}
		v, err := e.sum()
		if err != nil {
			return 0, err
		}
		values[i] = v
	}
	if !e.take(")") {
		return 0, wrong
	}
	return (values[0] + values[1] - 1) / values[1], nil
}

func bounded(token string, v int) (int, *diag.Text) {
	if v < 1 || v > MaxSize {
		return 0, because("puzzle.value", token, v, MaxSize)
	}
	return v, nil
}
