// Package cpu is the device that runs kernels in this process, by interpreting their IR.
package cpu

import (
	"context"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/sanitize"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// Options bound a device. Zero values mean: one worker per processor, tile's default budget, any
// amount of memory.
type Options struct {
	Workers     int
	Budget      int64
	MemoryBytes int
	// Watch chooses the operations of a function that launches tell a trace.OperationObserver of; nil chooses none.
	Watch func(*ir.Func) func(*ir.Instr) bool
}

// New makes a CPU device.
func New(o Options) device.Device { return &cpu{options: o} }

type cpu struct {
	options Options
	lock    sync.Mutex
	used    int // bytes of memory given out
}

func (c *cpu) Capabilities() device.Capabilities {
	all := make([]num.DType, num.NumDTypes)
	for d := range all {
		all[d] = num.DType(d)
	}
	return device.Capabilities{
		Name: "CPU", MemoryBytes: c.options.MemoryBytes, DTypes: all,
		Deterministic: true, Observes: true, Poisons: true, FindsRaces: true, Times: true, Suspends: true,
	}
}

func (c *cpu) Close() error { return nil }

func (c *cpu) Alloc(bytes int) (device.Memory, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	limit := c.options.MemoryBytes
	if bytes < 0 || limit > 0 && bytes > limit-c.used {
		return nil, fault("out-of-memory", bytes, limit, c.used)
	}
	c.used += bytes
	return &memory{owner: c, lock: device.NewGuard(), data: make([]byte, bytes), allocated: bytes}, nil
}

// Wrap implements device.InPlace.
func (c *cpu) Wrap(data []byte) device.Memory {
	return &memory{owner: c, lock: device.NewGuard(), data: data}
}

func fault(code string, args ...any) device.Fault { return &tile.Fault{Code: code, Args: args} }

func (c *cpu) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return c.LoadContext(context.Background(), fn, o)
}

// LoadContext implements device.ContextLoader.
func (c *cpu) LoadContext(ctx context.Context, fn *ir.Func, _ device.Options) (device.Kernel, error) {
	k, err := c.plan(ctx, fn)
	if err != nil {
		return nil, err
	}
	return &kernel{c, k}, nil
}

func (c *cpu) plan(ctx context.Context, fn *ir.Func) (*tile.Kernel, error) {
	if c.options.Watch == nil {
		return tile.PlanContext(ctx, fn)
	}
	return tile.PlanObserved(ctx, fn, c.options.Watch(fn))
}

// memory is a slice that launches hold as long as they run.
type memory struct {
	owner     *cpu
	lock      *device.Guard // several launches may run, but no copy meanwhile
	data      []byte
	allocated int // what Alloc counted for it
}

func (m *memory) Bytes() int { return len(m.data) }

func (m *memory) Write(at int, data []byte) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if at < 0 || at > len(m.data) || len(data) > len(m.data)-at {
		return fault("copy-out-of-range", at, len(data), len(m.data))
	}
	copy(m.data[at:], data)
	return nil
}

func (m *memory) Read(at int, into []byte) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if at < 0 || at > len(m.data) || len(into) > len(m.data)-at {
		return fault("copy-out-of-range", at, len(into), len(m.data))
	}
	copy(into, m.data[at:])
	return nil
}

func (m *memory) Free() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.owner.lock.Lock()
	defer m.owner.lock.Unlock()
	m.owner.used -= m.allocated
	m.data, m.allocated = nil, 0
}

type kernel struct {
	cpu  *cpu
	plan *tile.Kernel
}

func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	defer device.Hold(l.Args, guard)()
	launch, races := k.launch(l)
	var suspended stopwatch
	if l.Yield != nil {
		launch.Yield = suspended.around(l.Yield)
	}
	start := time.Now()
	ran, stop := k.plan.Run(ctx, launch)
	report := translate(ran)
	report.Elapsed = time.Since(start) - suspended.total
	if races != nil {
		report.Diagnostics = append(report.Diagnostics, races.Diagnostics()...)
	}
	if stop != nil {
		return report, stop
	}
	return report, nil
}

// launch is a launch as tile has it, and its race detector, nil where it has none.
func (k *kernel) launch(l device.Launch) (tile.Launch, *sanitize.Races) {
	launch := tile.Launch{
		Grid: l.Grid, Poison: l.Poison, ExactDot: l.ExactDot, Budget: l.Budget, Workers: k.cpu.options.Workers,
		LastFirst: l.LastFirst, From: l.From, Progress: l.Progress,
		MemoryBytes: l.MemoryBytes, Args: arguments(l.Args),
	}
	if launch.Budget == 0 {
		launch.Budget = k.cpu.options.Budget
	}
	var races *sanitize.Races
	launch.Observer, races = observers(l)
	return launch, races
}

// LaunchBytes implements device.Sizer.
func (k *kernel) LaunchBytes(l device.Launch) int64 {
	launch, races := k.launch(l)
	bytes := k.plan.LaunchBytes(launch)
	if races != nil {
		elements := 0
		for _, a := range launch.Args {
			if b, ok := a.(tile.Buffer); ok {
				elements += len(b.Data) / b.DType.Info().Bytes
			}
		}
		bytes += sanitize.RacesBytes(elements)
	}
	return bytes
}

func guard(m device.Memory) *device.Guard {
	if m, ok := m.(*memory); ok {
		return m.lock
	}
	return nil
}

// arguments gives tile's arguments. One that points into another device's memory stays nil,
// which the launch refuses.
func arguments(args []device.Arg) []tile.Arg {
	out := make([]tile.Arg, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case device.Scalar:
			out[i] = tile.Scalar{Scalar: a.Scalar}
		case device.Pointer:
			if m, ok := a.Memory.(*memory); ok {
				out[i] = tile.Buffer{Name: a.Name, DType: a.DType, Data: m.data, Offset: a.Offset,
					Undefined: a.Undefined, Address: a.Address}
			}
		}
	}
	return out
}

// observers combines what the launch asks for into one observer, nil where it asks for nothing.
func observers(l device.Launch) (trace.Observer, *sanitize.Races) {
	if !l.Races {
		return l.Observer, nil
	}
	races := &sanitize.Races{}
	if l.Observer == nil {
		return races, races
	}
	return trace.Tee{l.Observer, races}, races
}

func translate(ran *tile.Report) *device.Report {
	report := &device.Report{Programs: ran.Programs, Prints: ran.Prints, PrintsDropped: ran.PrintsDropped,
		Work: ran.Work}
	for i := range ran.Violations {
		report.Diagnostics.Add(ran.Violations[i].Diagnostic())
	}
	return report
}
