package repair

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

var (
	update = flag.Bool("update", false, "write what is said of each wrong answer into testdata")
	report = flag.Bool("report", false, "print the sentences and the changes")
)

// wrong is a wrong answer: the lines of a solution that it replaces, without the indentation of the kernel's body, and
// what is said of it.
type wrong struct {
	name, base string
	edits      []string // a line that begins with "- " or "+ "
	want       string   // the line and the code of the mistake, or "silent"
}

// readCorpus reads a file of wrong answers. They are separated by empty lines; the first line of each is its name, and
// after "@" the solution that it is made of, if that is not solution.py. Where no line is removed, those that are added
// are the whole body.
func readCorpus(text string) (head string, list []wrong) {
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(part, "\n")
		if i == 0 && strings.HasPrefix(lines[0], "#") {
			head = part
			continue
		}
		w := wrong{}
		w.name, w.base, _ = strings.Cut(lines[0], " @ ")
		for _, l := range lines[1:] {
			if want, ok := strings.CutPrefix(l, "= "); ok {
				w.want = want
			} else {
				w.edits = append(w.edits, l)
			}
		}
		list = append(list, w)
	}
	return head, list
}

func readFile(t testing.TB, name string) (p *puzzles.Puzzle, head string, list []wrong) {
	var number int
	fmt.Sscanf(filepath.Base(name), "%d", &number)
	data, err := os.ReadFile(name)
	p, known := puzzles.Get(number)
	if err != nil || !known {
		t.Fatal(name, err)
	}
	head, list = readCorpus(string(data))
	return p, head, list
}

func (w *wrong) String() string {
	name := w.name
	if w.base != "" {
		name += " @ " + w.base
	}
	return strings.Join(slices.Concat([]string{name}, w.edits, []string{"= " + w.want}), "\n")
}

// source is the answer's text.
func (w *wrong) source(t testing.TB, p *puzzles.Puzzle) *source.File {
	base := w.base
	if base == "" {
		base = "solution.py"
	}
	data, err := os.ReadFile(filepath.Join("..", p.Slug, base))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	const indent = "    "
	body := strings.Index(text, "):\n") + len("):\n")
	var old, new string
	change := func() {
		switch {
		case old == "" && new != "":
			text = text[:body] + new
		case strings.Count(text, "\n"+old) != 1:
			t.Fatalf("%s: %d places have\n%s", w.name, strings.Count(text, "\n"+old), old)
		default:
			text = strings.Replace(text, "\n"+old, "\n"+new, 1)
		}
		old, new = "", ""
	}
	for _, e := range w.edits {
		line := indent + e[2:] + "\n"
		if e[0] == '-' {
			if new != "" {
				change()
			}
			old += line
		} else {
			new += line
		}
	}
	if change(); strings.TrimSpace(text[body:]) == "" {
		t.Fatalf("%s: nothing is left", w.name)
	}
	return source.NewFile("kernel.py", text)
}

