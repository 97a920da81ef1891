package tile

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// DefaultBudget is the work that a launch may do when it does not say: about a nanosecond a unit
// on one core.
const DefaultBudget = 1 << 36

// Launch says how to run a kernel.
type Launch struct {
	Grid [3]int // programs along each axis, at least 1
	Args []Arg  // one for each parameter, then reachable memory: see Buffer.Address
	// Poison gives lanes that a mask leaves out NaN and infinities, or large odd integers, where the load has no
	// other; else they are 0 as in Triton's interpreter.
	Poison bool
	// ExactDot multiplies fp32 factors of dot as they are, whatever input_precision says, as Triton's
	// own interpreter does.
	ExactDot bool
	// Budget bounds the launch's work; 0 means DefaultBudget.
	Budget int64
	// MemoryBytes bounds the bytes that the values of all workers' programs take; 0 means a gigabyte. Fewer workers run
	// where that is too little for all, and none where it is too little for one.
	MemoryBytes int64
	// Workers is the number of goroutines; 0 means one for each processor. With an Observer,
	// programs run one after the other.
	Workers  int
	Observer trace.Observer
	// LastFirst runs the programs in the opposite order, which is as good as any: what depends on the order differs.
	LastFirst bool
	// From is a state of an earlier launch with the same arguments, from which this one goes on, on one goroutine; nil
	// is the beginning. Memory is as it was then: Observer.Launch may write to it.
	From *trace.State
	// Progress is called now and then with the number of programs done.
	Progress func(done, total int64)
	// Yield is called every few milliseconds by each worker, which goes on when it returns; it may be nil.
	Yield func()
}

// Arg is a kernel argument: a Buffer for a pointer, a Scalar for anything else.
type Arg interface{ isArg() }

// Buffer is device memory that a pointer argument points into.
type Buffer struct {
	Name   string    // the tensor's name in messages; the parameter's name where empty
	DType  num.DType // of the elements
	Data   []byte    // the whole storage, little-endian
	Offset int       // the element of Data that the pointer points to
	// Undefined says that nobody has written to Data; observers are told.
	Undefined bool
	// Address is what memory holds for the address of Data's first byte. A Buffer behind those of the parameters has
	// one: the kernel reaches it by pointers that it makes of addresses.
	Address int64
}

// Scalar is a number.
type Scalar struct{ num.Scalar }

func (Buffer) isArg() {}
func (Scalar) isArg() {}
