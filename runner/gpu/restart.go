package gpu

import (
	"context"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/tile"
)

// Open returns a device that survives its worker processes: if one is lost, its memory is lost with it, and the next
// Alloc starts another. It is device.Divisible, and each of its parts is such a device as well. Open fails if there is
// no worker program, no driver or no such GPU.
func Open(ctx context.Context, o Options) (device.Device, error) {
	pool, err := newPool(o)
	if err != nil {
		return nil, err
	}
	if err := pool.learn(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return whole{&restartable{pool: pool}}, nil
}

// restartable is a device on a sequence of worker processes.
type restartable struct {
	pool    *pool
	tenant  string // of a part; empty for one that keeps nothing
	lock    sync.Mutex
	current *processDevice
	closed  bool // by Close or Keep: nothing would end another process
}

// What is told of a device that has no process, and starts none.
const (
	whyClosed     = "the device was closed" // by Close or Keep
	whyNotStarted = "no other process could be started"
)

// processDevice is the device of one worker process.
type processDevice struct {
	device.Device
	driver *driver
	owner  *restartable
}

// currentProcess returns the current process's device, on another process if the last one has exited. It fails after
// Close and Keep.
func (r *restartable) currentProcess(ctx context.Context) (*processDevice, device.Fault) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.closed {
		return nil, deviceLost(whyClosed)
	}
	if r.current != nil && !r.current.isLost() {
		return r.current, nil
	}
	process, err := r.pool.take(ctx, r.tenant)
	if ctx.Err() != nil && err != nil {
		return nil, &tile.Fault{Code: "launch-cancelled", Args: []any{0, 0}}
	}
	if err != nil {
		r.pool.logFailure("no GPU process starts", err.Error())
		return nil, deviceLost(whyNotStarted)
	}
	d := r.pool.driver(process)
	r.current = &processDevice{Device: gpu.Open(d, r.pool.options.GPU), driver: d, owner: r}
	return r.current, nil
}

func (l *processDevice) isLost() bool { return l.driver.process.isLost() }

// loadKernel returns k loaded into this process, and loads it at its first launch there.
func (l *processDevice) loadKernel(k *kernel) (device.Kernel, error) {
	l.owner.lock.Lock()
	defer l.owner.lock.Unlock()
	if k.process != l {
		loaded, err := l.Load(k.fn, k.options)
		if err != nil {
			return nil, err
		}
		k.loaded, k.process = loaded, l
	}
	return k.loaded, nil
}

func (r *restartable) Capabilities() device.Capabilities { return r.pool.capabilities }

func (r *restartable) Alloc(bytes int) (device.Memory, error) {
	l, fault := r.currentProcess(context.Background())
	if fault != nil {
		return nil, fault
	}
	m, err := l.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	return &memory{m, l}, nil
}

// whole is a restartable device that has the pool of its processes.
type whole struct{ *restartable }

// Part implements device.Divisible: a device on processes of its own, the first of which may be one that an earlier
// part of the tenant kept.
func (w whole) Part(tenant string) (device.Part, error) {
	return &restartable{pool: w.pool, tenant: tenant}, nil
}

// Close ends all processes of w, and those that wait for a part as well.
func (w whole) Close() error {
	err := w.restartable.Close()
	w.pool.Close()
	return err
}

func deviceLost(why string) device.Fault { return &tile.Fault{Code: "device-lost", Args: []any{why}} }

// Load implements device.Device. The kernel is compiled at its first launch, in the process that has the launch's
// memory.
func (r *restartable) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{owner: r, fn: fn, options: o}, nil
}

// Close ends the process in use; memory and kernels can no longer be used.
func (r *restartable) Close() error {
	if l := r.release(); l != nil {
		return l.Close()
	}
	return nil
}

// Keep implements device.Part. The process is kept if nothing went wrong in it.
func (r *restartable) Keep() error {
	l := r.release()
	switch {
	case l == nil:
		return nil
	case r.tenant == "" || l.isLost() || !l.driver.leave():
		return l.Close()
	}
	r.pool.keep(r.tenant, l.driver.process)
	return nil
}

// release takes the current process out of use, for good; nil if there is none.
func (r *restartable) release() *processDevice {
	r.lock.Lock()
	defer r.lock.Unlock()
	l := r.current
	r.current, r.closed = nil, true
	return l
}

// memory is memory of one process, and is lost with it.
type memory struct {
	device.Memory
	process *processDevice
}

// kernel is a kernel that is loaded into each process that launches it. It holds all that this takes itself, and no
// process refers to it: a session may keep a process for any number of kernels.
type kernel struct {
	owner   *restartable
	fn      *ir.Func
	options device.Options

	// The owner's lock guards these.
	loaded  device.Kernel  // nil before the first launch
	process *processDevice // that loaded is in
}

// resolve returns the kernel in the process that has the memory of l's arguments, and the launch with that process's
// memory.
func (k *kernel) resolve(ctx context.Context, l device.Launch) (device.Kernel, device.Launch, error) {
	var at *processDevice
	args := make([]device.Arg, len(l.Args))
	for i, a := range l.Args {
		args[i] = a
		p, _ := a.(device.Pointer)
		m, ok := p.Memory.(*memory)
		if !ok || m.process.owner != k.owner {
			continue
		}
		if m.process.isLost() {
			return nil, l, deviceLost("the memory of an argument was lost with an earlier process")
		}
		if at == nil {
			at = m.process
		}
		p.Memory = m.Memory
		args[i] = p
	}
	if at == nil {
		var fault device.Fault
		if at, fault = k.owner.currentProcess(ctx); fault != nil {
			return nil, l, fault
		}
	}
	l.Args = args
	loaded, err := at.loadKernel(k)
	return loaded, l, err
}

func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	loaded, l, err := k.resolve(ctx, l)
	if err != nil {
		return &device.Report{}, err
	}
	return loaded.Launch(ctx, l)
}

// Time implements device.Timer.
func (k *kernel) Time(ctx context.Context, l device.Launch, r device.TimingRequest) (*device.Timings, error) {
	loaded, l, err := k.resolve(ctx, l)
	if err != nil {
		return nil, err
	}
	return loaded.(device.Timer).Time(ctx, l, r)
}

// Prepare implements device.Preparer.
func (k *kernel) Prepare() (*device.Compiled, error) {
	loaded, _, err := k.resolve(context.Background(), device.Launch{})
	if err != nil {
		return nil, err
	}
	return loaded.(device.Preparer).Prepare()
}

func (k *kernel) Compiled() *device.Compiled {
	k.owner.lock.Lock()
	last, _ := k.loaded.(device.Compiler)
	k.owner.lock.Unlock()
	if last == nil {
		return nil
	}
	return last.Compiled()
}
