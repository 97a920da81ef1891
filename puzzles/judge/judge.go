// Package judge says whether an answer to a puzzle is right. It runs two checks: the classic one,
// which is the published notebooks' own, and the strict one, which tries other sizes and seeds,
// starts the output as NaN, poisons the lanes that masks leave out and compares more closely.
package judge

import (
	"context"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
)

// Verdict is the outcome of both checks.
type Verdict struct {
	Puzzle      *puzzles.Puzzle
	Diagnostics diag.List // of the source and of the launches, each once, in the order of the text
	Classic     Check
	Strict      Check
	// Tests are the numbers of the tests whose launch a diagnostic is of; one of the source alone has none.
	Tests   map[*diag.Diagnostic]int
	Prints  []device.Print // what the classic launch printed
	Compile time.Duration  // the classic launch's kernel, source to optimized IR
	Run     time.Duration  // the classic launch
}

// Pass reports whether both checks passed.
func (v *Verdict) Pass() bool { return v.Classic.Pass() && v.Strict.Pass() }

// FirstFailed is the number of the first test that failed, or -1.
func (v *Verdict) FirstFailed() int {
	cases := slices.Concat(v.Classic.Cases, v.Strict.Cases)
	return slices.IndexFunc(cases, func(c Case) bool { return c.Problem != nil })
}

// Check is one of the two checks. It has no cases where it did not come to run.
type Check struct{ Cases []Case }

// Ran reports whether the check came to run.
func (c *Check) Ran() bool { return len(c.Cases) > 0 }

// Pass reports whether the check ran and every case passed.
func (c *Check) Pass() bool {
	for i := range c.Cases {
		if c.Cases[i].Problem != nil {
			return false
		}
	}
	return c.Ran()
}

// Case is one launch and what came of it.
type Case struct {
	puzzles.Case
	puzzles.Tolerance
	Problem  *diag.Text // why it failed; nil where it passed
	Inputs   []Array
	Output   Array // as the kernel left it; no data where the launch did not come to run
	Expected Array
	Compared bool  // the launch ended, and Output was compared with Expected
	Wrong    []int // positions of the elements outside the tolerance, row-major
	MaxError float64
	Writers  []*[3]int // where elements are wrong: the program that wrote each element last, nil where none did

	reads    [][]reading // where elements are wrong: what becomes of each element of each input
	rounding bool        // every wrong element is right with exact products
	work     int64       // of the launch, as its budget counts it
}

// Stage names the part of a check that progress is reported of.
type Stage string

// The stages.
const (
	StageCompile Stage = "compile"
	StageClassic Stage = "classic"
	StageStrict  Stage = "strict"
	StageSizes   Stage = "sizes"  // of OtherSizes
	StageRepair  Stage = "repair" // of package repair
)

// Options of a check.
type Options struct {
	// StrictTriton refuses what Triton's GPU compiler refuses.
	StrictTriton bool
	// Budget bounds the work of one launch; 0 means DefaultBudget.
	Budget int64
	// Device runs the launches; nil means the interpreter, which computes the first test as Triton's does.
	Device device.Device
	// Observer, where there is one, is told what each case's launch does to memory.
	Observer trace.Observer
	// Compile compiles the kernel for Launch; nil means (*launch.JITFunction).Compile.
	Compile func(*launch.JITFunction, []launch.Arg) (*launch.Kernel, diag.List)
	// Unjudged has Launch leave out what the output of a case at other sizes should be, which takes long at large ones.
	Unjudged bool
	// Sanitizer looks at the first test; nil means (*launch.Kernel).Races.
	Sanitizer launch.Sanitizer
	// Meaning looks at answers that pass, as (*CaseLaunch).Meaning does. Where it is nil, nothing does, and a program
	// that leaves it so does not link it.
	Meaning func(l *CaseLaunch, ctx context.Context, rules exact.Rules) *exact.Comparison
	// Brief has only the first test that fails tell why it does. Explain tells it of another one.
	Brief bool
	// Progress is called as cases finish; it may be nil.
	Progress func(stage Stage, done, total int)
}

