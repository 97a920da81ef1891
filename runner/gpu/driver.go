// Package gpu runs kernels on NVIDIA GPUs through worker processes: newt itself does not link CUDA,
// and starts on machines without a driver.
package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
)

// The timeout of requests other than launches, and the least bandwidth of copies, in bytes a second, that is added to
// it. A worker that has not answered by then is killed.
const (
	requestTimeout = 30 * time.Second
	minCopyRate    = 50 << 20
)

// driver implements gpu.Driver by requests to one worker process, which holds a CUDA context. The process may outlive
// it: another driver then has it.
type driver struct {
	process *process
	pool    *pool
	failed  atomic.Bool // a request was refused, or not answered
	over    atomic.Bool // the process is no longer this driver's
}

func (d *driver) Info() gpu.Info { return infoOf(&d.process.info) }

func infoOf(i *wire.Info) gpu.Info {
	bytesPerSecond := 2 * float64(i.MemClock) * 1e3 * float64(i.BusWidth) / 8 // double data rate
	return gpu.Info{
		Name: i.Name, Target: ptxTarget(i),
		// CUDA's version is a number of thousands and tens: 12040 for 12.4.
		Driver:      fmt.Sprintf("%s (CUDA %d.%d)", i.DriverText, i.Driver/1000, i.Driver%1000/10),
		MemoryBytes: int(i.Memory), Shared: int(i.SharedBytes), Processors: int(i.Processors),
		BytesPerSecond: bytesPerSecond, FLOPs: peakFLOPs(i), Times: true,
	}
}

// ptxTarget returns the name of the PTX target for a device, "" if the compiler has none.
func ptxTarget(i *wire.Info) string {
	if t := arch.Best(capability(i)); t != nil {
		return t.Name
	}
	return ""
}

// capability is a device's compute capability, times ten.
func capability(i *wire.Info) int { return int(10*i.Major + i.Minor) }

// peakFLOPs returns the operations a second of the whole device at its maximum clock, by arithmetic; a fused
// multiply-add counts as two. It is empty for a GPU that is newer than its target.
func peakFLOPs(i *wire.Info) map[string]float64 {
	t := arch.Best(capability(i))
	if t == nil || t.Capability != capability(i) {
		return nil
	}
	clocks := float64(i.Processors) * float64(i.SMClock) * 1e3
	flops := map[string]float64{"fp32": t.Single * 64 * clocks} // two for each of 32 threads
	if tensor := t.Tensor * clocks; tensor > 0 {
		maps.Copy(flops, map[string]float64{"fp16": tensor, "bf16": tensor, "tf32": tensor / 2, "int8": 2 * tensor})
		if t.FP8 {
			flops["fp8e4nv"], flops["fp8e5"] = 2*tensor, 2*tensor
		}
	}
	return flops
}

// errOver is the error of requests after the process was kept for another driver.
var errOver = errors.New("the job that it served has ended")

// request sends a request to the worker and returns its answer. An error that wraps gpu.ErrLost means that the process
// has ended, or is no longer the driver's.
func (d *driver) request(ctx context.Context, request *wire.Message) (*wire.Message, error) {
	answer, err := d.exchange(ctx, request)
	if err != nil {
		d.failed.Store(true)
	}
	return answer, err
}

func (d *driver) exchange(ctx context.Context, request *wire.Message) (*wire.Message, error) {
	var answer *wire.Message
	err := d.process.Exchange(ctx, func(to io.Writer, from io.Reader) error {
		// Here, where no other request is under way: what comes after the reset may be meant for memory that is another
		// job's by now.
		if d.over.Load() && request.Kind != wire.Reset {
			return errOver
		}
		if err := request.Send(to); err != nil {
			return err
		}
		var err error
		answer, err = wire.Receive(from)
		return err
	})
	switch {
	case errors.Is(err, errOver):
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, err)
	case ctx.Err() != nil && err != nil:
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, context.Cause(ctx))
	case errors.Is(err, wire.ErrMalformed):
		d.process.Kill()
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, err)
	case err != nil:
		d.process.logExit.Do(func() { d.pool.logFailure("a GPU process has ended", d.process.ExitReport()) })
		return nil, fmt.Errorf("%w: %s", gpu.ErrLost, d.process.ExitStatus())
	case answer.Kind == wire.Failed:
		return nil, d.driverError(request.Kind, answer)
	case answer.Kind != wire.Done:
		d.process.Kill()
		return nil, fmt.Errorf("%w: %w", gpu.ErrLost, wire.ErrMalformed)
	}
	return answer, nil
}

// requestErrors are the errors of requests that the driver refused.
var requestErrors = map[wire.Kind]error{wire.Alloc: gpu.ErrMemory, wire.Load: gpu.ErrImage, wire.Launch: gpu.ErrLaunch, wire.Time: gpu.ErrLaunch}

