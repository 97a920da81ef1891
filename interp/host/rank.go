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

// promising are the configs to time where Options.Tune says how many: those that a model expects to take least. Without
// a model, or where it knows nothing of one of them, it is all configs. Where there is no GPU to time any, it is the
// first that the model puts: for each key where an order is asked for, otherwise for the kernel's first key. Without a
// model it is the first config that compiles. What the interpreter takes says nothing about a GPU. A script that has
// its own benchmarker or post_hook, or prints what autotune does, gets to see all of them timed.
func (t *autotuner) promising(m *machine, c launchCall, key Tuple, configs []*Instance) []*Instance {
	device, watched := deviceInfo(m), t.doBench != none || t.hooks.post != none || m.printsTuning()
	if len(configs) < 2 || watched || device.Compiles || device.Apart {
		return t.inOrder(m, c, key, configs, m.options.Tune)
	}
	ordered := m.options.Tune > 0
	for _, config := range t.ranked {
		if !ordered && slices.Contains(configs, config) {
			return []*Instance{config}
		}
	}
	t.ranked = t.inOrder(m, c, key, configs, 1)
	if !ordered || len(t.ranked) > 1 {
		m.said.AddNew(advice(diag.New("autotune-interpreted", t.span, len(t.configs), t.inner().Name)))
	}
	if len(t.ranked) > 1 { // no model
		first := slices.IndexFunc(t.ranked, func(config *Instance) bool { return t.compiles(m, c, config) })
		t.ranked = t.ranked[max(0, first):]
	}
	return t.ranked[:1]
}

// compiles reports whether a call with a config is not refused for what the config asks of the GPU.
func (t *autotuner) compiles(m *machine, c launchCall, config *Instance) bool {
	estimator, ok := m.options.Launcher.(Estimator)
	if !ok {
		return true
	}
	e, _ := t.expected(m, estimator, c, config)
	return !math.IsInf(e.MS, 1)
}

// inOrder are the first top of the configs in the order of a model; all of them where it has none.
func (t *autotuner) inOrder(m *machine, c launchCall, key Tuple, configs []*Instance, top int) []*Instance {
	estimator, ok := m.options.Launcher.(Estimator)
	if top == 0 || !ok || t.prune.model != none || len(configs) < 2 {
		return configs
	}
	if !deviceInfo(m).Compiles {
		top = 1
	}
	expected := make(map[*Instance]Estimate, len(configs))
	tell := func(done int) {
		if m.options.Ranking != nil {
			m.options.Ranking(done, len(configs))
		}
	}
	defer tell(len(configs))
	for i, config := range configs {
		tell(i)
		if expected[config], ok = t.expected(m, estimator, c, config); !ok {
			return configs
		}
	}
	order := slices.Clone(configs)
	slices.SortStableFunc(order, func(a, b *Instance) int { return cmp.Compare(expected[a].MS, expected[b].MS) })
	ranking := Ranking{Kernel: t.inner().Name, Key: m.reprOf(key)}
	top = min(top, len(order))
	for i, config := range order {
		ranking.Configs = append(ranking.Configs, RankedConfig{
			Label: configText(m, config), Expected: expected[config], Kept: i < top})
	}
	if m.options.Ranked != nil {
		m.options.Ranked(ranking)
	}
	return order[:top]
}

// expected is what a model expects of a call with a config: infinity where the config needs more than the GPU has. Not
// ok where there is no model, or the call fails otherwise: timing it will say why.
func (t *autotuner) expected(m *machine, by Estimator, c launchCall, config *Instance) (total Estimate, ok bool) {
	call, span, known := t.with(m, c, config), m.at, true
	call.tuning = true
	call.only = func(l Launch) {
		e, ok, failed := by.Estimate(l)
		if failed != nil {
			m.raiseFailure(failed, l.Span)
		}
		total, known = e, ok
	}
	failed := m.exceptionOf(func() { t.runHooked(m, call, config) })
	m.at = span
	switch {
	case failed == nil:
		return total, known
	case failed.tooMuch():
		return Estimate{MS: math.Inf(1)}, true
	}
	return Estimate{}, false
}
