package judge

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

var update = flag.Bool("update", false, "rewrite testdata/meaning.golden")

// TestMeaning: the solutions mean what their specifications do, in every element of every test.
func TestMeaning(t *testing.T) {
	for _, puzzle := range puzzles.All() {
		files, _ := filepath.Glob(filepath.Join("..", puzzle.Slug, "solution*.py"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			j := New(puzzle)
			for number := range j.Cases() {
				l, list := j.Launch(t.Context(), source.NewFile(file, string(text)), number, nil, Options{})
				if l == nil {
					t.Fatal(list)
				}
				if m := l.Meaning(t.Context(), exact.Rules{}); m == nil || len(m.Different) > 0 || len(m.Unknown) > 0 {
					t.Errorf("%s, test %d: %+v", file, number, m)
				}
			}
		}
	}
}

// mutations are what a mutant differs by: one match of a pattern in a kernel is replaced.
var mutations = []struct {
	name, find string
	instead    string
}{
	{"a constant larger by a ten thousandth", `\b0\.0*[1-9]\d*|\b1\.4\d+|1e-\d`, "(${0} * 1.0001)"},
	{"a constant left out", ` \* 0\.\d+| \+ 0\.01| \+ 1e-\d|0\.044715 \* `, ""},
	{"a mask short by one", `< C\b|< T\b`, "${0} - 1"},
	{"a divisor larger by one", `/ C\b`, "/ (C + 1)"},
	{"a divisor smaller by one", `/ C\b`, "/ (C - 1)"},
	{"a mean left out", `a - mean`, "a"},
	{"no inf", `float\("-inf"\)`, "-9.0"},
	{"no maximum", ` - tl\.max\(a, axis=0\)`, ""},
	{"another base", `tl\.exp\(`, "tl.exp2("},
	{"rounded to fp16", `\b(a|b|d|g|h|e|var|rstd|half|inner|acc|scores|scale|s) = (.*)\n`, "${1} = (${2}).to(tl.float16).to(tl.float32)\n"},
	{"rounded to bf16", `, (acc / s|b|acc|d \* rstd \* g \+ 0\.01|a \* scale \* g|e / tl\.sum\(e, axis=0\)|a - \(m \+ tl\.log\(s\)\)), `, ", (${1}).to(tl.bfloat16), "},
	{"a sum that does not begin at 0", `tl\.zeros\(\[(.*?)\], tl\.float32\)`, "tl.full([${1}], 1e-6, tl.float32)"},
	{"a sum that does not begin at 0", `= 0\.0\n`, "= 1e-6\n"},
	{"a sign", `tl\.erf\(a`, "-tl.erf(-a * 1.001"},
	{"a term more", `(a \* g / .*)\n`, "${1} + 1e-4 * g\n"},
	{"tf32", `, input_precision="ieee"`, ""},
	{"a factor left out", ` \* alpha`, ""},
}

// TestMutants: of kernels that differ from their specification by no more than a tolerance of 1e-2, those that mean
// something else are found. testdata/meaning.golden lists them all; -update writes it.
func TestMutants(t *testing.T) {
	text, err := os.ReadFile("testdata/meaning.py")
	if err != nil {
		t.Fatal(err)
	}
	var golden strings.Builder
	found := 0
	for chunk := range strings.SplitSeq(string(text), "\n---\n") {
		title, spec, kernel := meaningPair(t, chunk)
		j := New(meaningPuzzle(spec))
		say := func(what, kernel string) {
			verdict := meaningOf(t, j, kernel)
			fmt.Fprintf(&golden, "%s: %s: %s\n", title, what, verdict)
			if strings.Contains(verdict, "means something else") {
				found++
			}
		}
		if say("right", kernel); !strings.HasSuffix(golden.String(), "right: means the same\n") {
			t.Errorf("%s is not right", title)
		}
		for _, m := range mutations {
			find := regexp.MustCompile(m.find)
			for n, at := range find.FindAllStringSubmatchIndex(kernel, -1) {
				instead := find.ExpandString(nil, m.instead, kernel, at)
				line := 1 + strings.Count(kernel[:at[0]], "\n")
				what := fmt.Sprintf("%s, line %d (%d)", m.name, line, n)
				say(what, kernel[:at[0]]+string(instead)+kernel[at[1]:])
			}
		}
	}
	t.Logf("%d mutants within the tolerance mean something else", found)
	if *update {
		if err := os.WriteFile("testdata/meaning.golden", []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile("testdata/meaning.golden"); string(want) != golden.String() {
		t.Errorf("testdata/meaning.golden differs:\n%s", golden.String())
	}
}

// meaningPair is a specification and a kernel of the corpus.
func meaningPair(t *testing.T, chunk string) (title, spec, kernel string) {
	head, rest, ok := strings.Cut(chunk, "\ndef reference")
	spec, kernel, both := strings.Cut(rest, "\n\n\n@triton.jit")
	if !ok || !both {
		t.Fatal(chunk)
	}
	lines := strings.Split(head, "\n")
	title = strings.TrimPrefix(lines[len(lines)-1], "# ")
	return title, "import math\nimport torch\n\n\ndef reference" + spec + "\n",
		"import triton\nimport triton.language as tl\n\n\n@triton.jit" + kernel + "\n"
}

func meaningPuzzle(spec string) *puzzles.Puzzle {
	tensor := func(name string, shape ...string) puzzles.Tensor {
		return puzzles.Tensor{Name: name, DType: puzzles.DType{DType: num.Float32}, Shape: shape, Fill: "randn"}
	}
	out := tensor("z", "R", "C")
	out.Fill = ""
	return &puzzles.Puzzle{
		Slug: "meaning", Kernel: "k", Spec: "reference", SpecSource: spec, Named: true,
		Inputs: []puzzles.Tensor{tensor("x", "R", "C"), tensor("y", "T", "C"), tensor("v", "T", "C"), tensor("w", "C")},
		Output: out, Sizes: []string{"R", "C", "T"}, Blocks: []string{"B", "BT"}, Grid: []string{"R"},
		Tolerance: puzzles.Tolerances{Classic: puzzles.Tolerance{RTol: 1e-2, ATol: 1e-2}},
		Classic: puzzles.Case{Sizes: map[string]int{"R": 3, "C": 200, "T": 40}, Seed: 1,
			Blocks: map[string]int{"B": 256, "BT": 16}},
	}
}

// meaningOf says what comes of a kernel.
func meaningOf(t *testing.T, j *Judge, kernel string) string {
	l, list := j.Launch(t.Context(), source.NewFile("kernel.py", kernel), 0, nil, Options{})
	if l == nil {
		return list[0].In(diag.English).Headline
	}
	args, err := launch.Copied(l.Args)
	if err != nil {
		t.Fatal(err)
	}
	if _, fault := l.Kernel.Run(t.Context(), launch.Target{Device: launch.Interpreter}, args, l.Launch); fault != nil {
		t.Fatal(fault)
	}
	wrong := l.Wrong(args[len(l.Arrays)-1].Tensor.Data)
	switch m := l.Meaning(t.Context(), exact.Rules{}); {
	case len(wrong) > 0:
		return "wrong values"
	case m == nil:
		return "not known"
	case len(m.Different) > 0:
		return "means something else"
	case len(m.Unknown) > 0:
		return "not known"
	}
	return "means the same"
}

// TestMeaningIsSaid: an answer that passes and is no rearrangement of the specification gets a hint, one whose sums are
// rounded does not.
func TestMeaningIsSaid(t *testing.T) {
	const spec = "def reference(x, factor):\n    return x * factor + 1\n"
	for body, want := range map[string]string{
		"tl.load(x + i, mask=i < n) * factor + 1":                                     "",
		"(tl.load(x + i, mask=i < n) + 0.4) * factor":                                 "",
		"(tl.load(x + i, mask=i < n) * factor + 1).to(tl.float16)":                    "wrong",
		"tl.load(x + i, mask=i < n) * factor + 1.00001":                               "hint",
		"tl.load(x + i, mask=i < n) * (factor + 0.00001) + 1":                         "hint",
		"tl.load(x + i, mask=i < n).to(tl.float64).to(tl.float32) * factor + 0.99999": "hint",
	} {
		kernel := strings.Replace(scaleKernel, "tl.load(x + i, mask=i < n) * factor", body, 1)
		v := New(scalePuzzle(spec, "")).Check(t.Context(), source.NewFile("kernel.py", kernel),
			Options{Meaning: (*CaseLaunch).Meaning})
		got := ""
		for _, d := range v.Diagnostics {
			if got += d.Severity.String(); d.Code != "puzzle-meaning" || strings.Contains(d.In(diag.English).Headline, "{") {
				t.Errorf("%s: %s", body, d.In(diag.English).Headline)
			}
		}
		if !v.Pass() {
			got = "wrong"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// BenchmarkMeaning compares, for the first test of each puzzle, a launch with an observed one that follows what numbers
// mean.
func BenchmarkMeaning(b *testing.B) {
	for _, puzzle := range puzzles.All() {
		text, err := os.ReadFile(filepath.Join("..", puzzle.Slug, "solution.py"))
		if err != nil {
			b.Fatal(err)
		}
		l, list := New(puzzle).Launch(b.Context(), source.NewFile("solution.py", string(text)), 0, nil, Options{})
		if l == nil {
			b.Fatal(list)
		}
		b.Run(puzzle.Slug+"/launch", func(b *testing.B) {
			for b.Loop() {
				l.Kernel.Run(b.Context(), launch.Target{Device: inOrder}, l.Args, l.Launch)
			}
		})
		b.Run(puzzle.Slug+"/meaning", func(b *testing.B) {
			for b.Loop() {
				l.Meaning(b.Context(), exact.Rules{})
			}
		})
	}
}
