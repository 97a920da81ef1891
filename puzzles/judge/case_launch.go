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

	expected  Array
	tolerance puzzles.Tolerance
}

// Launch compiles the kernel in file for a case: number 0 is the first test, those of the strict check follow. It is
// nil where there is no such case, or the list has errors.
func (j *Judge) Launch(ctx context.Context, file *source.File, number int, o Options) (*CaseLaunch, diag.List) {
	if number < 0 || number > len(j.puzzle.Strict) {
		return nil, nil
	}
	c, tolerance := j.puzzle.Classic, j.puzzle.Tolerance.Classic
	if number > 0 {
		c, tolerance = j.puzzle.Strict[number-1], j.puzzle.Tolerance.Strict
	}
	r := j.begin(file, o)
	p, err := j.prepare(ctx, c, number)
	if err != nil {
		return nil, diag.List{broken(err)}
	}
	a := r.attempt(p, number)
	args := a.reset()
	k, list := r.kernel.Compile(args)
	if k == nil {
		return nil, list
	}
	return &CaseLaunch{
		Kernel: k, Args: args, Launch: a.launch(), Arrays: append(a.memory, a.output), expected: p.expected,
		tolerance: r.tolerance(tolerance, a, k),
	}, list
}

// Wrong lists the elements of an output that are outside the tolerance of what is expected.
func (l *CaseLaunch) Wrong(output []byte) []int {
	got := l.Arrays[len(l.Arrays)-1]
	got.Data = output
	positions, _ := wrong(got, l.expected, l.tolerance)
	return positions
}
