package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/puzzles"
)

// Flaw is what is wrong with a puzzle whose files can be read.
type Flaw struct {
	File string // of the puzzle's folder
	Text diag.Text
}

// Validate holds a puzzle to what newt's own keep: every solution passes both checks, and the
// starter compiles, runs and passes neither, or both where the puzzle has goals. The puzzle's Text must be loaded.
func Validate(ctx context.Context, p *puzzles.Puzzle, o Options) []Flaw {
	j := New(p)
	j.Libraries = host.AllLibraries()
	var flaws []Flaw
	for _, s := range p.Text.Solutions {
		if v := j.Check(ctx, source.NewFile(s.File, s.Source), o); !v.Pass() {
			flaws = append(flaws, Flaw{s.File, v.flaw("judge.solution-fails")})
		}
	}
	v := j.Check(ctx, source.NewFile("starter.py", p.Text.Starter), o)
	switch {
	case len(p.Goals) > 0 && !v.Pass():
		flaws = append(flaws, Flaw{"starter.py", v.flaw("judge.starter-wrong")})
	case len(p.Goals) > 0:
	// A starter that does not compile, or that passes already, leaves nothing to learn.
	case !v.Classic.Ran():
		flaws = append(flaws, Flaw{"starter.py", v.flaw("judge.starter-stuck")})
	case v.Classic.Pass() || v.Strict.Pass():
		flaws = append(flaws, Flaw{"starter.py", diag.Text{Key: "judge.starter-passes"}})
	}
	return flaws
}

// flaw names the first error, or the first case that fails.
func (v *Verdict) flaw(key string) diag.Text {
	for _, d := range v.Diagnostics {
		if d.Severity == diag.Error {
			return diag.Text{Key: key, Args: []any{Headline{d}}}
		}
	}
	for _, c := range append(v.Classic.Cases, v.Strict.Cases...) {
		if c.Problem != nil {
			return diag.Text{Key: key, Args: []any{*c.Problem}}
		}
	}
	return diag.Text{Key: key, Args: []any{v.Message()}}
}

// Headline is a diagnostic as part of another sentence.
type Headline struct{ Of *diag.Diagnostic }

func (h Headline) In(lang diag.Lang) string { return h.Of.In(lang).Headline }
