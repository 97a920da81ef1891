package prove

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// walk is one run over a function, in which each integer becomes a poly.
type walk struct {
	*prover
	model
	fn     *ir.Func
	values []value
	path   []poly // conditions under which control comes here
	found  map[*ir.Instr]access
	loads  map[*ir.Instr]interval // what loads of known values give
	guards []guarded
	// assumed are the integers that are taken not to wrap.
	assumed map[*ir.Value]assumption
}

// model says which numbers of a launch are known.
type model struct {
	grid [3]poly
	args []poly // of integers
	// exact: no arithmetic is taken not to overflow.
	exact bool
}

// value is what is known of an integer, a pointer's offset or a condition.
type value struct {
	x       poly
	arg     int    // of a pointer: the parameter, or anywhere
	yes, no []poly // of an i1: what is at least 0 where it is true, and where it is false
	all     bool   // of an i1: it is true wherever all of yes are at least 0
}

// anywhere is the parameter of a pointer that may be derived from several.
const anywhere = -1

// access is a load, store or atomic: the offset of an element that its mask lets through, and what is then at least 0.
type access struct {
	instr *ir.Instr
	arg   int
	at    poly
	given []poly
}

func (s *walk) run() {
	for i, p := range s.fn.Params {
		v := p.Value
		switch {
		case v.Type.Pointer:
			s.values[v.ID] = value{arg: i}
		case v.Type.IsInt() && !s.args[i].lost:
			s.values[v.ID] = value{x: s.args[i]}
		default:
			s.unknown(v)
		}
	}
	s.block(s.fn.Body)
}

// dimsOf are the dimensions of a tile along which its elements differ.
func dimsOf(v *ir.Value) string {
	var dims []byte
	for d, n := range v.Type.Shape {
		if n > 1 {
			dims = append(dims, byte(d))
		}
	}
	return string(dims)
}

// unknown makes v anything that its type holds.
func (s *walk) unknown(v *ir.Value) { s.unknownIn(v, everything) }

// unknownIn makes v anything in an interval that its type holds.
func (s *walk) unknownIn(v *ir.Value, i interval) {
	delete(s.assumed, v)
	switch {
	case v.Type.Pointer:
		s.values[v.ID] = value{x: lost, arg: anywhere}
	case v.Type.IsInt():
		s.values[v.ID] = value{x: s.fresh(v, i.meet(rangeOf(v.Type.DType)))}
	default:
		s.values[v.ID] = value{x: lost}
	}
}

// fresh is an atom of v's own.
func (s *walk) fresh(v *ir.Value, i interval) poly {
	return s.plain(atomKey{kind: loaded, n: v.ID, dims: dimsOf(v), walk: s.walk}, i, noFacts)
}

// set makes v the number x where its dtype holds that.
func (s *walk) set(v *ir.Value, x poly) {
	i := s.rangeOf(x)
	holds := i.within(rangeOf(v.Type.DType)) && i.finite()
	delete(s.assumed, v)
	// Of numbers that are not known it is assumed that their signed arithmetic does not wrap.
	if d := v.Type.DType.Info(); !s.exact && d.Signed && !i.finite() && !x.lost {
		s.assumed[v] = assumption{x, d.Bits, slices.Clone(s.path)}
		holds = true
	}
	if x.lost || !holds {
		s.unknown(v)
		return
	}
	s.values[v.ID] = value{x: x}
}

func (s *walk) conditions(v *ir.Value, yes, no []poly) {
	s.unknown(v)
	s.values[v.ID].yes, s.values[v.ID].no = yes, no
}

func (s *walk) block(b *ir.Block) {
	for _, in := range b.Instrs {
		s.instr(in)
	}
}

func (s *walk) instr(in *ir.Instr) {
	for _, v := range in.Results { // of an earlier walk
		delete(s.assumed, v)
	}
	switch {
	case axis.Accesses(in):
		s.access(in)
	case in.Op == ops.If:
		s.branch(in)
	case in.Op == ops.For:
		s.loop(in)
	case in.Op == ops.While:
		s.while(in)
	case in.Op == ops.Reduce || in.Op == ops.Scan:
		s.forget(in.Regions[0].Args)
		s.block(in.Regions[0])
		s.forget(in.Results)
	case len(in.Results) == 1 && transferOf(in.Op) != nil && s.followed(in):
		transferOf(in.Op)(s, in, in.Results[0])
	default:
		s.forget(in.Results)
	}
}

