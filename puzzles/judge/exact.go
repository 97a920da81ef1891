package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/launch"
)

// Meaning launches the kernel and runs the specification once more to compare what the elements of their results mean.
// It is nil where the specification cannot be followed, or the launch fails.
func (l *CaseLaunch) Meaning(ctx context.Context, rules exact.Rules) *exact.Comparison {
	args, err := launch.Copied(l.Args)
	if err != nil {
		return nil
	}
	return l.judge.meaning(ctx, rules, l.prepared, l.Kernel, args, l.Launch)
}

// meaning launches the kernel on args, the output after the inputs.
func (j *Judge) meaning(ctx context.Context, rules exact.Rules, p *prepared, k *launch.Kernel, args []launch.Arg,
	l device.Launch) *exact.Comparison {
	want := j.meant(ctx, rules, p)
	if want == nil {
		return nil
	}
	written := k.Observable() // one operation for each that the source has
	kernel := &exact.Launch{Rules: rules, Params: written.Func.Params, Args: written.Numbers(args)}
	l.Observer = kernel
	if _, fault := written.Run(ctx, launch.Target{Device: launch.ObservingInterpreter}, args, l); fault != nil {
		return nil
	}
	output := args[len(p.inputs)].Tensor
	return kernel.Compare(output.Data, output.DType, want)
}

// meant is what the elements of the specification's result mean; nil where that cannot be followed. It is kept.
func (j *Judge) meant(ctx context.Context, rules exact.Rules, p *prepared) []exact.Number {
	if p.meant[rules] == nil {
		t := j.traced(ctx, p)
		if t == nil {
			return nil
		}
		if p.meant == nil {
			p.meant = map[exact.Rules][]exact.Number{}
		}
		p.meant[rules] = (&exact.Reference{Rules: rules, Trace: t.trace}).Numbers(t.out)
	}
	return p.meant[rules]
}

// maxMeaning bounds the work of a case's launch whose meaning is looked at, which takes some hundred times as long.
const maxMeaning = 1 << 17

// checkMeaning says of an answer that passes if it computes something else than the specification: what is within the
// tolerance for the inputs that were tried need not be for others.
func (r *run) checkMeaning(ctx context.Context) {
	for i, c := range r.judge.puzzle.Strict {
		p, err := r.judge.prepare(ctx, c, i+1)
		if err != nil || r.verdict.Strict.Cases[i].work > maxMeaning {
			continue
		}
		a := r.attempt(p, StageStrict)
		args := a.reset()
		k, _ := r.kernel.Compile(args)
		if k == nil {
			continue
		}
		l := a.launch()
		l.Budget = r.options.Budget
		m := r.judge.meaning(ctx, exact.Rules{IgnoreRounding: true}, p, k, args, l)
		if m == nil || len(m.Different) == 0 {
			continue
		}
		d := diag.New("puzzle-meaning", definition(r.file, r.judge.puzzle.Kernel), len(m.Different), m.Elements)
		d.Severity = diag.Hint
		r.number = i + 1
		r.found(d)
		return
	}
}
