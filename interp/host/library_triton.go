package host

import (
	"maps"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/tl"
)

// tritonModules are triton with what tunes kernels, and the modules below it but for the kernel language.
func tritonModules() map[string]maker {
	return map[string]maker{
		"triton":                     func(m *machine) map[string]Value { return union(tritonLibrary(m), tuning()) },
		"triton.compiler":            fixed(func() map[string]Value { return map[string]Value{"CompiledKernel": compiledKernelClass} }),
		"triton.compiler.errors":     fixed(tritonErrors),
		"triton.errors":              fixed(tritonErrors),
		"triton.profiler.viewer":     refusing("triton.profiler.viewer", benchHint, "parse read print_tree main"),
		"triton.runtime":             fixed(tuning),
		"triton.runtime.autotuner":   fixed(tunerFunctions),
		"triton.runtime.errors":      fixed(tritonErrors),
		"triton.runtime.interpreter": interpreterLibrary,
		"triton.runtime.jit":         fixed(jitFunctions),
		"triton.testing":             functionsOf(reportFunctions),

		"triton.tools.tensor_descriptor": fixed(func() map[string]Value {
			return map[string]Value{"TensorDescriptor": descriptorClass}
		}),
	}
}

// languageModules are triton.language and the modules below it.
func languageModules() map[string]maker {
	modules := map[string]maker{}
	for _, name := range tl.Modules() {
		if name == "triton" {
			continue
		}
		modules[name] = func(m *machine) map[string]Value {
			members := languageLibrary(name)
			maps.DeleteFunc(members, func(member string, _ Value) bool {
				row := tl.LookupIn(name, member)
				return row != nil && !row.IsThere(m.options.Triton)
			})
			return members
		}
	}
	return modules
}

// jitFunctions are those of triton.runtime.jit.
func jitFunctions() map[string]Value {
	members := functions(map[string]method{jitSignature: jit, "constexpr_function(fn)": firstArgument})
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

func tritonFunctions() map[string]method {
	return map[string]method{
		"cdiv(x, y)": cdiv,
		"next_power_of_2(n)": func(m *machine, a arguments) Value {
			n, p := asIndex(a.positional[0]), int64(1)
			for p < n && p < 1<<62 {
				p <<= 1
			}
			return python.NewInt(p)
		},
		"set_allocator": ignore, "reinterpret(tensor, dtype)": reinterpret,
		"constexpr_function(fn)": firstArgument,
		jitSignature:             jit,
	}
}

// tritonLibrary is triton as kernels need it.
func tritonLibrary(m *machine) map[string]Value {
	members := functions(tritonFunctions())
	members["__version__"] = python.Str(m.options.Triton.Full())
	maps.Copy(members, tritonErrors())
	return members
}

// tuning is what triton.runtime and package triton have besides prelude/triton.runtime.autotuner.py.
func tuning() map[string]Value {
	return map[string]Value{"aggregate": newBuiltin("", "aggregate(cls)", aggregate), "JITFunction": jitFunctionClass}
}

// firstArgument is a function that gives its first argument.
func firstArgument(_ *machine, a arguments) Value { return a.positional[0] }

// hostCdiv is tl.cdiv where the host calls it.
var hostCdiv = laidOut("", "cdiv(x, y)", cdiv)

// cdiv is triton.cdiv, division that rounds up.
func cdiv(m *machine, a arguments) Value {
	one := python.NewInt(1)
	return m.binaryOp("//", m.binaryOp("-", m.binaryOp("+", a.positional[0], a.positional[1]), one), a.positional[1])
}
