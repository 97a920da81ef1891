package gpu

import (
	"context"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// Open gives a device that outlives its worker processes: where one is lost, what it held is lost
// with it, and the next memory that is asked for comes from a fresh one. With OneJob a process
// also ends when the last of its memory is given back after a launch: a job is what happens
// between two such moments. It fails where there is no worker, no driver or no such GPU.
func Open(ctx context.Context, o Options) (device.Device, error) {
	pool, err := newPool(o)
	if err != nil {
		return nil, err
	}
	r := &renewed{pool: pool}
	l, err := r.life(ctx)
	if err != nil {
		pool.Close()
		return nil, err
	}
	r.capabilities = l.Capabilities()
	return r, nil
}

type renewed struct {
	pool         *pool
	capabilities device.Capabilities
	lock         sync.Mutex
	now          *life
	closing      sync.WaitGroup
}

// life is the device of one worker process.
type life struct {
	device.Device
	owner   *renewed
	gone    <-chan struct{}
	kernels map[*kernel]device.Kernel
	held    int // pieces of memory
	used    bool
}

// life is the present process, a new one where the last is gone.
func (r *renewed) life(ctx context.Context) (*life, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.now != nil && !r.now.lost() {
		return r.now, nil
	}
	d, process, err := r.pool.open(ctx)
	if err != nil {
		return nil, err
	}
	r.now = &life{Device: d, owner: r, gone: process.Done(), kernels: map[*kernel]device.Kernel{}}
	return r.now, nil
}

func (l *life) lost() bool {
	select {
	case <-l.gone:
		return true
	default:
		return false
	}
}

// keep counts a piece of memory in or out, and ends a life that has done its job.
func (l *life) keep(change int) {
	r := l.owner
	r.lock.Lock()
	defer r.lock.Unlock()
	l.held += change
	if l.held > 0 || !l.used || !r.pool.options.OneJob {
		return
	}
	if r.now == l {
		r.now = nil
	}
	r.closing.Go(func() { l.Close() })
}

// kernel is k on this process.
func (l *life) kernel(k *kernel) (device.Kernel, error) {
	l.owner.lock.Lock()
	defer l.owner.lock.Unlock()
	l.used = true
	if l.kernels[k] == nil {
		loaded, err := l.Load(k.fn, k.options)
		if err != nil {
			return nil, err
		}
		l.kernels[k] = loaded
	}
	k.last = l.kernels[k]
	return k.last, nil
}

func (r *renewed) Capabilities() device.Capabilities { return r.capabilities }

func (r *renewed) Alloc(bytes int) (device.Memory, error) {
	l, err := r.life(context.Background())
	if err != nil {
		return nil, lost(err.Error())
	}
	m, err := l.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	l.keep(1)
	return &memory{Memory: m, life: l}, nil
}

func lost(why string) device.Fault { return &tile.Fault{Code: "device-lost", Args: []any{why}} }

// Load makes fn ready; it is compiled in the process that has a launch's memory.
func (r *renewed) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return &kernel{owner: r, fn: fn, options: o}, nil
}

// Close ends all processes.
func (r *renewed) Close() error {
	r.pool.Close()
	r.lock.Lock()
	l := r.now
	r.now = nil
	r.lock.Unlock()
	r.closing.Wait()
	if l != nil {
		return l.Close()
	}
	return nil
}

// memory belongs to the process that gave it.
type memory struct {
	device.Memory
	life *life
	free sync.Once
}

func (m *memory) Free() {
	m.free.Do(func() {
		m.Memory.Free()
		m.life.keep(-1)
	})
}

type kernel struct {
	owner   *renewed
	fn      *ir.Func
	options device.Options
	last    device.Kernel // guarded by the owner's lock
}

// on finds the process that l's memory is in, and the kernel and the arguments there.
func (k *kernel) on(ctx context.Context, l device.Launch) (device.Kernel, device.Launch, error) {
	var at *life
	args := make([]device.Arg, len(l.Args))
	for i, a := range l.Args {
		args[i] = a
		p, _ := a.(device.Pointer)
		m, ok := p.Memory.(*memory)
		if !ok || m.life.owner != k.owner {
			continue
		}
		if m.life.lost() {
			return nil, l, lost("the memory of an argument was lost with an earlier process")
		}
		if at == nil {
			at = m.life
		}
		p.Memory = m.Memory
		args[i] = p
	}
	if at == nil {
		var err error
		if at, err = k.owner.life(ctx); err != nil {
			return nil, l, lost(err.Error())
		}
	}
	l.Args = args
	loaded, err := at.kernel(k)
	return loaded, l, err
}

func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	loaded, l, err := k.on(ctx, l)
	if err != nil {
		return &device.Report{}, err
	}
	return loaded.Launch(ctx, l)
}

// Time measures; every GPU can.
func (k *kernel) Time(ctx context.Context, l device.Launch, r device.TimingRequest) (*device.Timings, error) {
	loaded, l, err := k.on(ctx, l)
	if err != nil {
		return nil, err
	}
	return loaded.(device.Timer).Time(ctx, l, r)
}

func (k *kernel) Compiled() *device.Compiled {
	k.owner.lock.Lock()
	last, _ := k.last.(device.Compiler)
	k.owner.lock.Unlock()
	if last == nil {
		return nil
	}
	return last.Compiled()
}
