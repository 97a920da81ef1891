// Package launch takes a kernel from source text and arguments to memory that it has changed: it
// specialises the compilation to the arguments as Triton does, plans and runs.
package launch

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/tile"
)

// Arg is one argument of a call: a tensor, or a number.
type Arg struct {
	Name      string       // passed by keyword; "" is by position
	Tensor    *tile.Buffer // nil for the rest
	Value     any          // nil (None), bool, int64, *big.Int, float64, string, num.DType or *compiler.Function
	Constexpr bool         // Value is known while compiling
	General   bool         // nothing about Value, nor the address, is compiled in (do_not_specialize)
}

// Divisibility is what compilers look for in addresses (bytes) and integers: a multiple of 16, as
// in Triton's argument specialisation.
const Divisibility = 16

// Kernel is a kernel compiled for the arguments of one call, or of others specialised alike.
type Kernel struct {
	*compiler.Artifact
	file *source.File
	args []compiler.Arg // what it was compiled for
	plan *tile.Kernel
	Took time.Duration // source to optimised IR
}

// Compile compiles the kernel of that name for the arguments. It is nil where the list has errors.
func Compile(file *source.File, name string, args []Arg, strict bool) (*Kernel, diag.List) {
	return compile(file, compiler.Options{Kernel: name, Args: compileArgs(args), Strict: strict})
}

// CompileFunction compiles a kernel that a running program holds.
func CompileFunction(fn *compiler.Function, args []Arg, strict bool) (*Kernel, diag.List) {
	return compile(fn.File, compiler.Options{Function: fn, Args: compileArgs(args), Strict: strict})
}

func compile(file *source.File, o compiler.Options) (*Kernel, diag.List) {
	start := time.Now()
	artifact, list := compiler.Compile(file, o)
	if artifact == nil {
		return nil, list
	}
	k := &Kernel{Artifact: artifact, file: file, args: o.Args, Took: time.Since(start)}
	plan, err := tile.Plan(artifact.Func)
	if err != nil {
		list.Add(err.(*tile.Fault).Diagnostic())
		return nil, list
	}
	k.plan = plan
	return k, list
}

// Run launches the kernel with the arguments it was compiled for; l.Args is filled from them.
func (k *Kernel) Run(ctx context.Context, args []Arg, l tile.Launch) (*tile.Report, *tile.Fault) {
	l.Args = k.Bind(args)
	return k.plan.Run(ctx, l)
}

// Fits reports whether the kernel that would be compiled for args is this one: where arguments have
// the same types and divisibility, and what was compiled in has the same value, arguments as well as
// what the kernel read of the names around it. It is the key of Triton's cache of compiled kernels.
func (k *Kernel) Fits(args []Arg) bool {
	for _, r := range k.Reads {
		if !r.Holds() {
			return false
		}
	}
	atRunTime := map[string]bool{}
	for _, p := range k.Func.Params {
		atRunTime[p.Name] = !slices.Contains(k.Used, p.Name)
	}
	at := 0
	return slices.EqualFunc(k.args, compileArgs(args), func(a, b compiler.Arg) bool {
		name := k.param(at, a.Name)
		at++
		free := atRunTime[name] && a.Value != int64(1) && b.Value != int64(1)
		return a.Name == b.Name && a.Constexpr == b.Constexpr && a.Type.Equal(b.Type) && a.Divisible == b.Divisible &&
			(free || a.Value == b.Value)
	})
}

// param names the parameter of the i-th argument.
func (k *Kernel) param(i int, name string) string {
	if name == "" && i < len(k.Params) {
		return k.Params[i]
	}
	return name
}

// Bind picks the arguments of the parameters that are left at run time, in their order.
func (k *Kernel) Bind(args []Arg) []tile.Arg {
	byName := map[string]*Arg{}
	for i := range args {
		byName[k.param(i, args[i].Name)] = &args[i]
	}
	var out []tile.Arg
	for _, p := range k.Func.Params {
		a := byName[p.Name]
		switch {
		case a == nil:
			out = append(out, nil)
		case a.Tensor != nil:
			out = append(out, *a.Tensor)
		default:
			out = append(out, tile.Scalar{Scalar: scalar(p, a.Value)})
		}
	}
	return out
}

func scalar(p *ir.Param, value any) num.Scalar {
	d := p.Value.Type.DType
	switch v := value.(type) {
	case bool:
		return num.FromInt(d, int64(num.FromBool(v).Bits))
	case int64:
		return num.FromInt(d, v)
	case *big.Int:
		if d.Info().Float {
			f, _ := v.Float64()
			return num.FromFloat(d, f)
		}
		return num.FromInt(d, int64(v.Uint64()))
	case float64:
		return num.FromFloat(d, v)
	}
	return num.FromInt(d, 0)
}

// compileArgs says what the compiler may know of the arguments.
func compileArgs(args []Arg) []compiler.Arg {
	out := make([]compiler.Arg, len(args))
	for i, a := range args {
		out[i] = compiler.Arg{Name: a.Name, Value: a.Value, Constexpr: a.Constexpr}
		switch t, runtime := scalarType(a.Value); {
		case a.Tensor != nil:
			out[i].Type = types.PointerTo(a.Tensor.DType)
			if !a.General {
				out[i].Divisible = alignment(a.Tensor)
			}
		case a.Constexpr:
		case !runtime:
			out[i].Constexpr = true
		default:
			out[i].Type = t
			if a.General {
				out[i].Value = nil
			} else if v, ok := a.Value.(int64); ok && v%Divisibility == 0 {
				out[i].Divisible = Divisibility
			}
		}
	}
	return out
}

// alignment is what is known of a tensor's address: storages begin at multiples of Divisibility.
func alignment(b *tile.Buffer) int {
	if b.Offset*b.DType.Info().Bytes%Divisibility == 0 {
		return Divisibility
	}
	return 0
}

// scalarType is the type that Triton gives a number: the first of int32, int64 and uint64 that an
// int fits, fp32 for a float, int1 for a bool. Other values exist only while compiling.
func scalarType(value any) (t types.Type, runtime bool) {
	switch v := value.(type) {
	case bool:
		return types.Scalar(num.Int1), true
	case int64:
		if v == int64(int32(v)) {
			return types.Scalar(num.Int32), true
		}
		return types.Scalar(num.Int64), true
	case *big.Int:
		return types.Scalar(num.Uint64), v.IsUint64()
	case float64:
		return types.Scalar(num.Float32), true
	}
	return types.Type{}, false
}