// DefaultBudget bounds one launch of a puzzle: a few seconds, where the puzzles need milliseconds.
const DefaultBudget = 1 << 31

// Judge checks answers to one puzzle. It keeps the inputs and expected outputs of its cases, which
// do not depend on the answer, so that a second check costs the launches alone.
type Judge struct {
	// Libraries are what the specification can import. New sets host.SpecLibraries; a puzzle of somebody's own may use
	// others.
	Libraries host.Libraries

	puzzle   *puzzles.Puzzle
	prepared map[int]*prepared // by case: 0 is classic, i+1 is Strict[i]
	spec     *spec
}

// New makes the judge of a puzzle.
func New(p *puzzles.Puzzle) *Judge {
	return &Judge{Libraries: host.SpecLibraries(), puzzle: p, prepared: map[int]*prepared{}}
}

// Check judges the kernel in file. It always returns a verdict; where the source does not compile,
// no case runs, and where ctx ends or a launch exhausts its budget, the cases that were left do
// not. One Check runs at a time.
func (j *Judge) Check(ctx context.Context, file *source.File, o Options) *Verdict {
	r := j.begin(file, o)
	o.progress(StageCompile, 0, 1)
	// A source that does not compile for the first test is not tried on the rest: they would only repeat it.
	if k := r.compileFirst(ctx); k != nil {
		r.verdict.Compile = k.Took
		r.classic(ctx)
		r.strict(ctx)
		if r.verdict.Pass() && o.Meaning != nil {
			r.checkMeaning(ctx)
		}
	}
	r.verdict.Diagnostics.Sort()
	return r.verdict
}

// Explain runs the test with a number and looks at it as Check does at the first one that fails. It is nil where there
// is no such test.
func (j *Judge) Explain(ctx context.Context, file *source.File, number int, o Options) *Case {
	c, ok := j.puzzle.Test(number)
	if !ok {
		return nil
	}
	k := j.begin(file, o).test(ctx, c, number)
	return &k
}

// Diagnose compiles the kernel in file for the classic launch and says what the compiler says.
func (j *Judge) Diagnose(file *source.File, strictTriton bool) diag.List {
	r := j.begin(file, Options{StrictTriton: strictTriton})
	r.compileFirst(context.Background())
	r.verdict.Diagnostics.Sort()
	return r.verdict.Diagnostics
}

// Compile compiles the kernel in file for the classic launch. It is nil where the list has errors.
func (j *Judge) Compile(file *source.File, strictTriton bool) (*launch.Kernel, diag.List) {
	r := j.begin(file, Options{StrictTriton: strictTriton})
	return r.compileFirst(context.Background()), r.verdict.Diagnostics
}

func (o Options) progress(stage Stage, done, total int) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}

// Message sums the verdict up in a sentence.
func (v *Verdict) Message() diag.Text {
	switch {
	case !v.Classic.Ran():
		return diag.Text{Key: "judge.no-compile"}
	case v.Pass() && slices.ContainsFunc(v.Diagnostics, refusedByTriton):
		return diag.Text{Key: "judge.pass-refused", Args: []any{1 + len(v.Strict.Cases)}}
	case v.Pass() && len(v.Puzzle.Goals) > 0:
		return diag.Text{Key: "judge.pass-goals", Args: []any{1 + len(v.Strict.Cases)}}
	case v.Pass():
		return diag.Text{Key: "judge.pass", Args: []any{1 + len(v.Strict.Cases)}}
	case v.Classic.Pass():
		return diag.Text{Key: "judge.strict-fails", Args: []any{v.Strict.failed(), len(v.Strict.Cases)}}
	}
	return diag.Text{Key: "judge.classic-fails", Args: []any{1 + len(v.Puzzle.Strict)}}
}

// refusedByTriton reports whether a diagnostic is of what Triton's compiler refuses.
func refusedByTriton(d *diag.Diagnostic) bool {
	return d.Severity == diag.Warning && d.IsRefused()
}

func (c *Check) failed() int {
	n := 0
	for i := range c.Cases {
		if c.Cases[i].Problem != nil {
			n++
		}
	}
	return n
}
