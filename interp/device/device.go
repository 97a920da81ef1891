// Package device defines what runs kernels: a Device allocates Memory, loads functions as Kernels, and launches them.
//
// Package cpu implements it with the interpreter, package gpu with PTX and a driver, runner/client with a connection to
// a runner, and the page with that of its own. They differ in their Capabilities and in optional interfaces, which a
// caller asks for with a type assertion: a Device may be InPlace, Divisible or a ContextLoader, a Kernel a Compiler, a
// Preparer, a Timer or a Sizer. Package devicetest holds the tests that all of them pass. A Storage is memory that
// stays on a device for as long as nobody looks at it here.
//
// Memory is guarded (Guard): launches share it, copies and Free exclude launches. Errors that concern the user are
// Faults, which have a diagnostic; accesses out of bounds are no errors but part of the Report.
package device

import (
	"context"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// Device runs kernels on memory of its own. Its methods may be called from several goroutines.
// Errors that concern the user are Faults.
type Device interface {
	Capabilities() Capabilities
	// Alloc gives bytes of cleared memory.
	Alloc(bytes int) (Memory, error)
	// Load makes a verified function ready to be launched. The Kernel may be a Compiler or a Timer too.
	Load(fn *ir.Func, o Options) (Kernel, error)
	// Close frees everything; memory and kernels are of no use afterwards.
	Close() error
}

// Capabilities says what a device is and can do.
type Capabilities struct {
	Name        string // as shown to people: "CPU", "NVIDIA H200"
	MemoryBytes int    // how much Alloc can give in all; 0 if there is no limit
	DTypes      []num.DType
	// Deterministic devices give the same bytes on every run of a kernel without races.
	Deterministic bool
	Observes      bool // Launch.Observer works
	Poisons       bool // Launch.Poison works
	FindsRaces    bool // Launch.Races works
	Times         bool // kernels are Timers
	Suspends      bool // Launch.Yield works

	// What follows concerns GPUs; it is zero where it means nothing or is not known.
	Arch           string  // the architecture that code is made for: "sm_90a"
	Driver         string  // the driver's version
	Processors     int     // streaming multiprocessors
	BytesPerSecond float64 // the most that memory can carry
	// FLOPs is the most operations a second, by the name of the arithmetic: a dtype, or "tf32".
	FLOPs map[string]float64
}

// ContextLoader is a Device that gives up making a kernel ready when ctx ends; the error is then a Fault.
type ContextLoader interface {
	LoadContext(ctx context.Context, fn *ir.Func, o Options) (Kernel, error)
}

// Divisible is a Device of which parts can be taken into use that know nothing of each other: each has memory of its
// own, and what breaks one leaves the others as they are. Closing the Device does not close its parts.
type Divisible interface {
	// Part takes a part for a tenant. What a part keeps is found by later parts of the same tenant alone; nothing is
	// kept where tenant is empty.
	Part(tenant string) (Part, error)
}

// Part is a part of a Device. Close or Keep ends it, with its memory and its kernels.
type Part interface {
	Device
	// Keep is Close after work that went well: what is costly to make anew, such as a process with the code that it has
	// loaded, may stay for the tenant's next part.
	Keep() error
}

// InPlace is a Device that can launch on memory of this process: Wrap takes data that the caller keeps, and owns
// nothing.
type InPlace interface{ Wrap(data []byte) Memory }

// Memory is a piece of a device's memory.
type Memory interface {
	Bytes() int
	// Write copies data to the bytes from at on, Read copies them back. Both wait for launches
	// that are under way and refuse what is out of range.
	Write(at int, data []byte) error
	Read(at int, into []byte) error
	Free()
}

// Kernel is a function that a device has made ready.
type Kernel interface {
	// Launch runs the kernel over the grid and waits. The report is never nil.
	Launch(ctx context.Context, l Launch) (*Report, error)
}

// Sizer is a Kernel that knows how much memory of this process a launch takes, apart from its arguments'.
type Sizer interface{ LaunchBytes(l Launch) int64 }

// Launch says how to run a kernel. Options that a device lacks are left out of account.
type Launch struct {
	Grid     [3]int
	Args     []Arg // one for each parameter, then reachable memory: see Pointer.Address
	Budget   int64 // bounds the work; 0 means the device's default
	Poison   bool  // lanes without a value get one that makes their use evident
	ExactDot bool  // the interpreter multiplies fp32 factors of dot as they are, whatever input_precision says
	Races    bool  // look for races between programs
	Observer trace.Observer
	// LastFirst asks the interpreter to run the programs in the opposite order.
	LastFirst bool
	// From is a state that an Observer of an earlier launch with the same arguments has asked for: the interpreter goes
	// on from it. nil is the beginning.
	From     *trace.State
	Progress func(done, total int64) // programs
	// Yield is called every few milliseconds while the launch runs, from any of its goroutines, and may block: that
	// suspends the launch. Devices that cannot be suspended never call it.
	Yield func()
	// MemoryBytes bounds the memory that the launch takes apart from its arguments'; 0 means the device's default.
	MemoryBytes int64
}

// Arg is a kernel argument: a Pointer or a Scalar.
type Arg interface{ isArg() }

// Pointer points to an element of memory.
type Pointer struct {
	Name   string // the tensor's name in messages; the parameter's where empty
	Memory Memory
	DType  num.DType
	Offset int // in elements
	// Undefined says that nobody has written to Memory; observers are told.
	Undefined bool
	// Address is what memory holds for the address of Memory's first byte, a multiple of 256. A kernel that makes
	// integers of pointers is given it with the parameters' pointers; one that makes pointers of integers reaches the
	// memory behind them, which has no parameter, by it.
	Address int64
}

// Scalar is a number.
type Scalar struct{ num.Scalar }

func (Pointer) isArg() {}
func (Scalar) isArg()  {}

// Report says what happened in a launch: what it did to memory aside.
type Report struct {
	Diagnostics   diag.List // accesses out of bounds, races
	Prints        []Print   // in program order
	PrintsDropped int
	Programs      int64         // how many ran to their end
	Elapsed       time.Duration // on the device: from the first program's start to the last one's end
	Work          int64         // that the programs did, a nanosecond or so a unit and at most some ten; 0 if not known
}

// Print is the output of one print operation of one program.
type Print struct {
	Program [3]int
	Span    source.Span
	Text    string
	Call    bool // of a function of the program: see lower.HostCall
}

// Fault is an error that can be put in words for the user.
type Fault interface {
	error
	Diagnostic() *diag.Diagnostic
}
