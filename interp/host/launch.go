package host

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// Launcher runs kernels for scripts.
type Launcher interface {
	// Launch runs one kernel[grid](…) to its end. A nil Failure is success.
	Launch(l Launch) (Launched, *Failure)
	// Compile compiles the kernel for the arguments of a launch and runs nothing.
	Compile(l Launch) (Compiled, *Failure)
}

// Estimator is a Launcher with a model of the time that launches take.
type Estimator interface {
	// Estimate is what the model expects of a launch, which is not made. Not ok where there is no model.
	Estimate(l Launch) (e Estimate, ok bool, failed *Failure)
}

// Estimate is what a model expects of a launch, for the order among launches rather than for the time itself.
type Estimate struct {
	MS    float64 // milliseconds; infinity where the launch cannot be made
	Bound string  // what the launch is bound by: "memory", "cache", "compute" or "latency"; "" if not known
}

// Launch is one kernel[grid](…): a grid of programs and the kernel's arguments.
type Launch struct {
	Kernel  *Kernel
	Grid    [3]int
	Args    []Value          // by parameter
	General []bool           // by parameter: the value is not compiled in, whatever it is
	Options map[string]Value // keywords that are not parameters: num_warps, num_stages, …
	// Reachable is what a kernel may reach by addresses that it reads: those that Tensors has told.
	Reachable []tensor.Reachable
	Tensors   *tensor.Context
	Span      source.Span // the call

	DotPrecision string // of a tl.dot that names none: what TRITON_F32_DEFAULT says; empty where that is unset

	Tuning      bool // a config that triton.autotune tries: what Triton passes over may fail
	Tuned       *Tuned
	Interpreted bool // what TRITON_INTERPRET=1 means: tensors may be on the CPU
	Tolerant    bool // goes on after accesses out of bounds
	Internal    bool // made by an operation of torch, and not by the script
}

// Tuned says that triton.autotune would time a launch with its config: launch the kernel many times on the tensors that
// are passed.
type Tuned struct {
	Decorator source.Span // the call of triton.autotune
	Restored  []string    // parameters whose tensors it zeroes or restores between the launches
}

// Launched says what a launch was.
type Launched struct {
	Elapsed  time.Duration // on the device
	Work     int64         // that the programs did, in the interpreter's units of about a nanosecond; 0 if not known
	Compiled Compiled
	Prints   []Printed // of tl.static_print while it was compiled, then of the programs in order
	Went     diag.List // accesses out of bounds that a tolerant launch went on after
}

// Printed is a line that a launch printed, or a call of one of the script's own functions.
type Printed struct {
	Text   string
	Call   *lower.HostCall // nil for a line
	Values []string        // the texts of the call's run-time values
}

// Failure is why a launch did not do its work: an exception, as the script sees it.
type Failure struct {
	Class  string           // of a builtin exception, or one of triton's; "" ends the script, uncaught
	Text   string           // str() of the exception, in Triton's words; "" for the headline of the reason
	List   diag.List        // all that is to be said, an error last
	Reason *diag.Diagnostic // the one of List that Triton raises; nil for the last
}

// Cause is the diagnostic that the exception is about.
func (f *Failure) Cause() *diag.Diagnostic { return cmp.Or(f.Reason, f.List[len(f.List)-1]) }

// launchable is a value that can be launched with kernel[grid]: a kernel, or a compiled one.
type launchable interface {
	Value
	// run runs the call: it launches, or only compiles where warmup is set. The result is what Triton's run returns.
	run(m *machine, c launchCall) Value
}

// launchCall is what kernel[grid](…), kernel.run(…) and kernel.warmup(…) ask for.
type launchCall struct {
	arguments
	grid   Value // nil where warmup was given none
	warmup bool
}

// gridded is kernel[grid].
type gridded struct {
	kernel launchable
	grid   Value
}

func (g *gridded) invoke(m *machine, a arguments) Value {
	return g.kernel.run(m, launchCall{arguments: a, grid: g.grid})
}

// Type is the name of the class in Triton's messages.
func (*gridded) Type() string { return "JITFunction" }

// launchableClass is the base of the classes of launchable values.
var launchableClass = &Class{Name: "KernelInterface"}

func init() {
	launchableClass.describe(typeRecord{
		slots: slots{
			item: func(_ *machine, v, grid Value) Value { return &gridded{v.(launchable), grid} },
			call: func(*machine, Value, arguments) Value {
				raise("RuntimeError", "Cannot call @triton.jit'd outside of the scope of a kernel")
				return nil
			},
			hash: hashIdentity,
			repr: leaf(reprObject),
		},
		methods: map[string]method{
			"run":    func(m *machine, a arguments) Value { return runMethod(m, a, false) },
			"warmup": func(m *machine, a arguments) Value { return runMethod(m, a, true) },
		},
	})
}

