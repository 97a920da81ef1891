package puzzles

import (
	"strings"
	"testing"
)

func TestEval(t *testing.T) {
	sizes := map[string]int{"N0": 6, "T": 7, "B_MID": 64, "BIG": MaxSize}
	for _, c := range []struct {
		expression string
		want       int
		err        string
	}{
		{"N0", 6, ""},
		{"12", 12, ""},
		{"N0 * 2", 12, ""},
		{"N0*T+1", 43, ""},
		{"1 + N0 * T", 43, ""},
		{"B_MID / 8", 8, ""},
		{"N0 * 4 / 3 * 2", 16, ""},
		{"BIG", MaxSize, ""},
		{"", 0, "neither"},
		{"N0 + ", 0, "neither"},
		{"N0 ** 2", 0, "neither"},
		{"N0 / 4", 0, "remainder"},
		{"N0 - 1", 0, "neither"},
		{"(N0)", 6, ""},
		{"2 * (N0 + T) / 13", 2, ""},
		{"cdiv(B_MID, N0)", 11, ""},
		{"cdiv(T + 1, 4) * cdiv ( N0 , N0 )", 2, ""},
		{"cdiv(T)", 0, "two values"},
		{"cdiv", 0, "two values"},
		{"cdiv(T, 0)", 0, "between"},
		{"(N0", 0, "not closed"},
		{"N0)", 0, "neither"},
		{"N0 T", 0, "neither"},
		{strings.Repeat("(", 150) + "N0" + strings.Repeat(")", 150), 0, "letters"},
		{"N9", 0, "neither"},
		{"0", 0, "between"},
		{"-3", 0, "neither"},
		{"BIG + 1", 0, "larger than"},
		{"BIG * BIG", 0, "larger than"},
		{"BIG * 2 / 2", 0, "larger than"},
		{"99999999999999999999", 0, "neither"},
	} {
		got, err := Eval(c.expression, sizes)
		if got != c.want || (err == nil) != (c.err == "") {
			t.Errorf("Eval(%q) = %d, %v; want %d", c.expression, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Eval(%q): %v does not say %q", c.expression, err, c.err)
		}
	}
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{"N0", "N0 * 2 + 1", "MID / 8", "++", "1/0", "* 3", "cdiv(N0, (MID))"} {
		f.Add(s, 64)
	}
	f.Fuzz(func(t *testing.T, expression string, n int) {
		v, err := Eval(expression, map[string]int{"N0": n, "MID": 64})
		if err == nil && (v < 1 || v > MaxSize) {
			t.Errorf("Eval(%q) = %d", expression, v)
		}
	})
}
