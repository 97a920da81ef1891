package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/explain"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/grade"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/puzzles/repair"
)

// authored are the puzzles of a folder that somebody wrote, with all that is wrong with them.
type authored struct {
	dir     string          // the folder around the puzzles' folders
	files   fs.FS           // what is in it
	course  *puzzles.Course // nil where the folder is none
	puzzles []*puzzles.Puzzle
	flaws   []judge.Flaw
}

// readAuthored reads a folder of puzzles, or of a single one, and holds each to what newt's own keep.
func readAuthored(ctx context.Context, dir string) *authored {
	a := &authored{dir: dir}
	p, flaws := readPuzzle(dir)
	if p != nil {
		a.puzzles = []*puzzles.Puzzle{p}
	}
	if p != nil || len(flaws) > 0 {
		a.dir = filepath.Join(dir, "..")
	}
	a.files, a.flaws = os.DirFS(a.dir), flaws
	if p == nil && len(flaws) == 0 {
		var problems []*puzzles.Problem
		a.course, a.puzzles, problems = puzzles.LoadCourse(a.files, explain.Refusal)
		a.flaws = flawsOf(problems)
	}
	for _, p := range a.puzzles {
		a.flaws = append(a.flaws, grade.Validate(ctx, p, judge.Options{})...)
	}
	for _, f := range a.flaws {
		f.File.Name = filepath.Join(a.dir, f.File.Name)
	}
	return a
}

// readPuzzle reads the puzzle whose folder a path names; there is neither a puzzle nor a flaw where it names none.
func readPuzzle(dir string) (*puzzles.Puzzle, []judge.Flaw) {
	if info, err := os.Stat(filepath.Join(dir, "puzzle.json")); err != nil || info.IsDir() {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	p, problem := puzzles.LoadFolder(os.DirFS(filepath.Dir(dir)), filepath.Base(dir), explain.Refusal)
	if problem != nil {
		return nil, flawsOf([]*puzzles.Problem{problem})
	}
	return p, nil
}

func flawsOf(problems []*puzzles.Problem) (flaws []judge.Flaw) {
	for _, p := range problems {
		file, d := p.Diagnostic()
		flaws = append(flaws, judge.Flaw{File: file, Diagnostic: d})
	}
	return flaws
}

// text is what is wrong, as the command line says it.
func (a *authored) text(p diag.Printer) string {
	var parts []string
	for _, f := range a.flaws {
		parts = append(parts, p.One(f.File, f.Diagnostic))
	}
	return strings.Join(parts, "\n")
}

// checkAuthored says what is wrong with the puzzles of a folder, and of what is right what learners will see.
func checkAuthored(ctx context.Context, e *Env, lang diag.Lang, dir string) int {
	a := readAuthored(ctx, dir)
	fmt.Fprint(e.Stdout, a.text(diag.Printer{Lang: lang, Color: e.colors(e.Stdout)}))
	if len(a.flaws) > 0 {
		return exitFail
	}
	if a.course != nil {
		fmt.Fprintf(e.Stdout, "ok    course.json  %s\n", a.course.Title.In(lang.String()))
	}
	for _, p := range a.puzzles {
		a.describe(ctx, e, lang, p)
	}
	return exitOK
}

// describe says how fast the kernels of a puzzle with goals are, and what is said of its slips.
func (a *authored) describe(ctx context.Context, e *Env, lang diag.Lang, p *puzzles.Puzzle) {
	fmt.Fprintf(e.Stdout, "ok    %s  %s\n", p.Slug, p.Title.In(lang.String()))
	j := judge.New(p)
	j.Libraries = host.AllLibraries()
	answers := append([]puzzles.Solution{{File: "starter.py", Source: p.Text.Starter}}, p.Text.Solutions...)
	for _, s := range answers[:min(len(answers), len(answers)*len(p.Goals))] {
		file := source.NewFile(s.File, s.Source)
		v := j.Check(ctx, file, judge.Options{})
		r := &verdictReport{Verdict: v, file: file, lang: lang}
		if r.ladder, _ = grade.Grade(ctx, j, v, file, lang.String()); r.ladder != nil {
			fmt.Fprintf(e.Stdout, "%s: ", s.File)
			r.writeLadder(e.Stdout)
		}
	}
	slips, _ := fs.Glob(a.files, path.Join(p.Slug, "slip*.py"))
	for _, name := range slips {
		text, err := fs.ReadFile(a.files, name)
		if err != nil {
			continue
		}
		file := source.NewFile(filepath.Join(a.dir, name), string(text))
		v := j.Check(ctx, file, judge.Options{})
		if mistake := repair.Find(ctx, j, file, judge.Options{}); mistake != nil {
			writeMistake(e, file, mistake, lang)
			continue
		}
		fmt.Fprintf(e.Stdout, "%s: %s\n", file.Name, v.Message().In(lang))
	}
}
