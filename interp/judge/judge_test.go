package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device/cpu"
)

// expectation is the first line of a submission: the reference, the verdict, and codes of findings that are errors.
var expectation = regexp.MustCompile(`^# against (\w+): (right|wrong|unjudged)((?: [\w-]+)*)\n`)

// TestSubmissions judges every submission of testdata: those that are right, and those that are wrong or cheat.
func TestSubmissions(t *testing.T) {
	names, _ := filepath.Glob("testdata/*/*.py")
	for _, name := range names {
		folder := filepath.Base(filepath.Dir(name))
		if folder == "references" {
			continue
		}
		t.Run(filepath.ToSlash(strings.TrimPrefix(name, "testdata/")), func(t *testing.T) {
			t.Parallel()
			text := read(t, name)
			want := expectation.FindStringSubmatch(text)
			if want == nil || want[2] != folder {
				t.Fatalf("the first line does not say what is expected")
			}
			r := Judge(t.Context(), Options{Submission: source.NewFile(name, text), Seed: 7,
				Reference: source.NewFile(want[1]+".py", read(t, "testdata/references/"+want[1]+".py"))})
			var codes []string
			for _, d := range r.Findings {
				if d.Severity == "error" {
					codes = append(codes, d.Code)
				}
			}
			slices.Sort(codes)
			codes = slices.Compact(codes)
			if string(r.Verdict) != want[2] || strings.Join(codes, " ") != strings.TrimSpace(want[3]) {
				t.Errorf("%s %v: %s%s", r.Verdict, codes, r.Message, failures(r))
			}
		})
	}
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// failures lists the tests that fail.
func failures(r *Report) (text string) {
	for _, x := range r.Tests {
		if x.Outcome == Failed {
			text += fmt.Sprintf("\n%s %s: %s", SizesText(x.Sizes), x.Kind, x.Message)
		}
	}
	return text
}

// TestReportIsBounded: what a submission raises, returns and names does not make the report large, nor take long.
func TestReportIsBounded(t *testing.T) {
	for name, body := range map[string]string{
		"message":   "raise ValueError('x' * 1000000)",
		"list":      "return [x] * 5000",
		"deep":      "a = []\n    a.append(a)\n    return a",
		"doubling":  "a = []\n    for _ in range(60):\n        a = [a, a]\n    return a",
		"path":      "return {'k' * 1000000: x}",
		"recursion": "return add(x, y)",
	} {
		text := "import torch\n\n\ndef add(x, y):\n    " + body + "\n"
		r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", text), Seed: 1,
			Reference: source.NewFile("add.py", read(t, "testdata/references/add.py"))})
		encoded, err := json.Marshal(r)
		if err != nil || r.Verdict != Wrong || len(encoded) > 1<<16 {
			t.Errorf("%s: %s, %d bytes, %v", name, r.Verdict, len(encoded), err)
		}
	}
}

// TestStopped: nothing is said where the time is over.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Judge(ctx, Options{Submission: source.NewFile("a.py", read(t, "testdata/right/add.py")),
		Reference: source.NewFile("add.py", read(t, "testdata/references/add.py"))})
	if r.Verdict != Unjudged || len(r.Findings) > 0 {
		t.Errorf("%s: %v", r.Verdict, r.Findings)
	}
}

// TestSeed: a seed decides everything, and another one tries other sizes.
func TestSeed(t *testing.T) {
	reports := map[string]bool{}
	for _, seed := range []uint32{1, 1, 2} {
		r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", read(t, "testdata/right/rowsum.py")), Seed: seed,
			Reference: source.NewFile("rowsum.py", read(t, "testdata/references/rowsum.py"))})
		var sizes []string
		for _, x := range r.Tests {
			sizes = append(sizes, SizesText(x.Sizes))
		}
		sizes = append(sizes, fmt.Sprint(r.Tests[len(r.Tests)-1].Outputs))
		reports[strings.Join(sizes, ";")] = true
	}
	if len(reports) != 2 {
		t.Errorf("three judgements with two seeds gave %d reports", len(reports))
	}
}

// TestResults: results of every dtype and shape are compared, whatever wrote them.
func TestResults(t *testing.T) {
	const text = `import torch


def inputs(N):
    return torch.randn(N, 3)


def f(x):
    out = {"nothing": None, "number": 3, "text": "a", 4: x.shape[0], "list": [x.sum(1), (x > 0, x[:0])]}
    for d in "float64 float16 bfloat16 int8 int16 int32 int64 uint8 bool complex64 float8_e4m3fn float8_e5m2".split():
        out[d] = x.to(getattr(torch, d))
    out["scalar"], out["row"], out["transposed"] = x.max() if x.numel() else x.sum(), x[0] if len(x) else x, x.t()
    return out
`
	r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", text), Reference: source.NewFile("f.py", text),
		Seed: 3, Function: "f", AllowTorch: true, Sizes: map[string][]string{"N": {"0", "1", "70"}}})
	codes := map[string]int{}
	for _, d := range r.Findings {
		codes[d.Severity+" "+d.Code]++
	}
	if r.Verdict != Right || !strings.Contains(r.Message, "Torch has computed") {
		t.Errorf("%s: %v", r.Message, codes)
	}
	for code := range codes {
		if code != "hint judge-torch-computes" {
			t.Errorf("there is %s: %v", code, r.Findings)
		}
	}
	for _, x := range r.Tests {
		if len(x.Outputs) != 18 {
			t.Errorf("%v %s: %d outputs", x.Sizes, x.Kind, len(x.Outputs))
		}
	}
}

