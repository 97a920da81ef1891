// Package gpu is the device that compiles kernels to PTX and runs them on a Driver: a GPU behind
// a worker process, or the simulator.
//
// A kernel is compiled when it is launched, since the launch says what can be proved: that accesses stay within their
// arguments and that loops are short. A proof is a key, and each has a variant of the code, in which what is proved is
// not checked. What a variant does check, it reports into memory of the launch (report.go): one record a site, claimed
// by the first thread that finds something, and the operands of prints. Words and order of what is reported are the
// interpreter's, from package tile.
package gpu

import (
	"context"
	"errors"
	"time"

	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/interp/device"
)

// Driver is a GPU as this package needs it: memory, modules and launches. Its methods may be called from several
// goroutines, and launches run in the order of the calls. Errors wrap one of this package's where they can; after
// ErrLost every call gives ErrLost.
type Driver interface {
	Info() Info
	// Alloc gives the address of cleared memory, aligned to 256 bytes at least.
	Alloc(bytes int) (uint64, error)
	Free(address uint64) error
	Write(address uint64, data []byte) error
	Read(address uint64, into []byte) error
	// Load gives a module that can be launched as long as the device is not lost. A driver that unloads it meanwhile
	// loads it again.
	Load(s Source) (*Module, error)
	// Launch runs a module and waits: at most until ctx ends, after which the device may be lost.
	Launch(ctx context.Context, l *Launch) (time.Duration, error)
	// Time measures as device.Timer says. Nothing is cleared or read back meanwhile.
	Time(ctx context.Context, l *Launch, r device.TimingRequest) (*device.Timings, error)
	Close() error
}

// What a driver's errors wrap.
var (
	ErrLost   = errors.New("the device was lost")            // and all memory with it
	ErrMemory = errors.New("the device has no memory left")  // Alloc
	ErrImage  = errors.New("the driver refuses the program") // Load
	ErrLaunch = errors.New("the driver refuses the launch")  // it never began
	ErrKernel = errors.New("the kernel broke the device")    // an illegal instruction or address; the device is lost
)

// Info describes a driver's device.
type Info struct {
	Name        string
	Target      string // what to compile for: a name of package arch
	Driver      string // its version
	MemoryBytes int
	Shared      int // bytes of dynamic shared memory that a program may have; 0 where any amount is
	Processors  int
	// What follows is zero if not known.
	BytesPerSecond float64
	FLOPs          map[string]float64
	Deterministic  bool
	Times          bool
	// Budget bounds the loop iterations of one program whatever a launch asks for; 0 means that it
	// does not.
	Budget int64
}

// Source is a program to load.
type Source struct {
	PTX, Entry string
	Shared     int // bytes of dynamic shared memory
}

// Module is a loaded program.
type Module struct {
	Handle     uint64
	Registers  int // of one thread
	SpillBytes int // of one thread
	ToSASS     time.Duration
	CacheHit   bool
	Log        string
	Cubin      string // its machine code, where the driver keeps it
	Source     Source // what it was made of, where the driver may have to load it again
}

// Area is a piece of the device's memory.
type Area struct {
	Address uint64
	Bytes   int
}

// Launch says what to run.
type Launch struct {
	Module          *Module
	Grid            [3]int
	Threads, Shared int
	Params          []uint64
	TensorMaps      map[int]sim.TensorMap // by parameter, whose number is in Params of no meaning
	Clear           []Area                // set to zero before the launch
	Read            []Area                // read back after it
	Got             [][]byte              // what was read; the driver's to set
	Counts          *sim.Report           // what it did; for a driver that simulates to set
}
