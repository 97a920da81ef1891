package host

import (
	"slices"

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

// traced is a kernel under triton_viz.trace.
type traced struct {
	launchable
	by *tracer
}

// Type is the name of triton_viz's class.
func (*traced) Type() string { return "Trace" }

func (t *traced) run(m *machine, c launchCall) Value {
	c.trace = t.by
	return t.launchable.run(m, c)
}

func (t *traced) attr(m *machine, name string) (Value, bool) {
	if name == "fn" || name == "base_fn" {
		return t.launchable, true
	}
	return m.findAttr(t.launchable, name)
}

// trace is triton_viz.trace: of a kernel, or a decorator with the clients that are to see its launches.
func (t *tracer) trace(_ *machine, a arguments) Value {
	if len(a.positional) > 0 {
		if k, ok := a.positional[0].(launchable); ok {
			return &traced{k, t}
		}
	}
	return decorator("trace", func(k launchable) Value { return &traced{k, t} })
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

// vizClients are the classes of triton_viz.clients, which choose what a trace is for; newt's views have all of it.
var vizClients = []string{"Tracer", "Sanitizer", "Profiler", "RaceDetector"}

// vizLibrary is triton_viz with the parts of it that scripts import by themselves.
func vizLibrary(m *machine) map[string]Value {
	t := &tracer{failures: newDict()}
	members := functions(map[string]method{"trace": t.trace, "launch": t.launch, "clear": t.clear})
	members["record_builder"] = simpleNamespaceOf("RecordBuilder", "<triton_viz.interpreter.RecordBuilder object>",
		keyword{"reset", members["clear"]})
	members["config"] = m.newNative(nativeClass("triton_viz.core.config", "Config", nil), nil)
	for _, name := range vizClients {
		class := nativeClass("triton_viz.clients", name, map[string]method{"__init__": ignore})
		members[name] = class
	}
	return members
}

// vizModules are triton_viz and the modules below it.
func vizModules() map[string]maker {
	part := func(names ...string) maker {
		return func(m *machine) map[string]Value {
			members, all := map[string]Value{}, m.modules.loaded["triton_viz"].members
			for _, name := range names {
				members[name] = all[name]
			}
			return members
		}
	}
	return map[string]maker{
		"triton_viz":             vizLibrary,
		"triton_viz.clients":     part(vizClients...),
		"triton_viz.core":        part("config"),
		"triton_viz.core.trace":  part("trace", "launch", "clear"),
		"triton_viz.interpreter": part("record_builder"),
		"triton_viz.wrapper":     part(slices.Concat([]string{"config"}, vizClients)...),
	}
}