func (s *walk) forget(values []*ir.Value) {
	for _, v := range values {
		s.unknown(v)
	}
}

// followed reports whether all operands of in are integers or pointers that have polys.
func (s *walk) followed(in *ir.Instr) bool {
	for _, v := range in.Operands {
		if v != nil && s.values[v.ID].x.lost {
			return false
		}
	}
	return true
}

func (s *walk) access(in *ir.Instr) {
	p := s.values[in.Operands[0].ID]
	given := append([]poly{}, s.path...)
	if mask := axis.Mask(in); mask != nil {
		given = append(given, s.values[mask.ID].yes...)
	}
	given = append(given, s.guardedFacts(p.x, given)...)
	s.found[in] = access{in, p.arg, p.x, given}
	if i, ok := s.loads[in]; ok {
		s.load(in, i)
		return
	}
	s.forget(in.Results)
}

// under runs a block under conditions.
func (s *walk) under(b *ir.Block, conds []poly) {
	mark := len(s.path)
	s.path = append(s.path, conds...)
	s.block(b)
	s.path = s.path[:mark]
}

func (s *walk) branch(in *ir.Instr) {
	cond := s.values[in.Operands[0].ID]
	s.under(in.Regions[0], cond.yes)
	s.under(in.Regions[1], cond.no)
	x, y := in.Regions[0].Terminator().Operands, in.Regions[1].Terminator().Operands
	for i, r := range in.Results {
		s.join(r, s.values[x[i].ID], s.values[y[i].ID])
	}
}

// join makes r one of two values.
func (s *walk) join(r *ir.Value, x, y value) {
	switch {
	case x.arg == y.arg && x.x.equal(y.x):
		s.values[r.ID] = value{x: x.x, arg: x.arg}
	case r.Type.Pointer && x.arg == y.arg && x.arg != anywhere:
		s.values[r.ID] = value{x: s.fresh(r, s.rangeOf(x.x).hull(s.rangeOf(y.x))), arg: x.arg}
	default:
		s.unknownIn(r, s.rangeOf(x.x).hull(s.rangeOf(y.x)))
	}
}

// while forgets what the loop carries.
func (s *walk) while(in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	s.forget(before.Args)
	s.block(before)
	end := before.Terminator().Operands
	for i, v := range end[1:] {
		s.values[after.Args[i].ID] = s.values[v.ID]
	}
	s.under(after, s.values[end[0].ID].yes)
	for i, r := range in.Results {
		s.join(r, s.values[end[1+i].ID], s.values[end[1+i].ID])
	}
}

// loop walks a for loop. In a first walk what it carries is anything; what then turns out to change by the same number
// in each iteration is taken for its first value plus that number times the iteration, and the next walk checks that.
func (s *walk) loop(in *ir.Instr) {
	body := in.Regions[0]
	mark := len(s.path)
	steps := s.steps(in)
	var t, end poly
	for {
		s.walk++
		t, end = s.index(in)
		for i, v := range body.Args[1:] {
			s.carry(v, s.values[in.Operands[3+i].ID], steps[i], t)
		}
		s.block(body)
		s.path = s.path[:mark]
		wrong := false
		for i, v := range body.Terminator().Operands {
			if at := s.values[body.Args[1+i].ID]; steps[i].found && !s.values[v.ID].x.sub(at.x).equal(steps[i].by) {
				steps[i].found, wrong = false, true // at most once for each: the walks end
			}
		}
		if !wrong {
			break
		}
	}
	for i, r := range in.Results {
		from := s.values[in.Operands[3+i].ID]
		if steps[i].found {
			s.carry(r, from, steps[i], end)
			continue
		}
		s.join(r, from, s.values[body.Terminator().Operands[i].ID])
	}
}

// step is what each iteration of a loop adds to what it carries.
type step struct {
	by    poly
	found bool
	arg   int // that a pointer stays in
}

