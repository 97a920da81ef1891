package script

import (
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// passedValue is an argument of a launch, or an item of one that is a tuple.
type passedValue struct {
	name      string // the parameter's, or what lower.TupleClass.Item makes of it
	value     host.Value
	tuple     *lower.TupleArg // of a tuple; its items follow
	constexpr bool            // a tl.constexpr, or for a parameter that is one
	general   bool            // the value is not compiled in
}

// passed lists the arguments of a launch. Those that are tuples are followed by their items, but for constexprs, which
// need none.
func passed(of host.Launch) (list []passedValue) {
	for i, v := range of.Args {
		p := of.Kernel.Def.Params.List[i]
		list = appendPassed(list, passedValue{name: p.Name, value: v, constexpr: lower.IsConstexpr(p.Annotation),
			general: of.General[i]})
	}
	return list
}

func appendPassed(list []passedValue, p passedValue) []passedValue {
	p.constexpr = p.constexpr || host.IsConstexpr(p.value)
	items, class, isTuple := host.AsTuple(p.value)
	if !isTuple || p.constexpr {
		return append(list, p)
	}
	p.tuple = &lower.TupleArg{Class: class, Len: len(items)}
	list = append(list, p)
	for i, v := range items {
		list = appendPassed(list, passedValue{name: class.Item(p.name, i), value: v, general: p.general})
	}
	return list
}

// arguments are a launch's as the compiler and devices take them.
func arguments(of host.Launch) ([]launch.Arg, *diag.Diagnostic) {
	var args []launch.Arg
	for _, p := range passed(of) {
		a := launch.Arg{Name: p.name, General: p.general, Tuple: p.tuple}
		refused := diag.New("host-kernel-argument", of.Span, a.Name, p.value.Type())
		if _, isText := p.value.(python.Str); isText && !p.constexpr {
			return nil, refused
		}
		if d, ok := host.AsDescriptor(p.value); ok {
			a.Tensor = tensorOf(a.Name, d.Base)
			a.Descriptor = &launch.Descriptor{Shape: d.Shape, Strides: d.Strides,
				Descriptor: lower.Descriptor{Block: d.Block, Padding: d.Padding}}
		} else if t, ok := host.AsTensor(p.value); ok {
			a.Tensor = tensorOf(a.Name, t)
		} else if a.Value, ok = host.Constant(p.value); !ok && p.tuple == nil {
			return nil, refused
		}
		a.Constexpr = p.constexpr && a.Tensor == nil
		args = append(args, a)
	}
	return append(args, reachable(of)...), nil
}

// reachable are the arguments of a launch that its kernel has no parameters for.
func reachable(of host.Launch) (args []launch.Arg) {
	for _, r := range of.Reachable {
		name := fmt.Sprintf("%#x", r.Address)
		args = append(args, launch.Arg{Name: name, Tensor: &launch.Tensor{Name: name, DType: r.DType,
			Storage: &r.Storage.Storage, Address: r.Address, Reachable: true}})
	}
	return args
}

func tensorOf(name string, t *tensor.Tensor) *launch.Tensor {
	return &launch.Tensor{Name: name, DType: t.DType(), Storage: &t.Storage().Storage, Offset: t.Offset(),
		Address: t.Storage().Address()}
}

// tellAddresses notes that a kernel may hand on the addresses of its arguments.
func tellAddresses(of host.Launch) {
	for _, p := range passed(of) {
		if d, ok := host.AsDescriptor(p.value); ok {
			of.Tensors.Tell(d.Base)
		} else if t, ok := host.AsTensor(p.value); ok {
			of.Tensors.Tell(t)
		}
	}
}
