package host

import (
	"cmp"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
)

// Ranking is the order of a kernel's configs by what a model expects of them, before any is timed.
type Ranking struct {
	Kernel  string
	Key     string         // repr of the tuner's key
	Configs []RankedConfig // the one that is expected to take least first
}

// RankedConfig is a config in a Ranking.
type RankedConfig struct {
	Label    string
	Expected Estimate
	Kept     bool    // it is timed, or used without that
	Measured float64 // milliseconds; infinity where it cannot run, 0 where it was not timed
}

// Measure takes a measurement, where it is of one of the configs that are timed.
func (r *Ranking) Measure(x *Measurement) (taken bool) {
	at := slices.IndexFunc(r.Configs, func(c RankedConfig) bool { return c.Kept && c.Label == x.Label })
	if x.Name != r.Kernel || x.Best == "" || at < 0 {
		return false
	}
	r.Configs[at].Measured = x.Value
	return true
}

// Correlation is Spearman's rank correlation of expected and measured times, of the configs that have both: how well
// the model has ordered them. It is NaN for fewer than three, and where all times of one kind are equal.
func (r *Ranking) Correlation() float64 {
	var expected, measured []float64
	for _, c := range r.Configs {
		if c.Measured > 0 && !math.IsInf(c.Measured, 0) && !math.IsInf(c.Expected.MS, 0) {
			expected, measured = append(expected, c.Expected.MS), append(measured, c.Measured)
		}
	}
	if len(expected) < 3 {
		return math.NaN()
	}
	return spearman(expected, measured)
}

// spearman is Spearman's rank correlation: Pearson's, of ranks. It is NaN where all values of one are equal.
func spearman(a, b []float64) float64 {
	a, b = ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var ab, aa, bb float64
	for i := range a {
		x, y := a[i]-mean, b[i]-mean
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// ranks are those of values from 0; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		less, same := 0, 0
		for _, w := range values {
			if w < v {
				less++
			} else if w == v {
				same++
			}
		}
		out[i] = float64(less) + float64(same-1)/2
	}
	return out
}

// configSet are configs of a kernel under triton.autotune for one key.
type configSet struct {
	kernel   string
	key      Value
	configs  []Value
	estimate Value // makes the launch with a config by calling the second argument, after the config's hook
	modelled bool  // the script has a model of its own
}

// promising gives the configs to time where Options.Tune says how many: those that a model expects to take least.
// Without a model, or where it knows nothing of one of them, it is all configs. Where there is no GPU to time any, it
// is the first that the model puts: for each key where an order is asked for, otherwise for the kernel's first key.
// Without a model it is the first config that compiles. What the interpreter takes says nothing about a GPU. A script
// that has its own benchmarker or post_hook, or prints what autotune does, is watching: it sees all of them timed.
func promising(m *machine, a arguments) Value {
	tuner, device := a.positional[0], deviceInfo(m)
	s := configSet{m.strOf(a.positional[1]), a.positional[2], m.itemsOf(a.positional[3]), a.positional[4],
		m.attrOf(tuner, "perf_model") != none}
	m.clock.compiled = nil
	if len(s.configs) < 2 || m.truthOf(a.positional[5]) || device.Compiles || device.Apart {
		return &List{s.inOrder(m, m.options.Tune)}
	}
	ordered := m.options.Tune > 0
	for _, config := range m.itemsOf(m.attrOf(tuner, "_ranked")) {
		if !ordered && slices.Contains(s.configs, config) {
			return &List{[]Value{config}}
		}
	}
	ranked := s.inOrder(m, 1)
	if !ordered || len(ranked) > 1 {
		at := placeOf(m.attrOf(tuner, "_place"))
		m.said.AddNew(advice(diag.New("autotune-interpreted", at, m.lengthOf(m.attrOf(tuner, "configs")), s.kernel)))
	}
	if m.options.CompileConfigs {
		s.compileAll(m, tunedBy(m, tuner))
	}
	if len(ranked) > 1 { // no model
		ranked = ranked[max(0, slices.IndexFunc(ranked, func(config Value) bool { return s.compiles(m, config) })):]
	}
	m.setAttr(tuner, "_ranked", &List{ranked})
	return &List{ranked[:1]}
}

// compiles reports whether a launch with a config is not refused for what the config asks of the GPU.
func (s configSet) compiles(m *machine, config Value) bool {
	estimator, ok := m.options.Launcher.(Estimator)
	if !ok {
		return true
	}
	e, _ := s.expected(m, estimator, config)
	return !math.IsInf(e.MS, 1)
}

// compileAll compiles each config, and raises what Triton's autotuner would not pass over.
func (s configSet) compileAll(m *machine, tuned *Tuned) {
	for _, config := range s.configs {
		failed := m.exceptionOf(func() {
			m.callWith(s.estimate, config, launchingBy(launchMode{tuning: true, only: func(l Launch) {
				l.Tuned = tuned
				if _, failed := m.options.Launcher.Compile(l); failed != nil {
					m.raiseFailure(failed, l.Span)
				}
			}}))
		})
		if failed != nil && !failed.tooMuch() {
			panic(failed)
		}
	}
}

// inOrder are the first top of the configs in the order of a model; all of them where it has none.
func (s configSet) inOrder(m *machine, top int) []Value {
	estimator, ok := m.options.Launcher.(Estimator)
	if top == 0 || !ok || s.modelled || len(s.configs) < 2 {
		return s.configs
	}
	if !deviceInfo(m).Compiles {
		top = 1
	}
	n := len(s.configs)
	expected := make(map[Value]Estimate, n)
	tell := func(done int) {
		if m.options.Ranking != nil {
			m.options.Ranking(done, n)
		}
	}
	defer tell(n)
	for i, config := range s.configs {
		tell(i)
		if expected[config], ok = s.expected(m, estimator, config); !ok {
			return s.configs
		}
	}
	order := slices.Clone(s.configs)
	slices.SortStableFunc(order, func(a, b Value) int { return cmp.Compare(expected[a].MS, expected[b].MS) })
	ranking := Ranking{Kernel: s.kernel, Key: m.reprOf(s.key)}
	top = min(top, n)
	for i, config := range order {
		ranking.Configs = append(ranking.Configs, RankedConfig{
			Label: m.strOf(config), Expected: expected[config], Kept: i < top})
	}
	if m.options.Ranked != nil {
		m.options.Ranked(ranking)
	}
	return order[:top]
}

// expected is what a model expects of a launch with a config: infinity where the config needs more than the GPU has.
// Not ok where there is no model, or the launch fails otherwise: timing it will say why.
func (s configSet) expected(m *machine, by Estimator, config Value) (total Estimate, ok bool) {
	span, known := m.at, true
	failed := m.exceptionOf(func() {
		m.callWith(s.estimate, config, launchingBy(launchMode{tuning: true, only: func(l Launch) {
			e, ok, failed := by.Estimate(l)
			if failed != nil {
				m.raiseFailure(failed, l.Span)
			}
			total, known = e, ok
		}}))
	})
	m.at = span
	switch {
	case failed == nil:
		return total, known
	case failed.tooMuch():
		return Estimate{MS: math.Inf(1)}, true
	}
	return Estimate{}, false
}

// tooMuch reports whether Triton's autotuner passes over a config that fails like this: it needs more than the GPU has,
// or a static assertion of the kernel refuses it.
func (r *raised) tooMuch() bool {
	return r.exception != nil && slices.ContainsFunc([]string{"OutOfResources", "CompileTimeAssertionFailure"},
		r.exception.class.isA)
}
