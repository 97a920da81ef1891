package judge

import (
	"context"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles"
)

// run is one Check in progress.
type run struct {
	judge   *Judge
	file    *source.File
	params  []string // names of the kernel's parameters
	options Options
	verdict *Verdict
}

// compiles compiles the kernel for the classic launch, and keeps what the compiler says.
func (r *run) compiles() bool {
	in, err := r.judge.puzzle.Instance(r.judge.puzzle.Classic)
	if err != nil {
		r.verdict.add(broken(err))
		return false
	}
	start := time.Now()
	_, list := r.compile(in)
	r.verdict.Compile = time.Since(start)
	r.verdict.add(list...)
	return !list.HasErrors()
}

func (r *run) compile(in puzzles.Instance) (*ir.Func, diag.List) {
	artifact, list := compiler.Compile(r.file, compiler.Options{
		Kernel: r.judge.puzzle.Kernel, Args: compileArgs(in, r.params), Strict: r.options.StrictTriton,
	})
	if artifact == nil {
		return nil, list
	}
	return artifact.Func, list
}

func broken(err error) *diag.Diagnostic {
	return diag.New("puzzle-broken", source.Span{}, err.Error())
}

// check runs the cases of one check, the first of which is the puzzle's case number first.
func (r *run) check(ctx context.Context, c *Check, tol puzzles.Tolerance, first int, cases []puzzles.Case) {
	stage := stageOf(first)
	for i, pc := range cases {
		if ctx.Err() != nil {
			return
		}
		r.options.progress(stage, i, len(cases))
		k := Case{Case: pc, Tolerance: tol}
		k.Problem = r.runCase(ctx, &k, first+i)
		c.Cases = append(c.Cases, k)
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

// runCase launches the kernel on one case and compares. It returns what was wrong, or nil.
func (r *run) runCase(ctx context.Context, k *Case, number int) *diag.Text {
	p, err := r.judge.prepare(k.Case, number)
	if err != nil {
		r.verdict.add(broken(err))
		return &diag.Text{Key: "judge.spec-fails"}
	}
	k.Inputs, k.Expected = p.inputs, p.expected
	fn, list := r.compile(p.instance)
	if fn == nil {
		r.verdict.add(list...)
		return &diag.Text{Key: "judge.case-no-compile"}
	}
	l := &launch{prepared: p, fn: fn, params: r.params, strict: stageOf(number) == StageStrict, budget: r.options.Budget}
	report, fault := l.run(ctx, nil)
	if number == 0 {
		r.verdict.Run, r.verdict.Prints = l.took, report.Prints
	}
	k.Output = l.output
	if fault != nil {
		r.verdict.add(fault.Diagnostic())
		return &diag.Text{Key: "judge.stopped"}
	}
	return r.compare(ctx, k, l, report)
}

// compare decides over a launch that came to its end.
func (r *run) compare(ctx context.Context, k *Case, l *launch, report *tile.Report) *diag.Text {
	if k.Wrong, k.MaxError = wrong(k.Output, k.Expected, k.Tolerance); len(k.Wrong) > 0 {
		k.Writers = l.writers(ctx)
	}
	if n := len(report.Violations); n > 0 {
		for i := range report.Violations {
			r.verdict.add(report.Violations[i].Diagnostic())
		}
		return &diag.Text{Key: "judge.out-of-bounds", Args: []any{n}}
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

// add appends diagnostics that are not there yet: the cases of a check often say the same.
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
