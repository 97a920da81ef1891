package codec

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// Runner is a connection to a runner, of which a Device is made.
type Runner interface {
	// Run runs a job to its end. The answer is never nil; the error is nil where the kernel ran to its end, and a Fault
	// otherwise. event hears of what happens, one call at a time; it may be nil.
	Run(ctx context.Context, j *Job, event func(*protocol.ServerMessage)) (*Answer, error)
	// Session names the session of the connection: another one has none of its buffers.
	Session() string
	Limits() protocol.Limits
	NewBuffer() int64 // a number that no buffer of the session has
	Kept(number int64)
	Free(number int64)
}

// Answer is what a job gave.
type Answer struct {
	Outcome
	Results [][]byte // one for each tensor of the job, nil for those that are not sent back; nil if there was no answer
}

// Device is a device of a runner, on which memory stays between launches. It is a device.Device.
type Device struct {
	runner Runner
	of     protocol.Device
	lock   sync.Mutex
	used   int // bytes of memory
}

// NewDevice is a device of a runner. It has nothing of its own to close.
func NewDevice(r Runner, of protocol.Device) *Device { return &Device{runner: r, of: of} }

// Capabilities implements device.Device.
func (d *Device) Capabilities() device.Capabilities {
	c := device.Capabilities{
		Name: d.of.Name, MemoryBytes: d.of.MemoryBytes, Deterministic: d.of.Deterministic, Poisons: d.of.Poisons,
		FindsRaces: d.of.FindsRaces, Times: d.of.Times, Arch: d.of.Arch, Driver: d.of.Driver,
		Processors: d.of.Processors, BytesPerSecond: d.of.BytesPerSecond, FLOPs: d.of.FLOPs,
	}
	for _, name := range d.of.DTypes {
		if dtype, ok := num.Parse(name); ok {
			c.DTypes = append(c.DTypes, dtype)
		}
	}
	return c
}

// Close implements device.Device.
func (d *Device) Close() error { return nil }

// Alloc implements device.Device.
func (d *Device) Alloc(bytes int) (device.Memory, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if limit := d.of.MemoryBytes; bytes < 0 || limit > 0 && bytes > limit-d.used {
		return nil, Failed("out-of-memory", bytes, limit, d.used)
	}
	d.used += bytes
	return &memory{owner: d, use: device.NewGuard(), number: d.runner.NewBuffer(), bytes: bytes}, nil
}

// Load implements device.Device.
func (d *Device) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{dev: d, code: Load(fn, o)}, nil
}

// kernel is a function that travels with each launch.
type kernel struct {
	dev      *Device
	code     *Function
	compiled atomic.Pointer[device.Compiled]
}

func (k *kernel) Compiled() *device.Compiled { return k.compiled.Load() }

func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	report, _, err := k.run(ctx, l, nil)
	return report, err
}

// Time has the runner launch once and then measure.
func (k *kernel) Time(ctx context.Context, l device.Launch, r device.TimingRequest) (*device.Timings, error) {
	request := protocol.TimingRequest{WarmupMS: int(r.Warmup.Milliseconds()), MeasureMS: int(r.Measure.Milliseconds())}
	_, timings, err := k.run(ctx, l, &request)
	if err == nil && timings == nil {
		err = Failed("protocol-error", "it was asked for timings and sent none")
	}
	return timings, err
}

func (k *kernel) run(ctx context.Context, l device.Launch, timing *protocol.TimingRequest) (*device.Report,
	*device.Timings, error) {
	if ctx.Err() != nil {
		return &device.Report{}, nil, Failed("launch-cancelled", 0, 0)
	}
	// One launch after another has a piece of memory: each begins with what the one before has left on the runner.
	defer device.HoldAlone(l.Args, k.guard)()
	r := k.dev.runner
	j := k.code.Job(l, k.contents)
	j.Submit.Device, j.Submit.Timing = k.dev.of.ID, timing
	for i, m := range j.Memories {
		t := &j.Submit.Tensors[i]
		t.Return = t.Return && (t.Buffer == 0 || t.Bytes <= returnedBytes)
		if t.Held && m.(*memory).session != r.Session() {
			return &device.Report{}, nil, Failed("runner-buffer-unknown")
		}
	}
	var event func(*protocol.ServerMessage)
	if l.Progress != nil {
		event = func(m *protocol.ServerMessage) {
			if m.Progress != nil {
				l.Progress(m.Progress.Done, m.Progress.Total)
			}
		}
	}
	if deadline, ok := ctx.Deadline(); ok {
		most := int64(r.Limits().MaxJobMS)
		j.Submit.DeadlineMS = int(max(1, min(most, time.Until(deadline).Milliseconds())))
	}
	out, err := r.Run(ctx, j, event)
	if out.Compiled != nil {
		k.compiled.Store(out.Compiled)
	}
	for i, m := range j.Memories {
		m.(*memory).ranIn(&j.Submit.Tensors[i], j.Written[i], out, i, err)
	}
	return out.Report(), out.Timings, err
}

// own is m where it is the same runner's, else nil.
func (k *kernel) own(m device.Memory) *memory {
	if m, ok := m.(*memory); ok && m.owner.runner == k.dev.runner {
		return m
	}
	return nil
}

func (k *kernel) guard(m device.Memory) *device.Guard {
	if m := k.own(m); m != nil {
		return m.use
	}
	return nil
}

func (k *kernel) contents(m device.Memory) (t protocol.Tensor, data []byte, ok bool) {
	own := k.own(m)
	if own == nil {
		return t, nil, false
	}
	t, data = own.contents()
	return t, data, true
}
