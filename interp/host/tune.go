package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
)

// launchMode is how launches are made while something is called.
type launchMode struct {
	trace  *tracer      // of triton_viz; nil where nothing traces them
	tuning bool         // Launch.Tuning
	tuned  *Tuned       // Launch.Tuned
	only   func(Launch) // takes a launch, which is not made; nil for launches that are
}

// launchingBy is a function that calls its argument with launches in a mode.
func launchingBy(mode launchMode) *Builtin {
	return newBuiltin("", "launching(call)", func(m *machine, a arguments) Value {
		before := m.launching
		m.launching = mode
		defer func() { m.launching = before }()
		return m.callWith(a.positional[0])
	})
}

// tunerFunctions are those that prelude/triton.runtime.autotuner.py stands on.
func tunerFunctions() map[string]Value {
	members := functions(map[string]method{
		"_promising(tuner, name, key, configs, estimate, watched)": promising,
		"_benchmark(kernel_call, warmup, rep)":                     benchmark,
		"_prints": func(m *machine, _ arguments) Value {
			return python.Bool(m.knobValue("autotuning", "print", "TRITON_PRINT_AUTOTUNING"))
		},
		"_place": func(m *machine, _ arguments) Value {
			at := m.callerPlace()
			return Tuple{intValue(int(at.Start)), intValue(int(at.End))}
		},
		"_first(launch, tuner)": func(m *machine, a arguments) Value {
			mode := m.launching
			mode.tuned = tunedBy(m, a.positional[1])
			return launchingBy(mode).call(m, arguments{positional: a.positional[:1]})
		},
		measuredSignature: measured,
	})
	members["_tuning"] = launchingBy(launchMode{tuning: true})
	return members
}

// tunedBy says what a tuner does to the tensors of launches while it times them; nil where that is left to hooks.
func tunedBy(m *machine, tuner Value) *Tuned {
	hooks := []Value{m.attrOf(tuner, "user_defined_pre_hook")}
	for _, config := range m.itemsOf(m.attrOf(tuner, "configs")) {
		hooks = append(hooks, m.attrOf(config, "pre_hook"))
	}
	if slices.ContainsFunc(hooks, func(hook Value) bool { return hook != none }) {
		return nil
	}
	t := &Tuned{Decorator: placeOf(m.attrOf(tuner, "_place"))}
	for _, list := range []string{"reset_to_zero", "restore_value"} {
		for _, name := range m.itemsOf(m.attrOf(tuner, list)) {
			t.Restored = append(t.Restored, m.strOf(name))
		}
	}
	return t
}

// placeOf is a place that _place has given.
func placeOf(place Value) source.Span {
	at := place.(Tuple)
	return source.Span{Start: int32(asIndex(at[0])), End: int32(asIndex(at[1]))}
}

// benchmark gives times of a launch in milliseconds, which the device measures. Where that is the interpreter, one
// launch is measured by the work that it does, which is the same on every run.
func benchmark(m *machine, a arguments) Value {
	warmup, measure := millisecondsOf(m, a.positional[1]), millisecondsOf(m, a.positional[2])
	worked, began := m.clock.work, m.clock.now()
	var samples []float64
	ok, tuning := false, launchingBy(launchMode{tuning: true})
	m.callWith(a.positional[0], newBuiltin("", "make(launch)", func(m *machine, a arguments) Value {
		launches := recordLaunches(m, func() { tuning.call(m, a) })
		samples, ok = deviceSamples(m, launches, warmup, measure)
		return none
	}))
	if !ok {
		samples = []float64{float64(m.clock.work-worked) / 1e6}
		if worked == m.clock.work { // the device does not count work
			samples = sampleTimes(m, func() { m.callWith(a.positional[0]) }, m.clock.now()-began, warmup, measure)
		}
	}
	return &List{floatValues(samples)}
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

// knobValue reports whether a setting is on: in triton.knobs, or by its variable in os.environ.
func (m *machine) knobValue(group, name, variable string) bool {
	if l, ok := m.modules.loaded["triton.knobs"]; ok {
		if g, ok := l.members[group].(*Instance); ok && m.truthOf(given(g.own(name), none)) {
			return true
		}
	}
	return m.environFlag(variable)
}