// steps walks a loop with anything carried.
func (s *walk) steps(in *ir.Instr) []step {
	defer func(exact bool) { s.exact = exact }(s.exact)
	s.exact = false
	s.walk++
	body := in.Regions[0]
	own := make([]value, len(in.Results))
	t, _ := s.index(in)
	for i, v := range body.Args[1:] {
		s.unknown(v)
		if from := s.values[in.Operands[3+i].ID]; v.Type.Pointer && from.arg != anywhere {
			s.values[v.ID] = value{x: s.fresh(v, everything), arg: from.arg}
		}
		own[i] = s.values[v.ID]
	}
	s.block(body)
	out := make([]step, len(own))
	for i, v := range body.Terminator().Operands {
		to := s.values[v.ID]
		out[i] = step{by: to.x.sub(own[i].x), arg: anywhere}
		if to.arg == own[i].arg {
			out[i].arg = to.arg
		}
		from := s.values[in.Operands[3+i].ID]
		out[i].found = to.arg == own[i].arg && s.invariant(out[i].by, body.Args[0].ID) && !t.lost && !from.x.lost
	}
	return out
}

// carry makes v what a loop carries after n iterations.
func (s *walk) carry(v *ir.Value, from value, how step, n poly) {
	switch {
	case how.found && v.Type.Pointer:
		s.point(v, from.arg, from.x.add(n.mul(how.by)))
	case how.found:
		s.set(v, from.x.add(n.mul(how.by)))
	case v.Type.Pointer && how.arg != anywhere:
		s.values[v.ID] = value{x: s.fresh(v, everything), arg: how.arg}
	default:
		s.unknown(v)
	}
}

// offsets are the element offsets that engines can follow.
var offsets = interval{-1 << 46, 1 << 46}

// point makes v a pointer to an element of an argument: to any, where the offset may be too large.
func (s *walk) point(v *ir.Value, arg int, x poly) {
	switch {
	case x.lost || arg == anywhere:
		s.unknown(v)
	case s.exact && !s.rangeOf(x).within(offsets):
		s.values[v.ID] = value{x: s.fresh(v, rangeOf(num.Int64)), arg: arg}
	default:
		s.values[v.ID] = value{x: x, arg: arg}
	}
}

// invariant reports whether x is the same in every iteration of a loop whose index is value first.
func (s *walk) invariant(x poly, first int) bool {
	return s.all(x, func(a *atom) bool {
		switch a.kind {
		case loaded, iteration, trips:
			return a.n < first
		case quotient, remainder, least, greatest:
			ops := s.operands(a)
			return s.invariant(ops[0], first) && s.invariant(ops[1], first)
		}
		return true
	})
}

// index binds the index of a loop. t is the number of the iteration, end how many there are; lost where that is not
// followed.
func (s *walk) index(in *ir.Instr) (t, end poly) {
	index := in.Regions[0].Args[0]
	lower, upper, step := s.values[in.Operands[0].ID].x, s.values[in.Operands[1].ID].x, s.values[in.Operands[2].ID].x
	s.unknown(index)
	if lower.lost || upper.lost || step.lost || !s.positive(step, nil) {
		return lost, lost
	}
	way := upper.sub(lower)
	last, most := int64(unbounded), s.rangeOf(way).hi
	if by := max(1, s.rangeOf(step).lo); most < unbounded {
		most = max(0, (most-1)/by+1)
		last = max(0, most-1)
	}
	id := atomKey{kind: iteration, n: index.ID, walk: s.walk}
	// An empty loop has no iteration, about which everything holds.
	t = s.plain(id, interval{0, last}, func(t poly) []poly {
		return []poly{way.addConst(-1).sub(step.mul(t))}
	})
	s.set(index, lower.add(step.mul(t)))
	id.kind = trips
	end = s.plain(id, interval{0, most}, func(n poly) []poly {
		facts := []poly{step.mul(n).sub(way)}
		if s.positive(way.addConst(1), s.path) {
			facts = append(facts, way.add(step).addConst(-1).sub(step.mul(n)))
		}
		return facts
	})
	return t, end
}

func (s *atoms) operands(a *atom) [2]poly { return s.ops[s.index[a.atomKey]] }

// logical reports whether v holds truth values, of which conditions are known in place of polys.
func logical(v *ir.Value) bool { return v.Type.DType == num.Int1 && !v.Type.Pointer }