// driverError converts a Failed answer. If the error is sticky, every later call in the CUDA context fails as well, so
// the process is killed.
func (d *driver) driverError(request wire.Kind, answer *wire.Message) error {
	text := string(answer.Blob(0))
	if answer.Number(1) != 0 {
		d.process.Kill()
		return fmt.Errorf("%w: %w: %s", gpu.ErrLost, gpu.ErrKernel, text)
	}
	if meaning := requestErrors[request]; meaning != nil {
		return fmt.Errorf("%w: %s", meaning, text)
	}
	return errors.New(text)
}

// copyTimeout returns the context of a request that copies that many bytes.
func copyTimeout(bytes int) (context.Context, context.CancelFunc) {
	limit := requestTimeout + time.Duration(bytes/minCopyRate)*time.Second
	return context.WithTimeoutCause(context.Background(), limit, errors.New("the worker did not answer in time"))
}

// requestWithTimeout is request with the timeout for copying that many bytes.
func (d *driver) requestWithTimeout(m *wire.Message, bytes int) (*wire.Message, error) {
	ctx, cancel := copyTimeout(bytes)
	defer cancel()
	return d.request(ctx, m)
}

// Alloc implements gpu.Driver. Processes that wait for their tenants are ended if they leave too little memory.
func (d *driver) Alloc(bytes int) (uint64, error) {
	request := &wire.Message{Kind: wire.Alloc, Numbers: []uint64{uint64(bytes)}}
	answer, err := d.requestWithTimeout(request, 0)
	if errors.Is(err, gpu.ErrMemory) && d.pool.idle.endAll(d.pool) {
		answer, err = d.requestWithTimeout(request, 0)
	}
	if err != nil {
		return 0, err
	}
	return answer.Number(0), nil
}

func (d *driver) Free(address uint64) error {
	_, err := d.requestWithTimeout(&wire.Message{Kind: wire.Free, Numbers: []uint64{address}}, 0)
	return err
}

func (d *driver) Write(address uint64, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), wire.MaxCopy)
		m := &wire.Message{Kind: wire.Write, Numbers: []uint64{address}, Blobs: [][]byte{data[:n]}}
		if _, err := d.requestWithTimeout(m, n); err != nil {
			return err
		}
		address, data = address+uint64(n), data[n:]
	}
	return nil
}