// TestTolerance: what is computed in half precision is right where the difference is allowed.
func TestTolerance(t *testing.T) {
	for tolerance, want := range map[float64]Verdict{0: Wrong, 1e-2: Right} {
		text := read(t, "testdata/wrong/half_precision_inside.py")
		r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", text), Seed: 3, Tolerance: tolerance,
			Reference: source.NewFile("b.py", read(t, "testdata/references/"+expectation.FindStringSubmatch(text)[1]+".py"))})
		if r.Verdict != want {
			t.Errorf("tolerance %v: %s", tolerance, r.Message)
		}
	}
}

// TestRandomReference: a reference that draws random numbers and a submission that draws as it does have the same ones.
// What two drawings differ by is no tolerance, for which wrong/dropout_keeps_all.py is a test.
func TestRandomReference(t *testing.T) {
	text := strings.Replace(read(t, "testdata/wrong/dropout_keeps_all.py"), "keep = torch.ones_like(x)",
		"keep = torch.nn.functional.dropout(torch.ones_like(x), p)", 1)
	r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", text), Seed: 3, AllowTorch: true,
		Reference: source.NewFile("b.py", read(t, "testdata/references/dropout.py"))})
	if r.Verdict != Right {
		t.Error(r.Message)
	}
}

// TestTask: a reference has modules and tests next to it. Tests that are too large are made smaller, or left out where
// others are not. Each has a seed of its own. The reference itself is no module.
func TestTask(t *testing.T) {
	reference := "from task import scale\n" + strings.ReplaceAll(read(t, "testdata/references/sum_task.py"), "sizes = ", "_ = ")
	o := Options{Submission: source.NewFile("a.py", "import task\n"+read(t, "testdata/right/sum_task.py")), Seed: 5,
		Reference: source.NewFile("reference.py", reference), Modules: map[string]string{"task.py": "scale = 2.0"},
		Tests: []map[string]any{{"size": 1 << 30, "scale": 1.0}}}
	r := Judge(t.Context(), o) // the kernel sums 1024 elements
	if r.Verdict != Wrong || r.Findings[0].Code != "judge-result-refused" || r.Tests[0].Sizes["size"] == int64(1<<30) {
		t.Errorf("%s: %v", r.Message, r.Tests)
	}
	o.Tests = append(o.Tests, map[string]any{"size": 999, "scale": 0.5, "seed": 1})
	r = Judge(t.Context(), o)
	for _, x := range r.Tests {
		if r.Verdict != Right || x.Sizes["size"] != int64(999) {
			t.Errorf("%s: %v", r.Message, x.Sizes)
		}
	}
	o.Submission = source.NewFile("a.py", "from reference import ref_kernel as custom_kernel")
	if r := Judge(t.Context(), o); r.Verdict == Right {
		t.Error(r.Message)
	}
}

// TestExact: where no tolerance hides it, a term that is small is another expression; a right submission is the same
// one.
func TestExact(t *testing.T) {
	right := read(t, "testdata/right/center.py")
	small := strings.Replace(right, "tl.sum(x, axis=0) / n", "tl.sum(x, axis=0) / (n + 1e-6)", 1)
	for _, c := range []struct {
		text    string
		exact   bool
		verdict Verdict
	}{{right, true, Right}, {small, false, Right}, {small, true, Wrong}} {
		r := Judge(t.Context(), Options{Submission: source.NewFile("a.py", c.text), Seed: 9, Exact: c.exact,
			Reference: source.NewFile("center.py", read(t, "testdata/references/center.py"))})
		looked := 0
		for _, x := range r.Tests {
			looked += len(x.Exact)
		}
		if r.Verdict != c.verdict || (looked > 0) != c.exact || c.verdict == Wrong && r.Findings[0].Code != "judge-meaning" {
			t.Errorf("exact %v: %s, %d outputs were looked at", c.exact, r.Message, looked)
		}
	}
}

// TestTimes: a right submission is timed where a device is given, and a wrong one is not.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		submission, reference string
		calls                 int
	}{{"right/add.py", "add.py", timedCalls}, {"right/linear_module.py", "linear_module.py", timedCalls},
		{"wrong/off_by_one_less.py", "add.py", 0}} {
		r := Judge(t.Context(), Options{Seed: 7, Timed: cpu.New(cpu.Options{}),
			Submission: source.NewFile(c.submission, read(t, "testdata/"+c.submission)),
			Reference:  source.NewFile(c.reference, read(t, "testdata/references/"+c.reference))})
		if c.calls == 0 {
			if r.Times != nil || r.Verdict != Wrong {
				t.Errorf("%s: %s, %+v", c.submission, r.Message, r.Times)
			}
		} else if x := r.Times; x == nil || x.Calls != c.calls || x.Launches != 1 || x.Seconds <= 0 || x.Fast > x.Seconds ||
			x.Slow < x.Seconds {
			t.Errorf("%s: %s, %+v", c.submission, r.Message, x)
		}
	}
}
