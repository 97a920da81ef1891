// Package plan decides how a function of tile IR becomes code for the threads of a GPU, before any of it is emitted:
// the layout of every tile, which values are rematerialized and which converted, how each dot is done, which loops are
// software-pipelined, where threads synchronize.
//
// Make looks at the function and at the facts of package axis, and gives a Plan, which nothing changes afterwards and
// which can be printed (Plan.Text): package ptx emits what it says. A new idea about the use of the GPU is a decision
// here, with a golden of the printed plan. The first decision is in which layouts tiles are. From there on the plan is
// about another function, the placed one (Plan.Func), in which values carry their layouts and convert_layout is an
// operation.
//
//	passes.go       what is decided in which order
//	layouts.go      the layout of every tile, from anchors outward
//	remat.go        what is rematerialized in several layouts, what is converted
//	place.go        the function with all of that in it
//	dot.go          multiply-adds of threads, mma.sync or warpgroup MMA (wgmma.go)
//	operands.go     the function with the operands of dots where those read them, and warpgroup MMAs issued
//	fma_loop.go     dots whose multiply-adds are in a loop
//	convert.go      how tiles go from one layout to another
//	atomic.go       how atomics update elements
//	reduce.go       the steps of reductions, scan.go those of scans
//	scratch.go      scratch memory of operations, and scalars that thread 0 broadcasts
//	shared.go       how much shared memory all of it takes
//	pipeline.go     software pipelining of loops: which, with which loads and stages
//	stages.go       the function with the copies, waits and stage buffers in it
//	tensor_copy.go  which loads of theirs are made by tensor copies (TMA)
//	delay.go        dots that are issued one iteration late, and the function with them
//	turns.go        the function whose warpgroups take turns
//	scaled_max.go   maxima that are taken before a scale
//	mask.go         selects that warps branch around
//	partial_sum.go  sums of which each thread keeps its part in a loop
//	checks.go       how accesses are checked to stay in their arguments
//	order.go        which programs run first
//	persistent.go   thread blocks that run one program after the other, and the function with that loop
//	rewrite.go      new instructions in the placed function, and copies of others
//	registers.go    how many registers the tiles take, and what ptxas is asked for
//	barriers.go     barriers between accesses to global memory
package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/dump"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/types"
)

// Target is what to plan for.
type Target struct {
	Arch   *arch.Target
	Warps  int // of a program, a power of two
	Stages int // of software-pipelined loops that do not say
	Shared int // bytes of shared memory that a program may have
	// Reserved is how much of it stage buffers leave to the rest of the program: to conversions between layouts,
	// reductions, operands of other dots. Make finds it.
	Reserved int
	MmaSync  bool // no warpgroup MMA
	// InRegisters: mma.sync takes all operands that are in no stage buffer from registers, which conversions fill
	// part by part. Make finds out whether they have to.
	InRegisters bool
	Exact       bool // float arithmetic as the interpreter does it, so no tensor cores for floats
	EveryBox    bool // tensor copies wherever that is possible
	// Persistent: launches want persistent thread blocks, and nothing in their programs is reported.
	Persistent bool
	Record     bool // the plan's Stages are asked for
	Launch
}

// Launch is what is known of instructions in all launches that run the code; nil stands for nothing. They are those of
// the function that is planned; in the Target of a Plan, where none is nil, those of the placed one.
type Launch struct {
	// Proved: a load, store or atomic stays within its argument, which saves the bounds check; the 32-bit offsets that
	// an addptr adds span less than 2^31 (bounds.Proof.InRange).
	Proved func(*ir.Instr) bool
	// Reduced: an integer remainder is its dividend (bounds.Proof.Reduced).
	Reduced func(*ir.Instr) bool
	// Natural: an integer division or remainder is one of natural numbers (bounds.Proof.Natural), and PowerOfTwo: its
	// divisor is one power of two (bounds.Proof.PowerOfTwo).
	Natural, PowerOfTwo func(*ir.Instr) bool
	// Scales: a multiplication is one of a tile by a positive number (bounds.Proof.Scales).
	Scales func(*ir.Instr) bool
	// True: a comparison of integer tiles is true for all elements (bounds.Proof.True).
	True func(*ir.Instr) bool
	// Boxes: a load may be made by tensor copies, since its pointers are those of a matrix (bounds.Proof.Pitch).
	Boxes func(*ir.Instr) bool
	// Bounded: a for loop needs no budget.
	Bounded func(*ir.Instr) bool
}

