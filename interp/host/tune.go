package host

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
)

// heuristics is a kernel under triton.heuristics: each value is a function of a launch's arguments.
type heuristics struct {
	launchable
	values *Dict // by parameter
}

// Type is the name of Triton's class.
func (*heuristics) Type() string { return "Heuristics" }

func heuristicsOf(m *machine, a arguments) Value {
	d := valueOf[*Dict](a.positional[0])
	return decorator("heuristics", func(k launchable) Value { return &heuristics{k, d} })
}

func (h *heuristics) run(m *machine, c launchCall) Value {
	span := m.at
	h.values.each(func(name, f Value) {
		known := h.inner().named(c.all())
		c.set(m.strOf(name), m.callValue(f, arguments{positional: []Value{known}}))
		m.at = span
	})
	return h.launchable.run(m, c)
}

// named is a dict of the arguments by parameter, and of the keywords.
func (k *Kernel) named(a arguments) *Dict {
	d := newDict()
	for i, v := range a.positional {
		if i < len(k.Def.Params.List) {
			d.set(python.Str(k.Def.Params.List[i].Name), v)
		}
	}
	for _, w := range a.keywords {
		d.set(python.Str(w.name), w.value)
	}
	return d
}

// all are the arguments with grid and warmup, which Triton passes on as keywords.
func (c launchCall) all() arguments {
	a := c.arguments
	if c.grid != nil {
		a.keywords = append(slices.Clone(a.keywords), keyword{"grid", c.grid})
	}
	a.keywords = append(slices.Clone(a.keywords), keyword{"warmup", python.Bool(c.warmup)})
	return a
}

// set gives a keyword a value.
func (a *arguments) set(name string, v Value) {
	a.keywords = append(slices.DeleteFunc(slices.Clone(a.keywords), func(k keyword) bool { return k.name == name }),
		keyword{name, v})
}

// decorator is a function that wraps a kernel.
func decorator(name string, wrap func(launchable) Value) Value {
	return newBuiltin("", "decorator(fn)", func(_ *machine, a arguments) Value {
		k, ok := a.positional[0].(launchable)
		if !ok {
			lack("TypeError", "triton."+name+" of a "+a.positional[0].Type(), nil)
		}
		return wrap(k)
	})
}

// autotuner is a kernel under triton.autotune: for each key it times every config once and keeps the fastest.
type autotuner struct {
	launchable
	configs []*Instance
	key     []string
	reset   []string // tensors that are zeroed before each timed launch
	restore []string // tensors that get their contents back after each
	hooks   struct{ pre, post Value }
	prune   struct{ early, model, top Value }
	doBench Value // the script's own benchmarker, or None
	warmup  time.Duration
	measure time.Duration
	span    source.Span // the decorator

	chosen  *Dict       // config by the values of the key
	ranked  []*Instance // the configs as a model has put them for the first key, where none is timed
	best    *Instance
	timings *Dict // by config, of the last key that was tuned
	took    time.Duration
}

// Type is the name of Triton's class.
func (*autotuner) Type() string { return "Autotuner" }

// autotuneParams are the parameters of triton.autotune in order.
var autotuneParams = []string{"configs", "key", "prune_configs_by", "reset_to_zero", "restore_value", "pre_hook",
	"post_hook", "warmup", "rep", "use_cuda_graph", "do_bench", "cache_results"}

// autotuneSignature is that of triton.autotune.
var autotuneSignature = "autotune(configs, key, " + strings.Join(autotuneParams[2:], "=None, ") + "=None)"

func autotune(m *machine, a arguments) Value {
	given := map[string]Value{}
	for i, name := range autotuneParams {
		given[name] = a.positional[i]
	}
	t := autotuner{span: m.at, key: textsOf(m, given["key"]), reset: textsOf(m, given["reset_to_zero"]),
		restore: textsOf(m, given["restore_value"]), doBench: given["do_bench"],
		warmup: millisecondsOf(m, given["warmup"]), measure: millisecondsOf(m, given["rep"])}
	t.hooks.pre, t.hooks.post = given["pre_hook"], given["post_hook"]
	t.prune.early, t.prune.model, t.prune.top = none, none, python.Float(1)
	if by, ok := given["prune_configs_by"].(*Dict); ok {
		for name, to := range map[string]*Value{"early_config_prune": &t.prune.early, "perf_model": &t.prune.model,
			"top_k": &t.prune.top} {
			if v, ok := by.get(python.Str(name)); ok {
				*to = v
			}
		}
	}
	if given["configs"] != none {
		t.configs = configsIn(m.itemsOf(given["configs"]))
	}
	if len(t.configs) == 0 { // as in Triton
		t.configs = []*Instance{m.constructObject(configClass, arguments{positional: []Value{newDict()}}).(*Instance)}
	}
	return decorator("autotune", func(k launchable) Value {
		t := t
		t.launchable, t.chosen = k, newDict()
		return &t
	})
}

