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

// OutOfBounds is the row of the catalogue for an access that leaves its argument's memory.
func (k Kind) OutOfBounds() string { return "out-of-bounds-" + k.String() }

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
	// Combine is what an atomic operation computes of the old value and Values; nil to exchange, and to compare.
	Combine num.BinaryFn
	Order   Order // of atomic operations and volatile loads
	// Unread says that nobody uses the old values that an atomic operation gives.
	Unread bool
	// Args are the arguments that the pointers may point into, by what the code says; none where they may be any.
	Args []int

	runs []Run // as Runs has found them
}

// Run is a run of lanes: the first one, and the one after the last.
type Run struct{ First, End int }

// Set makes a another access. It keeps a's memory.
func (a *Access) Set(to Access) {
	to.runs = a.runs[:0]
	*a = to
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

// Runs are the lanes that take part, in runs whose pointers follow each other. They are found once, for all observers.
func (a *Access) Runs() []Run {
	if len(a.runs) > 0 {
		return a.runs
	}
	for i := 0; i < len(a.Ptr); {
		if !a.Active(i) {
			i++
			continue
		}
		end := RunEnd(a.Ptr, a.Mask, i)
		a.runs = append(a.runs, Run{i, end})
		i = end
	}
	return a.runs
}

// RunEnd is the end of the lanes from i on that take part, as a nil mask says of all, and whose pointers follow each
// other.
func RunEnd(ptr []int64, mask []int32, i int) int {
	next := ptr[i] + 1
	i++
	// Eight lanes are compared at a time.
	for len(ptr)-i >= 8 && consecutive((*[8]int64)(ptr[i:]), next) && (mask == nil || all((*[8]int32)(mask[i:]))) {
		i, next = i+8, next+8
	}
	for ; i < len(ptr) && ptr[i] == next && (mask == nil || mask[i] != 0); i++ {
		next++
	}
	return i
}

// all reports whether all lanes of a mask take part. They are 0 or 1.
func all(mask *[8]int32) bool {
	return mask[0]&mask[1]&mask[2]&mask[3]&mask[4]&mask[5]&mask[6]&mask[7] != 0
}

// consecutive reports whether p is next, next+1, …
func consecutive(p *[8]int64, next int64) bool {
	return (p[0]^next)|(p[1]^(next+1))|(p[2]^(next+2))|(p[3]^(next+3))|
		(p[4]^(next+4))|(p[5]^(next+5))|(p[6]^(next+6))|(p[7]^(next+7)) == 0
}

// Observer is told of every access, in the order of the programs. Loads are reported after they
// were made, stores and atomics before. Lanes out of bounds are reported too: an observer checks
// for itself what it may look up.
type Observer interface {
	Launch(grid [3]int, args []Buffer)
	Access(a *Access)
}

// OlderReader is an Observer that may let lanes of an atomic operation read a value that their element had before, and
// write nothing.
type OlderReader interface {
	Observer
	// Older is what a lane of the access that Access was told of last reads; nil where it reads memory.
	Older(lane int) []byte
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
	// Written says that the kernel may write to what the argument points to; else it has no operation that does.
	Written bool
	// Reachable says that the kernel has no parameter for the memory, and reaches it by an address: accesses may have
	// any width.
	Reachable bool
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
