package gpu

import (
	"context"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// Open returns a device that survives its worker processes: if one is lost, its memory is lost with it, and the next
// Alloc starts another. With OneJob a process also ends when the last of its memory is freed after a launch, so that
// each job has a process of its own. Open fails if there is no worker program, no driver or no such GPU.
func Open(ctx context.Context, o Options) (device.Device, error) {
	pool, err := newPool(o)
	if err != nil {
		return nil, err
	}
	r := &restartable{pool: pool}
	l, err := r.currentProcess(ctx)
	if err != nil {
		pool.Close()
		return nil, err
	}
	r.capabilities = l.Capabilities()
	return whole{r}, nil
}

// restartable is a device on a sequence of worker processes.
type restartable struct {
	pool         *pool
	capabilities device.Capabilities
	lock         sync.Mutex
	current      *processDevice
	closing      sync.WaitGroup
}

// processDevice is the device of one worker process. The owner's lock guards its fields.
type processDevice struct {
	device.Device
	owner       *restartable
	exited      <-chan struct{}
	kernels     map[*kernel]device.Kernel
	allocations int // that were not freed
	launched    bool
}

// currentProcess returns the current process's device, on a new process if the last one has exited.
func (r *restartable) currentProcess(ctx context.Context) (*processDevice, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.current != nil && !r.current.isLost() {
		return r.current, nil
	}
	d, process, err := r.pool.openDevice(ctx)
	if err != nil {
		return nil, err
	}
	r.current = &processDevice{Device: d, owner: r, exited: process.Done(), kernels: map[*kernel]device.Kernel{}}
	return r.current, nil
}

func (l *processDevice) isLost() bool {
	select {
	case <-l.exited:
		return true
	default:
		return false
	}
}

// countAllocation adds change to the number of allocations. When the last one is freed after a launch, with OneJob, it
// closes the process: in the background, since the driver takes a while to clean up.
func (l *processDevice) countAllocation(change int) {
	r := l.owner
	r.lock.Lock()
	defer r.lock.Unlock()
	l.allocations += change
	if l.allocations > 0 || !l.launched || !r.pool.options.OneJob {
		return
	}
	if r.current == l {
		r.current = nil
	}
	r.closing.Go(func() { l.Close() })
}

// loadKernel returns k loaded into this process, and loads it at its first launch there.
func (l *processDevice) loadKernel(k *kernel) (device.Kernel, error) {
	l.owner.lock.Lock()
	defer l.owner.lock.Unlock()
	l.launched = true
	if l.kernels[k] == nil {
		loaded, err := l.Load(k.fn, k.options)
		if err != nil {
			return nil, err
		}
		l.kernels[k] = loaded
	}
	k.lastLoaded = l.kernels[k]
	return k.lastLoaded, nil
}

func (r *restartable) Capabilities() device.Capabilities { return r.capabilities }

func (r *restartable) Alloc(bytes int) (device.Memory, error) {
	l, err := r.currentProcess(context.Background())
	if err != nil {
		return nil, deviceLost(err.Error())
	}
	m, err := l.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	l.countAllocation(1)
	return &memory{Memory: m, process: l}, nil
}

// whole is a restartable device that has the pool of its processes.
type whole struct{ *restartable }

// Part implements device.Divisible: a device on processes of its own, which end with their last memory.
func (w whole) Part() (device.Device, error) {
	return &restartable{pool: w.pool, capabilities: w.capabilities}, nil
}

// Close ends all processes of w, and those that wait for a part as well.
func (w whole) Close() error {
	w.pool.Close()
	return w.restartable.Close()
}

func deviceLost(why string) device.Fault { return &tile.Fault{Code: "device-lost", Args: []any{why}} }

// Load implements device.Device. The kernel is compiled at its first launch, in the process that has the launch's
// memory.
func (r *restartable) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{owner: r, fn: fn, options: o}, nil
}

// Close ends the processes in use; memory and kernels can no longer be used.
func (r *restartable) Close() error {
	r.lock.Lock()
	l := r.current
	r.current = nil
	r.lock.Unlock()
	r.closing.Wait()
	if l != nil {
		return l.Close()
	}
	return nil
}

// memory is memory of one process, and is lost with it.
type memory struct {
	device.Memory
	process *processDevice
	free    sync.Once
}

func (m *memory) Free() {
	m.free.Do(func() {
		m.Memory.Free()
		m.process.countAllocation(-1)
	})
}

// kernel is a kernel that is loaded into each process that launches it.
type kernel struct {
	owner      *restartable
	fn         *ir.Func
	options    device.Options
	lastLoaded device.Kernel // in the process of the last launch; guarded by the owner's lock
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
		var err error
		if at, err = k.owner.currentProcess(ctx); err != nil {
			return nil, l, deviceLost(err.Error())
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
	last, _ := k.lastLoaded.(device.Compiler)
	k.owner.lock.Unlock()
	if last == nil {
		return nil
	}
	return last.Compiled()
}
