package host

import (
	"cmp"
	"math"
	"slices"
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
	Kept     bool // it is timed, or used without that
}

// promising are the configs to time where Options.Tune says how many: those that a model expects to take least, or
// the first of them alone where there is no GPU to time it. Without a model, or where it knows nothing of one of them,
// it is all configs.
func (t *autotuner) promising(m *machine, c launchCall, key Tuple, configs []*Instance) []*Instance {
	estimator, ok := m.options.Launcher.(Estimator)
	top := m.options.Tune
	if top == 0 || !ok || t.prune.model != none || len(configs) < 2 {
		return configs
	}
	if !deviceInfo(m).Compiles {
		top = 1
	}
	expected := make(map[*Instance]Estimate, len(configs))
	for _, config := range configs {
		if expected[config], ok = t.expected(m, estimator, c, config); !ok {
			return configs
		}
	}
	order := slices.Clone(configs)
	slices.SortStableFunc(order, func(a, b *Instance) int { return cmp.Compare(expected[a].MS, expected[b].MS) })
	ranking := Ranking{Kernel: t.inner().Name, Key: m.reprOf(key)}
	top = min(top, len(order))
	for i, config := range order {
		ranking.Configs = append(ranking.Configs, RankedConfig{configText(m, config), expected[config], i < top})
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
