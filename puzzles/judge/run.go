package judge

import (
	"bytes"
	"context"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles"
)

// run is one Check in progress.
type run struct {
	judge   *Judge
	file    *source.File
	options Options
	verdict *Verdict
}

// compiles compiles the kernel for the classic launch, and keeps what the compiler says.
func (r *run) compiles() bool {
	in, err := r.judge.puzzle.Instance(r.judge.puzzle.Classic)
	if err != nil {
		r.verdict.Diagnostics.Add(diag.New("puzzle-broken", source.Span{}, err.Error()))
		return false
	}
	start := time.Now()
	_, list := r.compile(in)
	r.verdict.Compile = time.Since(start)
	r.verdict.Diagnostics = append(r.verdict.Diagnostics, list...)
	return !list.HasErrors()
}

func (r *run) compile(in puzzles.Instance) (*ir.Func, diag.List) {
	artifact, list := compiler.Compile(r.file, compiler.Options{
		Kernel: r.judge.puzzle.Kernel,
		Args:   arguments(in, compiler.Parameters(r.file, r.judge.puzzle.Kernel)),
		Strict: r.options.StrictTriton,
	})
	if list.HasErrors() {
		return nil, list
	}
	return artifact.Func, list
}

// check runs the cases of one check.
func (r *run) check(ctx context.Context, c *Check, stage Stage, tol puzzles.Tolerance, first int, cases []puzzles.Case) {
	for i, pc := range cases {
		r.options.progress(stage, i, len(cases))
		k := Case{Case: pc, Tolerance: tol}
		k.Problem = r.runCase(ctx, &k, first+i, stage)
		c.Cases = append(c.Cases, k)
	}
	r.options.progress(stage, len(cases), len(cases))
}

// runCase launches the kernel on one case and compares. It returns what was wrong, or nil.
func (r *run) runCase(ctx context.Context, k *Case, number int, stage Stage) *diag.Text {
	p, problem := r.judge.prepare(k.Case, number)
	if problem != nil {
		r.verdict.Diagnostics.Add(problem)
		return &diag.Text{Key: "judge.spec-fails"}
	}
	fn, list := r.compile(p.instance)
	if list.HasErrors() {
		r.verdict.add(list...)
		return &diag.Text{Key: "judge.case-no-compile"}
	}
	k.Inputs, k.Expected = p.inputs, p.expected
	l := r.launch(p, fn, stage)
	report, fault := l.run(ctx, nil)
	if stage == StageClassic {
		r.verdict.Run, r.verdict.Prints = l.took, report.Prints
	}
	k.Output = l.output
	if fault != nil {
		r.verdict.add(fault.Diagnostic())
		return &diag.Text{Key: "judge.stopped"}
	}
	return r.judgeCase(ctx, k, l, report)
}

// judgeCase decides over a launch that came to its end.
func (r *run) judgeCase(ctx context.Context, k *Case, l *launch, report *tile.Report) *diag.Text {
	k.Wrong, k.MaxError = wrong(k.Output, k.Expected, k.Tolerance)
	if len(k.Wrong) > 0 {
		k.Writers = l.writers(ctx)
	}
	if len(report.Violations) > 0 {
		for i := range report.Violations {
			r.verdict.add(report.Violations[i].Diagnostic())
		}
		return &diag.Text{Key: "judge.out-of-bounds", Args: []any{len(report.Violations)}}
	}
	if name, changed := l.changedInput(); changed {
		return &diag.Text{Key: "judge.input-changed", Args: []any{name}}
	}
	if len(k.Wrong) == 0 {
		return nil
	}
	if n := k.unwritten(); n > 0 {
		return &diag.Text{Key: "judge.unwritten", Args: []any{n, k.Expected.Len()}}
	}
	return &diag.Text{Key: "judge.wrong", Args: []any{len(k.Wrong), k.Expected.Len()}}
}

// unwritten counts the wrong elements that no program wrote.
func (k *Case) unwritten() int {
	n := 0
	for _, i := range k.Wrong {
		if _, ok := k.Writers[i]; !ok {
			n++
		}
	}
	return n
}

// add appends diagnostics that are not there yet: cases of one check often say the same.
func (v *Verdict) add(list ...*diag.Diagnostic) {
	for _, d := range list {
		if !v.has(d) {
			v.Diagnostics.Add(d)
		}
	}
}

func (v *Verdict) has(d *diag.Diagnostic) bool {
	for _, e := range v.Diagnostics {
		if e.Code == d.Code && e.Primary.Span == d.Primary.Span {
			return true
		}
	}
	return false
}

// launch is one case's kernel with its own copy of the memory.
type launch struct {
	prepared *prepared
	fn       *ir.Func
	start    num.Scalar // what the output holds before; drawn values where the check is classic
	strict   bool
	budget   int64

	inputs []Array
	output Array
	took   time.Duration
}

func (r *run) launch(p *prepared, fn *ir.Func, stage Stage) *launch {
	budget := r.options.Budget
	if budget == 0 {
		budget = DefaultBudget
	}
	return &launch{prepared: p, fn: fn, strict: stage == StageStrict, budget: budget}
}

// run copies the inputs, launches, and times the launch.
func (l *launch) run(ctx context.Context, observe *writers) (*tile.Report, *tile.Fault) {
	l.inputs = nil
	for _, a := range l.prepared.inputs {
		l.inputs = append(l.inputs, a.clone())
	}
	l.output = l.prepared.start.clone()
	if l.strict {
		l.output.fill(undefined(l.output.DType))
	}
	start := time.Now()
	defer func() { l.took = time.Since(start) }()
	plan, fault := tile.Plan(l.fn)
	if fault != nil {
		return &tile.Report{}, fault
	}
	o := tile.Launch{Grid: l.prepared.instance.Grid, Args: l.args(), Poison: l.strict, Budget: l.budget}
	if observe != nil {
		o.Observer = observe
	}
	return plan.Run(ctx, o)
}

// undefined is what an output that must be written holds before: NaN, or an unlikely integer.
func undefined(d num.DType) num.Scalar {
	if d.Info().Float {
		return num.NaN(d)
	}
	return num.FromInt(d, -0x5a5a5a5b)
}

// args are the run-time arguments, in the order of the kernel's parameters.
func (l *launch) args() []tile.Arg {
	byName := map[string]tile.Arg{}
	for _, p := range l.fn.Params {
		byName[p.Name] = nil
	}
	return byNameInOrder(l, byName)
}

// writers launches again to learn which program wrote which element.
func (l *launch) writers(ctx context.Context) map[int][3]int {
	again := *l
	w := &writers{arg: len(l.prepared.inputs), last: map[int][3]int{}}
	again.run(ctx, w)
	return w.last
}

func (l *launch) changedInput() (string, bool) {
	for i, a := range l.prepared.inputs {
		if !bytes.Equal(a.Data, l.inputs[i].Data) {
			return a.Name, true
		}
	}
	return "", false
}
