package judge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/puzzles"
)

// Flaw is what is wrong with a puzzle whose files can be read.
type Flaw struct {
	File *source.File // of the puzzle's folder
	*diag.Diagnostic
}

// Validate holds a puzzle to what newt's own keep: every solution passes both checks, and the
// starter compiles, runs and passes neither, or both where the puzzle has goals. The puzzle's Text must be loaded.
func Validate(ctx context.Context, p *puzzles.Puzzle, o Options) []Flaw {
	j := New(p)
	j.Libraries = host.AllLibraries()
	for number := range 1 + len(p.Strict) {
		c, _ := p.Test(number)
		if _, err := j.prepare(ctx, c, number); err != nil {
			return []Flaw{specFlaw(p, err)}
		}
	}
	var flaws []Flaw
	for _, s := range p.Text.Solutions {
		file := source.NewFile(path.Join(p.Slug, s.File), s.Source)
		if v := j.Check(ctx, file, o); !v.Pass() {
			flaws = append(flaws, v.flaw(file, "puzzle-solution-fails"))
		}
	}
	starter := source.NewFile(path.Join(p.Slug, "starter.py"), p.Text.Starter)
	v := j.Check(ctx, starter, o)
	switch {
	case len(p.Goals) > 0 && !v.Pass():
		flaws = append(flaws, v.flaw(starter, "puzzle-starter-wrong"))
	case len(p.Goals) > 0:
	// A starter that does not compile, or that passes already, leaves nothing to learn.
	case !v.Classic.Ran():
		flaws = append(flaws, v.flaw(starter, "puzzle-starter-stuck"))
	case v.Classic.Pass() || v.Strict.Pass():
		flaws = append(flaws, FlawOf(starter, p.Kernel, "puzzle-starter-passes"))
	}
	return flaws
}

// specFlaw is the flaw of a puzzle whose tests cannot be made ready.
func specFlaw(p *puzzles.Puzzle, err error) Flaw {
	var fault specFault
	if errors.As(err, &fault) {
		return Flaw{fault.file, fault.Diagnostic}
	}
	return FlawOf(source.NewFile(path.Join(p.Slug, "spec.py"), p.SpecSource), p.Spec, "puzzle-broken", err)
}

// FlawOf is a flaw of a kernel in a file.
func FlawOf(file *source.File, kernel, code string, args ...any) Flaw {
	return Flaw{file, diag.New(code, definition(file, kernel), args...)}
}

// definition is where a function is defined in a file.
func definition(file *source.File, function string) source.Span {
	def := "def " + function
	at := file.Base() + int32(max(0, strings.Index(file.Text, def)))
	return source.Span{Start: at, End: at + int32(len(def))}
}

// flaw names the first error, or the first case that fails.
func (v *Verdict) flaw(file *source.File, code string) Flaw {
	for _, d := range v.Diagnostics {
		if d.Severity == diag.Error {
			return Flaw{file, diag.New(code, d.Primary.Span, Headline{d})}
		}
	}
	for _, c := range append(v.Classic.Cases, v.Strict.Cases...) {
		if c.Problem != nil {
			said := diag.Text{Key: "puzzle.launch", Args: []any{*c.Problem, launchText(v.Puzzle, c.Case)}}
			return FlawOf(file, v.Puzzle.Kernel, code, said)
		}
	}
	return FlawOf(file, v.Puzzle.Kernel, code, v.Message())
}

// launchText is how a test launches an answer, without the tensors: `scale[(4,)](n=50, BLOCK=16)`.
func launchText(p *puzzles.Puzzle, c puzzles.Case) string {
	in, err := p.Instance(c)
	if err != nil {
		return p.Kernel // a loaded puzzle's cases never fail
	}
	axes := 3
	for axes > 1 && in.Grid[axes-1] == 1 {
		axes--
	}
	grid := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(in.Grid[:axes])), ", "), "[]")
	if axes == 1 {
		grid += ","
	}
	var args []string
	for _, a := range in.Args {
		args = append(args, fmt.Sprintf("%s=%v", a.Name, a.Value))
	}
	return fmt.Sprintf("%s[(%s)](%s)", p.Kernel, grid, strings.Join(args, ", "))
}

// Headline is a diagnostic as part of another sentence.
type Headline struct{ Of *diag.Diagnostic }

func (h Headline) In(lang diag.Lang) string { return h.Of.In(lang).Headline }
