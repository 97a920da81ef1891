package gpu

import (
	"crypto/sha256"
	"regexp"
	"sync"

	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/worker"
)

// process is a worker process with the modules that it has loaded. It serves one tenant in its life.
type process struct {
	*worker.Process
	info wire.Info

	lock    sync.Mutex
	modules map[moduleKey]*gpu.Module // those that are found again
	kept    int                       // bytes of logs and machine code in modules
	loaded  int                       // modules that were loaded
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

func (p *process) addModule(s gpu.Source, m *gpu.Module) {
	p.lock.Lock()
	defer p.lock.Unlock()
	size := len(m.Log) + len(m.Cubin)
	if p.kept += size; len(p.modules) >= maxModules || p.kept > maxKeptBytes {
		clear(p.modules) // those that are still used are loaded once more
		p.kept = size
	}
	p.modules[keyOf(s)] = m
	p.loaded++
	p.stores = p.stores || globalVariable.MatchString(s.PTX)
}

// globalVariable matches the declaration of a variable. The compiler makes none today.
var globalVariable = regexp.MustCompile(`(?m)^\s*(\.\w+\s+)?\.global\s`)

func (p *process) reserveLocal(bytes uint64) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.local = max(p.local, bytes)
}

// maxKeptBytes bounds the logs and the machine code that are kept here of a process's modules, besides maxModules.
const maxKeptBytes = 64 << 20

// What a process may have grown to if it is to serve another job: code is never unloaded, and the driver keeps as much
// local memory as the threads that fit on the device at once have ever needed.
const (
	maxModules    = 256
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
