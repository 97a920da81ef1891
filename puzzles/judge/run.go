package judge

import (
	"cmp"
	"context"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// inOrder runs the programs of a grid one after the other, as the page does: an answer whose programs race has one
// verdict.
var inOrder = cpu.New(cpu.Options{Workers: 1})

// run is one Check in progress.
type run struct {
	judge   *Judge
	file    *source.File
	params  []string // names of the kernel's parameters
	options Options
	verdict *Verdict

	kernel    *launch.JITFunction
	number    int  // of the test that runs
	exhausted bool // a launch was stopped because of its budget: others would be, too
	races     bool // races are looked for in every launch, and not in the first test alone
	detail    detail
}

// detail is how much is asked about a test that fails.
type detail uint8

const (
	everything detail = iota
	reasons           // why it fails, and not whether programs race
	outcomes          // nothing more
)

func (j *Judge) begin(file *source.File, o Options) *run {
	return &run{
		judge: j, file: file, params: compiler.Parameters(file, j.puzzle.Kernel), options: o,
		verdict: &Verdict{Puzzle: j.puzzle},
		kernel:  j.function(file, o),
	}
}

// function is the kernel in a file, planned for the interpreter that judges it.
func (j *Judge) function(file *source.File, o Options) *launch.JITFunction {
	return launch.Named(file, j.puzzle.Kernel, o.StrictTriton).On(inOrder)
}

func (r *run) classic(ctx context.Context) {
	r.check(ctx, &r.verdict.Classic, 0, []puzzles.Case{r.judge.puzzle.Classic})
}

func (r *run) strict(ctx context.Context) {
	r.check(ctx, &r.verdict.Strict, 1, r.judge.puzzle.Strict)
}

// compileFirst compiles the kernel for the classic launch, and keeps what the compiler says.
func (r *run) compileFirst(ctx context.Context) *launch.Kernel {
	p, err := r.judge.prepare(ctx, r.judge.puzzle.Classic, 0)
	if err != nil {
		r.verdict.add(broken(err))
		return nil
	}
	k, list := r.kernel.Compile(r.attempt(p, StageClassic).reset())
	r.verdict.add(list...)
	return k
}

func (r *run) attempt(p *prepared, stage Stage) *attempt {
	strict := stage == StageStrict
	return &attempt{
		prepared: p, named: r.judge.puzzle.Named, params: r.params, strict: strict, budget: r.options.Budget,
		device: cmp.Or(r.options.Device, inOrder), exact: !strict && r.options.Device == nil,
	}
}

func broken(err error) *diag.Diagnostic {
	return diag.New("puzzle-broken", source.Span{}, err)
}

// check runs the cases of one check, the first of which is the puzzle's case number first.
func (r *run) check(ctx context.Context, c *Check, first int, cases []puzzles.Case) {
	stage := stageOf(first)
	for i, pc := range cases {
		if ctx.Err() != nil || r.exhausted {
			return
		}
		r.options.progress(stage, i, len(cases))
		k := r.test(ctx, pc, first+i)
		c.Cases = append(c.Cases, k)
		if k.Problem != nil && r.options.Brief {
			r.detail = outcomes
		}
	}
	r.options.progress(stage, len(cases), len(cases))
}

// stageOf is the stage that a case belongs to: number 0 is the classic case.
func stageOf(number int) Stage {
	if number == 0 {
		return StageClassic
	}
	return StageStrict
}

// toleranceOf is what outputs are held to in a stage.
func (j *Judge) toleranceOf(stage Stage) puzzles.Tolerance {
	if stage == StageClassic {
		return j.puzzle.Tolerance.Classic
	}
	return j.puzzle.Tolerance.Strict
}

// test runs the puzzle's case with a number.
func (r *run) test(ctx context.Context, c puzzles.Case, number int) Case {
	stage := stageOf(number)
	k := Case{Case: c, Tolerance: r.judge.toleranceOf(stage)}
	r.number = number
	p, err := r.judge.prepare(ctx, c, number)
	if err != nil {
		r.verdict.add(broken(err))
		k.Problem = &diag.Text{Key: "judge.spec-fails"}
		return k
	}
	k.Problem = r.runCase(ctx, &k, p, stage)
	return k
}

// runCase launches the kernel on one case and compares. It returns what was wrong, or nil.
func (r *run) runCase(ctx context.Context, c *Case, p *prepared, stage Stage) *diag.Text {
	c.Inputs, c.Expected = p.inputs, p.expected
	a := r.attempt(p, stage)
	k, list := r.kernel.Compile(a.reset())
	// Whoever asks for everything has heard from compileFirst what the first test's kernel has.
	if r.detail == reasons {
		r.verdict.add(list...)
	}
	if k == nil {
		r.found(list...)
		return &diag.Text{Key: "judge.case-no-compile"}
	}
	c.Tolerance = r.tolerance(c.Tolerance, a, k)
	report, fault := a.run(ctx, k, r.options.Observer)
	if stage == StageClassic {
		// Timings and prints that are shown are those of the first test, which everyone can repeat.
		r.verdict.Run, r.verdict.Prints = a.took, report.Prints
	}
	c.Output, c.work = a.output, report.Work
	if fault != nil {
		// Other cases would take as long, one after the other: the page would seem to hang.
		r.exhausted = fault.Code == "loop-budget" || fault.Code == "launch-budget"
		r.found(fault)
		return &diag.Text{Key: "judge.stopped"}
	}
	c.Compared = true
	c.Wrong, c.MaxError = wrong(c.Output, c.Expected, c.Tolerance)
	r.observe(ctx, c, a, k)
	return r.problem(ctx, c, a, k, report)
}

// observe launches again to learn more of a launch that came to its end.
func (r *run) observe(ctx context.Context, c *Case, a *attempt, k *launch.Kernel) {
	if r.detail == outcomes {
		return
	}
	// Only for wrong elements: an observed launch is several times slower.
	if len(c.Wrong) > 0 {
		s := a.accesses(ctx, k)
		c.Writers, c.reads = s.last, s.reads
	}
	// Races are looked for in the first test always, since a racy kernel may be right here and wrong on a GPU.
	switch classic := !a.strict; {
	case r.detail != everything:
	case classic && r.options.Sanitizer != nil:
		r.found(a.observed(ctx, k, r.options.Sanitizer)...)
	case len(c.Wrong) > 0 || classic || r.races:
		r.found(a.observed(ctx, k, (*launch.Kernel).Races)...)
	}
	if len(c.Wrong) > 0 && !a.exact && roundsToTF32(k.Func) {
		c.rounding = a.rightWithoutRounding(ctx, k, c.Tolerance)
	}
}

// tolerance is what a case's output is held to: a kernel that rounds factors to tf32, as a GPU does by default, to what
// tf32 can give.
func (r *run) tolerance(t puzzles.Tolerance, a *attempt, k *launch.Kernel) puzzles.Tolerance {
	if widen := r.judge.puzzle.Tolerance.TF32; widen != nil && !a.exact && roundsToTF32(k.Func) {
		return t.Widen(*widen)
	}
	return t
}

// problem says what is wrong with a launch that came to its end, or nil.
func (r *run) problem(ctx context.Context, c *Case, a *attempt, k *launch.Kernel, report *device.Report) *diag.Text {
	if n := len(report.Diagnostics); n > 0 {
		r.found(report.Diagnostics...)
		key := "judge.out-of-bounds"
		if len(c.Wrong) == 0 {
			key = "judge.right-but-out-of-bounds"
		}
		return &diag.Text{Key: key, Args: []any{n}}
	}
	// A kernel may write to its inputs by mistake and still be right; the notebooks would not notice.
	if name, changed := a.changedInput(r.judge.puzzle.Scratch); changed {
		return &diag.Text{Key: "judge.input-changed", Args: []any{name}}
	}
	if len(c.Wrong) == 0 {
		return nil
	}
	if r.detail == outcomes {
		return &diag.Text{Key: "judge.wrong", Args: []any{len(c.Wrong), c.Expected.Len()}}
	}
	return reasonOf(facts{c, k.Func, a.instance.Grid, func(input int, elements []int) bool {
		return r.judge.needs(ctx, a.prepared, c, input, elements)
	}})
}

// found adds what a test's launch has, with the number of the first test that has it.
func (r *run) found(list ...*diag.Diagnostic) {
	known := len(r.verdict.Diagnostics)
	r.verdict.add(list...)
	for _, d := range r.verdict.Diagnostics[known:] {
		if r.verdict.Tests == nil {
			r.verdict.Tests = map[*diag.Diagnostic]int{}
		}
		r.verdict.Tests[d] = r.number
	}
}

// add appends diagnostics that are not there yet: the cases of a check often say the same.
func (v *Verdict) add(list ...*diag.Diagnostic) { v.Diagnostics.AddNew(list...) }
