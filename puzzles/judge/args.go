package judge

import (
	"slices"

	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// arguments are those of the kernel's call: the tensors by position, or by name where the puzzle is
// named, the rest by name. Optional blocks go only to a kernel that has such a parameter.
func arguments(in puzzles.Instance, named bool, params []string, tensors []Array) []launch.Arg {
	var args []launch.Arg
	for _, a := range tensors {
		arg := launch.Arg{Tensor: &launch.Tensor{Name: a.Name, DType: a.DType, Data: a.Data}}
		// A named puzzle leaves the order of the tensors to the author of the kernel.
		if named {
			arg.Name = a.Name
		}
		args = append(args, arg)
	}
	for _, a := range in.Args {
		if !a.Optional || slices.Contains(params, a.Name) {
			args = append(args, launch.Arg{Name: a.Name, Value: a.Value})
		}
	}
	return args
}