// runMethod is kernel.run(…, grid=…, warmup=…) or kernel.warmup(…, grid=…).
func runMethod(m *machine, a arguments, warmup bool) Value {
	k := self[launchable](a)
	c := launchCall{arguments: arguments{a.positional[1:], a.keywords}, warmup: warmup}
	c.grid, _ = c.take("grid")
	if v, ok := c.take("warmup"); ok {
		c.warmup = m.truthOf(v)
	}
	if c.grid == nil && !c.warmup {
		raise("TypeError", "JITFunction.run() missing 1 required keyword-only argument: 'grid'")
	}
	return k.run(m, c)
}

// callHooks calls the hooks of add_pre_run_hook, to which Triton passes two options more (JITFunction.run).
func (k *Kernel) callHooks(m *machine, a arguments) {
	if len(k.hooks) == 0 || k.interpreted {
		return
	}
	a.keywords = append(slices.Clone(a.keywords), keyword{"instrumentation_mode", python.Str("")})
	if !slices.ContainsFunc(a.keywords, func(w keyword) bool { return w.name == "debug" }) {
		a.keywords = append(a.keywords, keyword{"debug", python.Bool(m.knobValue("runtime", "debug", "TRITON_DEBUG"))})
	}
	for _, hook := range k.hooks {
		m.callValue(hook, a)
	}
}

// run binds arguments to the kernel's parameters, evaluates the grid and hands over.
func (k *Kernel) run(m *machine, c launchCall) Value {
	k.callHooks(m, c.arguments)
	l := Launch{Kernel: k, Options: map[string]Value{}, General: k.general, Span: m.callerPlace()}
	l.Args = k.bind(c.arguments, l.Options)
	traced := m.launching.trace != nil
	l.Interpreted, l.Tolerant = k.interpreted || traced, traced
	return m.runLaunch(l, c)
}

// runLaunch evaluates the grid of a launch whose arguments are bound, and launches or compiles it. The result is the
// compiled kernel's handle.
func (m *machine) runLaunch(l Launch, c launchCall) Value {
	if m.options.Launcher == nil {
		halt(diag.New("host-no-launcher", l.Span, l.Kernel.Name))
	}
	for _, v := range l.Args {
		refuseComplex(v)
	}
	if warps, ok := python.AsInt(l.Options["num_warps"]); ok {
		if n, _ := warps.Int64(); n < 1 || n&(n-1) != 0 {
			raise("AssertionError", "num_warps must be a power of 2")
		}
	}
	mode := m.launching
	l.Tuning, l.Tuned = mode.tuning, mode.tuned
	l.Tensors, l.Reachable = m.tensors, m.tensors.Reachable()
	l.DotPrecision = m.environ("TRITON_F32_DEFAULT")
	if l.DotPrecision != "" && !slices.Contains(lower.DotPrecisions, l.DotPrecision) {
		raise("AssertionError", "input_precision must be one of %s. Got %s", strings.Join(lower.DotPrecisions, ", "),
			l.DotPrecision)
	}
	if c.grid != nil && !(c.warmup && c.grid == none) {
		l.Grid = m.gridSizes(m.evalGrid(l, c.grid))
		m.at = l.Span
	}
	if mode.only != nil {
		mode.only(l)
		return none
	}
	done, failed := m.submitLaunch(l, c.warmup || slices.Contains(l.Grid[:], 0))
	for _, p := range done.Prints {
		m.printFromKernel(p)
	}
	if failed != nil {
		m.raiseFailure(failed, l.Span)
	}
	if mode.trace != nil {
		mode.trace.add(l, done)
	}
	if l.Interpreted { // Triton's interpreter compiles nothing
		return none
	}
	return &compiledKernel{l, done.Compiled}
}

// refuseComplex refuses tensors of complex numbers, for whose dtype Triton has no name.
func refuseComplex(v Value) {
	d := num.Float32
	switch v := v.(type) {
	case Tensor:
		d = v.DType()
	case DType:
		d = num.DType(v)
	case Tuple:
		for _, item := range v {
			refuseComplex(item)
		}
	}
	if d >= num.NumDTypes {
		raiseKey(python.Str(tensor.TorchName(d)))
	}
}

// submitLaunch launches, or only compiles, and notes the time on the device.
func (m *machine) submitLaunch(l Launch, compileOnly bool) (Launched, *Failure) {
	if compileOnly {
		l.Args = m.withoutMocks(l.Args)
		compiled, failed := m.options.Launcher.Compile(l)
		return Launched{Compiled: compiled}, failed
	}
	began := m.clock.now()
	defer m.clock.pause()()
	done, failed := m.options.Launcher.Launch(l)
	m.clock.add(l, began, done)
	return done, failed
}

