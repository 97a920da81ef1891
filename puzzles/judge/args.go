package judge

import (
	"slices"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles"
)

// pointerAlignment is what torch's allocator guarantees, in bytes, and more than compilers use.
const pointerAlignment = 16

// compileArgs says what the kernel is called with: the tensors by position, the integers by name.
// Optional blocks go only to a kernel that has such a parameter.
func compileArgs(in puzzles.Instance, params []string) []compiler.Arg {
	var args []compiler.Arg
	for _, a := range append(slices.Clone(in.Inputs), in.Output) {
		args = append(args, compiler.Arg{Type: types.PointerTo(a.DType), Divisible: pointerAlignment})
	}
	for _, a := range in.Args {
		if a.Optional && !slices.Contains(params, a.Name) {
			continue
		}
		arg := compiler.Arg{Name: a.Name, Constexpr: a.Block, Value: a.Value}
		if !a.Block {
			arg.Type = types.Scalar(num.Int32)
			if a.Value%pointerAlignment == 0 {
				arg.Divisible = pointerAlignment
			}
		}
		args = append(args, arg)
	}
	return args
}

// launchArgs are the run-time arguments of the compiled kernel. Its parameters are those of the
// source less what became a constexpr, in the same order; params names the source's.
func launchArgs(fn *ir.Func, params []string, tensors []Array, in puzzles.Instance) []tile.Arg {
	var args []tile.Arg
	for _, p := range fn.Params {
		if i := slices.Index(params, p.Name); p.Value.Type.Pointer && i < len(tensors) {
			a := tensors[i]
			args = append(args, tile.Buffer{Name: a.Name, DType: a.DType, Data: a.Data})
			continue
		}
		i := slices.IndexFunc(in.Args, func(a puzzles.Arg) bool { return a.Name == p.Name })
		if i < 0 {
			return nil
		}
		args = append(args, tile.Scalar{Scalar: num.FromInt(p.Value.Type.DType, int64(in.Args[i].Value))})
	}
	return args
}
