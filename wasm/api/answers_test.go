package api

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// answers are texts of a puzzle's answers by a name: its solutions, and those of testdata in the style of other people.
func answers(t *testing.T, p *puzzles.Puzzle) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range p.Text.Solutions {
		out[s.File] = s.Source
	}
	number, _, _ := strings.Cut(p.Slug, "_")
	files, _ := filepath.Glob(filepath.Join("testdata", "answers", number+"_*.py"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(text)
	}
	if len(out) < 2 {
		t.Errorf("%s: %d answers", p.Slug, len(out))
	}
	return out
}

// refuted lists the counterexamples of a reply.
func refuted(r *FindingsReply) (list []string) {
	if r.Proof == nil {
		return nil
	}
	for _, a := range r.Proof.Accesses {
		if a.Counterexample != nil {
			list = append(list, a.Text+"; "+a.Counterexample.Text)
		}
	}
	return list
}

// TestAnswersAreNotRefuted: of an answer that the judge accepts, at other sizes as well, no access has a counterexample
// in any test; nor has any of a starter that nobody has touched.
func TestAnswersAreNotRefuted(t *testing.T) {
	for _, p := range puzzles.All() {
		t.Run(p.Slug, func(t *testing.T) {
			t.Parallel()
			j := judge.New(p)
			texts := answers(t, p)
			for name, text := range texts {
				file := source.NewFile(name, text)
				v := j.Check(t.Context(), file, judge.Options{})
				if !v.Pass() {
					t.Errorf("%s: %s", name, v.Message().In(diag.English))
				}
				if others := judge.TryOtherSizes(t.Context(), j, file, judge.Options{}); others.Failure != nil {
					t.Errorf("%s: %s", name, others.Message().In(diag.English))
				}
			}
			texts["starter.py"] = p.Text.Starter
			for name, text := range texts {
				for number := range j.Cases() {
					of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: text}, Case: number}
					r := findingsRequest(t, "en", &FindingsRequest{Of: of})
					for _, x := range refuted(r) {
						t.Errorf("%s, test %d: %s", name, number+1, x)
					}
					for _, f := range r.Findings {
						t.Errorf("%s, test %d: %s", name, number+1, f.Diagnostic.Headline)
					}
				}
			}
		})
	}
}

// TestStarterGoesOn: who writes on at the end of a starter writes in its kernel, where everything runs.
func TestStarterGoesOn(t *testing.T) {
	for _, p := range puzzles.All() {
		list := judge.New(p).Diagnose(source.NewFile("kernel.py", p.Text.Starter+"tl.store(z, 1)\n"), false)
		if len(list) != 1 || list[0].Code != "undefined-name" {
			t.Errorf("%s: %v", p.Slug, list)
		}
	}
}
