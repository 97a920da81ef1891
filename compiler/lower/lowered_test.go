package lower_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenLowered compares the IR of the kernels in testdata/lowered.txt. Spans are left out: places_test
// looks at places.
func TestGoldenLowered(t *testing.T) {
	const path = "testdata/lowered.txt"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n-- ")
	rewritten := parts[0]
	args := []lower.Arg{{Type: types.PointerTo(num.Float32)}, {Type: types.PointerTo(num.Int32)},
		{Type: types.Scalar(num.Int32)}, {Constexpr: true, Value: 16}}
	for _, part := range parts[1:] {
		title, rest, _ := strings.Cut(part, " --\n")
		body, want, _ := strings.Cut(rest+"\n", "\n=>\n")
		kernel := "@triton.jit\ndef k(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n"
		res, list := lowerText(t, kernel, lower.Options{Args: args})
		if res.Func == nil {
			t.Errorf("%s: %s", title, codes(list))
			continue
		}
		got := withoutSpans(ir.Print(res.Func))
		if strings.TrimSpace(got) != strings.TrimSpace(want) && !*update {
			t.Errorf("%s:\n%s\nwant\n%s", title, got, want)
		}
		rewritten += "\n-- " + title + " --\n" + strings.TrimSpace(body) + "\n=>\n" + strings.TrimSpace(got)
	}
	if *update {
		if err := os.WriteFile(path, []byte(rewritten+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutSpans drops " @12:34" at the ends of lines.
func withoutSpans(text string) string {
	var sb strings.Builder
	for line := range strings.Lines(text) {
		if i := strings.LastIndex(line, " @"); i >= 0 && !strings.HasPrefix(line, "func") {
			tail := strings.TrimRight(line[i:], "\n")
			line = line[:i] + strings.TrimLeft(tail, " @0123456789:") + "\n"
		}
		sb.WriteString(line)
	}
	return sb.String()
}