// predicates are all that is known.
func (l *Launch) predicates() []*func(*ir.Instr) bool {
	return []*func(*ir.Instr) bool{&l.Proved, &l.Reduced, &l.Natural, &l.PowerOfTwo, &l.Scales, &l.True, &l.Boxes,
		&l.Bounded}
}

// warpSize is the number of threads in a warp.
const warpSize = 32

// Threads is the number of threads of a program.
func (t Target) Threads() int { return t.Warps * warpSize }

// MaxAccess is the most bytes that a thread moves with one instruction (PTX ISA, "ld": vectors of up to 128 bits).
const MaxAccess = 16

// Plan is how one function is compiled for one target.
type Plan struct {
	// Func is the function as it is placed on threads: each value is in one layout (ir.Value.Layout), and is computed
	// in several or converted where several are required. Facts are those about it.
	Func        *ir.Func
	Facts       *axis.Facts
	Target      Target
	Tiles       []Tile                    // by Value.ID
	Conversions map[*ir.Instr]*Conversion // by convert_layout
	Reductions  map[*ir.Instr]*Reduction
	Scans       map[*ir.Instr][]ScanRun
	Accesses    map[*ir.Instr]*Access // of each load, store and atomic
	Dots        map[*ir.Instr]*Dot
	Pipelines   map[*ir.Instr]*Pipeline // by for loop
	Async       map[*ir.Instr]Async     // of operations on stage buffers and mbarriers
	MaskSkips   map[*ir.Instr]*MaskSkip // by select and by comparison
	True        map[*ir.Instr]bool      // comparisons that are always true, and not made
	Guards      map[*ir.Instr]bool      // branches around loops whose accumulators are overwritten
	// Reversed: block b runs program n-1-b along the grid's first axis.
	Reversed bool
	// Persistent is the plan of persistent thread blocks; nil: each block runs one program.
	Persistent *Persistent
	// Of shared memory: what a program takes and how it is aligned, and what each local_alloc gives.
	SharedBytes, SharedAlign int
	Buffers                  map[*ir.Instr]*Buffer
	// Hazards are what the barriers are for that are neither the kernel's nor those of stage buffers.
	Hazards map[*ir.Instr]*Hazard
	Fenced  map[*ir.Instr]bool // warpgroup MMAs behind a fence, which makes what is in their registers visible to them
	Counted map[*ir.Instr]bool // for loops that count their iterations down
	// Words has the tiles that are in words of 32 bits, not a register an element.
	Words    map[*ir.Value]bool
	Warnings diag.List     // what the author of the kernel should know
	Stages   dump.Recorder // the function behind each pass that may change it, where the target wants them

	control map[*ir.Instr]bool      // axis.Control
	source  map[*ir.Instr]*ir.Instr // what each instruction was in the function that was planned
	values  []int                   // and the ID of each value there
	named   map[*ir.Value]bool      // of the Stages
	names   map[string]bool
}

// Make plans a function that Number has numbered, from the facts about it: with fewer stages than are asked for where
// all that is planned would not fit in shared memory otherwise.
func Make(fn *ir.Func, target Target, facts *axis.Facts) *Plan {
	for {
		p := decide(fn, target, facts)
		p.run(rewrites)
		if need := p.SharedBytes; need <= target.Shared || !target.Shrink(p, need) {
			return p
		}
	}
}

