package judge

import (
	"iter"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/puzzles"
)

// smallSum bounds the sum of the sizes of small launches.
const smallSum = 160

// SmallLaunches are the launches of an answer at small sizes that the statement allows, on zeros, the smallest sum of
// sizes first; all else is that of the test with a number. Sizes for which the answer does not compile are left out.
func SmallLaunches(j *Judge, file *source.File, number int, o Options) iter.Seq[*proof.Launch] {
	c, _ := j.puzzle.Test(number)
	r := j.begin(file, o)
	return func(yield func(*proof.Launch) bool) {
		for of := range puzzles.Small(j.puzzle, puzzles.OtherCase{Case: c, Test: number}, smallSum) {
			if l := r.small(of.Case); l != nil && !yield(l) {
				return
			}
		}
	}
}

// small is the launch of a case, on zeros; nil where there is none.
func (r *run) small(c puzzles.Case) *proof.Launch {
	in, err := r.judge.puzzle.Instance(c)
	if err != nil {
		return nil
	}
	var tensors []Array
	for _, a := range append(in.Inputs, in.Output) {
		tensors = append(tensors, Array{a, make([]byte, a.Len()*a.DType.Info().Bytes)})
	}
	args := arguments(in, r.judge.puzzle.Named, r.params, tensors)
	k, _ := r.kernel.Compile(args)
	if k == nil {
		return nil
	}
	out := &proof.Launch{Kernel: k, Args: args, Grid: in.Grid, Sizes: map[string]int64{}, Elements: map[string]int64{}}
	for name := range r.judge.puzzle.Free {
		out.Sizes[name] = int64(c.Value(name))
	}
	for i, a := range args {
		if a.Tensor != nil {
			out.Elements[k.Param(i, a.Name)] = int64(tensors[i].Len())
		}
	}
	return out
}
