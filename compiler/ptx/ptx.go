// Package ptx compiles tile IR to PTX, the text that NVIDIA's driver assembles. It is the second engine next to the
// interpreter and means the same: interp/tile is the reference, and RATIONALE.md lists where the hardware's arithmetic
// differs.
//
// # From tiles to threads
//
// A program of the grid becomes a thread block (CTA) of NumWarps warps. Each tile is distributed over its threads by a
// linear layout (package layout): a map over F2 from the bits of (register, lane, warp) to those of the element's
// number.
// Most of the compiler follows from that one idea. Vector width, replicas, reductions by shuffles, conversions through
// shared memory without bank conflicts, the fragments of tensor cores: each is a question about a layout's columns.
//
// Compile goes through a function in this order:
//
//  1. Facts: contiguity and divisibility of every value (package axis).
//  2. A plan (package plan) of all that is decided: how each dot is done, mma.sync, warpgroup MMA (wgmma) or
//     multiply-adds of threads; in which layout every tile is kept, which values are rematerialized, what is converted;
//     which loops are software-pipelined, with which loads and how many stages; barriers for global memory.
//  3. Emission, in the order of the code, one emitter for each operation (emit.go and the table emitters): appends
//     instructions over virtual registers as the plan says, with bounds checks (bounds_check.go).
//  4. Package asm removes what is not needed, places shared memory, inserts barriers for it, and prints.
//
// Integers and pointers are kept as base plus immediate (base_imm.go, pointer.go), so that the addresses of a thread's
// elements share registers and loops advance one induction variable for a whole tile (carried_vars.go).
//
// # Where to look
//
//	mma.sync, ldmatrix            mma.go, dot_operand.go
//	wgmma, matrix descriptors     wgmma.go
//	cp.async, stage buffers       pipeline.go, plan/stages.go
//	TMA, mbarriers                tensor_copy.go
//	persistent thread blocks      plan/persistent.go
//	branches around masks         mask_skip.go
//	loads, stores, cache hints    memory.go, memory_access.go
//	bounds checks                 bounds_check.go
//	atomics and memory order      atomic.go, atomic_update.go
//	reductions, scans             reduce.go, scan.go
//	shuffles, layout conversion   shuffle.go, convert.go
//	uniform control flow, loops   control.go
//
// To debug a kernel: `newt compile --emit passes`, `--emit plan`, `--emit ptx`, and package sim, which runs the
// text.
package ptx

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Options say what to compile for, and what is known of the launches that will run the code.
type Options struct {
	Target    string // a name of package arch; "": arch.Default
	NumWarps  int    // a power of two up to 32; 0: 4
	NumStages int    // of software-pipelined loops; 0: 3
	plan.Launch
	// FirstZero says for each parameter whether the pointer points to the start of its storage.
	FirstZero []bool
	// PrintBytes is the capacity of the launch's print area behind its header.
	PrintBytes int
	// Shared is how much shared memory a program may have on the device, in bytes, where that is less
	// than on other GPUs of the target; else 0.
	Shared int
	// Signed forbids the facts that rest on assumptions about quotients (axis.AnalyzeSigned).
	Signed bool
	// MmaSync emits dots as mma.sync even if warpgroup MMA, which is faster, is possible: for comparisons.
	MmaSync bool
	// EveryBox makes loads by tensor copies wherever that is possible, if it pays or not: for comparisons.
	EveryBox bool
	// Persistent makes thread blocks run one program after the other where that pays (Module.Persistent). All
	// programs are along the grid's first axis.
	Persistent bool
	// Record asks for the plan's Stages.
	Record bool
	// reserved and inRegisters are plan.Target.Reserved and InRegisters.
	reserved    int
	inRegisters bool
	// Exact keeps float arithmetic as the interpreter does it, operation by operation, at the cost of
	// speed: nothing is fused or approximated.
	Exact bool
}

// ParamKind says what a parameter of the entry carries.
type ParamKind uint8

// The kinds of parameters.
const (
	Base           ParamKind = iota // address of the element that a pointer points to
	First                           // lowest valid element offset, at most 0
	Count                           // elements of the whole storage
	Value                           // a scalar in 8 bytes: integers extended, floats as their bits
	Report                          // address of the report area
	Prints                          // address of the print area
	BudgetParam                     // iterations of loops that a program may make
	Reachable                       // address of the table of the memory that inttoptr may give pointers into
	ReachableCount                  // its entries
	Address                         // what the kernel takes for the address of the element that a pointer points to
	Tensor                          // a tensor map
	Pitch                           // elements from one row of a tensor map's to the next
	Programs                        // the programs of a launch of persistent thread blocks
)

