package sanitize_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
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
	for _, v := range c.settings("triton") {
		text = "# triton: " + v + "\n" + text
	}
	return corpusHead + text + "\n"
}

func (c chunk) grid(t *testing.T, programs int) [3]int {
	grid := [3]int{programs, 1, 1}
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

func floats(name string, n int, f func(int) int) *launch.Tensor {
	t := int32s(name, n, func(i int) int { return int(math.Float32bits(float32(f(i)))) })
	t.DType = num.Float32
	return t
}

func int32s(name string, n int, f func(int) int) *launch.Tensor {
	data := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(f(i)))
	}
	return &launch.Tensor{Name: name, DType: num.Int32, Data: data}
}

// judgePairs runs the pairs of a corpus: what is found in the wrong ones is what their comments expect, and nothing is
// found in the right ones. It counts both.
func judgePairs(t *testing.T, path string, grid int, args func() []launch.Arg,
	find func(*launch.Kernel, []launch.Arg, device.Launch) diag.List) (right, wrong int) {
	for _, c := range chunks(t, path) {
		judge := func(variant string, expect func(string) []string) {
			t.Run(c.title+" "+variant, func(t *testing.T) {
				text := c.with(variant)
				file, args := source.NewFile("kernel.py", text), args()
				k, list := launch.Compile(file, "k", args, false)
				if k == nil {
					t.Fatal(list[0].In(diag.English).Headline, text)
				}
				found := find(k, args, device.Launch{Grid: c.grid(t, grid)})
				if d := disagreement(expect(text), said(file, found)); d != "" {
					t.Errorf("%s\n%s", d, text)
				}
				for _, d := range found {
					for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
						if r := d.In(lang); strings.Contains(r.Headline+r.Label+r.Why, "{") {
							t.Errorf("%q %q %q", r.Headline, r.Label, r.Why)
						}
					}
				}
			})
		}
		for _, v := range c.settings("right") {
			judge(v, func(string) []string { return nil })
			right++
		}
		for _, v := range c.settings("wrong") {
			judge(v, expected)
			wrong++
		}
	}
	return right, wrong
}

func zero(int) int { return 0 }

// TestRacePairs: every launch with a race is found out, with its lines and tensors, and none without.
func TestRacePairs(t *testing.T) {
	args := func() []launch.Arg {
		return []launch.Arg{
			{Tensor: int32s("x", 64, func(i int) int { return i })}, {Tensor: int32s("z", 64, zero)},
			{Tensor: int32s("s", 16, zero)}, {Value: int64(32)}, {Value: int64(8), Constexpr: true},
		}
	}
	right, wrong := judgePairs(t, "testdata/races.py", 4, args,
		func(k *launch.Kernel, args []launch.Arg, l device.Launch) diag.List {
			sanitized(t, k, args, l)
			return k.Races(context.Background(), args, l)
		})
	if right < 60 || wrong < 60 {
		t.Errorf("%d launches without a race, %d with", right, wrong)
	}
	t.Logf("%d launches without a race, %d with", right, wrong)
}

// sanitizers are the codes of each.
var sanitizers = map[string][]string{
	"bounds":    {"out-of-bounds-load", "out-of-bounds-store", "out-of-bounds-atomic"},
	"undefined": {"undefined-lane-store", "undefined-lane-branch", "undefined-lane-address", "undefined-lane-mask"},
	"unwritten": {"read-unwritten"},
	"hints":     {"hint-divisibility", "hint-contiguity", "hint-constancy"},
	"nonfinite": {"nan-origin", "overflow-origin"},
}

// TestCorpus: the corpus has ten or more faulty kernels for each sanitizer, of which five or more are in disguise.
func TestCorpus(t *testing.T) {
	all, disguised := map[string]int{}, map[string]int{}
	for _, name := range faults {
		for _, c := range chunks(t, "testdata/"+name) {
			for sanitizer, codes := range sanitizers {
				if slices.ContainsFunc(codes, func(code string) bool { return strings.Contains(c.text, ": "+code) }) {
					all[sanitizer]++
					if name == "disguised.py" {
						disguised[sanitizer]++
					}
				}
			}
		}
	}
	t.Log(all, disguised)
	for sanitizer := range sanitizers {
		if all[sanitizer] < 10 || disguised[sanitizer] < 5 {
			t.Errorf("%s: %d kernels, %d in disguise", sanitizer, all[sanitizer], disguised[sanitizer])
		}
	}
}

var faults = []string{"bounds.py", "faults.py", "disguised.py"}

