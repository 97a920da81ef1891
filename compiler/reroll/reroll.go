// Package reroll makes loops again of what lowering has unrolled, in kernels that are too large otherwise.
//
// Triton unrolls tl.static_range, and the constexpr that its variable is may decide anything: a shape, a
// branch, a dtype, an overload. So lowering unrolls as well, and what it has made of each iteration is compared
// afterwards: where iterations differ in nothing but integer constants that grow by the same step, and in the
// values that one iteration leaves for the next, they are a loop of the IR that computes the same, bit for bit.
// That is a question of the IR alone. Whatever else an iteration has done while it was lowered (its diagnostics,
// the lines of tl.static_print, the overflow of a Python number) it has done.
//
// Iterations that differ (the first, whose accumulator is still a number; one that an if singles out) stay as they
// are, before, between and behind such loops.
package reroll

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
)

// Loop says where the iterations of an unrolled loop are in their block: the i-th has the instructions from
// Starts[i] to Starts[i+1].
type Loop struct {
	Span   source.Span
	Starts []int
}

func (l Loop) iterations() int { return len(l.Starts) - 1 }

// A run of fewer iterations, or of less to spare, is not worth a loop, whose index and carried values cost, too.
const (
	minTrips   = 4
	minSaved   = 128 // instructions
	maxCarried = 256

	// maxNested is how many such loops can be inside each other: log ir.MaxInstrs to the base of minTrips.
	maxNested = 9
)

// Func rewrites a function of more than limit instructions in place. Of loops inside each other the outermost
// become loops first; what is inside of them stays unrolled where their body is within the limit. The blocks of
// unrolled list inner loops before those around them.
func Func(fn *ir.Func, unrolled map[*ir.Block][]Loop, limit int) {
	if len(unrolled) > 0 && depth(fn.Body)+maxNested <= ir.MaxDepth {
		rewriteBlock(fn.Body, unrolled, limit)
	}
}

// depth is how many regions are inside each other.
func depth(b *ir.Block) (n int) {
	for _, in := range b.Instrs {
		for _, region := range in.Regions {
			n = max(n, 1+depth(region))
		}
	}
	return n
}

func rewriteBlock(b *ir.Block, unrolled map[*ir.Block][]Loop, limit int) {
	instrs := size(b)
	if instrs <= limit {
		return
	}
	bodies := rerollBlock(b, instrs, unrolled)
	for _, in := range b.Instrs {
		for _, region := range in.Regions {
			if bodies[region] {
				rewriteBlock(region, unrolled, limit)
			} else {
				rewriteBlock(region, unrolled, 0)
			}
		}
	}
}

func size(b *ir.Block) (n int) {
	b.Walk(func(*ir.Instr) { n++ })
	return n
}

// roller rewrites one block.
type roller struct {
	block    *ir.Block
	unrolled map[*ir.Block][]Loop
	values   []value             // those defined in the block and inside of its instructions, by Value.ID
	loops    map[int][]*ir.Instr // by the index of the first instruction that they replace
	bodies   map[*ir.Block]bool  // of these loops
	replaced map[*ir.Value]*ir.Value
}

// value is what there is to know of a value. Places are indices in the block: what is inside of an instruction has
// the instruction's.
type value struct {
	*ir.Value
	place   int
	lastUse int
	next    *ir.Value // the same in the next iteration
}

// rerollBlock makes loops in a block of so many instructions, and gives their bodies.
func rerollBlock(b *ir.Block, instrs int, unrolled map[*ir.Block][]Loop) map[*ir.Block]bool {
	r := &roller{block: b, unrolled: unrolled, values: make([]value, 0, instrs), loops: make(map[int][]*ir.Instr),
		bodies: make(map[*ir.Block]bool), replaced: make(map[*ir.Value]*ir.Value)}
	for i, in := range b.Instrs {
		r.enter(in, i)
	}
	// From the last to the first: a loop comes before those inside it, and the instructions of the loops that are
	// still to come have kept their places.
	for _, l := range slices.Backward(unrolled[b]) {
		if l.Starts[0] < len(b.Instrs) && b.Instrs[l.Starts[0]] != nil {
			r.loop(l)
		}
	}
	r.finish()
	return r.bodies
}

// enter notes the uses and definitions of an instruction and of what is inside of it.
func (r *roller) enter(in *ir.Instr, place int) {
	for _, v := range in.Operands {
		if known := r.find(v); known != nil {
			known.lastUse = place
		}
	}
	define := func(list []*ir.Value) {
		for _, v := range list {
			v.ID = len(r.values)
			r.values = append(r.values, value{Value: v, place: place})
		}
	}
	define(in.Results)
	for _, region := range in.Regions {
		define(region.Args)
		for _, in := range region.Instrs {
			r.enter(in, place)
		}
	}
}

// find looks a value up; it is nil for those from outside of the block, whose ID says nothing, and for an absent one.
func (r *roller) find(v *ir.Value) *value {
	if v == nil || v.ID >= len(r.values) || r.values[v.ID].Value != v {
		return nil
	}
	return &r.values[v.ID]
}

// loop makes loops of the runs of like iterations.
func (r *roller) loop(l Loop) {
	for first := 0; first < l.iterations(); {
		run := r.longestRun(l, first)
		if run.trips() >= minTrips && run.saved() >= minSaved {
			run.write()
		}
		first = run.last + 1
	}
}

// finish puts the loops in the places of what they have replaced.
func (r *roller) finish() {
	if len(r.loops) == 0 {
		return
	}
	var out []*ir.Instr
	for i, in := range r.block.Instrs {
		out = append(out, r.loops[i]...)
		if in != nil {
			out = append(out, in)
		}
	}
	r.block.Instrs = out
	r.block.Walk(func(in *ir.Instr) {
		for i, v := range in.Operands {
			if by, ok := r.replaced[v]; ok {
				in.Operands[i] = by
			}
		}
	})
}