// configsIn are the configs in a list that must hold nothing else.
func configsIn(list []Value) []*Instance {
	var out []*Instance
	for _, v := range list {
		c, ok := v.(*Instance)
		if !ok || !c.class.inherits(configClass) {
			raise("AttributeError", "'%s' object has no attribute 'kwargs'", v.Type())
		}
		out = append(out, c)
	}
	return out
}

func textsOf(m *machine, v Value) []string {
	if v == none {
		return nil
	}
	var out []string
	for _, x := range m.itemsOf(v) {
		out = append(out, m.strOf(x))
	}
	return out
}

// run chooses a config, after timing all of them where the key is new, and runs the call with it.
func (t *autotuner) run(m *machine, c launchCall) Value {
	if c.warmup {
		out := &List{}
		for _, config := range t.pruned(m, c) {
			out.Items = append(out.Items, t.launchable.run(m, t.with(m, c, config)))
		}
		return out
	}
	span := m.at
	t.best = t.configs[0]
	if len(t.configs) > 1 {
		t.best = t.tuned(m, c)
	}
	m.at = span
	call := t.with(m, c, t.best)
	return t.runHooked(m, call, t.best)
}

// runHooked runs a call with a config, after the config's own pre_hook.
func (t *autotuner) runHooked(m *machine, c launchCall, config *Instance) Value {
	if hook := config.attrs.at("pre_hook"); hook != none {
		span := m.at
		m.callValue(hook, arguments{positional: []Value{t.inner().named(c.all())}})
		m.at = span
	}
	return t.launchable.run(m, c)
}

// with is a call with a config's values for the parameters that are tuned.
func (t *autotuner) with(m *machine, c launchCall, config *Instance) launchCall {
	var twice []string
	if given, ok := config.attrs.at("kwargs").(*Dict); ok {
		given.each(func(k, _ Value) {
			if slices.ContainsFunc(c.keywords, func(w keyword) bool { return w.name == m.strOf(k) }) {
				twice = append(twice, m.strOf(k))
			}
		})
	}
	if len(twice) > 0 {
		raise("ValueError", "Conflicting meta-parameters: %s. Make sure that you don't re-define auto-tuned symbols.",
			strings.Join(twice, ", "))
	}
	c.keywords = slices.Clone(c.keywords)
	configured(config).each(func(k, v Value) { c.keywords = append(c.keywords, keyword{m.strOf(k), v}) })
	return c
}

// tuned is the config for a call's key.
func (t *autotuner) tuned(m *machine, c launchCall) *Instance {
	key := t.keyOf(m, t.inner().named(c.arguments))
	if v, ok := t.chosen.get(key); ok {
		return v.(*Instance)
	}
	allowed := t.pruned(m, c)
	configs, began := t.promising(m, c, key, allowed), time.Now()
	if len(configs) == 1 { // nothing to time
		t.timings = unmeasured(append(configs, allowed...))
		t.chosen.set(key, configs[0])
		return configs[0]
	}
	t.timings = newDict()
	best := configs[0]
	for i, config := range configs {
		m.clock.compiled = nil
		took := t.bench(m, c, config)
		t.timings.set(config, took)
		if before, _ := t.timings.get(best); i > 0 && m.truthOf(m.compareValues("<", took, before)) {
			best = config // the first of several that are as fast
		}
		reportMeasurement(m, Measurement{Name: t.inner().Name, Label: configText(m, config),
			Number: i + 1, Total: len(configs), Value: firstFloat(m, took), Best: configText(m, best)})
	}
	t.took = time.Since(began)
	t.chosen.set(key, best)
	t.before(m, t.inner().named(t.with(m, c, best).all()), true)
	if m.printsTuning() {
		printTo(m, nil, fmt.Sprintf("Triton autotuning for function %s,\nwith key as %s,\n"+
			"finished after %.2fs,\nbest config selected: %s;\n", t.inner().Name, m.reprOf(key), t.took.Seconds(),
			configText(m, best)))
	}
	return best
}

// unmeasured are the timings of configs that are not timed: not a number, so that no comparison, minimum or sort moves
// another config before the first, which is the one that is used.
func unmeasured(configs []*Instance) *Dict {
	out, nan := newDict(), python.NaN
	for _, c := range configs {
		out.set(c, &List{[]Value{nan, nan, nan}})
	}
	return out
}

