// Package gpu runs kernels on NVIDIA GPUs through worker processes: this program itself has
// nothing of CUDA in it and starts on machines that have no driver.
package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/worker"
)

// The time that a request other than a launch may take. A worker that is silent for longer is
// held to be stuck and is killed.
const (
	requestTime = 30 * time.Second
	copyRate    = 50 << 20 // bytes a second, the least to count on
)

// driver is one worker process and the context that it holds.
type driver struct {
	process *worker.Process
	info    wire.Info
	cache   *cache // nil where nothing is kept
}

func (d *driver) Info() gpu.Info {
	i := &d.info
	bytesPerSecond := 2 * float64(i.MemClock) * 1e3 * float64(i.BusWidth) / 8 // double data rate
	return gpu.Info{
		Name: i.Name, Target: target(i), Driver: fmt.Sprintf("%s (CUDA %d.%d)", i.DriverText, i.Driver/1000, i.Driver%1000/10),
		MemoryBytes: int(i.Memory), Shared: int(i.SharedBytes), Processors: int(i.Processors),
		BytesPerSecond: bytesPerSecond, FLOPs: peaks(i), Times: true,
	}
}

// targets are the architectures that the compiler makes code for, the newest first, and the compute
// capability from which on GPUs run it.
var targets = []struct {
	major, minor uint64
	name         string
}{{9, 0, "sm_90"}, {8, 9, "sm_89"}, {8, 6, "sm_86"}, {8, 0, "sm_80"}}

// target is the architecture to make a device's code for; empty where there is none. sm_90a has what
// GPUs of capability 9.0 alone can do (PTX ISA, ".target").
func target(i *wire.Info) string {
	if i.Major == 9 {
		return "sm_90a"
	}
	for _, t := range targets {
		if i.Major > t.major || i.Major == t.major && i.Minor >= t.minor {
			return t.name
		}
	}
	return ""
}

// perClock is the operations that one multiprocessor does in one clock, a multiplication with an
// addition counting as two, by compute capability. From the arithmetic instruction table of
// NVIDIA's CUDA C++ programming guide, and the architectures' white papers for tensor cores.
var perClock = map[[2]uint64]map[string]float64{
	{8, 0}: {"fp32": 128, "fp16": 2048, "bf16": 2048, "tf32": 1024, "int8": 4096},
	{8, 6}: {"fp32": 256},
	{8, 9}: {"fp32": 256},
	{9, 0}: {"fp32": 256, "fp16": 4096, "bf16": 4096, "tf32": 2048, "int8": 8192, "fp8e4nv": 8192, "fp8e5": 8192},
}

// peaks is what the device does in a second at its highest clock.
func peaks(i *wire.Info) map[string]float64 {
	flops := map[string]float64{}
	for kind, n := range perClock[[2]uint64{i.Major, i.Minor}] {
		flops[kind] = n * float64(i.Processors) * float64(i.SMClock) * 1e3
	}
	return flops
}

// ask sends a request and waits for its answer.
func (d *driver) ask(ctx context.Context, request *wire.Message) (*wire.Message, error) {
	var answer *wire.Message
	err := d.process.Exchange(ctx, func(to io.Writer, from io.Reader) error {
		if err := request.Send(to); err != nil {
			return err
		}
		var err error
		answer, err = wire.Receive(from)
		return err
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, context.Cause(ctx))
	case errors.Is(err, wire.ErrMalformed):
		d.process.Kill()
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", gpu.ErrLost, d.process.ExitReport())
	case answer.Kind == wire.Failed:
		return nil, d.failure(request.Kind, answer)
	case answer.Kind != wire.Done:
		d.process.Kill()
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, wire.ErrMalformed)
	}
	return answer, nil
}

// failures says what a refused request means.
var failures = map[wire.Kind]error{wire.Alloc: gpu.ErrMemory, wire.Load: gpu.ErrImage, wire.Launch: gpu.ErrLaunch, wire.Time: gpu.ErrLaunch}

// failure makes an error of the driver's refusal. Where the context is of no further use, neither
// is the process.
func (d *driver) failure(request wire.Kind, answer *wire.Message) error {
	text := string(answer.Blob(0))
	if answer.Number(1) != 0 {
		d.process.Kill()
		return fmt.Errorf("%w: %w: %s", gpu.ErrLost, gpu.ErrKernel, text)
	}
	if meaning := failures[request]; meaning != nil {
		return fmt.Errorf("%w: %s", meaning, text)
	}
	return errors.New(text)
}

// soon is a context for a request that moves so many bytes.
func soon(bytes int) (context.Context, context.CancelFunc) {
	limit := requestTime + time.Duration(bytes/copyRate)*time.Second
	return context.WithTimeoutCause(context.Background(), limit, errors.New("the worker did not answer in time"))
}

func (d *driver) brief(m *wire.Message, bytes int) (*wire.Message, error) {
	ctx, cancel := soon(bytes)
	defer cancel()
	return d.ask(ctx, m)
}

func (d *driver) Alloc(bytes int) (uint64, error) {
	answer, err := d.brief(&wire.Message{Kind: wire.Alloc, Numbers: []uint64{uint64(bytes)}}, 0)
	if err != nil {
		return 0, err
	}
	return answer.Number(0), nil
}

