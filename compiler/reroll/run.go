package reroll

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// run is a run of consecutive iterations that are like the first.
type run struct {
	*roller
	of          Loop
	first, last int                 // iterations
	steps       map[*ir.Instr]int64 // by how much an integer constant differs from that of the iteration before
	carried     []carried
	uses        []use
}

// carried is a loop-carried value: init enters the loop, and each iteration uses what the one before has made in
// the place of result, which is the first iteration's.
type carried struct{ init, result *ir.Value }

// use is an operand of the second iteration that is a loop-carried value.
type use struct {
	in      *ir.Instr
	operand int
	carried int
}

// longestRun finds how many iterations, from first on, are alike. Nothing behind the run uses what they compute,
// but for the carried values that the last of them leaves.
func (r *roller) longestRun(l Loop, first int) *run {
	u := &run{roller: r, of: l, first: first, last: first, steps: make(map[*ir.Instr]int64)}
	for u.last+1 < l.iterations() && len(u.usedFrom(u.last, u.last+2)) == 0 && u.continues() {
		u.last++
	}
	finals := u.finals()
	hasOthers := slices.ContainsFunc(u.usedFrom(u.last, u.last+1), func(v *ir.Value) bool {
		return !slices.Contains(finals, v)
	})
	if hasOthers && u.last > first {
		u.last--
	}
	return u
}

func (u *run) trips() int { return u.last - u.first + 1 }

// saved is how many instructions a loop spares.
func (u *run) saved() (n int) {
	for _, in := range u.instrs(u.first) {
		n++
		for _, region := range in.Regions {
			n += size(region)
		}
	}
	return n * (u.trips() - 1)
}

func (u *run) instrs(iteration int) []*ir.Instr {
	return u.block.Instrs[u.of.Starts[iteration]:u.of.Starts[iteration+1]]
}

// usedFrom lists the values of an iteration that are used in a later one, user, or behind it.
func (u *run) usedFrom(iteration, user int) (used []*ir.Value) {
	for _, in := range u.instrs(iteration) {
		for _, v := range in.Results {
			if u.find(v).lastUse >= u.of.Starts[user] {
				used = append(used, v)
			}
		}
	}
	return used
}

// finals are the carried values as the last iteration leaves them.
func (u *run) finals() []*ir.Value {
	out := make([]*ir.Value, len(u.carried))
	for i, c := range u.carried {
		out[i] = c.result
		for range u.last - u.first {
			out[i] = u.find(out[i]).next
		}
	}
	return out
}

// continues reports whether the iteration behind the run is like those of it.
func (u *run) continues() bool {
	return u.alike(u.instrs(u.last), u.instrs(u.last+1), true)
}

// alike compares instructions of one iteration with those in the same place of the next. Constants may vary
// where the loop's index is in reach.
func (u *run) alike(a, b []*ir.Instr, mayVary bool) bool {
	return slices.EqualFunc(a, b, func(x, y *ir.Instr) bool { return u.alikeInstrs(x, y, mayVary) })
}

func (u *run) alikeInstrs(x, y *ir.Instr, mayVary bool) bool {
	if x.Op != y.Op || x.Span != y.Span || len(x.Operands) != len(y.Operands) || len(x.Regions) != len(y.Regions) ||
		!u.alikeValues(x.Results, y.Results) || !u.alikeAttrs(x, y, mayVary) {
		return false
	}
	for i := range x.Operands {
		if !u.alikeOperands(x.Operands[i], y, i) {
			return false
		}
	}
	// A reduction's region takes nothing from around it.
	mayVary = mayVary && !x.Op.Has(ops.Pure)
	for i, region := range x.Regions {
		if !u.alikeValues(region.Args, y.Regions[i].Args) || !u.alike(region.Instrs, y.Regions[i].Instrs, mayVary) {
			return false
		}
	}
	return true
}

func (u *run) alikeValues(a, b []*ir.Value) bool {
	return slices.EqualFunc(a, b, func(v, w *ir.Value) bool {
		u.find(v).next = w
		return v.Type.Equal(w.Type)
	})
}

func (u *run) alikeAttrs(x, y *ir.Instr, mayVary bool) bool {
	if x.Op == ops.Const && mayVary && varies(x.Scalar("value").DType) {
		// Modulo 2^64, and so modulo the dtype's range, as the loop computes.
		step := y.Scalar("value").Int() - x.Scalar("value").Int()
		if step != 0 {
			u.steps[y] = step
		}
		return u.last == u.first || step == u.steps[x]
	}
	return slices.EqualFunc(x.Attrs, y.Attrs, ir.Attr.Equal)
}

func varies(d num.DType) bool { return !d.Info().Float && d != num.Int1 }

// alikeOperands compares v, an operand of an iteration, with the same operand of y in the next one.
func (u *run) alikeOperands(v *ir.Value, y *ir.Instr, operand int) bool {
	w := y.Operands[operand]
	if known := u.find(v); known != nil && known.place >= u.of.Starts[u.first] {
		// Both are of their own iteration, or both of the one before.
		return known.next == w
	}
	// The first iteration takes a carried value from before the loop, the second takes the first's, of which no other
	// uses any.
	if v != w && v != nil && u.isOfFirst(w) {
		u.carry(v, y, operand)
		return v.Type.Equal(w.Type) && len(u.carried) <= maxCarried
	}
	return v == w
}

func (u *run) isOfFirst(v *ir.Value) bool {
	known := u.find(v)
	return known != nil && u.of.Starts[u.first] <= known.place && known.place < u.of.Starts[u.first+1]
}

func (u *run) carry(init *ir.Value, y *ir.Instr, operand int) {
	c := carried{init, y.Operands[operand]}
	i := slices.Index(u.carried, c)
	if i < 0 {
		i = len(u.carried)
		u.carried = append(u.carried, c)
	}
	u.uses = append(u.uses, use{y, operand, i})
}
