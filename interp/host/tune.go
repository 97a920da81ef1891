package host

import (
	"slices"
	"strings"

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
	d, ok := a.parameter(0, "values", nil).(*Dict)
	if !ok {
		raise("TypeError", "heuristics() missing 1 required positional argument: 'values'")
	}
	return decorator(func(k launchable) Value { return &heuristics{k, d} })
}

func (h *heuristics) launch(m *machine, grid Value, a arguments) {
	span := m.at
	h.values.each(func(name, f Value) {
		known := h.inner().named(a)
		a.set(m.str(name), m.call(f, arguments{positional: []Value{known}}))
		m.at = span
	})
	h.launchable.launch(m, grid, a)
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

// set gives a keyword a value.
func (a *arguments) set(name string, v Value) {
	a.take(name)
	a.keywords = append(slices.Clone(a.keywords), keyword{name, v})
}

// parameter is an argument of a Go function with Python's parameters.
func (a arguments) parameter(i int, name string, otherwise Value) Value {
	if i < len(a.positional) {
		return a.positional[i]
	}
	if v, ok := a.take(name); ok {
		return v
	}
	return otherwise
}

// decorator is a function that wraps a kernel.
func decorator(wrap func(launchable) Value) Value {
	return &Builtin{"decorator", func(m *machine, a arguments) Value {
		a.want("decorator", 1, 1)
		k, ok := a.positional[0].(launchable)
		if !ok {
			lack("TypeError", "autotune or heuristics of a "+a.positional[0].Type(), nil)
		}
		return wrap(k)
	}}
}

// configParams are the parameters of triton.Config with their defaults.
var configParams = []keyword{
	{"kwargs", nil}, {"num_warps", intValue(4)}, {"num_stages", intValue(3)}, {"num_ctas", intValue(1)},
	{"maxnreg", none},
	{"pre_hook", none}, {"ir_override", none},
}

// configClass is triton.Config: values for some of a kernel's parameters, and options of its launch.
var configClass = &Class{Name: "Config", attrs: namesOf(map[string]Value{
	"__init__": &Builtin{"__init__", func(m *machine, a arguments) Value {
		self := a.positional[0].(*Instance)
		a.positional = a.positional[1:]
		for i, p := range configParams {
			v := a.parameter(i, p.name, p.value)
			if v == nil {
				raise("TypeError", "Config.__init__() missing 1 required positional argument: 'kwargs'")
			}
			self.attrs.put(p.name, v)
		}
		for _, k := range a.keywords {
			if !slices.ContainsFunc(configParams, func(p keyword) bool { return p.name == k.name }) {
				raise("TypeError", "Config.__init__() got an unexpected keyword argument '%s'", k.name)
			}
		}
		return none
	}},
	"all_kwargs": &Builtin{"all_kwargs", func(m *machine, a arguments) Value {
		return configured(a.positional[0].(*Instance))
	}},
	"__str__": &Builtin{"__str__", func(m *machine, a arguments) Value {
		return python.Str(m.configText(a.positional[0].(*Instance)))
	}},
})}

// configured are the keywords that a config adds to a launch.
func configured(c *Instance) *Dict {
	d := newDict()
	if given, ok := c.attrs.at("kwargs").(*Dict); ok {
		given.each(d.set)
	}
	for _, p := range configParams[1:] {
		if v := c.attrs.at(p.name); v != none && p.name != "pre_hook" {
			d.set(python.Str(p.name), v)
		}
	}
	return d
}

// configText is str(config): BLOCK: 32, num_warps: 4, num_ctas: 1, num_stages: 3, maxnreg: None.
func (m *machine) configText(c *Instance) string {
	var parts []string
	if given, ok := c.attrs.at("kwargs").(*Dict); ok {
		given.each(func(k, v Value) { parts = append(parts, m.str(k)+": "+m.str(v)) })
	}
	for _, name := range []string{"num_warps", "num_ctas", "num_stages", "maxnreg"} {
		parts = append(parts, name+": "+m.str(c.attrs.at(name)))
	}
	return strings.Join(parts, ", ")
}

// autotuner is a kernel under triton.autotune. Triton times every config and keeps the fastest for
// each key; here nothing is timed, and the first that compiles is taken.
type autotuner struct {
	launchable
	configs []*Instance
	key     []string
	reset   []string // tensors that are zeroed where Triton would have timed
	prune   Value    // early_config_prune, or nil
	preHook Value
	span    source.Span // the decorator
	chosen  *Dict       // by the values of the key
	best    *Instance
}

// Type is the name of Triton's class.
func (*autotuner) Type() string { return "Autotuner" }

// autotuneParams are the parameters of triton.autotune in order.
var autotuneParams = []string{"configs", "key", "prune_configs_by", "reset_to_zero", "restore_value", "pre_hook",
	"post_hook", "warmup", "rep",
	"use_cuda_graph", "do_bench", "cache_results"}

func autotune(m *machine, a arguments) Value {
	given := map[string]Value{}
	for i, name := range autotuneParams {
		given[name] = a.parameter(i, name, none)
	}
	for _, k := range a.keywords {
		if !slices.Contains(autotuneParams, k.name) {
			raise("TypeError", "autotune() got an unexpected keyword argument '%s'", k.name)
		}
	}
	t := autotuner{span: m.at, preHook: given["pre_hook"], key: m.textsOf(given["key"]),
		reset: m.textsOf(given["reset_to_zero"])}
	if given["configs"] != none {
		for _, v := range m.itemsOf(given["configs"]) {
			c, ok := v.(*Instance)
			if !ok || c.class != configClass {
				raise("AttributeError", "'%s' object has no attribute 'kwargs'", v.Type())
			}
			t.configs = append(t.configs, c)
		}
	}
	if len(t.configs) == 0 { // as in Triton
		c := m.construct(configClass, arguments{positional: []Value{newDict()}})
		t.configs = []*Instance{c.(*Instance)}
	}
	if by, ok := given["prune_configs_by"].(*Dict); ok {
		t.prune, _ = by.get(python.Str("early_config_prune"))
		if _, ranked := by.get(python.Str("perf_model")); ranked {
			lack("TypeError", "triton.autotune with a perf_model", nil)
		}
	}
	return decorator(func(k launchable) Value {
		t := t
		t.launchable, t.chosen = k, newDict()
		return &t
	})
}

func (m *machine) textsOf(v Value) []string {
	if v == none {
		return nil
	}
	var out []string
	for _, x := range m.itemsOf(v) {
		out = append(out, m.str(x))
	}
	return out
}

func (t *autotuner) launch(m *machine, grid Value, a arguments) {
	span := m.at
	args := t.inner().named(a)
	key := t.keyOf(args)
	if c, ok := t.chosen.get(key); ok {
		t.launchWith(m, c.(*Instance), grid, a)
		return
	}
	configs := t.pruned(m, args, a)
	for i, c := range configs {
		if len(configs) > 1 { // with a single config, Triton does not time and so prepares nothing
			t.prepare(m, args)
		}
		e := m.exceptionOf(func() { t.launchWith(m, c, grid, a) })
		if e == nil {
			t.chosen.set(key, c)
			if len(configs) > 1 && t.best == nil { // said once a kernel
				m.said.Add(advice(diag.New("autotune-untimed", t.span, len(configs), t.inner().Name, m.configText(c))))
			}
			t.best = c
			return
		}
		if i == len(configs)-1 || !e.refused() {
			panic(e)
		}
		m.at = span
	}
}

func advice(d *diag.Diagnostic) *diag.Diagnostic {
	d.Severity = diag.Hint
	return d
}

// refused reports whether Triton's autotuner, too, would pass over a config that fails like this:
// a static assertion, or too many resources.
func (r *raised) refused() bool {
	return r.exception != nil && slices.ContainsFunc(r.exception.own, func(d *diag.Diagnostic) bool {
		return slices.Contains([]string{"static-assert", "shared-memory", "too-many-threads"}, d.Code)
	})
}

// keyOf is the key of Triton's cache of tuned configs: the arguments named by key, and the dtypes of all tensors.
func (t *autotuner) keyOf(args *Dict) Tuple {
	var key Tuple
	for _, name := range t.key {
		if v, ok := args.get(python.Str(name)); ok {
			key = append(key, v)
		}
	}
	args.each(func(_, v Value) {
		if x, ok := v.(Tensor); ok {
			key = append(key, DType(x.DType()))
		}
	})
	return key
}

// pruned are the configs that early_config_prune leaves.
func (t *autotuner) pruned(m *machine, args *Dict, a arguments) []*Instance {
	if t.prune == nil {
		return t.configs
	}
	all := &List{}
	for _, c := range t.configs {
		all.Items = append(all.Items, c)
	}
	positional := t.inner().named(arguments{positional: a.positional})
	var left []*Instance
	for _, v := range m.itemsOf(m.call(t.prune, arguments{[]Value{all, positional}, a.keywords})) {
		if c, ok := v.(*Instance); ok {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		raise("RuntimeError",
			"No valid autotuner configs after pruning. `early_config_prune` should return at least one config.")
	}
	return left
}

// prepare does what Triton's autotuner does to tensors between timing and the launch that counts.
func (t *autotuner) prepare(m *machine, args *Dict) {
	if t.preHook != none {
		m.call(t.preHook, arguments{[]Value{args}, []keyword{{"reset_only", python.Bool(true)}}})
		return
	}
	for _, name := range t.reset {
		v, _ := args.get(python.Str(name))
		if x, ok := v.(Tensor); ok {
			m.method(x, "zero_")
		}
	}
}

// launchWith launches with a config's values for the parameters that are tuned.
func (t *autotuner) launchWith(m *machine, c *Instance, grid Value, a arguments) {
	span := m.at
	var twice []string
	if given, ok := c.attrs.at("kwargs").(*Dict); ok {
		given.each(func(k, _ Value) {
			if slices.ContainsFunc(a.keywords, func(w keyword) bool { return w.name == m.str(k) }) {
				twice = append(twice, m.str(k))
			}
		})
	}
	if len(twice) > 0 {
		raise("ValueError", "Conflicting meta-parameters: %s. Make sure that you don't re-define auto-tuned symbols.",
			strings.Join(twice, ", "))
	}
	a.keywords = slices.Clone(a.keywords)
	configured(c).each(func(k, v Value) { a.keywords = append(a.keywords, keyword{m.str(k), v}) })
	if hook := c.attrs.at("pre_hook"); hook != none {
		m.call(hook, arguments{positional: []Value{t.inner().named(a)}})
	}
	m.at = span
	t.launchable.launch(m, grid, a)
}
