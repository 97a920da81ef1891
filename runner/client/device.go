package client

import (
	"bytes"
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

// Device is a device of the runner by its id; the first where it is empty. Memory stays here and
// travels with each launch. Closing the device leaves the client open.
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
	used   int
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
	return &memory{owner: r, use: device.NewGuard(), data: make([]byte, bytes)}, nil
}

func (r *remote) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{dev: r, code: codec.Load(fn, o)}, nil
}

// memory is kept here. Launches hold it shared; what they change is merged one after another.
type memory struct {
	owner *remote
	use   *device.Guard // several launches may be under way, but no copy meanwhile
	merge sync.Mutex
	data  []byte
}

func (m *memory) Bytes() int { return len(m.data) }

func (m *memory) Write(at int, data []byte) error {
	return m.copyRange(at, len(data), func() { copy(m.data[at:], data) })
}

func (m *memory) Read(at int, into []byte) error {
	return m.copyRange(at, len(into), func() { copy(into, m.data[at:]) })
}

func (m *memory) copyRange(at, n int, do func()) error {
	m.use.Lock()
	defer m.use.Unlock()
	if at < 0 || at > len(m.data) || n > len(m.data)-at {
		return fault("copy-out-of-range", at, n, len(m.data))
	}
	do()
	return nil
}

func (m *memory) Free() {
	m.use.Lock()
	defer m.use.Unlock()
	m.owner.lock.Lock()
	defer m.owner.lock.Unlock()
	m.owner.used -= len(m.data)
	m.data = nil
}

// snapshot is what a launch begins with.
func (m *memory) snapshot() []byte {
	m.merge.Lock()
	defer m.merge.Unlock()
	return bytes.Clone(m.data)
}

// mergePiece is how many bytes are compared at a time.
const mergePiece = 64

// mergeChanges changes the bytes that a launch changed, and no others: another launch on the same memory
// may have changed those meanwhile.
func (m *memory) mergeChanges(before, after []byte) {
	m.merge.Lock()
	defer m.merge.Unlock()
	for from := 0; from < len(after); from += mergePiece {
		to := min(len(after), from+mergePiece)
		if bytes.Equal(before[from:to], after[from:to]) {
			continue
		}
		for i := from; i < to; i++ {
			if before[i] != after[i] {
				m.data[i] = after[i]
			}
		}
	}
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
	// No copy changes the memory while it is held; other launches may, and their changes are merged.
	defer device.Hold(l.Args, k.guard)()
	j := k.code.Job(l, k.snapshot)
	j.Submit.Device, j.Submit.Timing = k.dev.of.ID, timing
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
	// A launch that was stopped on its way has changed memory, too, as on a device of this process.
	if out.Results != nil && (out.Done.Programs > 0 || err == nil) {
		for i, m := range j.Memories {
			if out.Results[i] != nil {
				m.(*memory).mergeChanges(j.Tensors[i], out.Results[i])
			}
		}
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

func (k *kernel) snapshot(m device.Memory) ([]byte, bool) {
	if m := k.own(m); m != nil {
		return m.snapshot(), true
	}
	return nil, false
}
