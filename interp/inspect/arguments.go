package inspect

import (
	"fmt"

	"github.com/newtlab/newt/interp/launch"
)

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
		text := argumentText(a)
		if a.Tensor != nil {
			text = l.tensors[tensors].Name + "[0]"
			tensors++
		}
		if a.IsReachable() {
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

// argumentText is a scalar argument as a call of the kernel has it.
func argumentText(a launch.Arg) string {
	switch v := a.Value.(type) {
	case bool:
		return truthText(v)
	case nil:
		return "None"
	}
	return fmt.Sprint(a.Value)
}
