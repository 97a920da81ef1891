package inspect

import "github.com/newtlab/newt/compiler"

// Argument is an argument of the call, as a person reads it.
type Argument struct {
	Name string // of the parameter
	Type string // int32, pointer<float32>; constexpr where the value is known while compiling
	Text string // 200, True; the first element of a tensor: x[0]
}

// arguments are those of the call, in its order. Memory that is reached by addresses alone is none.
func (l *Launch) arguments() []Argument {
	kept := map[string]string{} // the types of parameters that are left at run time
	for _, p := range l.kernel.Func.Params {
		kept[p.Name] = (&Value{Type: p.Value.Type}).TypeText()
	}
	var out []Argument
	tensors := 0
	for i, a := range l.args {
		text := compiler.ConstantText(a.Value)
		if a.Tensor != nil {
			text = l.tensors[tensors].Name + "[0]"
			tensors++
		}
		if a.IsReachable() || a.Tuple != nil { // the items of a tuple stand for it
			continue
		}
		name := l.kernel.Param(i, a.Name)
		t, ok := kept[name]
		switch {
		case a.Descriptor != nil:
			t = "tensor_descriptor"
		case !ok:
			t = "constexpr"
		}
		out = append(out, Argument{name, t, text})
	}
	return out
}
