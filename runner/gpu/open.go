package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/worker"
)

// Options say which GPU to use and how. Zero values mean: the worker that Find finds, the first
// GPU, no spare process, machine code kept in the user's cache folder.
type Options struct {
	Worker string // the worker program's file
	Device int    // which GPU, by the driver's numbers
	Spare  int    // processes kept ready; each holds a context on the GPU
	OneJob bool   // no process serves two jobs; see Open
	// Cache is the folder that machine code is kept in; "-" keeps none.
	Cache      string
	CacheBytes int64 // 0 means DefaultCacheBytes
	GPU        gpu.Options
}

// ErrNoWorker says that there is no worker program.
var ErrNoWorker = errors.New("the program newt-cuda, which drives NVIDIA GPUs, is neither beside newt, nor in .build, nor on the PATH; build it with make cuda")

// WorkerName is the worker program's file name.
const WorkerName = "newt-cuda"

// Find looks for the worker program: beside this program, in the build folder of a checkout, on
// the PATH.
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

// pool keeps worker processes ready.
type pool struct {
	options Options
	workers *worker.Pool
	cache   *cache
}

// newPool starts the spare processes in the background.
func newPool(o Options) (*pool, error) {
	if o.Worker == "" {
		var err error
		if o.Worker, err = Find(); err != nil {
			return nil, err
		}
	}
	p := &pool{options: o, cache: newCache(o)}
	p.workers = worker.NewPool(worker.Options{Command: p.command, Handshake: p.greet, Spare: o.Spare})
	return p, nil
}

func newCache(o Options) *cache {
	c := &cache{folder: o.Cache, most: o.CacheBytes}
	if c.most == 0 {
		c.most = DefaultCacheBytes
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

// command is a worker that sees one GPU. The driver's own cache is off: this package's is bounded,
// and says when it was of use.
func (p *pool) command() *exec.Cmd {
	c := exec.Command(p.options.Worker, strconv.Itoa(p.options.Device))
	c.Env = append(os.Environ(), "CUDA_CACHE_DISABLE=1", "CUDA_MODULE_LOADING=EAGER")
	return c
}

// greet reads a worker's greeting, a wire.Info.
func (p *pool) greet(ctx context.Context, process *worker.Process) (any, error) {
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
		if err == nil && target(&info) == "" {
			err = fmt.Errorf("%s has compute capability %d.%d, and newt makes code for 8.0 and later", info.Name, info.Major, info.Minor)
		}
		return err
	})
	if errors.Is(err, worker.ErrExited) || errors.Is(err, wire.ErrMalformed) {
		err = errors.New("the GPU's driver cannot be used")
	}
	return info, err
}

// open gives a device on a process of its own.
func (p *pool) open(ctx context.Context) (device.Device, *worker.Process, error) {
	d, err := p.driver(ctx)
	if err != nil {
		return nil, nil, err
	}
	return gpu.Open(d, p.options.GPU), d.process, nil
}

func (p *pool) driver(ctx context.Context) (*driver, error) {
	process, err := p.workers.Get(ctx)
	if err != nil {
		return nil, err
	}
	return &driver{process: process, info: process.Hello.(wire.Info), cache: p.cache}, nil
}

// Close ends the spare processes. Devices that are open stay so.
func (p *pool) Close() { p.workers.Close() }
