package host

import (
	"github.com/newtlab/newt/compiler/python"
)

// modelGPU are properties of an H200 that no device of newt's tells: scripts are told these.
var modelGPU = struct{ registers, shared, smKHz, memKHz, busBits int }{65536, 232448, 1980000, 3201000, 6144}

// gpuTargetClass is triton.backends.compiler.GPUTarget.
var gpuTargetClass = &Class{Name: "GPUTarget", shared: true,
	make: laidOut("", "GPUTarget(backend, arch, warp_size)", func(_ *machine, a arguments) Value {
		p := a.positional
		return simpleNamespaceOf("GPUTarget", "", keyword{"backend", p[0]}, keyword{"arch", p[1]}, keyword{"warp_size", p[2]})
	}),
	has: func(v Value) bool {
		n, ok := v.(*simpleNamespace)
		return ok && n.class == "GPUTarget"
	}}

// gpuTarget is the target of the chosen device.
func gpuTarget(m *machine) Value {
	d := deviceInfo(m)
	arch := intValue(10*d.Major + d.Minor)
	return gpuTargetClass.make(m, arguments{positional: []Value{python.Str("cuda"), arch, intValue(32)}})
}

// driverLibrary is triton.runtime.driver.
func driverLibrary(m *machine) map[string]Value {
	function := func(name string, f func(m *machine) Value) keyword {
		return keyword{name, &Builtin{Name: name, call: func(m *machine, _ arguments) Value { return f(m) }}}
	}
	utils := simpleNamespaceOf("CudaUtils", "<CudaUtils object>", function("get_device_properties", driverProperties))
	active := simpleNamespaceOf("CudaDriver", "<CudaDriver object>", []keyword{
		function("get_current_target", gpuTarget),
		function("get_active_torch_device", func(m *machine) Value {
			return makeDevice(m, arguments{positional: []Value{python.Str("cuda"), intValue(0)}})
		}),
		function("get_current_device", func(*machine) Value { return intValue(0) }),
		function("get_current_stream", func(*machine) Value { return intValue(0) }),
		function("set_current_device", func(*machine) Value { return none }),
		function("get_device_interface", func(m *machine) Value { return m.libraryModule("torch.cuda") }),
		function("get_device_capability", func(m *machine) Value {
			d := deviceInfo(m)
			return Tuple{intValue(d.Major), intValue(d.Minor)}
		}),
		function("get_benchmarker", func(m *machine) Value {
			return m.libraryModule("triton.testing").members["do_bench"]
		}),
		function("is_active", func(*machine) Value { return python.Bool(true) }),
		{"utils", utils},
	}...)
	return map[string]Value{"active": active,
		"set_active":            &Builtin{Name: "set_active", call: ignore},
		"reset_active":          &Builtin{Name: "reset_active", call: ignore},
		"set_active_to_default": &Builtin{Name: "set_active_to_default", call: ignore}}
}

// driverProperties is what Triton's own driver module tells of a device.
func driverProperties(m *machine) Value {
	d := newDict()
	for _, row := range []struct {
		name string
		n    int
	}{
		{"max_shared_mem", modelGPU.shared}, {"max_num_regs", modelGPU.registers},
		{"multiprocessor_count", deviceInfo(m).Processors}, {"warpSize", 32}, {"sm_clock_rate", modelGPU.smKHz},
		{"mem_clock_rate", modelGPU.memKHz}, {"mem_bus_width", modelGPU.busBits},
	} {
		d.set(python.Str(row.name), intValue(row.n))
	}
	return d
}

// knobGroups are the groups of triton.knobs with their settings that scripts read or set, at Triton's defaults.
var knobGroups = map[string][]keyword{
	"autotuning":  {{"print", python.Bool(false)}, {"cache", python.Bool(false)}, {"listener", none}},
	"build":       {},
	"cache":       {{"dir", none}},
	"compilation": {{"dump_ir", python.Bool(false)}, {"always_compile", python.Bool(false)}, {"override", python.Bool(false)}},
	"language":    {{"fp32_default", none}, {"default_fp_fusion", python.Bool(true)}},
	"nvidia":      {},
	"runtime": {{"interpret", python.Bool(false)}, {"debug", python.Bool(false)}, {"launch_enter_hook", none},
		{"launch_exit_hook", none}, {"override_arch", none}},
}

// knobsLibrary is triton.knobs.
func knobsLibrary(*machine) map[string]Value {
	members := map[string]Value{}
	for name, rows := range knobGroups {
		members[name] = simpleNamespaceOf(name+"_knobs", "<triton.knobs."+name+"_knobs object>", rows...)
	}
	return members
}

// knobValue reports whether a setting is on: in triton.knobs, or by its variable in os.environ.
func (m *machine) knobValue(group, name, variable string) bool {
	if l, ok := m.modules.loaded["triton.knobs"]; ok {
		if g, ok := l.members[group].(*simpleNamespace); ok {
			if v, ok := g.attr(m, name); ok && m.truthOf(v) {
				return true
			}
		}
	}
	return m.environFlag(variable)
}

// operationsPerCycle are the operations of one quarter of a multiprocessor in a cycle, by the dtype's name: of tensor
// cores, and of ordinary arithmetic. Architectures before sm_80 are none of newt's.
var operationsPerCycle = map[string]map[string]int{
	"get_max_tensorcore_tflops": {
		"torch.float32": 256, "torch.int32": 256, "torch.float16": 512, "torch.bfloat16": 512, "torch.int16": 512,
		"torch.int8": 1024, "fp8e4nv": 1024, "fp8e4b15": 1024, "fp8e5": 1024,
	},
	"get_max_simd_tflops": {"torch.float32": 32, "torch.float16": 64, "torch.bfloat16": 64},
}

// peak is get_max_tensorcore_tflops or get_max_simd_tflops: clock_rate is in kHz.
func peak(name string) method {
	return func(m *machine, a arguments) Value {
		each, ok := operationsPerCycle[name][m.strOf(a.positional[0])]
		if !ok {
			raise("RuntimeError", "dtype not supported")
		}
		rate, _, _ := python.AsFloat(a.positional[1])
		return python.Float(float64(deviceInfo(m).Processors*4) * rate * float64(each) * 1e-9)
	}
}

// dramGBps is get_dram_gbps: the most that the memory carries, in GB/s.
func dramGBps(*machine, arguments) Value {
	return python.Float(float64(modelGPU.memKHz) * float64(modelGPU.busBits) * 2 / 1e6 / 8)
}

// libraryModule is a library of newt's own.
func (m *machine) libraryModule(name string) *Library {
	l, _ := m.modules.libraryNamed(name)
	return l
}
