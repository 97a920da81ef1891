package gpu

import (
	"errors"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// Options bound a device. Zero values mean the defaults below.
type Options struct {
	NumWarps, NumStages int           // where a kernel says nothing; Triton's 4 and 3
	Budget              int64         // loop iterations of one program
	Deadline            time.Duration // of one launch
	MemoryBytes         int           // that Alloc gives in all; at most what the device has
	PrintBytes          int           // room for what one launch prints
	// Code keeps what is compiled, for kernels that are loaded again. Nil: nothing is kept.
	Code *Code
	// Counted is told of each launch that ended without a fault what it did, if the driver simulates. Nil: nobody is.
	Counted func(fn *ir.Func, m *ptx.Module, l *Launch)
}

// The defaults.
const (
	DefaultNumWarps   = 4
	DefaultNumStages  = 3
	DefaultBudget     = 1 << 30
	DefaultDeadline   = 10 * time.Second
	DefaultPrintBytes = 1 << 20
)

func (o Options) filled(info Info) Options {
	set := func(at *int, otherwise int) {
		if *at <= 0 {
			*at = otherwise
		}
	}
	set(&o.NumWarps, DefaultNumWarps)
	set(&o.NumStages, DefaultNumStages)
	set(&o.PrintBytes, DefaultPrintBytes)
	set(&o.MemoryBytes, info.MemoryBytes)
	o.MemoryBytes = min(o.MemoryBytes, info.MemoryBytes)
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	if o.Deadline <= 0 {
		o.Deadline = DefaultDeadline
	}
	return o
}

// Open makes a device of a driver, which is the device's from now on. Where the driver loses its
// GPU, the device stays lost.
func Open(driver Driver, o Options) device.Device {
	info := driver.Info()
	return &gpu{driver: driver, info: info, options: o.filled(info)}
}

type gpu struct {
	driver  Driver
	info    Info
	options Options
	lock    sync.Mutex
	used    int // bytes of memory given out

	launching sync.Mutex // held by the launch that uses scratch
	scratch   scratch
}

// scratch is memory that a launch reports in, kept for the next one.
type scratch struct {
	at    uint64
	bytes int
}

func (g *gpu) Capabilities() device.Capabilities {
	all := make([]num.DType, num.NumDTypes)
	for d := range all {
		all[d] = num.DType(d)
	}
	return device.Capabilities{
		Name: g.info.Name, MemoryBytes: g.options.MemoryBytes, DTypes: all, Deterministic: g.info.Deterministic,
		Times: g.info.Times, Arch: g.info.Target, Driver: g.info.Driver, Processors: g.info.Processors,
		BytesPerSecond: g.info.BytesPerSecond, FLOPs: g.info.FLOPs,
	}
}

func (g *gpu) Close() error { return g.driver.Close() }

func fault(code string, args ...any) *tile.Fault { return &tile.Fault{Code: code, Args: args} }

// faultOf puts a driver's error in words.
func faultOf(err error) device.Fault {
	switch {
	case errors.Is(err, ErrKernel):
		return fault("device-fault", err.Error())
	case errors.Is(err, ErrLost):
		return fault("device-lost", err.Error())
	case errors.Is(err, ErrLaunch):
		return fault("launch-refused", err.Error())
	}
	return fault("internal-error", err.Error())
}

func (g *gpu) Alloc(bytes int) (device.Memory, error) {
	g.lock.Lock()
	defer g.lock.Unlock()
	if bytes < 0 || bytes > g.options.MemoryBytes-g.used {
		return nil, fault("out-of-memory", bytes, g.options.MemoryBytes, g.used)
	}
	// The driver may have less than its options promise: other processes use the GPU, too.
	at, err := g.driver.Alloc(bytes)
	if errors.Is(err, ErrMemory) {
		return nil, fault("out-of-memory", bytes, g.options.MemoryBytes, g.used)
	}
	if err != nil {
		return nil, faultOf(err)
	}
	g.used += bytes
	return &memory{owner: g, lock: device.NewGuard(), at: at, bytes: bytes}, nil
}

// memory is a piece of the GPU's memory; of no bytes once it is freed.
type memory struct {
	owner *gpu
	lock  *device.Guard // it is not freed under launches
	at    uint64
	bytes int
}

func (m *memory) Bytes() int {
	m.lock.RLock()
	defer m.lock.RUnlock()
	return m.bytes
}

func (m *memory) Write(at int, data []byte) error {
	return m.copy(at, len(data), func(from uint64) error { return m.owner.driver.Write(from, data) })
}

func (m *memory) Read(at int, into []byte) error {
	return m.copy(at, len(into), func(from uint64) error { return m.owner.driver.Read(from, into) })
}

func (m *memory) copy(at, n int, do func(from uint64) error) error {
	m.lock.RLock()
	defer m.lock.RUnlock()
	if at < 0 || at > m.bytes || n > m.bytes-at {
		return fault("copy-out-of-range", at, n, m.bytes)
	}
	if err := do(m.at + uint64(at)); err != nil {
		return faultOf(err)
	}
	return nil
}

// Free gives memory back. Where the driver cannot take it, the device is lost, and the next call
// that gives an error says so.
func (m *memory) Free() {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.at == 0 {
		return
	}
	m.owner.driver.Free(m.at)
	m.owner.lock.Lock()
	defer m.owner.lock.Unlock()
	m.owner.used -= m.bytes
	m.at, m.bytes = 0, 0
}

// Load makes fn ready. It is compiled when a launch says what can be proved of its accesses.
func (g *gpu) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	if o.NumWarps == 0 {
		o.NumWarps = g.options.NumWarps
	}
	if o.NumStages == 0 {
		o.NumStages = g.options.NumStages
	}
	k := &kernel{gpu: g, fn: fn, options: o, variants: map[proof]*variant{}}
	if g.info.Times {
		return timed{k}, nil
	}
	return k, nil
}
