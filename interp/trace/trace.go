// Package trace defines how a running kernel is observed: an Observer is told of each access to memory, one call for a
// whole vector of lanes, of each matrix product, and where the kernel was planned for it, of each operation.
//
// The engine asks once an operation whether somebody observes, so that a launch that nobody observes pays nothing; an
// observed launch runs its programs one after the other. Recorder keeps accesses for the page, package sanitize looks
// for races, and a caller may combine observers with Tee.
package trace

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
)

// Kind says what an access does.
type Kind uint8

// The kinds of access.
const (
	Load Kind = iota
	Store
	Atomic
)

func (k Kind) String() string { return [...]string{"load", "store", "atomic"}[k] }

// Access is one load, store or atomic operation of one program. Its slices belong to the engine
// and hold only until the observer returns.
type Access struct {
	Kind    Kind
	Program [3]int
	Instr   *ir.Instr
	Span    source.Span
	DType   num.DType
	Ptr     []int64 // one pointer per lane; see Split
	Mask    []int32 // lanes that take part; nil where all do
	// Values are what was loaded, or what is to be stored.
	Values num.Vec
	// Compare is what a compare-and-swap expects to find; it is empty for the rest. A lane that finds anything else
	// stores nothing.
	Compare num.Vec
	Order   Order // of atomic operations and volatile loads
}

// Order is what the memory model says of an operation besides its value. The zero Order is that of a plain load or
// store, which orders nothing and may not be concurrent with a store to its element.
type Order struct {
	Strong  bool // an atomic operation, or a volatile load
	Acquire bool // what follows sees what the release that it reads from comes after
	Release bool // what reads from it by an acquire sees what comes before it
	CTA     bool // among the threads of its program only; else of the whole GPU, or the system
}

// Active reports whether lane i takes part.
func (a *Access) Active(i int) bool { return a.Mask == nil || a.Mask[i] != 0 }

// Observer is told of every access, in the order of the programs. Loads are reported after they
// were made, stores and atomics before. Lanes out of bounds are reported too: an observer checks
// for itself what it may look up.
type Observer interface {
	Launch(grid [3]int, args []Buffer)
	Access(a *Access)
}

// Operation is one instruction that a program has executed, or the entry into one of its regions: a branch of an if, an
// iteration of a loop. Its slices belong to the engine and hold only until the observer returns.
type Operation struct {
	Program [3]int
	Instr   *ir.Instr
	// Region is the one that is entered; nil once Instr has been executed.
	Region *ir.Block
	// Lanes are those of each of Instr's results, or of each of Region's arguments, row by row. A pointer is a number:
	// see Split.
	Lanes []num.Vec
}

// OperationObserver is an Observer that is told of operations, too, if the kernel was planned for it. An operation
// comes after its access and its product, and after the operations of its regions; what a reduction or a scan combines
// is part of it. A program that faults ends without the operation that did.
type OperationObserver interface {
	Observer
	// Watches reports whether the observer is to be told of a program's operations. It is asked as the program begins.
	Watches(program [3]int) bool
	Operation(o *Operation)
}

// Product is one matrix product of one program, a tl.dot.
type Product struct {
	A, B       num.DType
	Precision  string // its input_precision
	Operations int    // multiplications and additions
}

// ProductObserver is an Observer that is told of products, too.
type ProductObserver interface {
	Observer
	Product(p Product)
}

// Buffer is the memory that a pointer argument points into; that of a scalar has no Data.
type Buffer struct {
	Name   string
	DType  num.DType
	Data   []byte // the storage; two arguments that share storage share Data
	Offset int    // the element of Data that offset 0 means
	// Undefined says that nobody has written to the storage before the launch.
	Undefined bool
}

// OffsetBits is the width of a pointer's offset. Pointers are numbers: the argument's position times 1<<OffsetBits,
// plus the element offset.
const OffsetBits = 48

// Pointer is the number of element offset of argument arg.
func Pointer(arg int, offset int64) int64 { return int64(arg)<<OffsetBits + offset }

// Split takes a pointer apart: the argument's position, and the offset in elements, which may be
// negative.
func Split(p int64) (arg int, offset int64) {
	offset = p << (64 - OffsetBits) >> (64 - OffsetBits)
	return int(uint64(p-offset) >> OffsetBits), offset
}