// keyOf is the key of Triton's cache of tuned configs: the arguments named by key, and the dtypes of all tensors.
func (t *autotuner) keyOf(m *machine, args *Dict) Tuple {
	var key Tuple
	for _, name := range t.key {
		if v, ok := args.get(python.Str(name)); ok {
			key = append(key, v)
		}
	}
	args.each(func(_, v Value) {
		if x, ok := v.(Tensor); ok {
			key = append(key, python.Str(m.strOf(DType(x.DType()))))
		}
	})
	return key
}

// bench is how long a call takes with a config: the median and the 20th and 80th percentiles in milliseconds, infinity
// where the config takes more than there is.
func (t *autotuner) bench(m *machine, c launchCall, config *Instance) (took Value) {
	verbose, span := m.printsTuning(), m.at
	if verbose {
		printTo(m, nil, fmt.Sprintf("Autotuning kernel %s with config %s\n", t.inner().Name, configText(m, config)))
	}
	call := t.with(m, c, config)
	call.tuning = true
	e := m.exceptionOf(func() {
		took = t.benchmark(m, func(then func(made []Launch)) { t.timedCall(m, call, config, span, then) })
	})
	m.at = span
	switch {
	case e == nil:
		return took
	case !e.tooMuch():
		panic(e)
	}
	if verbose {
		printTo(m, nil, "Autotuning failed with "+m.messageOf(e.exception)+"\n")
	}
	inf := python.Float(math.Inf(1))
	return &List{[]Value{inf, inf, inf}}
}

// benchmark times a call with the benchmarker of the script, or the device's. Where the device is the interpreter, one
// call is measured by the work that it does, which is the same on every run. call does then before its tensors are
// restored.
func (t *autotuner) benchmark(m *machine, call func(then func(made []Launch))) Value {
	quantiles := &List{[]Value{python.Float(0.5), python.Float(0.2), python.Float(0.8)}}
	if t.doBench != none {
		kernelCall := &Builtin{Name: "kernel_call", call: func(*machine, arguments) Value {
			call(func([]Launch) {})
			return none
		}}

		return m.callValue(t.doBench, arguments{[]Value{kernelCall}, []keyword{{"quantiles", quantiles}}})
	}
	worked, began := m.clock.work, m.clock.now()
	var samples []float64
	ok := false
	call(func(made []Launch) { samples, ok = deviceSamples(m, made, t.warmup, t.measure) })
	if !ok {
		samples = []float64{float64(m.clock.work-worked) / 1e6}
		if worked == m.clock.work { // the device does not count work
			again := func() { call(func([]Launch) {}) }
			samples = sampleTimes(m, again, m.clock.now()-began, t.warmup, t.measure)
		}
	}
	return &List{floatValues(quantilesOf(samples, []float64{0.5, 0.2, 0.8}))}
}

// printsTuning reports whether autotune prints what it does.
func (m *machine) printsTuning() bool {
	return m.knobValue("autotuning", "print", "TRITON_PRINT_AUTOTUNING")
}

// timedCall is one call as it is timed: hooks, the launch, then what is done with the launches made, hooks.
func (t *autotuner) timedCall(m *machine, c launchCall, config *Instance, span source.Span, then func([]Launch)) {
	args := t.inner().named(c.all())
	if hook := config.attrs.at("pre_hook"); hook != none {
		m.callValue(hook, arguments{positional: []Value{args}})
	}
	after := t.before(m, args, false)
	m.at = span
	e := m.exceptionOf(func() { then(recordLaunches(m, func() { t.launchable.run(m, c) })) })
	if e != nil && e.exception != nil {
		after(e.exception)
	} else if e == nil {
		after(none)
	}
	if e != nil {
		panic(e)
	}
}

// before runs pre_hook, or zeroes and saves the tensors that are named for that. It returns what is to be done after
// the launch.
func (t *autotuner) before(m *machine, args *Dict, resetOnly bool) (after func(exception Value)) {
	named := func(names []string, do func(x Tensor)) {
		for _, name := range names {
			v, _ := args.get(python.Str(name))
			if x, ok := v.(Tensor); ok {
				do(x)
			}
		}
	}
	var saved [][2]Value
	switch {
	case t.hooks.pre != none && resetOnly:
		m.callValue(t.hooks.pre, arguments{[]Value{args}, []keyword{{"reset_only", python.Bool(true)}}})
	case t.hooks.pre != none:
		m.callValue(t.hooks.pre, arguments{positional: []Value{args}})
	default:
		named(t.reset, func(x Tensor) { m.tensorMethod(x, "zero_") })
		if !resetOnly {
			named(t.restore, func(x Tensor) { saved = append(saved, [2]Value{x, m.tensorMethod(x, "clone")}) })
		}
	}
	return func(exception Value) {
		if t.hooks.post != none {
			m.callValue(t.hooks.post, arguments{[]Value{args}, []keyword{{"exception", exception}}})
			return
		}
		for _, pair := range saved {
			m.tensorMethod(pair[0].(Tensor), "copy_", pair[1])
		}
	}
}

