package host

import (
	"math"
	"math/big"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// torchModules are torch and the modules below it.
func torchModules() registry {
	return registry{
		"torch":               fixed(torchLibrary),
		"torch.autograd":      operationsIn(tensor.InAutograd),
		"torch.cuda":          fixed(cudaLibrary),
		"torch.nn":            functionsOf(nil),
		"torch.nn.functional": operationsIn(tensor.InFunctional),
		"torch.nn.init":       operationsIn(tensor.InInit),
		"torch.testing":       functionsOf(testingFunctions),
	}
}

// operationsIn makes a module of the operations on tensors that one place has.
func operationsIn(where tensor.Where) maker {
	return func(*machine) map[string]Value { return operations(where) }
}

func operations(where tensor.Where) map[string]Value {
	members := map[string]Value{}
	for _, name := range tensor.Names(where) {
		op, _ := tensor.Lookup(where, name)
		members[name] = operation(op)
	}
	return members
}

func torchLibrary() map[string]Value {
	members := torchMembers()
	for name, f := range torchFunctions {
		members[name] = &Builtin{name, f}
	}
	for name, v := range map[string]float64{"inf": math.Inf(1), "nan": math.NaN(), "pi": math.Pi, "e": math.E} {
		members[name] = python.Float(v)
	}
	members["newaxis"] = none
	return members
}

// torchFunctions are the functions under torch that are not operations on tensors.
var torchFunctions = map[string]method{
	"manual_seed": func(m *machine, a arguments) Value {
		a.want("manual_seed", 1, 1)
		seed := uint64(asIndex(a.positional[0]))
		m.tensors.Generator.Seed(seed)
		m.tensors.CUDAGenerator.Seed(seed)
		return &generator{m.tensors.Generator}
	},
	"initial_seed": func(m *machine, a arguments) Value {
		return seedValue(m.tensors.Generator.InitialSeed())
	},
	"no_grad":         gradSwitch(false),
	"inference_mode":  gradSwitch(false),
	"enable_grad":     gradSwitch(true),
	"is_grad_enabled": func(m *machine, a arguments) Value { return python.Bool(m.tensors.GradEnabled) },
	"set_grad_enabled": func(m *machine, a arguments) Value {
		a.want("set_grad_enabled", 1, 1)
		m.tensors.GradEnabled = m.truth(a.positional[0])
		return none
	},
	"finfo": func(m *machine, a arguments) Value { return dtypeLimits("finfo", a) },
	"iinfo": func(m *machine, a arguments) Value { return dtypeLimits("iinfo", a) },
	"compile": func(m *machine, a arguments) Value {
		if len(a.positional) == 0 {
			return &Builtin{"compile", func(m *machine, a arguments) Value { return a.at(0, none) }}
		}
		return a.positional[0]
	},
	"set_printoptions": ignore,
	"set_default_device": func(m *machine, a arguments) Value {
		a.want("set_default_device", 1, 1)
		if a.positional[0] == none {
			m.tensors.DefaultDevice = tensor.CPU
		} else {
			m.tensors.DefaultDevice = m.deviceFrom(a.positional[0]).Device
		}
		return none
	},
	"get_default_device":           func(m *machine, _ arguments) Value { return Device{m.tensors.DefaultDevice} },
	"set_float32_matmul_precision": ignore,
}

func seedValue(seed uint64) Value { return must(python.NewBig(new(big.Int).SetUint64(seed))) }

func ignore(*machine, arguments) Value { return none }

// gradSwitch is no_grad and its like: a context manager, or a decorator.
func gradSwitch(on bool) method {
	return func(m *machine, a arguments) Value {
		mode := &gradMode{on}
		if len(a.positional) == 0 || !callable(a.positional[0]) {
			return mode
		}
		return wrapped(mode, a.positional[0])
	}
}

// wrapped runs f with a gradient mode.
func wrapped(mode *gradMode, f Value) Value {
	return &Builtin{"wrapped", func(m *machine, a arguments) Value {
		before := m.tensors.GradEnabled
		m.tensors.GradEnabled = mode.on
		defer func() { m.tensors.GradEnabled = before }()
		return m.call(f, a)
	}}
}

var testingFunctions = map[string]method{"assert_close": assertClose}
