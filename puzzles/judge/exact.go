package judge

import (
	"context"
	"math"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/launch"
)

// Meaning launches the kernel and runs the specification once more to compare what the elements of their results mean.
// It is nil where the specification cannot be followed, or the launch fails.
func (l *CaseLaunch) Meaning(ctx context.Context, rules exact.Rules) *exact.Comparison {
	args, err := launch.Copied(l.Args)
	want := l.judge.meant(ctx, rules, l.prepared)
	if err != nil || want == nil {
		return nil
	}
	followed := rules.Run(ctx, l.Kernel, args, l.Launch)
	if followed == nil {
		return nil
	}
	output := args[len(l.Arrays)-1].Tensor
	return followed.Compare(output.Data, output.DType, want)
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
		p.meant[rules] = (&exact.Program{Rules: rules, Trace: t.trace, Budget: math.MaxInt64}).Numbers(t.out)
	}
	return p.meant[rules]
}

// maxMeaning bounds the work of a case's launch whose meaning is looked at, which takes some hundred times as long.
const maxMeaning = 1 << 17

// checkMeaning says of an answer that passes if it computes something else than the specification: what is within the
// tolerance for the inputs that were tried need not be for others.
func (r *run) checkMeaning(ctx context.Context) {
	for i, c := range r.verdict.Strict.Cases {
		if c.work > maxMeaning {
			continue
		}
		l, _ := r.judge.Launch(ctx, r.file, i+1, nil, r.options)
		if l == nil {
			continue
		}
		m := r.options.Meaning(l, ctx, exact.Rules{IgnoreRounding: true})
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
