package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/grade"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/puzzles/repair"
)

var puzzleCommand = &command{
	name:  "puzzle",
	args:  "list | show N|DIR | check DIR | check N|DIR FILE [--device NAME] [--sanitize] [--explain [--program N] [--line N]] [--json] [--strict] [--lang en|zh]",
	short: "list the puzzles, show one, check an answer",
	help: "list             the puzzles, one per line; one with a letter, such as 6a, is an optional warm-up,\n" +
		"                 and those from F1 on are graded by what a launch takes on a simulated GPU\n" +
		"show N           statement and starter of puzzle N\n" +
		"check DIR        what is wrong with puzzles of your own: DIR is a puzzle's folder, or a folder of\n" +
		"                 those. puzzles/README.md describes their files. Of each slip*.py, a wrong answer, it says\n" +
		"                 what learners are told who give it\n" +
		"check N FILE     runs the tests on the kernel in FILE (- is standard input): the first of a puzzle uses the\n" +
		"                 sizes of the published notebook, the others are stricter. The exit status is 0 only if\n" +
		"                 all pass. DIR is the folder of a puzzle of your own. If a single change mends a wrong answer,\n" +
		"                 the mistake is named. An answer that passes is tried at other sizes, too, on the interpreter. --device\n" +
		"                 launches the tests on cpu, cuda:N or another newt's ws://HOST:PORT (its token in NEWT_TOKEN);\n" +
		"                 without it the interpreter runs the kernel. --explain follows the first wrong element back\n" +
		"                 to its store, its lines and the loads that it comes from, and reports each step of its\n" +
		"                 program, or of the one that leaves a tensor.",
	run: puzzle,
}

func puzzle(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	asJSON := set.Bool("json", false, "print one JSON object")
	strict := set.Bool("strict", false, "report as errors what Triton's GPU compiler refuses")
	sanitize := set.Bool("sanitize", false, sanitizeUsage)
	explain := set.Bool("explain", false, "report what a program of the first test that fails does, step by step, and "+
		"say where its first wrong element comes from, or why no program wrote it")
	var narrow report.Options
	defineProgram(set, &narrow, "--explain")
	on := set.String("device", "", "device for the launches of check (default: the interpreter)")
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
	case words[0] == "check" && len(words) == 2:
		return checkAuthored(ctx, e, l, words[1])
	case words[0] == "check" && len(words) == 3:
		return c.withPuzzle(e, words[1], func(p *puzzles.Puzzle) int {
			file, err := readSource(words[2])
			if err != nil {
				return c.fail(e, err)
			}
			options := judge.Options{StrictTriton: *strict}
			j := judge.New(p)
			j.Libraries = host.AllLibraries()
			found := proofs{allowed: judge.SmallLaunches(j, file, 0, options)}
			if *sanitize {
				options.Sanitizer = found.sanitize
			}
			if *on != "" {
				_, d, err := openDevice(ctx, e, *on, forSelf)
				if err != nil {
					return c.fail(e, err)
				}
				defer d.Close()
				options.Device = d
			}
			options.Meaning = (*judge.CaseLaunch).Meaning
			v := j.Check(ctx, file, options)
			verdict := &verdictReport{Verdict: v, file: file, lang: l, proofs: &found}
			if v.Pass() {
				verdict.others = judge.TryOtherSizes(ctx, j, file, options)
			}
			verdict.mistake = repair.Find(ctx, j, file, options)
			var fault *diag.Diagnostic
			if verdict.ladder, fault = grade.Grade(ctx, j, v, file, l.String()); fault != nil {
				return c.fail(e, errors.New(fault.In(l).Headline))
			}
			if *explain {
				verdict.explained = verdict.explain(ctx, j, options, narrow)
			}
			if *asJSON {
				return verdict.json(e.Stdout)
			}
			return verdict.text(e)
		})
	}
	return c.misuse(e, "unknown arguments "+strings.Join(words, " "))
}

func (c *command) withPuzzle(e *Env, number string, f func(*puzzles.Puzzle) int) int {
	if p, flaws := readPuzzle(number); len(flaws) > 0 {
		return c.fail(e, errors.New("\n"+(&authored{flaws: flaws}).text(diag.Printer{})))
	} else if p != nil {
		return f(p)
	}
	n, _ := strconv.Atoi(number)
	for _, p := range allPuzzles() {
		if n == p.Number || number == puzzles.Label(p.Number) {
			return f(p)
		}
	}
	return c.fail(e, fmt.Errorf("unknown puzzle %q: newt puzzle list names them all", number))
}