// Param is one parameter of the entry.
type Param struct {
	Kind ParamKind
	Arg  int // index into ir.Func.Params; 0 for what is no argument's
	// Tensor is the tensor map, of Tensor and Pitch.
	Tensor *TensorMap
}

// SiteKind says what may go wrong at a site.
type SiteKind uint8

// The kinds of sites. Bounds masks the access off and goes on; the others end the program.
const (
	Bounds SiteKind = iota
	Assert
	Assume
	Budget
)

// Site is a place that may report at run time.
type Site struct {
	Kind SiteKind
	Span source.Span
	In   *ir.Instr // the access, assertion or loop
}

// PrintSite is a print operation.
type PrintSite struct{ In *ir.Instr }

// Layout says which threads keep the elements of a tile.
type Layout struct {
	layout.Layout
	Name string // of the variable; empty where there is none
	ID   int    // of the value
	Type types.Type
	Span source.Span
}

// Text is a line of the listing of layouts.
func (l *Layout) Text() string {
	return fmt.Sprintf("%%%s: %s = %s", cmp.Or(l.Name, fmt.Sprint(l.ID)), l.Type, l.Layout)
}

// Module is a compiled kernel.
type Module struct {
	Text       string        // PTX
	Lines      []source.Span // where each line of Text came from; the zero span: nowhere
	Entry      string        // the kernel's name in Text
	Threads    int           // per block
	Shared     int           // bytes of dynamic shared memory
	Params     []Param       // in the order of the entry's parameters
	Sites      []Site        // by number
	PrintSites []PrintSite   // by number
	Target     string
	Layouts    []Layout
	Warnings   diag.List // what the author of the kernel should know of its code
	// Persistent: the grid has as many thread blocks as the GPU runs at a time, or as there are programs (Programs).
	Persistent bool
}

// MaxInstructions is how many instructions Compile makes of a function at most, those included that it removes again:
// about 1 GB of its memory and a few seconds. It counts alike on every machine.
const MaxInstructions = 1 << 20

// Error is why a function cannot be compiled for a GPU.
type Error struct {
	Code string // row of the catalogue
	Span source.Span
	Args []any
}

// Error is the headline in English.
func (e *Error) Error() string { return e.Diagnostic().In(diag.English).Headline }

// Diagnostic puts e in words.
func (e *Error) Diagnostic() *diag.Diagnostic { return diag.New(e.Code, e.Span, e.Args...) }

// Compile compiles a verified function; it numbers its values. Errors are of type *Error.
func Compile(fn *ir.Func, opt Options) (*Module, error) {
	m, _, err := fitted(fn, opt)
	return m, err
}

// fitted compiles a function, and gives its plan. A plan knows about how much shared memory the code takes; where that
// takes more than there is all the same, a smaller plan is tried.
func fitted(fn *ir.Func, opt Options) (m *Module, p *plan.Plan, err error) {
	for {
		m, p, err = compile(fn, opt)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != "shared-memory" {
			return m, p, err
		}
		smaller := p.Target
		if !smaller.Shrink(p, e.Args[1].(int)) {
			return m, p, err
		}
		opt.Persistent, opt.reserved = smaller.Persistent, smaller.Reserved
		opt.MmaSync, opt.inRegisters = smaller.MmaSync, smaller.InRegisters
	}
}

func compile(fn *ir.Func, opt Options) (m *Module, p *plan.Plan, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, recovered(r)
		}
	}()
	opt = opt.withDefaults()
	if arch.Find(opt.Target) == nil {
		return nil, nil, &Error{Code: "unknown-target", Args: []any{opt.Target, strings.Join(arch.Names(), ", ")}}
	}
	e := newEmitter(fn, opt)
	p = e.plan
	if e.Threads > isa.MaxThreads {
		return nil, p, &Error{Code: "too-many-threads", Args: []any{fn.Name, e.Threads, isa.MaxThreads}}
	}
	e.emitFunction()
	m, err = e.finishModule()
	return m, p, err
}
