package host

import (
	"time"

	"github.com/newtlab/newt/compiler/python"
)

// profiledEvent is something that torch.profiler records: an operation of torch, which newt computes in this process,
// or a launch, which runs on the device.
type profiledEvent struct {
	name        string
	onDevice    bool
	began, took time.Duration // by the session's clock
}

// maxProfiled bounds the events of one profile; of more, the first are recorded.
const maxProfiled = 1 << 17

// profile records the events of a session while a profiler runs; nil records none.
type profile struct{ events []profiledEvent }

func (p *profile) add(e profiledEvent) {
	if p != nil && len(p.events) < maxProfiled {
		p.events = append(p.events, e)
	}
}

// profilerFunctions are those that prelude/torch.profiler.py records with.
func profilerFunctions() map[string]method {
	return map[string]method{
		"_start": func(m *machine, _ arguments) Value {
			m.clock.profile = &profile{}
			return none
		},
		// _stop gives the events since _start as tuples: a name, whether it ran on the device, when it began and how
		// long it took, in microseconds.
		"_stop": func(m *machine, _ arguments) Value {
			list := &List{}
			if p := m.clock.profile; p != nil {
				for _, e := range p.events {
					list.Items = append(list.Items, Tuple{python.Str(e.name), python.Bool(e.onDevice),
						microseconds(e.began), microseconds(e.took)})
				}
			}
			m.clock.profile = nil
			return list
		},
		"_now": func(m *machine, _ arguments) Value { return microseconds(m.clock.now()) },
	}
}

func microseconds(d time.Duration) Value { return python.Float(float64(d) / float64(time.Microsecond)) }
