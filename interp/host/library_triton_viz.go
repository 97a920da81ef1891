package host

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
)

// tracer is the state of triton_viz in a session: the launches that it has traced since it was cleared. newt keeps
// every launch of a document, so that tracing one only says that accesses out of bounds do not end the run.
type tracer struct {
	launches int
	last     string // the kernel's name
	failures *Dict  // the accesses out of bounds, by what they are
}

// add notes a launch.
func (t *tracer) add(l Launch, done Launched) {
	t.launches++
	t.last = l.Kernel.Name
	for _, d := range done.Went {
		t.failures.put(d.In(diag.English).Headline, python.Bool(true))
	}
}

func (t *tracer) clear(*machine, arguments) Value {
	t.launches, t.failures = 0, newDict()
	return none
}

// launch is triton_viz.launch: it says where newt shows launches. The result is the accesses out of bounds,
// None if there are none.
func (t *tracer) launch(m *machine, _ arguments) Value {
	if t.launches > 0 {
		m.said.AddNew(advice(diag.New("viz-launch", m.at, t.launches, t.last)))
	}
	if t.failures.live == 0 {
		return none
	}
	return t.failures
}

// vizLibrary is what prelude/triton_viz.py stands on.
func vizLibrary(*machine) map[string]Value {
	t := &tracer{failures: newDict()}
	members := functions(map[string]method{"launch": t.launch, "clear": t.clear})
	members["_tracing"] = launchingBy(launchMode{trace: t})
	return members
}
