package host

import (
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
)

// reportFunctions are those that prelude/triton.testing.py measures and reports with.
func reportFunctions() map[string]method {
	return map[string]method{
		"_now": func(*machine, arguments) Value { return python.NewInt(time.Now().UnixNano()) },
		"_write": func(m *machine, a arguments) Value {
			m.files.writeText(pathText(m, a.positional[0]), m.strOf(a.positional[1]))
			return none
		},
		"_sweeping(name, number, total, began, left)": func(m *machine, a arguments) Value { // whether a point is to be measured
			at := SweepPoint{m.strOf(a.positional[0]), int(asIndex(a.positional[1])), int(asIndex(a.positional[2])),
				time.Duration(time.Now().UnixNano() - asIndex(a.positional[3]))}
			if ask := m.options.Sweeping; ask != nil && !ask(at) {
				m.said.Add(advice(diag.New("sweep-ended", m.callerPlace(), at.Name, int(asIndex(a.positional[4])), at.Total)))
				return python.Bool(false)
			}
			m.clock.compiled = nil
			return python.Bool(true)
		},
		"_limited(name, exception, total, left)": func(m *machine, a arguments) Value { // whether a limit of newt's ends a sweep
			e, ok := a.positional[1].(*Exception)
			if !ok || len(e.own) == 0 || e.own[0].Code != "newt-limit" {
				return python.Bool(false)
			}
			left, total := int(asIndex(a.positional[3])), int(asIndex(a.positional[2]))
			m.said.Add(advice(diag.New("sweep-limited", m.callerPlace(), m.strOf(a.positional[0]), left, total, e.own[0].Args[0])))
			return python.Bool(true)
		},
		measuredSignature:             measured,
		"_samples(call, warmup, rep)": samples,
	}
}

const measuredSignature = "_measured(name, label, number, total, value, best='')"

// measured hands a measurement to whoever follows the sweep.
func measured(m *machine, a arguments) Value {
	p := a.positional
	x := Measurement{Name: m.strOf(p[0]), Label: m.strOf(p[1]), Number: int(asIndex(p[2])), Total: int(asIndex(p[3])),
		Value: firstFloat(m, p[4]), Best: m.strOf(p[5])}
	if m.clock.compiled != nil {
		x.Code, _ = m.clock.compiled.Code()
	}
	m.clock.compiled = nil
	if m.options.Measured != nil {
		m.options.Measured(x)
	}
	return none
}