func (d *driver) Free(address uint64) error {
	_, err := d.brief(&wire.Message{Kind: wire.Free, Numbers: []uint64{address}}, 0)
	return err
}

func (d *driver) Write(address uint64, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), wire.MaxCopy)
		m := &wire.Message{Kind: wire.Write, Numbers: []uint64{address}, Blobs: [][]byte{data[:n]}}
		if _, err := d.brief(m, n); err != nil {
			return err
		}
		address, data = address+uint64(n), data[n:]
	}
	return nil
}

func (d *driver) Read(address uint64, into []byte) error {
	for len(into) > 0 {
		n := min(len(into), wire.MaxCopy)
		answer, err := d.brief(&wire.Message{Kind: wire.Read, Numbers: []uint64{address, uint64(n)}}, n)
		if err != nil {
			return err
		}
		if len(answer.Blob(0)) != n {
			return fmt.Errorf("%w: %w", gpu.ErrLost, wire.ErrMalformed)
		}
		copy(into, answer.Blob(0))
		address, into = address+uint64(n), into[n:]
	}
	return nil
}

// Load takes machine code that was made earlier where there is any, and keeps what is made now.
func (d *driver) Load(s gpu.Source) (*gpu.Module, error) {
	key := d.cache.key(&d.info, s.PTX)
	if cubin, log, ok := d.cache.get(key); ok {
		if m, err := d.load(s, cubin, 0); err == nil {
			m.CacheHit, m.Log, m.SpillBytes = true, log, spills(log)
			return m, nil
		} else if errors.Is(err, gpu.ErrLost) {
			return nil, err
		}
	}
	return d.load(s, s.PTX, 1)
}

func (d *driver) load(s gpu.Source, image string, isPTX uint64) (*gpu.Module, error) {
	request := &wire.Message{Kind: wire.Load, Numbers: []uint64{isPTX, uint64(s.Shared)}, Blobs: [][]byte{[]byte(s.Entry), []byte(image)}}
	answer, err := d.brief(request, 0)
	if err != nil {
		return nil, err
	}
	l, err := wire.ParseLoaded(answer)
	if err != nil {
		return nil, err
	}
	if l.Cubin != "" {
		d.cache.put(d.cache.key(&d.info, s.PTX), l.Cubin, l.Log)
	}
	return &gpu.Module{
		Handle: l.Module, Registers: int(l.Registers), SpillBytes: spills(l.Log),
		ToSASS: time.Duration(l.Nanoseconds), Log: l.Log,
	}, nil
}

var spilled = regexp.MustCompile(`(\d+) bytes spill (?:stores|loads)`)

// spills is how many bytes the driver's compiler says that a thread moves between registers and
// memory for want of registers.
func spills(log string) int {
	total := 0
	for _, m := range spilled.FindAllStringSubmatch(log, -1) {
		n, _ := strconv.Atoi(m[1]) // too many digits count as the most
		total += n
	}
	return total
}

func (d *driver) Launch(ctx context.Context, l *gpu.Launch) (time.Duration, error) {
	answer, err := d.ask(ctx, run(l).Message(wire.Launch))
	if err != nil {
		return 0, err
	}
	if len(answer.Blobs) != len(l.Read) {
		return 0, fmt.Errorf("%w: %w", gpu.ErrLost, wire.ErrMalformed)
	}
	for i, blob := range answer.Blobs {
		if len(blob) != l.Read[i].Bytes {
			return 0, fmt.Errorf("%w: %w", gpu.ErrLost, wire.ErrMalformed)
		}
	}
	l.Got = answer.Blobs
	return time.Duration(answer.Number(0)), nil
}

func (d *driver) Time(ctx context.Context, l *gpu.Launch, r device.TimingRequest) (*device.Timings, error) {
	request := run(l)
	warmup, measure := r.Warmup, r.Measure
	if warmup <= 0 {
		warmup = device.DefaultWarmup
	}
	if measure <= 0 {
		measure = device.DefaultMeasure
	}
	request.Warmup, request.Measure = uint64(warmup), uint64(measure)
	answer, err := d.ask(ctx, request.Message(wire.Time))
	if err != nil {
		return nil, err
	}
	t, err := wire.ParseTimes(answer)
	if err != nil {
		return nil, err
	}
	timings := &device.Timings{
		Clock: "events", Driver: d.Info().Driver, SMClock: int(t.SMClock), MemClock: int(t.MemClock), FlushedKB: int(t.Flushed / 1024),
	}
	for _, s := range t.Samples {
		timings.Samples = append(timings.Samples, time.Duration(s))
	}
	return timings, nil
}

func run(l *gpu.Launch) *wire.Run {
	r := &wire.Run{
		Module: l.Module.Handle, Threads: uint64(l.Threads), Shared: uint64(l.Shared), Params: l.Params,
		Clear: areas(l.Clear), Read: areas(l.Read),
	}
	for i, n := range l.Grid {
		r.Grid[i] = uint64(n)
	}
	return r
}

func areas(list []gpu.Area) []wire.Area {
	out := make([]wire.Area, len(list))
	for i, a := range list {
		out[i] = wire.Area{Address: a.Address, Bytes: uint64(a.Bytes)}
	}
	return out
}

// Close ends the worker, and with it everything that it held.
func (d *driver) Close() error {
	d.process.Close()
	return nil
}
