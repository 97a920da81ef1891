package judge

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// CaseLaunch is the launch of one case as Check makes it, ready to be made once more.
type CaseLaunch struct {
	Kernel *launch.Kernel
	Args   []launch.Arg // on memory of their own
	Launch device.Launch
	Arrays []Array // of the arguments that are tensors, in their order: the inputs, then the output

	judge     *Judge
	prepared  *prepared
	tolerance puzzles.Tolerance
}

// Cases is how many tests the puzzle has.
func (j *Judge) Cases() int { return 1 + len(j.puzzle.Strict) }

// Launch compiles the kernel in file for a case: number 0 is the first test, those of the strict check follow. Where
// there are sizes, the case has them instead of the test's, and is one that OtherSizes tries. The launch is nil where
// there is no such case, or the list has errors.
func (j *Judge) Launch(ctx context.Context, file *source.File, number int, sizes map[string]int, o Options) (
	*CaseLaunch, diag.List) {
	c, ok := j.puzzle.Test(number)
	if !ok {
		return nil, nil
	}
	stage := stageOf(number)
	if len(sizes) > 0 {
		stage = StageStrict
	}
	p, err := j.readyAt(ctx, c, number, sizes, o)
	if err != nil {
		return nil, diag.List{broken(err)}
	}
	r := j.begin(file, o)
	a := r.attempt(p, stage)
	args := a.reset()
	args[len(a.inputs)].Tensor.Undefined = !a.filled
	compile := o.Compile
	if compile == nil {
		compile = (*launch.JITFunction).Compile
	}
	k, list := compile(r.kernel, args)
	if k == nil {
		return nil, list
	}
	return &CaseLaunch{
		Kernel: k, Args: args, Launch: a.launch(), Arrays: append(a.memory, a.output), judge: j, prepared: p,
		tolerance: r.tolerance(j.toleranceOf(stage), a, k),
	}, list
}

// readyAt is a test made ready, at other sizes where there are any.
func (j *Judge) readyAt(ctx context.Context, c puzzles.Case, number int, sizes map[string]int, o Options) (
	*prepared, error) {
	switch {
	case len(sizes) == 0:
		return j.prepare(ctx, c, number)
	case o.Unjudged:
		return j.drawn(c.At(sizes))
	}
	return j.ready(ctx, c.At(sizes))
}

// Wrong lists the elements of an output that are outside the tolerance of what is expected.
func (l *CaseLaunch) Wrong(output []byte) []int {
	got := l.Arrays[len(l.Arrays)-1]
	got.Data = output
	positions, _ := wrong(got, l.prepared.expected, l.tolerance)
	return positions
}

// Expected is what an element of the output is to be, in words.
func (l *CaseLaunch) Expected(element int) string {
	return text(l.prepared.expected.DType, l.prepared.expected.Floats()[element])
}
