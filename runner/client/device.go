package client

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// Device is a device of the runner by its id; the first where it is empty. Memory stays on
// the runner between launches. Closing the device leaves the client open.
func (c *Client) Device(id string) (device.Device, error) {
	devices := c.Devices()
	i := slices.IndexFunc(devices, func(d protocol.Device) bool { return id == "" || d.ID == id })
	if i < 0 {
		var ids []string
		for _, d := range devices {
			ids = append(ids, d.ID)
		}
		return nil, fault("runner-device-unknown", id, ids)
	}
	return &remote{client: c, of: devices[i]}, nil
}

// Open connects to a runner for the sake of its first device. Closing the device ends the
// connection.
func Open(ctx context.Context, address string, o Options) (device.Device, error) {
	c, err := Connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	d, err := c.Device("")
	if err != nil {
		c.Close()
		return nil, err
	}
	d.(*remote).owned = true
	return d, nil
}

// remote is a device at the other end of a connection.
type remote struct {
	client *Client
	owned  bool // the connection ends with the device
	of     protocol.Device
	lock   sync.Mutex
	used   int // bytes of memory
}

func (r *remote) Capabilities() device.Capabilities {
	c := device.Capabilities{
		Name: r.of.Name, MemoryBytes: r.of.MemoryBytes, Deterministic: r.of.Deterministic, Poisons: r.of.Poisons,
		FindsRaces: r.of.FindsRaces, Times: r.of.Times, Arch: r.of.Arch, Driver: r.of.Driver,
		Processors: r.of.Processors, BytesPerSecond: r.of.BytesPerSecond, FLOPs: r.of.FLOPs,
	}
	for _, name := range r.of.DTypes {
		if d, ok := num.Parse(name); ok {
			c.DTypes = append(c.DTypes, d)
		}
	}
	return c
}

func (r *remote) Close() error {
	if !r.owned {
		return nil
	}
	return r.client.Close()
}

func (r *remote) Alloc(bytes int) (device.Memory, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if limit := r.of.MemoryBytes; bytes < 0 || limit > 0 && bytes > limit-r.used {
		return nil, fault("out-of-memory", bytes, limit, r.used)
	}
	r.used += bytes
	number := r.client.lastBuffer.Add(1)
	return &memory{owner: r, use: device.NewGuard(), number: number, bytes: bytes}, nil
}

func (r *remote) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{dev: r, code: codec.Load(fn, o)}, nil
}

// kernel is a function that travels with each launch.
type kernel struct {
	dev      *remote
	code     *codec.Function
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
		err = fault("protocol-error", "it was asked for timings and sent none")
	}
	return timings, err
}

func (k *kernel) run(ctx context.Context, l device.Launch, timing *protocol.TimingRequest) (*device.Report,
	*device.Timings, error) {
	if ctx.Err() != nil {
		return &device.Report{}, nil, fault("launch-cancelled", 0, 0)
	}
	// One launch after another has a piece of memory: each begins with what the one before has left on the runner.
	defer device.HoldAlone(l.Args, k.guard)()
	j := k.code.Job(l, k.contents)
	j.Submit.Device, j.Submit.Timing = k.dev.of.ID, timing
	for i, m := range j.Memories {
		t := &j.Submit.Tensors[i]
		t.Return = t.Return && (t.Buffer == 0 || t.Bytes <= returnedBytes)
		if t.Held && m.(*memory).session != k.dev.client.Hello().Session {
			return &device.Report{}, nil, fault("runner-buffer-unknown")
		}
	}
	job := Job{Submit: j.Submit, IR: j.IR, Tensors: j.Tensors}
	if l.Progress != nil {
		job.Event = func(m *protocol.ServerMessage) {
			if m.Progress != nil {
				l.Progress(m.Progress.Done, m.Progress.Total)
			}
		}
	}
	if deadline, ok := ctx.Deadline(); ok {
		most := int64(k.dev.client.Hello().Limits.MaxJobMS)
		job.Submit.DeadlineMS = int(max(1, min(most, time.Until(deadline).Milliseconds())))
	}
	out, err := k.dev.client.Run(ctx, job)
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
	if m, ok := m.(*memory); ok && m.owner.client == k.dev.client {
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
