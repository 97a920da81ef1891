package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

var puzzleCommand = &command{
	name:  "puzzle",
	args:  "list | show N | check N FILE [--device NAME] [--json] [--strict] [--lang en|zh]",
	short: "list the puzzles, show one, check an answer",
	help: "list             the puzzles, a line each\n" +
		"show N           puzzle N's statement, starter and first hint\n" +
		"check N FILE     judges the kernel in FILE (- is standard input): the classic check, which is the\n" +
		"                 notebooks' own, and the strict one. The exit status is 0 only where both pass.\n" +
		"                 --device makes its launches on cpu, cuda:N or another newt's ws://HOST:PORT, whose token\n" +
		"                 stands in NEWT_TOKEN; without it the interpreter does.",
	run: puzzle,
}

func puzzle(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	asJSON := set.Bool("json", false, "print one JSON object")
	strict := set.Bool("strict", false, "refuse what Triton's GPU compiler refuses")
	on := set.String("device", "", "device for the launches of check; the interpreter where it is left out")
	words, status, done := c.parse(e, set, args, 1, 3)
	if done {
		return status
	}
	l := diag.ParseLang(*lang)
	switch {
	case words[0] == "list" && len(words) == 1:
		return listPuzzles(e, l)
	case words[0] == "show" && len(words) == 2:
		return c.withPuzzle(e, words[1], func(p *puzzles.Puzzle) int { return showPuzzle(e, l, p) })
	case words[0] == "check" && len(words) == 3:
		return c.withPuzzle(e, words[1], func(p *puzzles.Puzzle) int {
			file, err := readSource(words[2])
			if err != nil {
				return c.fail(e, err)
			}
			options := judge.Options{StrictTriton: *strict}
			if *on != "" {
				_, d, err := openDevice(e, *on)
				if err != nil {
					return c.fail(e, err)
				}
				defer d.Close()
				options.Engine = engineOn(d)
			}
			v := judge.New(p).Check(ctx, file, options)
			report := &verdictReport{v, file, l}
			if *asJSON {
				return report.json(e.Stdout)
			}
			return report.text(e)
		})
	}
	return c.misuse(e, "unknown arguments "+strings.Join(words, " "))
}

func (c *command) withPuzzle(e *Env, number string, f func(*puzzles.Puzzle) int) int {
	n, err := strconv.Atoi(number)
	p, ok := puzzles.Get(n)
	if err != nil || !ok {
		return c.fail(e, fmt.Errorf("there is no puzzle %q: they are numbered 1 to %d", number, len(puzzles.All())))
	}
	return f(p)
}

func listPuzzles(e *Env, lang diag.Lang) int {
	for _, p := range puzzles.All() {
		fmt.Fprintf(e.Stdout, "%2d  %s\n", p.Number, p.Title.In(lang.String()))
	}
	return exitOK
}

func showPuzzle(e *Env, lang diag.Lang, p *puzzles.Puzzle) int {
	fmt.Fprintf(e.Stdout, "%d. %s\n\n%s\n\n%s", p.Number, p.Title.In(lang.String()),
		strings.TrimSpace(p.Text.Statement.In(lang.String())), p.Text.Starter)
	return exitOK
}

// verdictReport writes a verdict for people and for programs.
type verdictReport struct {
	*judge.Verdict
	file *source.File
	lang diag.Lang
}

func (r *verdictReport) status() int {
	if r.Pass() {
		return exitOK
	}
	return exitFail
}

func (r *verdictReport) text(e *Env) int {
	writeDiagnostics(e, e.Stdout, r.file, r.Diagnostics, r.lang.String())
	for _, p := range r.Prints {
		fmt.Fprintln(e.Stdout, p.Text)
	}
	for _, part := range []struct {
		name  string
		check *judge.Check
	}{{"classic", &r.Classic}, {"strict", &r.Strict}} {
		for i := range part.check.Cases {
			r.writeCase(e.Stdout, part.name, &part.check.Cases[i])
		}
	}
	fmt.Fprintln(e.Stdout, r.Message().In(r.lang))
	return r.status()
}

// shownElements is how many wrong elements the command line lists.
const shownElements = 8

func (r *verdictReport) writeCase(w io.Writer, check string, c *judge.Case) {
	name := c.Name.In(r.lang.String())
	if c.Problem == nil {
		fmt.Fprintf(w, "ok    %s: %s\n", check, name)
		return
	}
	fmt.Fprintf(w, "FAIL  %s: %s: %s\n", check, name, c.Problem.In(r.lang))
	for _, x := range c.First(shownElements) {
		fmt.Fprintf(w, "        %v  got %s  want %s%s\n", x.Index, x.Got, x.Want, r.writer(x))
	}
}

func (r *verdictReport) writer(x judge.Element) string {
	if x.Program == nil {
		return ""
	}
	return diag.Text{Key: "judge.written-by", Args: []any{fmt.Sprint(*x.Program)}}.In(r.lang)
}

// The JSON form. Its names are part of the command line's contract.
type (
	jsonVerdict struct {
		Puzzle      int         `json:"puzzle"`
		Pass        bool        `json:"pass"`
		Message     string      `json:"message"`
		Classic     jsonCheck   `json:"classic"`
		Strict      jsonCheck   `json:"strict"`
		Diagnostics []diag.JSON `json:"diagnostics"`
	}
	jsonCheck struct {
		Pass  bool       `json:"pass"`
		Ran   bool       `json:"ran"`
		Cases []jsonCase `json:"cases"`
	}
	jsonCase struct {
		Name     string          `json:"name"`
		Sizes    map[string]int  `json:"sizes"`
		Blocks   map[string]int  `json:"blocks"`
		Seed     int64           `json:"seed"`
		Pass     bool            `json:"pass"`
		Message  string          `json:"message,omitempty"`
		Wrong    int             `json:"wrong"`
		Total    int             `json:"total"`
		MaxError float64         `json:"max_error"`
		First    []judge.Element `json:"first,omitempty"`
	}
)

func (r *verdictReport) json(w io.Writer) int {
	out := jsonVerdict{
		Puzzle: r.Puzzle.Number, Pass: r.Pass(), Message: r.Message().In(r.lang),
		Classic: r.check(&r.Classic), Strict: r.check(&r.Strict), Diagnostics: diag.ToJSON(r.file, r.Diagnostics, r.lang),
	}
	if err := writeJSON(w, out); err != nil {
		return exitUsage
	}
	return r.status()
}

func (r *verdictReport) check(c *judge.Check) jsonCheck {
	out := jsonCheck{Pass: c.Pass(), Ran: c.Ran(), Cases: make([]jsonCase, 0, len(c.Cases))}
	for i := range c.Cases {
		k := &c.Cases[i]
		j := jsonCase{
			Name: k.Name.In(r.lang.String()), Sizes: k.Sizes, Blocks: k.Blocks, Seed: k.Seed, Pass: k.Problem == nil,
			Wrong: len(k.Wrong), Total: k.Expected.Len(), MaxError: k.FiniteError(), First: k.First(shownElements),
		}
		if k.Problem != nil {
			j.Message = k.Problem.In(r.lang)
		}
		out.Cases = append(out.Cases, j)
	}
	return out
}
