package host

import (
	"maps"
	"math"
	"math/big"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// torchModules are numpy and the modules below torch.
func torchModules() map[string]maker {
	return map[string]maker{
		"numpy._core.arrayprint": functionsOf(numpyTextFunctions),
		"numpy.random":           functionsOf(numpyRandomFunctions),
		"torch.autograd":         autogradLibrary,
		"torch.cuda":             functionsOf(cudaFunctions),
		"torch.nn":               fixed(nnLibrary),
		"torch.linalg":           linalgLibrary,
		"torch.nn.init":          operationsIn(tensor.InInit),
		"torch.nn.parameter":     fixed(nnLibrary),
		"torch.random":           functionsOf(randomFunctions),
		"torch.return_types":     fixed(returnTypes),
		"torch.special":          specialLibrary,
		"torch.version":          fixed(versionLibrary),

		"torch.profiler": functionsOf(profilerFunctions),
		"torch.utils.cpp_extension": refusing("torch.utils.cpp_extension", cppHint,
			"load load_inline CUDAExtension CppExtension BuildExtension"),
	}
}

// What to do instead of what a browser or a runner of IR cannot have.
const (
	benchHint       = "time launches with triton.testing.do_bench"
	interpreterHint = "newt's interpreter is its own: start it with TRITON_INTERPRET=1, or trace a launch with triton_viz"
	cppHint         = "nothing compiles C++ or CUDA here; write the kernel in Triton"
)

// refusing makes a module whose names are all refused, with what to do instead.
func refusing(module, hint, names string) maker {
	return func(*machine) map[string]Value {
		members := map[string]Value{}
		for _, name := range strings.Fields(names) {
			members[name] = refused(module + "." + name + ": " + hint)
		}
		return members
	}
}

// linalgLibrary is torch.linalg.
func linalgLibrary(m *machine) map[string]Value {
	members := operationsIn(tensor.InLinalg)(m)
	members["LinAlgError"] = exceptions["LinAlgError"]
	return members
}

// specialLibrary is torch.special: functions that torch has under other names, too.
func specialLibrary(m *machine) map[string]Value {
	members := map[string]Value{}
	for name, torchs := range map[string]string{"expit": "sigmoid", "gammaln": "lgamma", "psi": "digamma"} {
		op, _ := m.tensors.Operations.Lookup(tensor.InTorch, torchs)
		members[name] = operation(op)
	}
	for _, name := range strings.Fields(`digamma erf erfc erfinv exp2 expm1 log1p log_softmax logit logsumexp round
		softmax xlogy`) {
		op, _ := m.tensors.Operations.Lookup(tensor.InTorch, name)
		members[name] = operation(op)
	}
	return members
}

// returnTypes are torch.return_types: the classes of results with named fields.
func returnTypes() map[string]Value {
	members := map[string]Value{}
	for _, name := range strings.Fields(`aminmax cummax cummin frexp kthvalue linalg_qr linalg_slogdet linalg_svd max
		median min mode qr slogdet sort topk`) {
		c := &Class{Name: name, attrs: newDict(), make: refuseConstruction(name), has: func(v Value) bool {
			n, ok := v.(*Named)
			return ok && n.class == nil && n.Name == name
		}}
		c.define("__module__", python.Str("torch.return_types"))
		members[name] = c
	}
	return members
}

// operationsIn makes a module of the operations on tensors that one place has.
func operationsIn(where tensor.Where) maker {
	return func(m *machine) map[string]Value { return operationMembers(m, where) }
}

func operationMembers(m *machine, where tensor.Where) map[string]Value {
	members := map[string]Value{}
	for _, name := range m.tensors.Operations.Names(where) {
		op, _ := m.tensors.Operations.Lookup(where, name)
		members[name] = operation(op)
	}
	return members
}

func torchLibrary(m *machine) map[string]Value {
	members := torchMembers(m.tensors.Operations)
	for _, row := range torchExceptions {
		members[row[0]] = exceptions[row[0]]
	}
	maps.Copy(members, functions(torchFunctions()))
	maps.Copy(members, functions(randomFunctions()))
	for name, v := range map[string]float64{"inf": math.Inf(1), "nan": math.NaN(), "pi": math.Pi, "e": math.E} {
		members[name] = python.Float(v)
	}
	members["newaxis"] = none
	members["__version__"] = python.Str(torchVersion)
	for _, name := range []string{"strided", "contiguous_format", "preserve_format", "channels_last"} {
		members[name] = Text{"torch.layout", "torch." + name}
	}
	return members
}

// torchFunctions are the functions under torch that are not operations on tensors.
func torchFunctions() map[string]method {
	return map[string]method{
		"no_grad":                gradSwitch(false),
		"inference_mode":         gradSwitch(false),
		"enable_grad":            gradSwitch(true),
		"is_grad_enabled()":      func(m *machine, a arguments) Value { return python.Bool(m.tensors.GradEnabled) },
		"set_grad_enabled(mode)": setGradEnabled,
		"is_autocast_enabled(device_type='cuda', /)":    isAutocastEnabled,
		"get_autocast_dtype(device_type, /)":            getAutocastDType,
		"get_autocast_gpu_dtype(device_type='cuda', /)": getAutocastDType,
		"_set_autocast(device_type, dtype)":             setAutocast,
		"get_default_dtype":                             func(*machine, arguments) Value { return DType(num.Float32) },
		"set_default_dtype(d, /)": func(m *machine, a arguments) Value {
			if d, ok := a.positional[0].(DType); !ok || !num.DType(d).Info().Float {
				raise("TypeError", "only floating-point types are supported as the default type")
			}
			if a.positional[0] != DType(num.Float32) {
				lack("NotImplementedError", "a default dtype other than torch.float32", nil)
			}
			return none
		},
		"set_num_threads": ignore, "set_num_interop_threads": ignore,
		"get_num_threads": func(*machine, arguments) Value { return intValue(1) },
		"typename(obj, /)": func(m *machine, a arguments) Value {
			if isTensor(a.positional[0]) {
				return m.tensorMethod(a.positional[0].(Tensor), "type")
			}
			return python.Str(a.positional[0].Type())
		},
		"from_file(filename, shared=None, size=0, *, dtype=None, device=None, layout=None, pin_memory=False, " +
			"requires_grad=False)": fromFile,
		"from_numpy(ndarray, /)": fromNumpy,
		printOptionsSignature:    setPrintOptions,
		"finfo(type=None, /)":    func(m *machine, a arguments) Value { return dtypeLimits("finfo", a) },
		"iinfo(type=None, /)":    func(m *machine, a arguments) Value { return dtypeLimits("iinfo", a) },
		"compile": func(m *machine, a arguments) Value {
			if len(a.positional) == 0 {
				return &Builtin{Name: "compile", call: func(m *machine, a arguments) Value { return a.at(0, none) }}
			}
			return a.positional[0]
		},
		"set_default_device(device)": func(m *machine, a arguments) Value {
			if a.positional[0] == none {
				m.tensors.DefaultDevice = tensor.CPU
			} else {
				m.tensors.DefaultDevice = deviceFrom(m, a.positional[0]).Device
			}
			return none
		},
		"get_default_device":           func(m *machine, _ arguments) Value { return Device{m.tensors.DefaultDevice} },
		"set_float32_matmul_precision": ignore,
	}
}

func seedValue(seed uint64) Value { return must(python.NewBig(new(big.Int).SetUint64(seed))) }

func ignore(*machine, arguments) Value { return none }

// printProfiles are the sets of options that set_printoptions knows by name.
var printProfiles = map[string]tensor.PrintOptions{
	"default": tensor.DefaultPrintOptions,
	"short":   {Precision: 2, Threshold: 1000, EdgeItems: 2, LineWidth: 80},
	"full":    {Precision: 4, Threshold: math.MaxInt, EdgeItems: 3, LineWidth: 80},
}

// printOptionsSignature is that of torch.set_printoptions.
const printOptionsSignature = "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, " +
	"profile=None, sci_mode=None)"

func setPrintOptions(m *machine, a arguments) Value {
	o, v := &m.tensors.PrintOptions, a.positional
	if p, known := printProfiles[m.strOf(v[4])]; known { // torch takes no notice of other names
		*o = p
	}
	bounded := func(to *int, v Value, least, most int64) {
		if v != none {
			*to = int(max(min(asIndex(v), most), least))
		}
	}
	bounded(&o.Precision, v[0], 0, 64)
	if f, ok := v[1].(python.Float); ok && math.IsInf(float64(f), 1) {
		o.Threshold = math.MaxInt
	} else {
		bounded(&o.Threshold, v[1], math.MinInt64, math.MaxInt64)
	}
	bounded(&o.EdgeItems, v[2], 0, 1<<30)
	bounded(&o.LineWidth, v[3], 1, 1<<30)
	if o.SciMode = nil; v[5] != none {
		on := m.truthOf(v[5])
		o.SciMode = &on
	}
	return none
}

// torchVersion is the version whose results newt's are compared with.
const torchVersion = "2.11.0+cu130"

func versionLibrary() map[string]Value {
	return map[string]Value{"__version__": python.Str(torchVersion), "cuda": python.Str("13.0"), "hip": none, "xpu": none,
		"debug": python.Bool(false)}
}

// nnLibrary is torch.nn as far as it is Go; its modules are in Python.
func nnLibrary() map[string]Value {
	return map[string]Value{"Parameter": parameterType, "Buffer": bufferType}
}

func setGradEnabled(m *machine, a arguments) Value {
	before := m.tensors.GradEnabled // which it restores as a context manager
	m.tensors.GradEnabled = m.truthOf(a.positional[0])
	return &gradMode{on: m.tensors.GradEnabled, before: &before}
}

// gradSwitch is no_grad and its like: a context manager, or a decorator.
func gradSwitch(on bool) method {
	return func(m *machine, a arguments) Value {
		mode := &gradMode{on: on}
		if len(a.positional) == 0 || !callable(a.positional[0]) {
			return mode
		}
		return wrapped(mode, a.positional[0])
	}
}

// wrapped runs f with a gradient mode.
func wrapped(mode *gradMode, f Value) Value {
	if fn, ok := f.(*Function); ok { // the same function, so that its name and parameters are seen
		under := *fn
		under.grad, under.attrs = mode, newDict()
		fn.attrs.eachOf(under.attrs.set)
		under.attrs.put("__wrapped__", fn)
		return &under
	}
	return &Builtin{Name: "wrapped", call: func(m *machine, a arguments) Value {
		before := m.tensors.GradEnabled
		m.tensors.GradEnabled = mode.on
		defer func() { m.tensors.GradEnabled = before }()
		return m.callValue(f, a)
	}}
}
