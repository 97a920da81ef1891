package judge

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
)

func check(t testing.TB, p *puzzles.Puzzle, name string) (*source.File, *Verdict) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", p.Slug, name))
	if err != nil {
		t.Fatal(err)
	}
	file := source.NewFile(name, string(text))
	return file, New(p).Check(context.Background(), file, Options{})
}

// explain writes what a verdict says, for a failing test.
func explain(t *testing.T, v *Verdict) {
	t.Helper()
	t.Log(v.Message().In(diag.English))
	for _, d := range v.Diagnostics {
		t.Logf("%s %s %v: %s", d.Severity, d.Code, d.Primary.Span, d.In(diag.English).Headline)
	}
	for _, c := range append(v.Classic.Cases, v.Strict.Cases...) {
		if c.Problem != nil {
			t.Logf("%s: %s %v", c.Name.En, c.Problem.In(diag.English), c.First(3))
		}
	}
}

func TestSolutionsPass(t *testing.T) {
	for _, p := range puzzles.All() {
		names, err := filepath.Glob(filepath.Join("..", p.Slug, "solution*.py"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no solutions (%v)", p.Slug, err)
		}
		for _, name := range names {
			t.Run(p.Slug+"/"+filepath.Base(name), func(t *testing.T) {
				if _, v := check(t, p, filepath.Base(name)); !v.Pass() || len(v.Diagnostics) > 0 {
					explain(t, v)
					t.Error("a solution must pass both checks without a warning")
				}
			})
		}
	}
}

func TestStartersFail(t *testing.T) {
	for _, p := range puzzles.All() {
		t.Run(p.Slug, func(t *testing.T) {
			_, v := check(t, p, "starter.py")
			if v.Classic.Pass() || v.Strict.Pass() || !v.Classic.Ran() || v.Diagnostics.HasErrors() {
				explain(t, v)
				t.Error("a starter must compile, run and fail both checks")
			}
		})
	}
}

// TestMaskedLanesMatter: a solution whose loads have lost their other does not pass.
func TestMaskedLanesMatter(t *testing.T) {
	other := regexp.MustCompile(`, other=(0\.0|0|float\("-inf"\))\)`)
	for _, p := range puzzles.All() {
		for _, s := range p.Text.Solutions {
			if !other.MatchString(s.Source) {
				continue
			}
			v := New(p).Check(t.Context(), source.NewFile(s.File, other.ReplaceAllString(s.Source, ")")), Options{})
			if v.Strict.Pass() || !v.Strict.Ran() {
				explain(t, v)
				t.Errorf("%s/%s passes without other", p.Slug, s.File)
			}
		}
	}
}

// TestEndlessLoopsStopOnce: a kernel that never ends exhausts one launch's budget, and no more
// launches follow.
func TestEndlessLoopsStopOnce(t *testing.T) {
	p, _ := puzzles.Get(1)
	file := source.NewFile("endless.py", p.Text.Starter+"while N0 > 0:\n        pass\n")
	v := New(p).Check(context.Background(), file, Options{Budget: 1 << 20})
	if v.Pass() || len(v.Classic.Cases) != 1 || v.Strict.Ran() || len(v.Diagnostics) != 1 || v.Diagnostics[0].Code != "loop-budget" {
		explain(t, v)
		t.Errorf("%s", file.Text)
	}
}

func TestSlipsAreCaught(t *testing.T) {
	for _, c := range []struct {
		number  int
		classic bool // whether the notebooks' own check lets it pass
	}{{601, true}, {701, true}, {702, true}, {8, true}, {801, false}, {9, false}, {1001, true}, {1101, false}} {
		p, _ := puzzles.Get(c.number)
		_, v := check(t, p, "slip.py")
		if v.Classic.Pass() != c.classic || v.Strict.Pass() || !v.Strict.Ran() {
			explain(t, v)
			t.Errorf("puzzle %d: classic passes: %v, want %v; strict passes: %v, want false", c.number, v.Classic.Pass(), c.classic, v.Strict.Pass())
		}
	}
}
