package host

import (
	"maps"

	"github.com/newtlab/newt/compiler/python"
)

// tritonModules are triton with what tunes kernels, and the modules below it but for the kernel language.
func tritonModules() map[string]maker {
	return map[string]maker{
		"triton":                     fixed(tritonWithTuning),
		"triton.compiler":            fixed(compilerFunctions),
		"triton.compiler.errors":     fixed(tritonErrors),
		"triton.errors":              fixed(tritonErrors),
		"triton.knobs":               knobsLibrary,
		"triton.profiler":            empty,
		"triton.profiler.viewer":     refusing("triton.profiler.viewer", benchHint, "parse read print_tree main"),
		"triton.runtime":             fixed(tuning),
		"triton.runtime.autotuner":   fixed(tuning),
		"triton.runtime.driver":      driverLibrary,
		"triton.runtime.errors":      fixed(tritonErrors),
		"triton.runtime.interpreter": interpreterLibrary,
		"triton.runtime.jit":         fixed(jitFunctions),
		"triton.testing":             fixed(testingLibrary), // the rest is in prelude/triton_testing.py
		"triton.tools":               empty,
		"triton.tools.mxfp":          empty,

		"triton.tools.tensor_descriptor": fixed(func() map[string]Value {
			return map[string]Value{"TensorDescriptor": descriptorClass}
		}),
	}
}

// languageModules are triton.language and the modules below it.
func languageModules() map[string]maker {
	modules := map[string]maker{}
	for name, members := range languageLibraries() {
		modules[name] = func(*machine) map[string]Value { return maps.Clone(members) }
	}
	return modules
}

// jitFunctions are those of triton.runtime.jit.
func jitFunctions() map[string]Value {
	members := functions(map[string]method{"jit": jit, "constexpr_function": constexprFunction})
	members["JITFunction"] = jitFunctionClass
	return members
}

// interpreterLibrary is triton.runtime.interpreter.
func interpreterLibrary(m *machine) map[string]Value {
	members := refusing("triton.runtime.interpreter", interpreterHint,
		"interpreter_builder GridExecutor TensorHandle BlockPointerHandle _patch_lang")(m)
	members["InterpretedFunction"] = interpretedFunctionClass
	return members
}

// tritonErrors are Triton's exceptions.
func tritonErrors() map[string]Value {
	members := map[string]Value{}
	for _, row := range tritonExceptions {
		members[row[0]] = exceptions[row[0]]
	}
	return members
}

// testingLibrary is triton.testing.
func testingLibrary() map[string]Value {
	return union(functions(reportFunctions()), map[string]Value{
		"do_bench": doBenchFunction(), "do_bench_cudagraph": doBenchGraphFunction(),
		"get_dram_gbps":             &Builtin{"get_dram_gbps", dramGBps},
		"get_max_tensorcore_tflops": peak("get_max_tensorcore_tflops"),
		"get_max_simd_tflops":       peak("get_max_simd_tflops"),
	})
}

func tritonFunctions() map[string]method {
	return map[string]method{
		"cdiv": cdiv,
		"next_power_of_2": func(m *machine, a arguments) Value {
			a.want("next_power_of_2", 1, 1)
			n, p := asIndex(a.positional[0]), int64(1)
			for p < n && p < 1<<62 {
				p <<= 1
			}
			return python.NewInt(p)
		},
		"set_allocator": ignore, "jit": jit, "reinterpret": reinterpret,
		"constexpr_function": constexprFunction,
	}
}

// constexprFunction is triton.constexpr_function: kernels call the function while they are compiled.
func constexprFunction(_ *machine, a arguments) Value {
	a.want("constexpr_function", 1, 1)
	return a.positional[0]
}

// tritonLibrary is triton as kernels need it.
func tritonLibrary() map[string]Value {
	members := functions(tritonFunctions())
	members["__version__"] = python.Str("3.6.0")
	maps.Copy(members, tritonErrors())
	return members
}

// tritonWithTuning is triton with what compiles and tunes kernels.
func tritonWithTuning() map[string]Value {
	members := tritonLibrary()
	maps.Copy(members, tuning())
	maps.Copy(members, compilerFunctions())
	return members
}

// compilerFunctions are those of triton.compiler.
func compilerFunctions() map[string]Value {
	return functions(map[string]method{"compile": tritonCompile})
}

// tuning is what triton.runtime and triton.runtime.autotuner have of package triton.
func tuning() map[string]Value {
	return map[string]Value{"autotune": &Builtin{"autotune", autotune},
		"heuristics": &Builtin{"heuristics", heuristicsOf}, "Config": configClass, "JITFunction": jitFunctionClass}
}

// cdiv is triton.cdiv, division that rounds up.
func cdiv(m *machine, a arguments) Value {
	a.want("cdiv", 2, 2)
	one := python.NewInt(1)
	return m.binaryOp("//", m.binaryOp("-", m.binaryOp("+", a.positional[0], a.positional[1]), one), a.positional[1])
}
