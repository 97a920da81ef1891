package puzzles

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxSize bounds a size, a block and every value inside a size expression.
const MaxSize = 1 << 20

// Eval computes a size expression such as "N0", "N0 * 2" or "MID / 8 + 1" over sizes.
//
//	expression = term { "+" term }
//	term       = factor { ( "*" | "/" ) factor }
//	factor     = name | integer
//
// "/" must leave no remainder, so that a shape cannot silently lose elements. The result and
// everything on the way lies between 1 and MaxSize.
func Eval(expression string, sizes map[string]int) (int, error) {
	if strings.TrimSpace(expression) == "" {
		return 0, errors.New("an empty size expression")
	}
	sum := 0
	for _, t := range strings.Split(expression, "+") {
		v, err := evalTerm(t, sizes)
		if err != nil {
			return 0, fmt.Errorf("size expression %q: %w", expression, err)
		}
		if sum += v; sum > MaxSize {
			return 0, fmt.Errorf("size expression %q: the value passes %d", expression, MaxSize)
		}
	}
	return sum, nil
}

func evalTerm(t string, sizes map[string]int) (int, error) {
	value, op := 1, byte('*')
	for {
		end := strings.IndexAny(t, "*/")
		token := t
		if end >= 0 {
			token = t[:end]
		}
		v, err := evalFactor(strings.TrimSpace(token), sizes)
		if err != nil {
			return 0, err
		}
		if value, err = combine(value, op, v); err != nil {
			return 0, err
		}
		if end < 0 {
			return value, nil
		}
		op, t = t[end], t[end+1:]
	}
}

func combine(a int, op byte, b int) (int, error) {
	switch {
	case op == '*' && a <= MaxSize/b:
		return a * b, nil
	case op == '*':
		return 0, fmt.Errorf("the value passes %d", MaxSize)
	case a%b != 0:
		return 0, fmt.Errorf("%d / %d leaves a remainder", a, b)
	}
	return a / b, nil
}

func evalFactor(token string, sizes map[string]int) (int, error) {
	v, known := sizes[token]
	if !known {
		var err error
		if v, err = strconv.Atoi(token); err != nil {
			return 0, fmt.Errorf("%q is neither a size nor an integer", token)
		}
	}
	if v < 1 || v > MaxSize {
		return 0, fmt.Errorf("%q is %d, not between 1 and %d", token, v, MaxSize)
	}
	return v, nil
}
