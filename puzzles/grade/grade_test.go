package grade

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/judge"
)

// levels are what the answers in the puzzles' folders reach, besides starters and first solutions.
var levels = map[string]int{
	"2001_strided_copy/solution_fours.py":  2,
	"2002_transpose/solution_strips.py":    2,
	"2003_fuse/solution_two_steps.py":      2,
	"2004_short_rows/solution_wide.py":     1,
	"2005_occupancy/solution_strips.py":    2,
	"2006_pixels/solution_pairs.py":        2,
	"2007_atomics/solution_columns.py":     1,
	"2008_weights/solution_half.py":        2,
	"2009_passes/solution_online.py":       2,
	"2010_tensor_cores/solution_ieee.py":   2,
	"2011_attention/solution_two_loops.py": 2,
	"2012_split/solution_pairs.py":         2,
	"2013_order/solution_columns.py":       1,
	"2013_order/solution_pairs.py":         2,
	"2013_order/solution_swizzle.py":       3,
	"2014_packed/solution_reuse.py":        1,
	"2014_packed/solution_gather.py":       2,
	"2014_packed/solution_strided.py":      2,
}

// TestLevels: a starter is right and reaches no level, the first solution reaches the highest, each other one exactly its
// own, and an answer that is fast and wrong none.
func TestLevels(t *testing.T) {
	for _, p := range fast.All() {
		files, err := filepath.Glob(filepath.Join("..", "fast", p.Slug, "s*.py"))
		if err != nil || len(p.Text.Solutions) < 2 || len(p.Goals) == 0 {
			t.Fatalf("%s: %d solutions, %d goals, %v", p.Slug, len(p.Text.Solutions), len(p.Goals), err)
		}
		files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "spec.py" })
		if slip := filepath.Join("..", "fast", p.Slug, "slip.py"); !slices.Contains(files, slip) {
			t.Errorf("%s is missing", slip)
		}
		j := judge.New(p)
		for _, file := range files {
			name := filepath.Base(file)
			t.Run(p.Slug+"/"+name, func(t *testing.T) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				answer := source.NewFile(name, string(text))
				v := j.Check(t.Context(), answer, judge.Options{})
				ladder, fault := Grade(t.Context(), j, v, answer, "en")
				switch {
				case fault != nil:
					t.Fatal(fault.In(diag.English).Headline)
				case name == "slip.py":
					if v.Pass() || ladder != nil {
						t.Errorf("passes: %v, %+v", v.Pass(), ladder)
					}
					return
				case !v.Pass() || len(v.Diagnostics) > 0:
					m := v.Message()
					t.Fatal(m.In(diag.English), v.Diagnostics)
				}
				want, listed := levels[p.Slug+"/"+name]
				switch name {
				case "starter.py":
				case p.Text.Solutions[0].File:
					want = goal.Levels
				default:
					if !listed {
						t.Error("the level is not listed")
					}
				}
				if ladder.Level != want {
					t.Errorf("level %d, want %d: %+v", ladder.Level, want, ladder.Rungs)
				}
			})
		}
	}
}

// pageInstructions is half of what the page's simulator counts of a launch; of a longer one there is no ladder.
const pageInstructions = 1 << 19

// TestPageCounts: the launches of starters, the longest there are, are short enough to be counted in the page.
func TestPageCounts(t *testing.T) {
	for _, p := range fast.All() {
		report, fault := count(t.Context(), judge.New(p), source.NewFile("starter.py", p.Text.Starter))
		if fault != nil {
			t.Fatalf("%s: %s", p.Slug, fault.In(diag.English).Headline)
		}
		if n := report.Counts()["instructions"]; n == 0 || n > pageInstructions {
			t.Errorf("%s: %g instructions", p.Slug, n)
		}
	}
}