// tooMuch reports whether Triton's autotuner passes over a config that fails like this: it needs more than the GPU has,
// or a static assertion of the kernel refuses it.
func (r *raised) tooMuch() bool {
	return r.exception != nil && slices.ContainsFunc([]string{"OutOfResources", "CompileTimeAssertionFailure"},
		r.exception.class.isA)
}

// pruned are the configs to time: those that early_config_prune leaves, and of these the top_k of perf_model.
func (t *autotuner) pruned(m *machine, c launchCall) []*Instance {
	configs := t.configs
	positional := t.inner().named(arguments{positional: c.positional})
	keywords := c.all().keywords
	if t.prune.early != none {
		all := &List{}
		for _, c := range configs {
			all.Items = append(all.Items, c)
		}
		configs = configsIn(m.itemsOf(m.callValue(t.prune.early, arguments{[]Value{all, positional}, keywords})))
		if len(configs) == 0 {
			raise("AutotunerError",
				"No valid autotuner configs after pruning. `early_config_prune` should return at least one config.")
		}
	}
	if t.prune.model == none {
		return configs
	}
	top := topOf(t.prune.top, len(configs))
	if len(configs) <= top {
		return configs
	}
	var byName []keyword
	positional.each(func(k, v Value) { byName = append(byName, keyword{m.strOf(k), v}) })
	estimate := &Builtin{Name: "estimate", call: func(m *machine, a arguments) Value {
		call := t.with(m, launchCall{arguments: arguments{nil, slices.Concat(byName, keywords)}},
			a.positional[0].(*Instance))
		return m.callValue(t.prune.model, call.arguments)
	}}

	ranked := make([]Value, len(configs))
	for i, c := range configs {
		ranked[i] = c
	}
	return configsIn(sortedItems(m, ranked, estimate, false)[:max(top, 0)])
}

// topOf is top_k as a number of configs: an int is that, a float up to 1 a part of n.
func topOf(v Value, n int) int {
	switch v := v.(type) {
	case python.Float:
		if v <= 1 {
			return max(1, int(float64(n)*float64(v)))
		}
	case python.Int:
		return int(min(asIndex(v), int64(n)))
	}
	raise("TypeError", "Error while pruning configs, top_k must be either 1) a float <= 1.0 or 2) an int")
	return 0
}

// attr is an attribute of the tuner, as Triton's Autotuner has it.
func (t *autotuner) attr(m *machine, name string) (Value, bool) {
	switch name {
	case "fn":
		return t.launchable, true
	case "best_config":
		if t.best == nil {
			return nil, false
		}
		return t.best, true
	case "cache":
		return t.chosen, true
	case "configs":
		out := &List{}
		for _, c := range t.configs {
			out.Items = append(out.Items, c)
		}
		return out, true
	case "keys":
		return textList(t.key), true
	case "configs_timings":
		return t.timings, t.timings != nil
	case "bench_time":
		return python.Float(t.took.Seconds()), true
	case "base_fn":
		return t.inner().plain, true
	}
	return t.inner().common(name)
}

func (h *heuristics) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "fn":
		return h.launchable, true
	case "values":
		return h.values, true
	}
	return h.inner().common(name)
}

func advice(d *diag.Diagnostic) *diag.Diagnostic {
	d.Severity = diag.Hint
	return d
}

// environFlag reports whether a variable of os.environ is on, as Triton's knobs read it.
func (m *machine) environFlag(name string) bool {
	return slices.Contains([]string{"1", "true", "on", "yes", "y"}, strings.ToLower(m.environ(name)))
}

// environ is a variable of os.environ; empty where it is not set.
func (m *machine) environ(name string) string {
	l, ok := m.modules.loaded["os"]
	if !ok {
		return m.options.Environ[name]
	}
	d, ok := l.members["environ"].(*Dict)
	if !ok {
		return ""
	}
	v, _ := d.get(python.Str(name))
	if v == nil {
		return ""
	}
	return m.strOf(v)
}

func textList(list []string) *List {
	out := &List{}
	for _, s := range list {
		out.Items = append(out.Items, python.Str(s))
	}
	return out
}