// allPuzzles are those of both courses.
func allPuzzles() []*puzzles.Puzzle { return slices.Concat(puzzles.All(), fast.All()) }

func listPuzzles(e *Env, lang diag.Lang) int {
	for _, p := range allPuzzles() {
		indent := ""
		if puzzles.IsWarmUp(p.Number) {
			indent = "    "
		}
		fmt.Fprintf(e.Stdout, "%s%2s  %s\n", indent, puzzles.Label(p.Number), p.Title.In(lang.String()))
	}
	return exitOK
}

func showPuzzle(e *Env, lang diag.Lang, p *puzzles.Puzzle) int {
	fmt.Fprintf(e.Stdout, "%s. %s\n\n%s\n\n%s", puzzles.Label(p.Number), p.Title.In(lang.String()),
		strings.TrimSpace(p.Text.Statement.In(lang.String())), p.Text.Starter)
	return exitOK
}

// verdictReport writes a verdict for people and for programs.
type verdictReport struct {
	*judge.Verdict
	others *judge.OtherSizes // nil where the answer fails a test
	file   *source.File
	lang   diag.Lang
	proofs *proofs
	ladder *goal.Ladder // of an answer that passes a puzzle with goals
	// mistake is that of a wrong answer; nil where it is not known. It may be one of the diagnostics.
	mistake *diag.Diagnostic

	explained *explanation // nil where it is not asked for, or there is nothing to explain
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
	for i, c := range slices.Concat(r.Classic.Cases, r.Strict.Cases) {
		r.writeCase(e.Stdout, i+1, &c)
	}
	r.writeExplanation(e.Stdout)
	r.proofs.text(e.Stdout, r.lang)
	fmt.Fprintln(e.Stdout, r.Message().In(r.lang))
	if message := r.otherSizes(); message != "" {
		fmt.Fprintln(e.Stdout, message)
	}
	if r.mistake != nil && !slices.ContainsFunc(r.Diagnostics, r.isMistake) {
		writeMistake(e, r.file, r.mistake, r.lang)
	}
	r.writeLadder(e.Stdout)
	if r.others != nil && r.others.Failure != nil {
		writeDiagnostics(e, e.Stdout, r.file, r.others.Failure.Diagnostics, r.lang.String())
	}
	return r.status()
}

// otherSizes says how the answer does at other sizes; it is empty where none were tried.
func (r *verdictReport) otherSizes() string {
	if r.others == nil || r.others.Message().Key == "" {
		return ""
	}
	return r.others.Message().In(r.lang)
}

// writeMistake says what the mistake is, and not how it is mended.
func writeMistake(e *Env, file *source.File, mistake *diag.Diagnostic, lang diag.Lang) {
	of := *mistake
	of.Fixes = nil
	writeDiagnostics(e, e.Stdout, file, diag.List{&of}, lang.String())
}

// isMistake reports whether a diagnostic says what is said of the mistake.
func (r *verdictReport) isMistake(d *diag.Diagnostic) bool {
	return d.Code == r.mistake.Code && d.Primary.Span == r.mistake.Primary.Span
}

// shownElements is how many wrong elements the command line lists.
const shownElements = 8

func (r *verdictReport) writeCase(w io.Writer, number int, c *judge.Case) {
	name := r.phrase("judge.test", number, 1+len(r.Puzzle.Strict), r.sizes(c), c.Name.In(r.lang.String()))
	if c.Problem == nil {
		fmt.Fprintf(w, "ok    %s\n", name)
		return
	}
	fmt.Fprintf(w, "FAIL  %s\n      %s\n", name, c.Problem.In(r.lang))
	for _, x := range c.First(shownElements) {
		if x.Program == nil {
			fmt.Fprintln(w, "       ", r.phrase("judge.element-unwritten", fmt.Sprint(x.Index), x.Want))
			continue
		}
		program := fmt.Sprint(*x.Program)
		fmt.Fprintln(w, "       ", r.phrase("judge.element", fmt.Sprint(x.Index), x.Got, x.Want, program))
	}
}

