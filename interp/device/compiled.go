package device

import (
	"time"

	"github.com/newtlab/newt/compiler/source"
)

// Options are compiler options of a kernel. A device to which they mean nothing, such as the CPU, ignores them.
type Options struct {
	NumWarps  int // warps that run one program; 0 means the device's default
	NumStages int // depth of the pipeline of loads in a loop; 0 means the device's default
}

// Compiler is a Kernel that a device compiles to code of its own.
type Compiler interface {
	Kernel
	// Compiled says what became of the kernel. It is nil where the device has not compiled it yet,
	// which it has at the latest after the first launch, and where it turns out to compile nothing.
	Compiled() *Compiled
}

// Preparer is a Compiler that can also compile a kernel that has not been launched: as for a launch in which every
// access is in range.
type Preparer interface {
	Compiler
	Prepare() (*Compiled, error)
}

// Compiled says what a device made of a kernel.
type Compiled struct {
	PTX         string
	Lines       []source.Span // for each line of PTX, the place that it came from; zero if there is none
	Registers   int           // of one thread
	SpillBytes  int           // of one thread, stores and loads together
	SharedBytes int           // of one program
	ToPTX       time.Duration // from IR
	ToSASS      time.Duration // from PTX; what it took to load where CacheHit
	CacheHit    bool          // the machine code was made earlier
	Log         string        // what the driver's compiler had to say
	Cubin       []byte        // the machine code, where the device keeps it
}
