package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/worker"
)

// Options select a GPU and its workers. Zero values mean: the worker that Find finds, the first GPU, no spare process,
// none that waits for its tenant, and the user's cache folder.
type Options struct {
	Worker string // path of the worker program
	Device int    // ordinal of the GPU in the driver
	Spare  int    // processes kept ready; each has a CUDA context, which takes GPU memory
	Idle   *Idle  // holds the processes that parts keep for their tenants; several devices may share it
	// Cache is the folder of cached cubins; "-" disables it.
	Cache      string
	CacheBytes int64 // 0 means DefaultCacheBytes
	// KeepCode keeps the machine code of kernels, with the lines of PTX that it comes from, for device.Compiled.
	KeepCode bool
	GPU      gpu.Options
	Log      *slog.Logger // of processes that fail; nil: none
}

// ErrNoWorker is the error of Open and Find if there is no worker program.
var ErrNoWorker = errors.New("the program newt-cuda, which drives NVIDIA GPUs, is neither beside newt, nor in .build, nor on the PATH; build it with make cuda")

// WorkerName is the worker program's file name.
const WorkerName = "newt-cuda"

// Find returns the path of the worker program: next to this program, in the build folder of a checkout, or on the PATH.
func Find() (string, error) {
	var places []string
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), WorkerName))
	}
	places = append(places, filepath.Join(".build", WorkerName))
	for _, p := range places {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return filepath.Abs(p)
		}
	}
	if p, err := exec.LookPath(WorkerName); err == nil {
		return p, nil
	}
	return "", ErrNoWorker
}

// pool is a pool of workers for one GPU, and their cache.
type pool struct {
	options Options
	workers *worker.Pool
	idle    *Idle
	cache   *cache
	closing sync.WaitGroup // processes that are exiting

	memoryBytes  uint64 // of the GPU
	capabilities device.Capabilities

	lock   sync.Mutex
	unused *process // the first one, as long as it has served nobody
	closed bool
}

// newPool starts the spare processes in the background.
func newPool(o Options) (*pool, error) {
	if o.Worker == "" {
		var err error
		if o.Worker, err = Find(); err != nil {
			return nil, err
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.GPU.Code == nil {
		o.GPU.Code = gpu.NewCode()
	}
	p := &pool{options: o, idle: o.Idle, cache: newCache(o)}
	if p.idle == nil {
		p.idle = NewIdle(IdleLimits{})
	}
	p.workers = worker.NewPool(worker.Options{Command: p.command, Handshake: p.handshake, Spare: o.Spare})
	return p, nil
}

// newCache returns the cache that the options ask for, nil if it is disabled or the user has no cache folder.
func newCache(o Options) *cache {
	c := &cache{folder: o.Cache, maxBytes: o.CacheBytes}
	if c.maxBytes == 0 {
		c.maxBytes = DefaultCacheBytes
	}
	if c.folder == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		c.folder = filepath.Join(user, "newt", "cubin")
	}
	if c.folder == "-" {
		return nil
	}
	return c
}

// command returns the command of a worker for one GPU. The driver's own cache is disabled: this package's is bounded,
// and reports hits.
func (p *pool) command() *exec.Cmd {
	c := exec.Command(p.options.Worker, strconv.Itoa(p.options.Device))
	c.Env = append(os.Environ(), "CUDA_CACHE_DISABLE=1", "CUDA_MODULE_LOADING=EAGER")
	return c
}

// handshake reads a worker's greeting, a wire.Info, and checks that newt can use its GPU.
func (p *pool) handshake(ctx context.Context, process *worker.Process) (any, error) {
	var info wire.Info
	err := process.Exchange(ctx, func(_ io.Writer, from io.Reader) error {
		m, err := wire.Receive(from)
		if err != nil {
			return err
		}
		if m.Kind == wire.Failed {
			return fmt.Errorf("the GPU cannot be used: %s", m.Blob(0))
		}
		info, err = wire.ParseInfo(m)
		if err == nil && info.Version != wire.Version {
			err = fmt.Errorf("%s is of another build than newt", p.options.Worker)
		}
		if err == nil && ptxTarget(&info) == "" {
			err = fmt.Errorf("%s has compute capability %d.%d, and newt makes code for 8.0 and later",
				info.Name, info.Major, info.Minor)
		}
		return err
	})
	if errors.Is(err, worker.ErrExited) || errors.Is(err, wire.ErrMalformed) {
		err = errors.New("the GPU's driver cannot be used")
	}
	return info, err
}

// learn starts a process and notes what it says of the GPU. The process is then the first that is taken.
func (p *pool) learn(ctx context.Context) error {
	first, err := p.take(ctx, "")
	if err != nil {
		return err
	}
	p.unused, p.memoryBytes = first, first.info.Memory
	p.capabilities = gpu.Open(p.driver(first), p.options.GPU).Capabilities()
	return nil
}

// logFailure logs what a client is not told: it may have paths of this machine.
func (p *pool) logFailure(what, problem string) {
	p.options.Log.Error(what, "gpu", p.options.Device, "err", problem)
}

// driver makes a driver on a process.
func (p *pool) driver(of *process) *driver { return &driver{process: of, pool: p} }

// take returns a process for a tenant: the one that waits for it, or one that has served nobody.
func (p *pool) take(ctx context.Context, tenant string) (*process, error) {
	if found := p.idle.take(p, tenant); found != nil {
		return found, nil
	}
	p.lock.Lock()
	unused := p.unused
	p.unused = nil
	p.lock.Unlock()
	switch {
	case unused == nil:
	case unused.isLost():
		unused.Close()
	default:
		return unused, nil
	}
	started, err := p.workers.Get(ctx)
	if err != nil && p.idle.endAll(p) { // their contexts may have left no memory for another one
		started, err = p.workers.Start(ctx)
	}
	if err != nil {
		return nil, err
	}
	return newProcess(started), nil
}

// keep lets a process wait for the next job of its tenant.
func (p *pool) keep(tenant string, of *process) { p.idle.put(p, tenant, of) }

// mostIdle is how many processes may wait for their tenants.
func (p *pool) mostIdle() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.closed {
		return 0
	}
	return p.idle.limits.most(p.memoryBytes)
}

// Close ends the processes that serve nobody; those in use stay.
func (p *pool) Close() {
	p.lock.Lock()
	p.closed = true
	unused := p.unused
	p.unused = nil
	p.lock.Unlock()
	if unused != nil {
		unused.Close()
	}
	p.idle.endAll(p)
	p.workers.Close()
	p.closing.Wait()
}
