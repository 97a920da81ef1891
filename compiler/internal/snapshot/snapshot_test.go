package snapshot

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"a\nb\nc\n", "a\nb\nc\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "@ line 2\n-b\n+x\n"},
		{"a\nb\nc\nd\ne\n", "b\nc\nd\nnew\ne\n", "@ line 1\n-a\n@ line 5\n+new\n"},
		{"", "a\n", "@ line 1\n+a\n"},
		{"a\n", "", "@ line 1\n-a\n"},
	} {
		if got := Diff(c.a, c.b); got != c.want {
			t.Errorf("%q to %q:\n%swant\n%s", c.a, c.b, got, c.want)
		}
	}
	if got := Diff(strings.Repeat("a\n", 5000), strings.Repeat("b\n", 5000)); strings.Count(got, "\n") > maxLines+2 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

// TestEditsApply: edits turn one text into the other, whatever the texts are.
func TestEditsApply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	words := func() (out []string) {
		for range r.IntN(30) {
			out = append(out, string(rune('a'+r.IntN(4))))
		}
		return out
	}
	for range 2000 {
		x, y := words(), words()
		var got []string
		i := 0
		for _, e := range edits(x, y) {
			got = append(got, x[i:e.at]...)
			if i = e.at; e.sign == "-" {
				i++
			} else {
				got = append(got, e.line)
			}
		}
		if got = append(got, x[i:]...); strings.Join(got, "") != strings.Join(y, "") {
			t.Fatalf("%v to %v gives %v", x, y, got)
		}
	}
}
