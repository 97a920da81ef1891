// Package bounds decides before a launch, when the grid and the arguments are known, which accesses
// of a kernel cannot leave their arguments' memory. The engine compiles no check for those, so
// that a wrong answer here is a hole: every rule must hold for all inputs, whatever they are.
//
// The kernel is walked once with the launch's numbers put in (package facts): every integer and every pointer's offset
// is a sum of atoms of which an interval is known. What may wrap can be anything its dtype holds; so can whatever comes
// out of memory.
//
// Hints and assumptions of the author play no part, and an access whose vector width rests on one
// is never in range.
package bounds

import (
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Arg is what a launch passes for one parameter: Value for a scalar; for a pointer the elements
// that it may reach, as offsets from where it points: First, First+1, …, First+Count-1.
type Arg struct {
	Value        num.Scalar
	First, Count int64
}

// Args is a launch: its grid, and an argument for each parameter.
type Args struct {
	Grid [3]int
	Args []Arg
}

// Prover is a function made ready for proofs. Several goroutines may use one.
type Prover struct {
	fn     *ir.Func
	rests  []axis.Assumption
	index  map[*ir.Instr]int  // of what is Provable
	blank  []verdict          // by index
	scaled map[*ir.Instr]bool // axis.ScaledMaxima
	states sync.Pool
}

// verdict is what a Proof says of an instruction.
type verdict struct {
	hinted         bool // the vectors of an access rest on a hint
	proved         bool // see InRange
	natural, power bool
	bounded        bool
	trips          int64 // of a loop that is bounded
	pitch          int64 // 0 where there is none
}

// New prepares proofs about code compiled from fn under these facts; fn has the numbers that the
// facts were found with.
func New(fn *ir.Func, facts *axis.Facts) *Prover {
	p := &Prover{fn: fn, rests: facts.Assumptions(), index: map[*ir.Instr]int{}, scaled: axis.ScaledMaxima(fn)}
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) || in.Op == ops.For || AddsNarrow(in) || OrdersTiles(in) || divides(in) || p.scaled[in] {
			p.index[in] = len(p.blank)
			p.blank = append(p.blank, verdict{hinted: axis.Accesses(in) && facts.Hinted(in)})
		}
	})
	return p
}

// Proof is what holds for one launch.
type Proof struct {
	prover   *Prover
	verdicts []verdict // by index
	assumed  bool
}

// of is what is said of an instruction; of one that is not Provable nothing is.
func (p *Proof) of(in *ir.Instr) verdict {
	if i, ok := p.prover.index[in]; ok {
		return p.verdicts[i]
	}
	return verdict{}
}

// Prove runs the function on a launch's intervals.
func (p *Prover) Prove(args Args) *Proof {
	out := &Proof{prover: p, verdicts: slices.Clone(p.blank)}
	if len(args.Args) != len(p.fn.Params) || slices.Min(args.Grid[:]) < 1 {
		return out
	}
	s, _ := p.states.Get().(*state)
	if s == nil {
		s = p.newState()
	}
	s.prove(args, out)
	out.assumed = p.aligned(args) && !slices.ContainsFunc(p.rests, func(a axis.Assumption) bool {
		x := &s.Values[a.Value.ID]
		return x.Lost || x.I.Lo < a.AtLeast
	})
	s.proof = nil
	p.states.Put(s)
	return out
}

// aligned reports whether numbers are as divisible as their parameters say. Where pointers point is
// not known here: who launches looks after it.
func (p *Prover) aligned(args Args) bool {
	for i, a := range args.Args {
		if x := p.fn.Params[i]; x.Value.Type.IsInt() && a.Value.Cast(x.Value.Type.DType).Int()%int64(max(1,
			x.Divisible)) != 0 {
			return false
		}
	}
	return true
}

// Assumptions reports whether what the facts rest on holds: axis.Facts.Assumptions, and the
// divisibility of numbers. Code that was compiled under facts that do not hold must not run.
func (p *Proof) Assumptions() bool { return p.assumed }

// InRange reports whether every access of a load, store or atomic that its mask lets through, in
// any program of the launch, is within its argument's elements. Of an addptr of 32-bit offsets (AddsNarrow) it reports
// whether these span less than 2^31 elements in all of the launch: then the difference of two of them is a number of 32
// bits, also where a sum in between wraps, and their addresses differ by it. It speaks of code compiled under the facts
// that New was given.
func (p *Proof) InRange(in *ir.Instr) bool {
	v := p.of(in)
	return p.assumed && v.proved && !v.hinted
}

// Reduced reports whether an integer remainder is its dividend in all of the launch, which is from 0 to less than the
// divisor: that of a tile's row numbers by the matrix's rows, say, where no tile reaches beyond the last row.
func (p *Proof) Reduced(in *ir.Instr) bool { return in.Op == ops.Rem && p.InRange(in) }

// Natural reports whether in all of the launch an integer division or remainder has a dividend that is not negative and
// a divisor that is positive.
func (p *Proof) Natural(in *ir.Instr) bool { return p.assumed && p.of(in).natural }

// PowerOfTwo reports whether a division or remainder that is Natural has one divisor in all of the launch, a power of
// two: the number of programs in a group, say, where programs are grouped for reuse in the L2 cache.
func (p *Proof) PowerOfTwo(in *ir.Instr) bool { return p.Natural(in) && p.of(in).power }

// True reports whether a comparison is true for all elements of its tile, wherever the launch makes it: that of a
// tile's columns with the number of the matrix's, say, where no tile reaches beyond the last column.
func (p *Proof) True(in *ir.Instr) bool { return OrdersTiles(in) && p.InRange(in) }

// Provable reports whether a Proof has something to say of in: of accesses, for loops, AddsNarrow, integer divisions
// and remainders, comparisons of tiles, and tiles times scalars of which maxima are taken.
func (p *Prover) Provable(in *ir.Instr) bool {
	_, ok := p.index[in]
	return ok
}

// divides reports whether in is an integer division or remainder.
func divides(in *ir.Instr) bool {
	return (in.Op == ops.Div || in.Op == ops.Rem) && in.Results[0].Type.IsInt()
}

// OrdersTiles reports whether in compares integer tiles by their order.
func OrdersTiles(in *ir.Instr) bool {
	return ops.Orders(in.Op) && in.Operands[0].Type.IsInt() && !in.Operands[0].Type.IsScalar()
}

// AddsNarrow reports whether in is an addptr of 32-bit offsets.
func AddsNarrow(in *ir.Instr) bool {
	return in.Op == ops.AddPtr && in.Operands[1].Type.DType == num.Int32
}

// Bounded is the most iterations that one execution of a for loop makes. It is not ok where no
// bound was found, and for while loops.
func (p *Proof) Bounded(loop *ir.Instr) (iterations int64, ok bool) {
	v := p.of(loop)
	return v.trips, v.bounded
}
