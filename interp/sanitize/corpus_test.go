package sanitize_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

const corpusHead = "import triton\nimport triton.language as tl\n\n\n"

// chunk is a kernel of a corpus, which begins with its comments.
type chunk struct{ title, text string }

func chunks(t *testing.T, path string) (list []chunk) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.SplitSeq(string(text), "\n---\n") {
		c := chunk{text: text}
		for line := range strings.Lines(text) {
			if title, ok := strings.CutPrefix(line, "# "); ok && !strings.Contains(title, ": ") {
				c.title = strings.TrimSpace(title) // the last such line: the first chunk explains the file, too
			}
		}
		list = append(list, c)
	}
	return list
}

// settings are the values of all comments "# key: value" of the chunk.
func (c chunk) settings(key string) (values []string) {
	for line := range strings.Lines(c.text) {
		if v, ok := strings.CutPrefix(line, "# "+key+": "); ok {
			values = append(values, strings.TrimSpace(v))
		}
	}
	return values
}

// with is the kernel with names replaced, as "NAME=text; NAME=text" says.
func (c chunk) with(variant string) string {
	text := c.text[strings.Index(c.text, "\n")+1:]
	if at := regexp.MustCompile(`(?m)^(def|@)`).FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	for pair := range strings.SplitSeq(variant, "; ") {
		name, value, _ := strings.Cut(pair, "=")
		text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllLiteralString(text, value)
	}
	if !strings.HasPrefix(text, "@") {
		text = "@triton.jit\n" + text
	}
	return corpusHead + text + "\n"
}

func (c chunk) grid(t *testing.T) [3]int {
	grid := [3]int{4, 1, 1}
	for _, g := range c.settings("grid") {
		if n, _ := fmt.Sscan(g, &grid[0], &grid[1], &grid[2]); n == 0 {
			t.Fatalf("grid %q", g)
		}
	}
	return grid
}

var expectation = regexp.MustCompile(`(warning|hint|error): ([a-z-]+)(?: "(\w+)")?`)

// expected lists what the comments of a source expect: line, severity, code and tensor, of which the last may be open.
func expected(text string) (list []string) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		_, comment, _ := strings.Cut(line, "#")
		for _, m := range expectation.FindAllStringSubmatch(comment, -1) {
			list = append(list, fmt.Sprintf("%d %s %s %s", number, m[1], m[2], m[3]))
		}
	}
	return list
}

// said lists what was found in the form of expected.
func said(file *source.File, found diag.List) (list []string) {
	for _, d := range found {
		tensor := ""
		if d.Runtime != nil {
			tensor = d.Runtime.Tensor
		}
		s := fmt.Sprintf("%d %s %s %s", file.Position(d.Primary.Span.Start).Line, d.Severity, d.Code, tensor)
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// disagreement compares two such lists; it is empty where they agree.
func disagreement(want, got []string) string {
	var wrong []string
	fits := func(w, g string) bool { return w == g || strings.HasSuffix(w, " ") && strings.HasPrefix(g, w) }
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return fits(w, g) }) {
			wrong = append(wrong, "missed: "+w)
		}
	}
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w string) bool { return fits(w, g) }) {
			wrong = append(wrong, "not expected: "+g)
		}
	}
	return strings.Join(wrong, "\n")
}

func int32s(name string, n int, f func(int) int) *launch.Tensor {
	data := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(f(i)))
	}
	return &launch.Tensor{Name: name, DType: num.Int32, Data: data}
}

// TestRacePairs: every launch with a race is found out, with its lines and tensors, and none without.
func TestRacePairs(t *testing.T) {
	right, wrong := 0, 0
	for _, c := range chunks(t, "testdata/races.py") {
		judge := func(variant string, expect bool) {
			t.Run(c.title+" "+variant, func(t *testing.T) {
				text := c.with(variant)
				file := source.NewFile("kernel.py", text)
				zero := func(int) int { return 0 }
				args := []launch.Arg{
					{Tensor: int32s("x", 64, func(i int) int { return i })}, {Tensor: int32s("z", 64, zero)},
					{Tensor: int32s("s", 16, zero)}, {Value: int64(32)}, {Value: int64(8), Constexpr: true},
				}
				k, list := launch.Compile(file, "k", args, false)
				if k == nil {
					t.Fatal(list[0].In(diag.English).Headline, text)
				}
				var want []string
				if expect {
					want = expected(text)
				}
				found := k.Races(context.Background(), args, device.Launch{Grid: c.grid(t)})
				if d := disagreement(want, said(file, found)); d != "" {
					t.Errorf("%s\n%s", d, text)
				}
			})
		}
		for _, v := range c.settings("right") {
			judge(v, false)
			right++
		}
		for _, v := range c.settings("wrong") {
			judge(v, true)
			wrong++
		}
	}
	if wrong < 60 {
		t.Errorf("%d pairs", wrong)
	}
	t.Logf("%d launches without a race, %d with", right, wrong)
}
