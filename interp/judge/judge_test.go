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
