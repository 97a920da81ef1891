package host

import (
	"maps"

	"github.com/newtlab/newt/compiler/python"
)

// tritonModules are triton and the modules below it.
func tritonModules() registry {
	modules := registry{
		"triton":                   fixed(tritonLibrary),
		"triton.compiler":          functionsOf(nil),
		"triton.compiler.errors":   fixed(tritonErrors("CompilationError")),
		"triton.runtime":           fixed(tuning),
		"triton.runtime.autotuner": fixed(tuning),
		"triton.runtime.errors":    fixed(tritonErrors("OutOfResources")),
		"triton.runtime.jit":       functionsOf(map[string]method{"jit": jit}),
		"triton.testing":           functionsOf(nil),
	}
	for name, members := range languageLibraries() {
		modules[name] = func(*machine) map[string]Value { return maps.Clone(members) }
	}
	return modules
}

// tritonErrors makes a module of one of Triton's exceptions.
func tritonErrors(name string) func() map[string]Value {
	return func() map[string]Value { return map[string]Value{name: exceptions[name]} }
}

var tritonFunctions = map[string]method{
	"cdiv": func(m *machine, a arguments) Value {
		a.want("cdiv", 2, 2)
		one := python.NewInt(1)
		return m.binary("//", m.binary("-", m.binary("+", a.positional[0], a.positional[1]), one), a.positional[1])
	},
	"next_power_of_2": func(m *machine, a arguments) Value {
		a.want("next_power_of_2", 1, 1)
		n, p := asIndex(a.positional[0]), int64(1)
		for p < n && p < 1<<62 {
			p <<= 1
		}
		return python.NewInt(p)
	},
	"jit": jit, "autotune": autotune, "heuristics": heuristicsOf,
	"constexpr_function": func(m *machine, a arguments) Value {
		a.want("constexpr_function", 1, 1)
		return a.positional[0]
	},
}

func tritonLibrary() map[string]Value {
	members := functions(tritonFunctions)
	members["Config"] = configClass
	for _, row := range tritonExceptions {
		members[row[0]] = exceptions[row[0]]
	}
	return members
}

// tuning is what triton.runtime and triton.runtime.autotuner have of package triton.
func tuning() map[string]Value {
	return map[string]Value{"autotune": &Builtin{"autotune", autotune},
		"heuristics": &Builtin{"heuristics", heuristicsOf}, "Config": configClass}
}