// TestWrongAnswers: what is said of each wrong answer is what testdata has, and after the change the answer passes.
// Before testdata is updated, what -report prints has to be read: a wrong sentence is worse than none.
func TestWrongAnswers(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 12 {
		t.Fatal(err, files)
	}
	total, named := 0, 0
	for at, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p, head, list := readFile(t, name)
			j := judge.New(p)
			parts := []string{head}
			for i := range list {
				w := &list[i]
				file := w.source(t, p)
				if !*update && soak.Skips(at+i, 7) {
					continue
				}
				got := said(t, j, file)
				if *update {
					w.want = got
				} else if got != w.want {
					t.Errorf("%s: %s, want %s", w.name, got, w.want)
				}
				if total++; got != silent {
					named++
				}
				parts = append(parts, w.String())
			}
			if *update {
				if err := os.WriteFile(name, []byte(strings.Join(parts, "\n\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Logf("the mistake is named in %d of %d wrong answers", named, total)
}

const silent = "silent"

// said is what the search says of an answer.
func said(t *testing.T, j *judge.Judge, file *source.File) string {
	t.Helper()
	start := time.Now()
	d := Find(t.Context(), j, file, judge.Options{})
	if *report {
		fmt.Printf("%6d ms  ", time.Since(start).Milliseconds())
	}
	if d == nil {
		if *report {
			fmt.Println(silent)
		}
		if j.Check(t.Context(), file, judge.Options{}).Pass() {
			t.Errorf("this answer is right:\n%s", file.Text)
		}
		return silent
	}
	mended, ok := edited(file.Text, d.Fixes[0].Edits)
	if !ok || !j.Check(t.Context(), source.NewFile(file.Name, mended), judge.Options{}).Pass() {
		t.Errorf("%s: the change does not mend it:\n%s", d.In(diag.English).Headline, mended)
	}
	line := file.Position(d.Primary.Span.Start).Line
	if *report {
		fmt.Printf("%s %d: %s\n", d.Code, line, d.In(diag.English).Headline)
		for _, e := range d.Fixes[0].Edits {
			n := file.Position(e.Span.Start).Line
			text := strings.TrimSpace(file.Slice(file.LineSpan(n)))
			fmt.Printf("    %3d %s   [%s => %s]\n", n, text, file.Slice(e.Span), e.New)
		}
	}
	return fmt.Sprintf("%d %s", line, d.Code)
}

// BenchmarkFind searches one of seven of the wrong answers whose mistake is named, and gives the median, which is what
// somebody waits for. In a page's engine:
//
//	GOOS=js GOARCH=wasm go test ./puzzles/repair -run '^$' -bench . -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
func BenchmarkFind(b *testing.B) {
	files, _ := filepath.Glob("testdata/*.txt")
	var took []time.Duration
	for b.Loop() {
		took = took[:0]
		for at, name := range files {
			p, _, list := readFile(b, name)
			j := judge.New(p)
			for i := range list {
				if (at+i)%7 != 0 || list[i].want == silent {
					continue
				}
				file := list[i].source(b, p)
				start := time.Now()
				Find(b.Context(), j, file, judge.Options{})
				took = append(took, time.Since(start))
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms/median")
	b.ReportMetric(took[len(took)*9/10].Seconds()*1e3, "ms/p90")
}

// TestNothingToSay: a right answer has no mistake, nor is one found after the search was ended or in what is no kernel.
func TestNothingToSay(t *testing.T) {
	p, _ := puzzles.Get(2)
	wrong := strings.Replace(p.Text.Solutions[0].Source, "i < N0", "i < B0", 1)
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx  context.Context
		text string
		want bool
	}{
		"wrong":       {t.Context(), wrong, true},
		"right":       {t.Context(), p.Text.Solutions[0].Source, false},
		"ended":       {ended, wrong, false},
		"empty":       {t.Context(), "", false},
		"no Python":   {t.Context(), "def add_mask2_kernel(", false},
		"no tensors":  {t.Context(), "def add_mask2_kernel():\n    pass\n", false},
		"no function": {t.Context(), "add_mask2_kernel = 1\n", false},
	} {
		d := Find(c.ctx, judge.New(p), source.NewFile("kernel.py", c.text), judge.Options{})
		if (d != nil) != c.want {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// TestEdited: edits are made in the order of the text, and not where two overlap.
func TestEdited(t *testing.T) {
	at := func(start, end int32, new string) diag.Edit {
		return diag.Edit{Span: source.Span{Start: start, End: end}, New: new}
	}
	for _, c := range []struct {
		edits []diag.Edit
		want  string
		ok    bool
	}{
		{nil, "abcd", true},
		{[]diag.Edit{at(3, 4, "D"), at(0, 1, "A")}, "AbcD", true},
		{[]diag.Edit{at(2, 2, "-")}, "ab-cd", true},
		{[]diag.Edit{at(0, 2, "x"), at(1, 3, "y")}, "", false},
	} {
		if got, ok := edited("abcd", c.edits); got != c.want || ok != c.ok {
			t.Errorf("%v: %q, %v", c.edits, got, ok)
		}
	}
}