// withoutMocks gives each dtype that warmup was passed for a tensor, which Triton wraps in a MockTensor, a tensor.
func (m *machine) withoutMocks(args []Value) []Value {
	out := slices.Clone(args)
	for i, v := range out {
		if d, ok := v.(DType); ok {
			t, err := m.tensors.FromBytes(num.DType(d), []int{0}, nil)
			check(err)
			out[i] = Tensor{t}
		}
	}
	return out
}

// evalGrid calls a grid function with the arguments by name, the kernel's defaults included: META["BLOCK"].
func (m *machine) evalGrid(l Launch, grid Value) Value {
	if !callable(grid) {
		return grid
	}
	meta := newDict()
	for i, p := range l.Kernel.Def.Params.List {
		meta.set(python.Str(p.Name), l.Args[i])
	}
	return m.callValue(grid, arguments{positional: []Value{meta}})
}

// raiseFailure raises what a launch has failed with.
func (m *machine) raiseFailure(f *Failure, span source.Span) {
	if last := len(f.List) - 1; f.Class == "" { // stopped from outside: nothing may catch it
		m.said = append(m.said, f.List[:last]...)
		halt(f.List[last])
	}
	e := newException(exceptions[f.Class], python.Str(cmp.Or(f.Text, f.Cause().In(diag.English).Headline)))
	e.own = f.List
	raiseAt(e, span)
}

// launchOptions are the keywords of a launch that Triton's CUDA backend takes next to parameters.
var launchOptions = strings.Fields(`num_warps num_stages num_ctas maxnreg cluster_dims ptx_version ptx_options ir_override enable_fp_fusion
	launch_cooperative_grid launch_pdl supported_fp8_dtypes deprecated_fp8_dot_operand_dtypes default_dot_input_precision
	allowed_dot_input_precisions max_num_imprecise_acc_default extern_libs debug backend_name sanitize_overflow arch instrumentation_mode`)

// bind lays the arguments out by parameter, as the function does that Triton makes for each kernel;
// keywords that are no parameters go to options.
func (k *Kernel) bind(a arguments, options map[string]Value) []Value {
	params := k.Def.Params.List
	if n := len(a.positional); n > len(params) {
		raise("TypeError", "dynamic_func() takes %d positional argument%s but %d %s given", len(params),
			plural(len(params)), n, wasWere(n))
	}
	args := make([]Value, len(params))
	copy(args, a.positional)
	for _, w := range a.keywords {
		switch i := paramNamed(params, w.name); {
		case i >= 0 && args[i] != nil:
			raise("TypeError", "dynamic_func() got multiple values for argument '%s'", w.name)
		case i >= 0:
			args[i] = w.value
		case slices.Contains(launchOptions, w.name):
			options[w.name] = w.value
		default:
			raise("KeyError", "Keyword argument %s was specified but unrecognised", w.name)
		}
	}
	var missing []string
	for i, p := range params {
		if args[i] == nil {
			args[i] = k.defaults[i]
		}
		if args[i] == nil {
			missing = append(missing, "'"+p.Name+"'")
		}
	}
	if len(missing) > 0 {
		raise("TypeError", "dynamic_func() missing %d required positional argument%s: %s", len(missing),
			plural(len(missing)), enumeration(missing))
	}
	return args
}

// enumeration lists names as Python does: 'a', 'b', and 'c'.
func enumeration(names []string) string {
	last := len(names) - 1
	switch last {
	case 0:
		return names[0]
	case 1:
		return names[0] + " and " + names[1]
	}
	return strings.Join(names[:last], ", ") + ", and " + names[last]
}

func paramNamed(params []syntax.Param, name string) int {
	return slices.IndexFunc(params, func(p syntax.Param) bool { return p.Name == name })
}

// gridSizes reads a grid as Triton does: a sequence of integers, of which those after the third do not count.
func (m *machine) gridSizes(v Value) [3]int {
	sizes := [3]int{1, 1, 1}
	if v == none {
		raise("AssertionError", "")
	}
	if m.lengthOf(v) == 0 {
		raise("IndexError", "tuple index out of range")
	}
	items := m.itemsOf(v)
	items = items[:min(len(items), 3)]
	for i, x := range items {
		n := asIndex(x)
		if n < 0 || n > 1<<31-1 {
			limit("ValueError", "grid dimension %d is %d; it must lie between 0 and 2147483647", i, n)
		}
		sizes[i] = int(n)
	}
	return sizes
}