func (r *verdictReport) phrase(key string, args ...any) string {
	return diag.Text{Key: key, Args: args}.In(r.lang)
}

// sizes lists what a test launches with, in the kernel's order: "N0 = 200, B0 = 32".
func (r *verdictReport) sizes(c *judge.Case) string {
	var words []string
	for _, name := range r.Puzzle.Sizes {
		words = append(words, fmt.Sprintf("%s = %d", name, c.Sizes[name]))
	}
	for _, name := range r.Puzzle.Blocks {
		words = append(words, fmt.Sprintf("%s = %d", name, c.Blocks[name]))
	}
	return strings.Join(words, ", ")
}

// The JSON form. Its names are part of the command line's contract.
type (
	jsonVerdict struct {
		Puzzle      int             `json:"puzzle"`
		Pass        bool            `json:"pass"`
		Message     string          `json:"message"`
		Classic     jsonCheck       `json:"classic"`
		Strict      jsonCheck       `json:"strict"`
		Diagnostics []diag.JSON     `json:"diagnostics"`
		OtherSizes  *jsonSizes      `json:"otherSizes,omitempty"` // of an answer that passes
		Ladder      *goal.Ladder    `json:"ladder,omitempty"`     // of one that passes a puzzle with goals
		Mistake     *diag.JSON      `json:"mistake,omitempty"`    // of one that fails, if it is known
		Proofs      []*proof.Report `json:"proofs,omitempty"`
		Why         *jsonWhy        `json:"why,omitempty"`
		Trace       *jsonTrace      `json:"trace,omitempty"`
	}
	// jsonSizes is the answer at sizes that no test has: Right of them, and the smallest that fails.
	jsonSizes struct {
		Message     string      `json:"message"`
		Right       int         `json:"right"`
		Fails       *jsonCase   `json:"fails,omitempty"`
		Diagnostics []diag.JSON `json:"diagnostics,omitempty"` // of the launch that fails
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
		MaxError float64         `json:"maxError"`
		First    []judge.Element `json:"first,omitempty"`
	}
)

func (r *verdictReport) json(w io.Writer) int {
	out := jsonVerdict{
		Puzzle: r.Puzzle.Number, Pass: r.Pass(), Message: r.Message().In(r.lang),
		Classic: r.check(&r.Classic), Strict: r.check(&r.Strict),
		Diagnostics: diag.ToJSON(r.file, r.Diagnostics, r.lang), Proofs: r.proofs.list,
		Ladder: r.ladder,
		Why:    r.explained.jsonWhy(r), Trace: r.explained.jsonTrace(),
	}
	if r.mistake != nil {
		out.Mistake = &diag.ToJSON(r.file, diag.List{r.mistake}, r.lang)[0]
	}
	if r.otherSizes() != "" {
		out.OtherSizes = r.jsonSizes()
	}
	if err := writeJSON(w, out); err != nil {
		return exitUsage
	}
	return r.status()
}

func (r *verdictReport) jsonSizes() *jsonSizes {
	out := &jsonSizes{Message: r.otherSizes(), Right: len(r.others.Right)}
	if f := r.others.Failure; f != nil {
		fails := r.jsonCase(&f.Case)
		out.Fails, out.Diagnostics = &fails, diag.ToJSON(r.file, f.Diagnostics, r.lang)
	}
	return out
}

func (r *verdictReport) check(c *judge.Check) jsonCheck {
	out := jsonCheck{Pass: c.Pass(), Ran: c.Ran(), Cases: make([]jsonCase, 0, len(c.Cases))}
	for i := range c.Cases {
		out.Cases = append(out.Cases, r.jsonCase(&c.Cases[i]))
	}
	return out
}

func (r *verdictReport) jsonCase(k *judge.Case) jsonCase {
	j := jsonCase{
		Name: k.Name.In(r.lang.String()), Sizes: k.Sizes, Blocks: k.Blocks, Seed: k.Seed, Pass: k.Problem == nil,
		Wrong: len(k.Wrong), Total: k.Expected.Len(), MaxError: k.FiniteError(), First: k.First(shownElements),
	}
	if k.Problem != nil {
		j.Message = k.Problem.In(r.lang)
	}
	return j
}
