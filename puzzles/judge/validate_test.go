package judge

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/goal"
)

func TestValidate(t *testing.T) {
	ours, _ := puzzles.Get(2)
	with := func(change func(p *puzzles.Puzzle, text *puzzles.Text)) *puzzles.Puzzle {
		p, text := *ours, *ours.Text
		text.Solutions = append([]puzzles.Solution(nil), text.Solutions...)
		p.Text = &text
		change(&p, &text)
		return &p
	}
	for _, c := range []struct {
		name   string
		puzzle *puzzles.Puzzle
		file   string // "" where nothing is wrong
		en, zh string // parts of what is said
	}{
		{"ours", ours, "", "", ""},
		{"wrong solution", with(func(p *puzzles.Puzzle, text *puzzles.Text) {
			text.Solutions[0].Source = strings.Replace(text.Solutions[0].Source, "10", "11", 1)
		}), "solution.py", "by the same amount, +1, launched as `add_mask2_kernel[(7,)](N0=200, B0=32)`", "相差 +1，启动方式是 `add_mask2_kernel[(7,)](N0=200, B0=32)`"},
		{"solution that does not compile", with(func(p *puzzles.Puzzle, text *puzzles.Text) {
			text.Solutions[0].Source = strings.ReplaceAll(text.Solutions[0].Source, "tl.arange", "tl.arrange")
		}), "solution.py", "`tl` has no `arrange`", "`arrange`"},
		{"starter that solves it", with(func(p *puzzles.Puzzle, text *puzzles.Text) {
			text.Starter = text.Solutions[0].Source
		}), "starter.py", "already passes", "已经能通过"},
		{"starter that does not compile", with(func(p *puzzles.Puzzle, text *puzzles.Text) {
			text.Starter += "\n)"
		}), "starter.py", "must compile and run", "必须能编译"},
		{"goals, and a wrong starter", with(func(p *puzzles.Puzzle, _ *puzzles.Text) {
			p.Goals = []goal.Goal{{Count: "sectors", Most: []float64{3, 2, 1}}}
		}), "starter.py", "is to be right, if slow", "必须正确"},
		{"goals, and a starter that is right", with(func(p *puzzles.Puzzle, text *puzzles.Text) {
			p.Goals = []goal.Goal{{Count: "sectors", Most: []float64{3, 2, 1}}}
			text.Starter = text.Solutions[0].Source
		}), "", "", ""},
		{"specification that fails", with(func(p *puzzles.Puzzle, _ *puzzles.Text) {
			p.SpecSource = strings.Replace(p.SpecSource, "return", "return missing +", 1)
		}), "spec.py", "name 'missing' is not defined", "程序抛出 `NameError`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			flaws := Validate(t.Context(), c.puzzle, Options{})
			if c.file == "" {
				if len(flaws) > 0 {
					t.Fatalf("%s: %s", flaws[0].File.Name, flaws[0].In(diag.English).Headline)
				}
				return
			}
			if len(flaws) == 0 || !strings.HasSuffix(flaws[0].File.Name, c.file) {
				t.Fatalf("got %v, want a flaw of %s", flaws, c.file)
			}
			if en, zh := flaws[0].In(diag.English).Headline, flaws[0].In(diag.Chinese).Headline; !strings.Contains(en, c.en) || !strings.Contains(zh, c.zh) {
				t.Errorf("got %q and %q, want parts %q and %q", en, zh, c.en, c.zh)
			}
		})
	}
}
