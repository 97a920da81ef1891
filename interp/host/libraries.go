package host

import (
	"maps"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// libraries are the modules that scripts can import, by dotted name.
var libraries map[string]*Library

func init() {
	libraries = map[string]*Library{}
	modules := languageLibraries()
	maps.Copy(modules, map[string]map[string]Value{
		"torch": torchLibrary(), "torch.nn.functional": operations(tensor.InFunctional),
		"torch.nn.init":  operations(tensor.InInit),
		"torch.autograd": operations(tensor.InAutograd), "torch.nn": {}, "torch.cuda": functions(cudaFunctions),
		"torch.testing": functions(testingFunctions),
		"triton":        tritonLibrary(), "triton.testing": {}, "triton.runtime": tuning(),
		"triton.runtime.autotuner": tuning(), "triton.runtime.jit": {"jit": &Builtin{"jit", jit}},
		"triton.compiler":        {},
		"triton.runtime.errors":  {"OutOfResources": exceptions["OutOfResources"]},
		"triton.compiler.errors": {"CompilationError": exceptions["CompilationError"]},
		"jaxtyping":              jaxtyping(), "math": mathLibrary(), "typing": typingLibrary(), "time": functions(timeFunctions),
		"IPython": {}, "IPython.core": {}, "IPython.core.debugger": functions(debuggerFunctions),
		"__future__": {"annotations": none}, "functools": functions(functoolsFunctions),
		"itertools": functions(itertoolsFunctions),
	})
	for name, members := range modules {
		libraries[name] = &Library{name, members}
	}
	for name, l := range libraries {
		if parent, child, ok := cutLast(name); ok {
			libraries[parent].members[child] = l
		}
	}
}

func cutLast(name string) (parent, child string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// functions wraps Go functions as a module's members.
func functions(table map[string]method) map[string]Value {
	members := map[string]Value{}
	for name, f := range table {
		members[name] = &Builtin{name, f}
	}
	return members
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
		m.tensors.Generator.Seed(uint64(asIndex(a.positional[0])))
		return Text{"torch._C.Generator", "<torch._C.Generator object>"}
	},
	"initial_seed": func(m *machine, a arguments) Value {
		return must(python.NewBig(new(big.Int).SetUint64(m.tensors.Generator.InitialSeed())))
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
	"set_printoptions":             ignore,
	"set_default_device":           ignore,
	"set_float32_matmul_precision": ignore,
}

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

var cudaFunctions = map[string]method{
	"is_available": func(*machine, arguments) Value { return python.Bool(false) },
	"synchronize":  ignore, "empty_cache": ignore, "set_device": ignore,
	"device_count": func(*machine, arguments) Value { return intValue(0) },
}

var testingFunctions = map[string]method{"assert_close": assertClose}

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

// jaxtyping's annotations by name. The unsized ones stand for the dtype that torch makes by default.
func jaxtyping() map[string]Value {
	members := map[string]Value{}
	for name, d := range map[string]num.DType{
		"Float16": num.Float16, "BFloat16": num.BFloat16, "Float32": num.Float32, "Float64": num.Float64,
		"Float": num.Float32,
		"Int8":  num.Int8, "Int16": num.Int16, "Int32": num.Int32, "Int64": num.Int64, "Int": num.Int64,
		"UInt8": num.Uint8, "UInt16": num.Uint16, "UInt32": num.Uint32, "UInt64": num.Uint64, "Bool": num.Int1,
	} {
		members[name] = &annotator{name, d}
	}
	return members
}

func typingLibrary() map[string]Value {
	members := map[string]Value{}
	for _, name := range []string{"Any", "Optional", "Union", "List", "Tuple", "Dict", "Set", "Callable", "Iterable",
		"Sequence", "Literal", "NamedTuple", "TypeVar"} {
		members[name] = Text{"typing", "typing." + name}
	}
	return members
}

var timeFunctions = map[string]method{
	"time":         func(*machine, arguments) Value { return python.Float(float64(time.Now().UnixNano()) / 1e9) },
	"perf_counter": func(*machine, arguments) Value { return python.Float(float64(time.Now().UnixNano()) / 1e9) },
	"sleep":        ignore,
}

func sysExit(m *machine, a arguments) Value {
	panic(&raised{exception: &Exception{class: exceptions["SystemExit"], args: Tuple(a.positional)}})
}

var functoolsFunctions = map[string]method{
	"partial": func(m *machine, a arguments) Value {
		if len(a.positional) == 0 {
			raise("TypeError", "partial() needs a function")
		}
		return &Builtin{"partial", func(m *machine, b arguments) Value {
			return m.call(a.positional[0],
				arguments{append(append([]Value{}, a.positional[1:]...), b.positional...),
					append(append([]keyword{}, a.keywords...), b.keywords...)})
		}}
	},
	"reduce": func(m *machine, a arguments) Value {
		a.want("reduce", 2, 3)
		it := m.iterate(a.positional[1])
		total := a.at(2, nil)
		for v, ok := it(); ok; v, ok = it() {
			if total == nil {
				total = v
				continue
			}
			total = m.call(a.positional[0], arguments{positional: []Value{total, v}})
		}
		if total == nil {
			raise("TypeError", "reduce() of empty iterable with no initial value")
		}
		return total
	},
	"lru_cache": passDecorator, "cache": passDecorator, "wraps": passDecorator,
}

// passDecorator is a decorator that leaves its function as it is.
func passDecorator(m *machine, a arguments) Value {
	if len(a.positional) == 1 && callable(a.positional[0]) && len(a.keywords) == 0 {
		if _, ok := a.positional[0].(*Function); ok {
			return a.positional[0]
		}
	}
	return &Builtin{"decorator", func(m *machine, a arguments) Value { return a.at(0, none) }}
}

var itertoolsFunctions = map[string]method{
	"product": func(m *machine, a arguments) Value {
		times := 1
		if v, ok := a.take("repeat"); ok {
			times = int(max(min(asIndex(v), 64), 0))
		}
		var pools [][]Value
		for range times {
			for _, v := range a.positional {
				pools = append(pools, m.itemsOf(v))
			}
		}
		rows := []Value{Tuple{}}
		for _, pool := range pools {
			var grown []Value
			for _, row := range rows {
				for _, v := range pool {
					m.budget.chargeItems(len(row.(Tuple)) + 1)
					grown = append(grown, append(append(Tuple{}, row.(Tuple)...), v))
				}
			}
			rows = grown
		}
		return sliceIterator("product", rows)
	},
	"chain": func(m *machine, a arguments) Value {
		var all []Value
		for _, v := range a.positional {
			items := m.itemsOf(v)
			m.budget.chargeItems(len(items))
			all = append(all, items...)
		}
		return sliceIterator("chain", all)
	},
}

var debuggerFunctions = map[string]method{
	"set_trace": func(m *machine, a arguments) Value {
		lack("RuntimeError", "IPython.core.debugger.set_trace", nil)
		return nil
	},
}

// ownLibraries are the modules with members that a script may change.
func ownLibraries(o Options) map[string]*Library {
	argv := &List{}
	for _, s := range o.Argv {
		argv.Items = append(argv.Items, python.Str(s))
	}
	return map[string]*Library{
		"os": {"os", map[string]Value{"environ": newDict()}},
		"sys": {"sys", map[string]Value{
			"stdout": Text{"TextIO", "<stdout>"}, "stderr": Text{"TextIO", "<stderr>"}, "argv": argv,
			"exit": &Builtin{"exit", sysExit},
		}},
	}
}

// library finds an importable module.
func (m *machine) library(name string) (*Library, bool) {
	if l, ok := m.own[name]; ok {
		return l, true
	}
	l, ok := libraries[name]
	return l, ok
}

func (m *machine) mustLibrary(name string) *Library {
	if l, ok := m.library(name); ok {
		return l
	}
	lack("ModuleNotFoundError", name, append(sortedNames(libraries), sortedNames(m.own)...))
	return nil
}

// importModule is import a.b or import a.b as c.
func (f *frame) importModule(a syntax.Alias) {
	m := f.m
	m.at = a.Loc
	l := m.mustLibrary(a.Name)
	if a.As != "" {
		f.bindName(a.As, l)
		return
	}
	first, _, _ := strings.Cut(a.Name, ".")
	f.bindName(first, m.mustLibrary(first))
}

// importFrom is from module import names.
func (f *frame) importFrom(s *syntax.ImportFrom) {
	m := f.m
	if s.Level > 0 {
		halt(diag.New("host-unsupported", s.Span()))
	}
	m.at = s.Span()
	l := m.mustLibrary(s.Module)
	for _, a := range s.Names {
		m.at = a.Loc
		if a.Name == "*" {
			for name, v := range l.members {
				m.stars[name] = v
			}
			continue
		}
		v, ok := l.members[a.Name]
		if !ok {
			lack("ImportError", l.name+"."+a.Name, sortedNames(l.members))
		}
		name := a.As
		if name == "" {
			name = a.Name
		}
		f.bindName(name, v)
	}
}
