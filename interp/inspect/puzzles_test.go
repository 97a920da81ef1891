package inspect_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// caseOf makes a test of a puzzle ready for a kernel: number 0 is the first.
func caseOf(t testing.TB, p *puzzles.Puzzle, file *source.File, number int) (*judge.CaseLaunch, *inspect.Launch) {
	t.Helper()
	c, list := judge.New(p).Launch(context.Background(), file, number, nil, judge.Options{})
	if c == nil {
		t.Fatal(p.Slug, list)
		return nil, nil
	}
	var shapes []launch.Shape
	for _, a := range c.Arrays {
		shapes = append(shapes, launch.Shape{Sizes: a.Shape})
	}
	l, why := inspect.New(c.Kernel, c.Args, shapes, c.Launch)
	if why != nil {
		t.Fatal(p.Slug, why)
	}
	return c, l
}

func run(t testing.TB, l *inspect.Launch, program [3]int, from int) *inspect.Result {
	t.Helper()
	r, err := l.Run(context.Background(), program, from)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// solution is read from its folder: a program in a page has no texts of puzzles.
func solution(t testing.TB, p *puzzles.Puzzle) *source.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "puzzles", p.Slug, "solution.py"))
	if err != nil {
		t.Fatal(err)
	}
	return source.NewFile("solution.py", string(text))
}

// stepText writes a step as a person reads it: line, iterations, operation, variable, type and value; then what it does
// to memory.
func stepText(f *source.File, s *inspect.Step, lang diag.Lang) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", f.Position(s.Span.Start).Line)
	if len(s.Iterations) > 0 {
		fmt.Fprint(&b, " ", s.Iterations)
	}
	fmt.Fprintf(&b, " %s", s.Op)
	if s.Value != nil {
		fmt.Fprintf(&b, "  %s %s: %s", s.Name, s.Value.TypeText(), s.Value.In(lang))
	}
	if s.Access != nil {
		fmt.Fprintf(&b, "\n    %s", s.Access.Sentence.In(lang))
	}
	if s.Problem != nil {
		fmt.Fprintf(&b, "\n    %s", s.Problem.In(lang).Headline)
	}
	return b.String()
}

// TestSteps compares the steps of the last program of the solutions' first tests with testdata.
func TestSteps(t *testing.T) {
	for _, n := range []int{1, 2, 5, 7, 9, 12} {
		p, _ := puzzles.Get(n)
		file := solution(t, p)
		c, l := caseOf(t, p, file, 0)
		last := c.Launch.Grid
		for axis := range last {
			last[axis]--
		}
		r := run(t, l, last, 0)
		if r.Total != len(r.Steps) || r.Problem != nil {
			t.Errorf("%s: %d steps of %d, %v", p.Slug, len(r.Steps), r.Total, r.Problem)
		}
		var got strings.Builder
		fmt.Fprintf(&got, "program %v of %v\n", r.Program, r.Grid)
		for i := range r.Steps {
			fmt.Fprintln(&got, stepText(file, &r.Steps[i], diag.English))
		}
		compare(t, filepath.Join("testdata", p.Slug+".txt"), got.String())
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// TestSummaryAgreesWithRecorder counts readers and writers of the solutions again, from the accesses of the optimized
// kernel as the recorder keeps them, and compares memory with that of a plain launch.
func TestSummaryAgreesWithRecorder(t *testing.T) {
	for _, p := range puzzles.All() {
		for number := range 1 + len(p.Strict) {
			c, l := caseOf(t, p, solution(t, p), number)
			r := run(t, l, [3]int{}, 0)
			rec := &trace.Recorder{MaxLanes: 1 << 26}
			args, err := launch.Copied(c.Args)
			if err != nil {
				t.Fatal(err)
			}
			with := c.Launch
			with.Observer = rec
			if _, fault := c.Kernel.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, with); fault != nil {
				t.Fatal(p.Slug, fault)
			}
			readers, writers := recount(rec)
			for _, got := range r.Tensors {
				for i := range got.Readers {
					at := fmt.Sprint(got.Name, i)
					if want := single(readers[at]); got.Readers[i] != want {
						t.Fatalf("%s, test %d: %s is read by %d, not %d", p.Slug, number+1, at, want, got.Readers[i])
					}
					if want := single(writers[at]); got.Writers[i] != want {
						t.Fatalf("%s, test %d: %s is written by %d, not %d", p.Slug, number+1, at, want, got.Writers[i])
					}
				}
			}
			n := 0
			for i, a := range args {
				if a.Tensor == nil {
					continue
				}
				if !bytes.Equal(r.Tensors[n].Before, c.Args[i].Tensor.Data) || !bytes.Equal(r.Tensors[n].After, a.Tensor.Data) {
					t.Errorf("%s, test %d: %s differs from that of a plain launch", p.Slug, number+1, a.Tensor.Name)
				}
				n++
			}
		}
	}
}

// recount lists the programs that read and that write each element.
func recount(rec *trace.Recorder) (readers, writers map[string]map[int32]bool) {
	readers, writers = map[string]map[int32]bool{}, map[string]map[int32]bool{}
	for _, a := range rec.Accesses {
		program := int32((a.Program[0]*rec.Grid[1]+a.Program[1])*rec.Grid[2] + a.Program[2])
		for i, p := range a.Ptr {
			if !a.Active(i) {
				continue
			}
			arg, offset := trace.Split(p)
			at, by := fmt.Sprint(rec.Args[arg].Name, offset), readers
			if a.Kind != trace.Load {
				by = writers
			}
			if by[at] == nil {
				by[at] = map[int32]bool{}
			}
			by[at][program] = true
		}
	}
	return readers, writers
}

func single(programs map[int32]bool) int32 {
	if len(programs) > 1 {
		return inspect.Several
	}
	for p := range programs {
		return p
	}
	return inspect.None
}

// TestWindows: a launch asked for in windows gives the steps that it gives in one, whichever program is chosen.
func TestWindows(t *testing.T) {
	p, _ := puzzles.Get(8)
	file := solution(t, p)
	_, l := caseOf(t, p, file, 0)
	whole := run(t, l, [3]int{1, 0, 0}, 0)
	for from := 0; from < whole.Total; from += 7 {
		part := run(t, l, [3]int{1, 0, 0}, from)
		if part.Total != whole.Total || len(part.Steps) != whole.Total-from {
			t.Fatalf("from %d: %d steps of %d, not %d", from, len(part.Steps), part.Total, whole.Total-from)
		}
		if got, want := stepText(file, &part.Steps[0], diag.English), stepText(file, &whole.Steps[from], diag.English); got != want {
			t.Errorf("step %d is %s, not %s", from, got, want)
		}
	}
}