// TestTiming: every puzzle is timed at sizes much larger than its tests', at which the first solution is right.
func TestTiming(t *testing.T) {
	for _, p := range fast.All() {
		if large, small := moved(t, p, p.Classic.At(p.Timing)), moved(t, p, p.Classic); large < 16*small {
			t.Errorf("%s: %d bytes are timed, and %d tested", p.Slug, large, small)
		}
	}
	soak.Only(t, "sizes like those of the tests")
	for _, p := range fast.All() {
		file := source.NewFile("solution.py", p.Text.Solutions[0].Source)
		l, list := judge.New(p).Launch(t.Context(), file, 0, p.Timing, judge.Options{})
		if l == nil {
			t.Fatalf("%s: %v", p.Slug, list)
		}
		if _, fault := l.Kernel.Run(t.Context(), launch.Target{Device: launch.Interpreter}, l.Args, l.Launch); fault != nil {
			t.Errorf("%s: %s", p.Slug, fault.In(diag.English).Headline)
		} else if wrong := l.Wrong(l.Arrays[len(l.Arrays)-1].Data); len(wrong) > 0 {
			t.Errorf("%s: %d elements are wrong", p.Slug, len(wrong))
		}
	}
}

// moved is how many bytes a case's tensors have.
func moved(t *testing.T, p *puzzles.Puzzle, c puzzles.Case) int {
	t.Helper()
	in, err := p.Instance(c)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, a := range append(in.Inputs, in.Output) {
		n += a.Len() * a.DType.Info().Bits / 8
	}
	return n
}

// TestWrongButFast: the slips would reach the highest level if they were right, so that being right is what they lack.
func TestWrongButFast(t *testing.T) {
	for _, p := range fast.All() {
		text, err := os.ReadFile(filepath.Join("..", "fast", p.Slug, "slip.py"))
		if err != nil {
			t.Fatal(err)
		}
		report, fault := count(t.Context(), judge.New(p), source.NewFile("slip.py", string(text)))
		if fault != nil {
			t.Fatalf("%s: %s", p.Slug, fault.In(diag.English).Headline)
		}
		if l := goal.Grade(p.Goals, report.Counts(), "en"); l.Level != goal.Levels {
			t.Errorf("%s: level %d: %+v", p.Slug, l.Level, l.Rungs)
		}
	}
}

// TestCountsAreNamed: what lens counts is what goals can name.
func TestCountsAreNamed(t *testing.T) {
	counts := (&lens.Report{}).Counts()
	for _, name := range goal.Counts {
		if _, ok := counts[name]; !ok {
			t.Errorf("lens does not count %s", name)
		}
		delete(counts, name)
	}
	if len(counts) > 0 {
		t.Errorf("goals cannot name %v", counts)
	}
}

// TestOtherSizes: answers of the course are right wherever the statements let them be run.
func TestOtherSizes(t *testing.T) {
	for _, p := range fast.All() {
		answers := append(slices.Clone(p.Text.Solutions), puzzles.Solution{File: "starter.py", Source: p.Text.Starter})
		j := judge.New(p)
		for _, s := range soak.Variants(answers...) {
			o := judge.TryOtherSizes(t.Context(), j, source.NewFile(s.File, s.Source), judge.Options{})
			if m := o.Message(); o.Failure != nil || len(o.Right) == 0 {
				t.Errorf("%s/%s: %s", p.Slug, s.File, m.In(diag.English))
			}
		}
	}
}

// TestLongest: where one of 16 programs does all the work, it executes most of the instructions; where each does its
// part, a sixteenth.
func TestLongest(t *testing.T) {
	p, _ := fast.Get(2012)
	share := func(answer string) float64 {
		report, fault := count(t.Context(), judge.New(p), source.NewFile("kernel.py", answer))
		if fault != nil {
			t.Fatal(fault.In(diag.English).Headline)
		}
		counts := report.Counts()
		return counts["longest"] / counts["instructions"]
	}
	if got := share(p.Text.Starter); got < 0.5 || got >= 1 {
		t.Errorf("one program executes %g of all", got)
	}
	if got := share(p.Text.Solutions[0].Source); got != 1.0/16 {
		t.Errorf("a program executes %g of all", got)
	}
}
