package gpu

import (
	"crypto/sha256"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/worker"
)

// process is a worker process with the modules that it has loaded. It serves one tenant in its life.
type process struct {
	*worker.Process
	info    wire.Info
	logExit sync.Once // each request fails after the exit
	// using is held by loads and launches, which the process would do one after the other anyway: no module is unloaded
	// under a launch.
	using sync.Mutex

	lock    sync.Mutex
	modules map[moduleKey]*gpu.Module // those that are loaded now
	kept    int                       // bytes of logs and machine code in modules
	loaded  int                       // modules that were ever loaded
	local   uint64                    // bytes of local memory that one thread of any module takes, at most
	stores  bool                      // a module has variables in global memory, which keep what a launch stores
}

// moduleKey is what a module is made of.
type moduleKey struct {
	ptx    [sha256.Size]byte
	entry  string
	shared int
}

func keyOf(s gpu.Source) moduleKey { return moduleKey{sha256.Sum256([]byte(s.PTX)), s.Entry, s.Shared} }

func newProcess(p *worker.Process) *process {
	return &process{Process: p, info: p.Hello.(wire.Info), modules: map[moduleKey]*gpu.Module{}}
}

// module is a module that was loaded earlier, nil if there is none.
func (p *process) module(s gpu.Source) *gpu.Module {
	p.lock.Lock()
	defer p.lock.Unlock()
	m := p.modules[keyOf(s)]
	if m == nil {
		return nil
	}
	again := *m
	again.CacheHit, again.ToSASS = true, 0
	return &again
}

// isLoaded reports whether a module of the process has not been dropped since.
func (p *process) isLoaded(m *gpu.Module) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, loaded := range p.modules {
		if loaded.Handle == m.Handle {
			return true
		}
	}
	return false
}

// addModule notes a module that was loaded, and returns those that it drops to bound what is loaded: they are to be
// unloaded.
func (p *process) addModule(s gpu.Source, m *gpu.Module) (dropped []*gpu.Module) {
	p.lock.Lock()
	defer p.lock.Unlock()
	size := len(m.Log) + len(m.Cubin)
	if p.kept += size; len(p.modules) >= maxModules || p.kept > maxKeptBytes {
		dropped = slices.Collect(maps.Values(p.modules)) // those that are still used are loaded once more
		clear(p.modules)
		p.kept = size
	}
	p.modules[keyOf(s)] = m
	p.loaded++
	p.stores = p.stores || globalVariable.MatchString(s.PTX)
	return dropped
}

// globalVariable matches the declaration of a variable. The compiler makes none today.
var globalVariable = regexp.MustCompile(`(?m)^\s*(\.\w+\s+)?\.global\s`)

func (p *process) reserveLocal(bytes uint64) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.local = max(p.local, bytes)
}

// What a process has loaded at a time, at most: modules, and bytes of logs and machine code that are kept here of them.
const (
	maxModules   = 256
	maxKeptBytes = 64 << 20
)

// What a process may have grown to if it is to serve another job, besides maxModules that it has ever loaded: the
// driver keeps as much local memory as the threads that fit on the device at once have ever needed.
const (
	maxLocalBytes = 256 << 20
	smThreads     = 2048 // resident on one multiprocessor
)

// servesAgain reports whether the process may be kept.
func (p *process) servesAgain() bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	return !p.stores && p.loaded <= maxModules && p.local*smThreads*p.info.Processors <= maxLocalBytes
}

func (p *process) isLost() bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}