// Shrink changes a target, for which plan p needs more shared memory than there is, to one for which a plan may fit,
// and reports whether there is one: without persistent thread blocks, then with fewer stages, then with operands of
// tensor cores in registers.
func (t *Target) Shrink(p *Plan, need int) bool {
	if p.Persistent != nil {
		t.Persistent = false
		return true
	}
	stages := 0
	for _, r := range p.Pipelines {
		stages = max(stages, r.bytes())
	}
	// At least one more row of the widest swizzle, so that this ends.
	t.Reserved = max(t.Reserved+StageAlign, need-stages)
	if stages > 0 || t.InRegisters {
		return stages > 0
	}
	t.Reserved, t.MmaSync, t.InRegisters = 0, true, true
	for _, d := range p.Dots {
		if d.Unit != FMA {
			return true
		}
	}
	return false
}

// decide makes all decisions about a function, those about loops being next to it.
func decide(fn *ir.Func, target Target, facts *axis.Facts) *Plan {
	p := &Plan{Func: fn, Facts: facts, Target: target, Accesses: map[*ir.Instr]*Access{}, Async: map[*ir.Instr]Async{},
		Guards: map[*ir.Instr]bool{}, named: map[*ir.Value]bool{}, names: map[string]bool{}}
	p.run(decisions)
	return p
}

// exchanges reports whether the code of an instruction may have threads exchange values, through shared memory or at a
// barrier, so that all of them have to run it, together.
func (p *Plan) exchanges(in *ir.Instr) bool {
	return p.control[in] || len(in.Operands) > 0 && !in.Op.Has(ops.Elementwise) && !ViewOps[in.Op]
}

func (p *Plan) exchangesAny(list []*ir.Instr) bool { return slices.ContainsFunc(list, p.exchanges) }

// Access is how a load, store or atomic is made.
type Access struct {
	Layout  layout.Layout // in which it works
	Vector  int           // elements that one instruction moves at most
	Check   Check         // whether it stays in its argument
	Aligned bool          // the addresses of vectors in bounds are known to be
	Unused  bool          // of an atomic: nothing uses the old values
	Update  Update        // of an atomic
	// Broadcast takes an atomic's old values to all threads that hold an element; nil: none is in several warps.
	Broadcast *Conversion
}

// Tile is what the plan says of one value, beside its layout.
type Tile struct {
	Reason Reason // for the layout
	// Rematerialized says that the value is computed in each layout in which it is required; others are computed in
	// one and converted.
	Rematerialized bool
}

// Reason is why a tile has its layout.
type Reason struct {
	Kind ReasonKind
	In   *ir.Instr // the anchor (Accumulator, Coalesced) or the operation (Implied)
	From *ir.Value // Propagated: the value whose layout this one matches
}

// ReasonKind is a kind of reason.
type ReasonKind uint8

// The kinds of reasons. Scalars have None.
const (
	None        ReasonKind = iota
	Accumulator            // an anchor: the result of a dot
	Coalesced              // an anchor: a memory access whose vectors are coalesced
	Propagated             // matches a neighbor's, so that nothing moves between threads
	Default                // by shape alone, since no anchor reaches it
	Implied                // the operation gives its result this layout, whatever the neighbors have
)

// ViewOps are the operations that only give registers other names, if their operand has a matching layout.
var ViewOps = map[ops.Op]bool{
	ops.ExpandDims: true, ops.Broadcast: true, ops.Reshape: true, ops.Trans: true, ops.Splat: true,
}

// registers is how many registers of 32 bits an element of type t takes; narrower ones take one all the same.
func registers(t types.Type) int {
	if t.Pointer || t.DType.Info().Bits > 32 {
		return 2
	}
	return 1
}

// FastestDim is the dimension of the matrix along which a thread's consecutive registers go.
func FastestDim(l layout.Layout) int {
	last := len(l.Shape) - 1
	for _, b := range l.Reg {
		// Bits of row-major numbers: bit 0 is the last dimension's first, bit log2(shape[last]) the one's before.
		if b == 1<<0 {
			return last
		}
		if b == uint32(l.Shape[last]) {
			return last - 1
		}
	}
	return last
}

func onesOf(n int) []int {
	ones := make([]int, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

func volume(ns []int) int {
	p := 1
	for _, n := range ns {
		p *= n
	}
	return p
}
