package sched

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
)

// divided is a CPU that notes who takes parts of it, and how those end.
type divided struct {
	device.Device
	lock  sync.Mutex
	parts []*cpuPart
	panic bool // of Load in its parts
}

type cpuPart struct {
	device.Device
	of     *divided
	tenant string
	end    string
}

func (d *divided) Part(tenant string) (device.Part, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	p := &cpuPart{Device: d.Device, of: d, tenant: tenant}
	d.parts = append(d.parts, p)
	return p, nil
}

func (p *cpuPart) Alloc(bytes int) (device.Memory, error) {
	if p.of.panic {
		panic("a bug")
	}
	return p.Device.Alloc(bytes)
}

func (p *cpuPart) Keep() error  { return p.endAs("kept") }
func (p *cpuPart) Close() error { return p.endAs("closed") }

func (p *cpuPart) endAs(how string) error {
	p.of.lock.Lock()
	defer p.of.lock.Unlock()
	p.end += how
	return nil
}

// divide is a scheduler with a divided device. It has stopped, and all parts have ended, when over returns.
func divide(t *testing.T) (s *Scheduler, d *divided, over func()) {
	d = &divided{Device: cpu.New(cpu.Options{Workers: 1})}
	s = New(Options{Devices: []Device{{"cpu", d}}, Limits: protocol.DefaultLimits()})
	over = sync.OnceFunc(func() {
		s.Stop(t.Context(), 0)
		s.Close(t.Context())
	})
	t.Cleanup(over)
	return s, d, over
}

// TestTenants: the jobs of a person are of one tenant, and those of one session of an unknown client are.
func TestTenants(t *testing.T) {
	s, d, over := divide(t)
	sessions := []*program{
		s.program(t, Person("ann")), s.program(t, "10.0.0.1"), s.program(t, "10.0.0.1"), s.program(t, Person("ann")),
	}
	for range 2 {
		for _, p := range sessions {
			if done := p.done(p.submit(wireOf(t, nothing), nil)); done.State != protocol.StateDone {
				t.Fatalf("a job ends in %+v", done)
			}
		}
	}
	over()
	of := func(session int) []string {
		var list []string
		for i := session; i < len(d.parts); i += len(sessions) {
			list = append(list, d.parts[i].tenant+": "+d.parts[i].end)
		}
		return list
	}
	if ann := of(0); ann[0] != ann[1] || !slices.Equal(ann, of(3)) {
		t.Errorf("the jobs of one person ran on parts of %q and %q", ann, of(3))
	}
	a, b := of(1), of(2)
	if a[0] != a[1] || b[0] != b[1] || a[0] == b[0] || slices.Contains(of(0), a[0]) {
		t.Errorf("the jobs of two sessions of one address ran on parts of %q and %q", a, b)
	}
}

// TestPartsEnd: what a part holds is kept after a job that went well, and after no other.
func TestPartsEnd(t *testing.T) {
	const outside = `func @outside(%z: *i32) {
  %two = const {value=i32(2)} : i32
  %p = addptr %z, %two : *i32
  store %p, %two
  return
}
`
	for name, c := range map[string]struct {
		kernel, state, end string
		prepare            func(*divided)
		change             func(*protocol.Submit)
		cancel             bool
	}{
		"done":      {kernel: nothing, state: protocol.StateDone, end: "kept"},
		"reported":  {kernel: outside, state: protocol.StateDone, end: "kept"},
		"fault":     {kernel: endless, state: protocol.StateFault, end: "closed", change: func(s *protocol.Submit) { s.Budget = 100 }},
		"deadline":  {kernel: endless, state: protocol.StateCancelled, end: "closed", change: func(s *protocol.Submit) { s.DeadlineMS = 50 }},
		"cancelled": {kernel: endless, state: protocol.StateCancelled, end: "closed", cancel: true},
		"bug":       {kernel: nothing, state: protocol.StateFault, end: "closed", prepare: func(d *divided) { d.panic = true }},
	} {
		t.Run(name, func(t *testing.T) {
			s, d, over := divide(t)
			if c.prepare != nil {
				c.prepare(d)
			}
			p := s.program(t, Person("ann"))
			job := p.submit(wireOf(t, c.kernel), c.change)
			if c.cancel {
				next(t, p.st, func(m protocol.ServerMessage) bool { return m.Job == job && m.Started != nil })
				p.st.Cancel(job)
			}
			if done := p.done(job); done.State != c.state {
				t.Errorf("it ends in %+v, want %s", done, c.state)
			}
			over()
			if got := fmt.Sprint(len(d.parts), d.parts[0].end); got != fmt.Sprint(1, c.end) {
				t.Errorf("its parts: %s, want 1 %s", got, c.end)
			}
		})
	}
}

// TestResidentPart: the part of a session that keeps tensors is one for all its jobs, and is closed with them.
func TestResidentPart(t *testing.T) {
	s, d, over := divide(t)
	p := s.program(t, Person("ann"))
	for range 2 {
		p.done(p.submit(wireOf(t, nothing), func(s *protocol.Submit) { s.Tensors[0].Buffer = 7 }))
	}
	p.done(p.submit(wireOf(t, nothing), nil))
	if len(d.parts) != 1 || d.parts[0].end != "" {
		t.Fatalf("%d parts, the first %q", len(d.parts), d.parts[0].end)
	}
	p.st.Free([]int64{7})
	over()
	if len(d.parts) != 1 || d.parts[0].end != "closed" {
		t.Errorf("%d parts in the end, the first %q", len(d.parts), d.parts[0].end)
	}
}