func (d *driver) Read(address uint64, into []byte) error {
	for len(into) > 0 {
		n := min(len(into), wire.MaxCopy)
		answer, err := d.requestWithTimeout(&wire.Message{Kind: wire.Read, Numbers: []uint64{address, uint64(n)}}, n)
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

// Load implements gpu.Driver.
func (d *driver) Load(s gpu.Source) (*gpu.Module, error) {
	d.process.using.Lock()
	defer d.process.using.Unlock()
	m, err := d.load(s)
	if err != nil {
		return nil, err
	}
	out := *m // what the process keeps of its modules is without their PTX
	out.Source = s
	return &out, nil
}

// load finds the module if the process has loaded it already. Otherwise it loads a cubin from the cache, or else has
// the driver compile the PTX and caches the result. The process's modules are the caller's to use.
func (d *driver) load(s gpu.Source) (*gpu.Module, error) {
	if m := d.process.module(s); m != nil {
		return m, nil
	}
	cache := d.pool.cache
	if cubin, log, ok := cache.get(d.cacheKey(s)); ok {
		if m, err := d.loadImage(s, cubin, 0); err == nil {
			m.CacheHit, m.Log, m.SpillBytes = true, log, spillBytes(log)
			d.addModule(s, m)
			return m, nil
		} else if errors.Is(err, gpu.ErrLost) { // any other error: the driver rejects the cubin, so compile again
			return nil, err
		}
	}
	m, err := d.loadImage(s, s.PTX, 1)
	if err == nil {
		d.addModule(s, m)
	}
	return m, err
}

// addModule notes a module that the process has loaded, and unloads those that make room for it. An error is no matter:
// the process serves no other job after it, and if it is lost, the next request says so.
func (d *driver) addModule(s gpu.Source, m *gpu.Module) {
	for _, old := range d.process.addModule(s, m) {
		d.requestWithTimeout(&wire.Message{Kind: wire.Unload, Numbers: []uint64{old.Handle}}, 0)
	}
}

// requestRun sends a request to run a module, which is loaded again if it was unloaded meanwhile.
func (d *driver) requestRun(ctx context.Context, kind wire.Kind, m *gpu.Module, r *wire.Run) (*wire.Message, error) {
	d.process.using.Lock()
	defer d.process.using.Unlock()
	if r.Module = m.Handle; !d.process.isLoaded(m) {
		again, err := d.load(m.Source)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", gpu.ErrLaunch, err)
		}
		r.Module = again.Handle
	}
	return d.request(ctx, r.Message(kind))
}

// cacheKey is the name of a program's cubin in the cache.
func (d *driver) cacheKey(s gpu.Source) string {
	return d.pool.cache.key(&d.process.info, s.PTX, d.pool.options.KeepCode)
}

// loadImage sends PTX or a cubin to the worker.
func (d *driver) loadImage(s gpu.Source, image string, isPTX uint64) (*gpu.Module, error) {
	lines := uint64(0)
	if d.pool.options.KeepCode {
		lines = 1
	}
	request := &wire.Message{
		Kind: wire.Load, Numbers: []uint64{isPTX, uint64(s.Shared), lines},
		Blobs: [][]byte{[]byte(s.Entry), []byte(image)},
	}
	answer, err := d.requestWithTimeout(request, 0)
	if err != nil {
		return nil, err
	}
	l, err := wire.ParseLoaded(answer)
	if err != nil {
		return nil, err
	}
	if l.Cubin != "" {
		d.pool.cache.put(d.cacheKey(s), l.Cubin, l.Log)
	}
	d.process.reserveLocal(l.LocalBytes)
	m := &gpu.Module{
		Handle: l.Module, Registers: int(l.Registers), SpillBytes: spillBytes(l.Log),
		ToSASS: time.Duration(l.Nanoseconds), Log: l.Log,
	}
	if d.pool.options.KeepCode {
		if m.Cubin = l.Cubin; isPTX == 0 {
			m.Cubin = image
		}
	}
	return m, nil
}

var spillPattern = regexp.MustCompile(`(\d+) bytes spill (?:stores|loads)`)

// spillBytes returns the bytes of register spills of one thread, stores and loads together, from the log of ptxas.
func spillBytes(log string) int {
	total := 0
	for _, m := range spillPattern.FindAllStringSubmatch(log, -1) {
		n, _ := strconv.Atoi(m[1]) // a number with too many digits is the largest int
		total += n
	}
	return total
}

func (d *driver) Launch(ctx context.Context, l *gpu.Launch) (time.Duration, error) {
	answer, err := d.requestRun(ctx, wire.Launch, l.Module, wireRun(l))
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
	request := wireRun(l)
	warmup, measure := r.Warmup, r.Measure
	if warmup <= 0 {
		warmup = device.DefaultWarmup
	}
	if measure <= 0 {
		measure = device.DefaultMeasure
	}
	request.Warmup, request.Measure = uint64(warmup), uint64(measure)
	answer, err := d.requestRun(ctx, wire.Time, l.Module, request)
	if err != nil {
		return nil, err
	}
	t, err := wire.ParseTimes(answer)
	if err != nil {
		return nil, err
	}
	timings := &device.Timings{
		Clock: "events", Driver: d.Info().Driver,
		SMClock: int(t.SMClock), MemClock: int(t.MemClock), FlushedKB: int(t.Flushed / 1024),
	}
	for _, s := range t.Samples {
		timings.Samples = append(timings.Samples, time.Duration(s))
	}
	return timings, nil
}

// wireRun converts a launch to a request, without its module.
func wireRun(l *gpu.Launch) *wire.Run {
	r := &wire.Run{
		Threads: uint64(l.Threads), Shared: uint64(l.Shared), Params: l.Params,
		Clear: wireAreas(l.Clear), Read: wireAreas(l.Read),
	}
	for i, n := range l.Grid {
		r.Grid[i] = uint64(n)
	}
	for param, t := range l.TensorMaps {
		m := wire.TensorMap{Param: uint64(param), Base: t.Base, ElemBytes: uint64(t.ElemBytes)}
		for i := range m.Dims {
			m.Dims[i], m.Box[i] = uint64(t.Dims[i]), uint64(t.Box[i])
		}
		for i := range m.Strides {
			m.Strides[i] = uint64(t.Strides[i])
		}
		r.TensorMaps = append(r.TensorMaps, m)
	}
	return r
}

func wireAreas(list []gpu.Area) []wire.Area {
	out := make([]wire.Area, len(list))
	for i, a := range list {
		out[i] = wire.Area{Address: a.Address, Bytes: uint64(a.Bytes)}
	}
	return out
}

// leave frees what is left of the driver's work in the process, which is no longer the driver's then, and reports
// whether another driver may have it: nothing went wrong in it, and what it has loaded is of no harm.
func (d *driver) leave() bool {
	d.over.Store(true)
	if d.failed.Load() || !d.process.servesAgain() {
		return false
	}
	ctx, cancel := copyTimeout(0)
	defer cancel()
	_, err := d.exchange(ctx, &wire.Message{Kind: wire.Reset})
	return err == nil
}

// Close ends the worker process, which frees all of its memory.
func (d *driver) Close() error {
	d.process.Close()
	return nil
}