// TestFaults is TestRacePairs for the other sanitizers, and for accesses out of bounds, which are reported of any launch.
func TestFaults(t *testing.T) {
	args := func() []launch.Arg {
		u := floats("u", 64, zero)
		u.Undefined = true
		index := func(i int) int { return i }
		return []launch.Arg{{Tensor: floats("x", 64, index)}, {Tensor: int32s("i", 64, index)},
			{Tensor: floats("z", 64, zero)}, {Tensor: u}, {Value: int64(13)}, {Value: int64(16), Constexpr: true}}
	}
	for _, name := range faults {
		right, wrong := judgePairs(t, "testdata/"+name, 2, args,
			func(k *launch.Kernel, args []launch.Arg, l device.Launch) diag.List {
				own, err := launch.Copied(args)
				if err != nil {
					t.Fatal(err)
				}
				report, _ := k.Run(t.Context(), launch.Target{Device: launch.Interpreter}, own, l)
				return append(report.Diagnostics, sanitized(t, k, args, l)...)
			})
		t.Logf("%s: %d launches without a fault, %d with", name, right, wrong)
	}
}

// sanitized is what the sanitizers find in a launch. It is the same in the kernel as it was before it was optimized.
func sanitized(t *testing.T, k *launch.Kernel, args []launch.Arg, l device.Launch) diag.List {
	t.Helper()
	list, written := k.Sanitize(t.Context(), args, l), k.Observable().Sanitize(t.Context(), args, l)
	same := func(a, b *diag.Diagnostic) bool { return a.Code == b.Code && a.Primary.Span == b.Primary.Span }
	if !slices.EqualFunc(list, written, same) {
		t.Errorf("%d findings, and %d before the kernel was optimized", len(list), len(written))
	}
	return list
}

// TestBudgetIsSaid: a launch of more work than the sanitizers do says how much of it was checked, each of them once.
func TestBudgetIsSaid(t *testing.T) {
	const text = corpusHead + `@triton.jit
def k(z, n):
    p = tl.program_id(0)
    for i in range(n):
        tl.store(z + p, i)
`
	for _, c := range []struct {
		turns int64
		want  string
	}{{10, ""}, {1 << 18, "the sanitizers checked 1 of 64 programs"}} {
		args := []launch.Arg{{Tensor: int32s("z", 64, zero)}, {Value: c.turns}}
		k, list := launch.Compile(source.NewFile("kernel.py", text), "k", args, false)
		if k == nil {
			t.Fatal(list)
		}
		for name, find := range map[string]launch.Sanitizer{"races": (*launch.Kernel).Races, "all": (*launch.Kernel).Sanitize} {
			var got []string
			for _, d := range find(k, t.Context(), args, device.Launch{Grid: [3]int{64, 1, 1}}) {
				got = append(got, d.In(diag.English).Headline)
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("%s of %d turns: %q, want %q", name, c.turns, s, c.want)
			}
		}
	}
}

// int64s is int32s in 64 bits.
func int64s(name string, n int, f func(int) int) *launch.Tensor {
	data := make([]byte, 8*n)
	for i := range n {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(f(i)))
	}
	return &launch.Tensor{Name: name, DType: num.Int64, Data: data}
}

// TestOverflows is TestRacePairs for integers that wrap. With the fix of the finding there is none.
func TestOverflows(t *testing.T) {
	const million = 1_000_000
	args := func() []launch.Arg {
		far := func(i int) int { return 30 * million * i }
		return []launch.Arg{{Tensor: floats("x", 64, zero)}, {Tensor: int32s("i", 64, func(i int) int { return i })},
			{Tensor: int32s("j", 64, far)}, {Tensor: int64s("l", 64, far)}, {Tensor: floats("z", 64, zero)},
			{Value: int64(13)}, {Value: int64(400 * million)}, {Value: int64(1<<31 - 8)}, {Value: int64(5000 * million)},
			{Value: int64(16), Constexpr: true}}
	}
	wraps := func(list diag.List) diag.List {
		return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Code != "integer-overflow" })
	}
	mended := 0
	right, wrong := judgePairs(t, "testdata/overflow.py", 8, args,
		func(k *launch.Kernel, args []launch.Arg, l device.Launch) diag.List {
			found := wraps(k.Sanitize(t.Context(), args, l))
			for _, d := range found {
				for _, f := range d.Fixes {
					file := source.NewFile("kernel.py", diag.Apply(k.Source(), f.Edits))
					k, list := launch.Compile(file, "k", args, false)
					if k == nil {
						t.Fatal(list[0].In(diag.English).Headline, file.Text)
					}
					if again := wraps(k.Sanitize(t.Context(), args, l)); len(again) > 0 {
						t.Errorf("%s wraps with its fix\n%s", again[0].In(diag.English).Headline, file.Text)
					}
					mended++
				}
			}
			return found
		})
	t.Logf("%d launches in which nothing wraps, %d with, %d of them with a fix", right, wrong, mended)
	if right < 30 || wrong < 30 || mended < 30 {
		t.Errorf("%d launches in which nothing wraps, %d with, %d of them with a fix", right, wrong, mended)
	}
}
