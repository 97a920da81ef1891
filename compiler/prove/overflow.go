package prove

import (
	"maps"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
)

// Overflow is a signed integer that wraps in a launch, in a program whose access to memory rests on it: its address or
// its mask is not what the source says. All numbers of the launch are known, so that it is a fact and no guess.
type Overflow struct {
	Value   *ir.Value // the first integer on the way to the access that wraps
	Larger  Size
	Alike   []int  // the parameters of the sizes that are the same number in both launches
	Number  int64  // what that size is, the least with which the value wraps
	Grid    [3]int // of that launch
	Program [3]int
	Exact   int64 // what the value would be
}

// Size is what a launch may have more of: an argument, by its parameter, or else programs along an axis of the grid.
type Size struct{ Param, Axis int }

// None is no size: the launch itself.
var None = Size{-1, -1}

// Wrapped is what the value is instead.
func (o *Overflow) Wrapped() int64 { return num.FromInt(o.Value.Type.DType, o.Exact).Int() }

// largestGrid are the programs that CUDA launches along each axis.
var largestGrid = [3]int64{math.MaxInt32, 65535, 65535}

// OverflowsBeyond are the integers that wrap once a launch in which none does has more of one size. Each is made
// larger, the others left as they are, up to the largest number that there can be; other arguments and the grid follow
// (Scaling). Sizes that are the same number here grow together: which of them a stride follows cannot be told. Launches
// that no caller makes are left out: those whose blocks or programs do not reach the end of what is larger, as theirs
// did, and those in which an argument may follow a size or be one of the kernel's constants, which are the same number.
func OverflowsBeyond(fn *ir.Func, l Launch) (list []Overflow) {
	if len(l.Args.Args) != len(fn.Params) || slices.Min(l.Grid[:]) < 1 {
		return nil
	}
	scaling := ScalingOf(fn, l)
	covers := scaling.covers()
	var known []int64
	for _, p := range scaling.Sizes {
		if n := l.Args.Args[p].Value.Int(); n == 1 || !slices.Contains(known, n) {
			list = append(list, growth{scaling, covers, l, Size{p, -1}, n}.first()...)
			known = append(known, n)
		}
	}
	all := scaling.following(func(int) bool { return true })
	for k, b := range scaling.grid {
		if b.of == nil && !l.fixes(int64(b.programs)) && !scaling.comparesProgram(k) && !scaling.dividedBy(k, all) {
			list = append(list, growth{scaling, nil, l, Size{-1, k}, int64(b.programs)}.first()...)
		}
	}
	return list
}

// fixes reports whether so many programs may be one of the kernel's constants, or its blocks of another one.
func (l *Launch) fixes(programs int64) bool {
	for _, n := range l.Constants {
		for _, length := range append([]int64{1}, l.Constants...) {
			if (n+length-1)/length == programs && programs > 1 {
				return true
			}
		}
	}
	return false
}

// growth makes one size of a launch larger, and those that are the same number.
type growth struct {
	*Scaling
	covers []cover
	launch Launch
	size   Size
	number int64
}

// grows reports whether size number i is made larger. Sizes of 1 are told apart: no product has them as a factor.
func (g growth) grows(i int) bool {
	p := g.Sizes[i]
	return p == g.size.Param || g.size.Param >= 0 && g.number > 1 && g.launch.Args.Args[p].Value.Int() == g.number
}

// unclear reports whether an argument may follow what grows, or be one of the kernel's constants, or what grows decides
// which tile a program has while its number of programs does not follow.
func (g growth) unclear() bool {
	grow := g.following(g.grows)
	for k, b := range g.grid {
		if b.of == nil && b.programs > 1 && g.dividedBy(k, grow) {
			return true
		}
	}
	return slices.ContainsFunc(grow, func(p int) bool {
		return !slices.Contains(g.Sizes, p) && slices.Contains(g.launch.Constants, g.launch.Args.Args[p].Value.Int())
	})
}

// reaches reports whether what is compared with the sizes that grow reaches their ends in a larger launch where it does
// in this one.
func (g growth) reaches(l Launch) bool {
	least := func(x facts.Sum, l Launch) int64 {
		return g.numberWhere(x, func(s symbol) int64 {
			if n := g.KeyOf(s.atom).N; !s.isGrid {
				return l.Args.Args[n].Value.Int()
			} else {
				return int64(l.Grid[n])
			}
		})
	}
	for _, c := range g.covers {
		for i, p := range g.Sizes {
			if !g.grows(i) || !g.Has(c.condition, g.atomOf(p)) {
				continue
			}
			if c.slack.Lost && !g.inGrid(i) || !c.slack.Lost && least(c.slack, g.launch) <= 0 && least(c.slack, l) > 0 {
				return false
			}
		}
	}
	return true
}

// first are the integers that wrap at the least number at which one does: none below it was found to.
func (g growth) first() (found []Overflow) {
	if g.unclear() {
		return nil
	}
	low, high, most := g.number, g.number, g.largest() // nothing wraps at low
	for len(found) == 0 {
		if low = high; low >= most {
			return nil
		}
		high = min(16*high, most)
		found = g.at(high)
	}
	for guess := true; len(found) > 0 && low+1 < high; {
		mid := low + (high-low)/2
		if o := found[0]; guess { // values are mostly proportional to one size
			share := math.Abs(float64(o.Exact)) / float64(int64(1)<<(o.Value.Type.DType.Info().Bits-1))
			mid = min(max(low+1, int64(float64(high)/share)), high-1)
		}
		if more := g.at(mid); len(more) > 0 {
			high, found = mid, more
		} else {
			low, guess = mid, !guess && high-mid > 1
		}
	}
	return found
}

// largest is the largest number of which there is a launch.
func (g growth) largest() int64 {
	low, high := g.number, int64(1)<<62
	for low+1 < high {
		mid := low + (high-low)/2
		if _, ok := g.to(mid); ok {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// at are the integers that wrap where there are n.
func (g growth) at(n int64) []Overflow {
	l, ok := g.to(n)
	if !ok {
		return nil
	}
	found := Overflows(g.fn, l)
	for i := range found {
		found[i].Larger, found[i].Number = g.size, n
		for k, p := range g.Sizes {
			if p != g.size.Param && g.grows(k) {
				found[i].Alike = append(found[i].Alike, p)
			}
		}
	}
	return found
}

// to is the launch with n; not ok where an argument does not fit its parameter, or CUDA has no such grid, or no caller
// makes it.
func (g growth) to(n int64) (l Launch, ok bool) {
	sizes := make([]int64, len(g.Sizes))
	for i, p := range g.Sizes {
		if sizes[i] = g.launch.Args.Args[p].Value.Int(); g.grows(i) {
			sizes[i] = n
		}
	}
	l = g.launch
	l.Args = bounds.Args{Grid: g.Grid(sizes), Args: slices.Clone(l.Args.Args)}
	if g.size.Axis >= 0 {
		l.Args.Grid[g.size.Axis] = int(n)
	}
	for k, n := range l.Args.Grid {
		if int64(n) > largestGrid[k] {
			return l, false
		}
	}
	for i, p := range g.fn.Params {
		n, follows := g.Number(i, sizes)
		if !follows || !p.Value.Type.IsInt() {
			continue
		}
		if l.Args.Args[i].Value = num.FromInt(p.Value.Type.DType, n); l.Args.Args[i].Value.Int() != n {
			return l, false
		}
	}
	return l, g.reaches(l)
}

// Overflows are the integers that wrap in a launch.
func Overflows(fn *ir.Func, l Launch) (list []Overflow) {
	if len(l.Args.Args) != len(fn.Params) || slices.Min(l.Grid[:]) < 1 {
		return nil
	}
	a := newAnalysis(fn, l, exactModel, nil)
	if len(a.inOrder) == 0 {
		return nil
	}
	watched := a.observed()
	for _, e := range a.effects {
		if e.partial {
			continue
		}
		near := aligned(e.instr)
		for _, v := range a.inOrder {
			if !watched[v] || !near[v] {
				continue
			}
			p, ok := a.witness(a.Assumed[v], e)
			if !ok {
				if p, ok = a.letThrough(v, e, near); !ok {
					continue
				}
			}
			first, exact := a.origin(v, near, p)
			if !slices.ContainsFunc(list, func(o Overflow) bool { return o.Value == first }) {
				o := Overflow{Value: first, Larger: None, Grid: l.Grid, Program: p.program, Exact: exact}
				list = append(list, o)
			}
		}
	}
	return list
}

// MayWrap reports whether a signed integer that an access or the control flow rests on may wrap in a launch, as far as
// intervals show. What comes out of memory may be anything.
func MayWrap(fn *ir.Func, args bounds.Args) (may bool) {
	fn.Number()
	w, reach := facts.Begin(fn), axis.Reach(fn)
	for k, n := range args.Grid {
		w.Grid[k] = facts.Constant(int64(n))
	}
	for i, p := range fn.Params {
		if p.Value.Type.IsInt() {
			w.Args[i] = facts.Number(args.Args[i].Value)
		}
	}
	w.Run()
	rests := map[*ir.Value]bool{}
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) {
			maps.Copy(rests, reach(in))
		}
	})
	fn.Body.Walk(func(in *ir.Instr) {
		may = may || len(in.Results) == 1 && rests[in.Results[0]] && mayWrap(w, in)
	})
	return may
}

// mayWrap reports whether the result of a signed operation may be none of its dtype's.
func mayWrap(w *facts.Walk, in *ir.Instr) bool {
	v := in.Results[0]
	if !v.Type.IsInt() || !v.Type.DType.Info().Signed {
		return false
	}
	var x, y facts.Interval
	for k, i := range []*facts.Interval{&x, &y} {
		if o := in.Operand(k); o != nil && o.Type.IsInt() {
			*i = w.Values[o.ID].I
		}
	}
	switch in.Op {
	case ops.Add:
		x = x.Plus(y)
	case ops.Sub:
		x = x.Plus(y.Times(facts.Exactly(-1)))
	case ops.Mul:
		x = x.Times(y)
	case ops.Neg, ops.Abs:
		x = x.Hull(x.Times(facts.Exactly(-1)))
	case ops.Shl:
		x = x.Times(facts.Interval{Lo: 1, Hi: int64(1) << max(0, min(y.Hi, 61))})
	case ops.Cast:
		if !in.Operands[0].Type.IsInt() || !in.Operands[0].Type.DType.Info().Signed {
			return false
		}
	case ops.Reduce, ops.Scan:
		return true
	default:
		return false
	}
	return !x.Finite() || !x.Within(facts.Range(v.Type.DType))
}

// ring reports whether a wrapped operand k of in gives a wrapped result and nothing worse: arithmetic modulo 2^bits.
func ring(in *ir.Instr, k int) bool {
	switch in.Op {
	case ops.Add, ops.Sub, ops.Mul, ops.Neg, ops.Yield:
		return true
	case ops.Shl:
		return k == 0
	case ops.Select:
		return k > 0
	case ops.Cast:
		to, from := in.Results[0].Type, in.Operands[0].Type
		return to.IsInt() && to.DType.Info().Bits <= from.DType.Info().Bits
	}
	return moves(in)
}

// observed are the integers that some operation uses for more than arithmetic modulo 2^bits: in a sum that wraps twice
// nothing is lost.
func (a *analysis) observed() map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	for grew := true; grew; {
		grew = false
		a.fn.Body.Walk(func(in *ir.Instr) {
			for k, v := range in.Operands {
				if v != nil && !out[v] && (!ring(in, k) || moves(in) && out[in.Results[0]]) {
					out[v], grew = true, true
				}
			}
		})
	}
	return out
}

// moves reports whether the elements of in's result are those of its operand.
func moves(in *ir.Instr) bool {
	switch in.Op {
	case ops.Splat, ops.Broadcast, ops.ExpandDims, ops.Trans, ops.Reshape, ops.Hint, ops.ConvertLayout, ops.Uniform:
		return true
	}
	return false
}

// aligned are the values that the address and the mask of an access are computed from element by element, and numbers.
func aligned(access *ir.Instr) map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if v == nil || out[v] {
			return
		}
		out[v] = true
		in := v.Def
		if in == nil || len(in.Regions) > 0 {
			return
		}
		switch in.Op {
		case ops.Splat, ops.Broadcast, ops.AddPtr, ops.Hint, ops.ConvertLayout, ops.Uniform:
		default:
			if !in.Op.Has(ops.Elementwise) {
				return
			}
		}
		for _, o := range in.Operands {
			visit(o)
		}
	}
	visit(access.Operands[0])
	visit(axis.Mask(access))
	return out
}

// place is a point of a launch.
type place struct {
	*facts.Point
	program [3]int
	set     map[facts.Key]int64 // program indices, iterations and, by dimension, lanes
}

// maxRepairs bounds the search for a program and an element.
const maxRepairs = 48

// witness finds a program and an element, which the mask lets through, in which an integer does not fit its bits. It
// begins with the last of everything, and goes back as far as the conditions ask for: by iterations of the last
// program, or else by programs in their last iteration.
func (a *analysis) witness(as facts.Assumption, e effect) (p *place, ok bool) {
	if p, ok = a.witnessBy(as, e, facts.Iteration); !ok {
		p, ok = a.witnessBy(as, e, facts.Program)
	}
	return p, ok
}

// witnessBy is witness where atoms of one kind are lowered before others but lanes.
func (a *analysis) witnessBy(as facts.Assumption, e effect, kind facts.Kind) (p *place, ok bool) {
	conditions, _ := a.closure(as.Sum, slices.Concat(e.given, as.Given))
	set := map[facts.Key]int64{}
	for _, x := range append(slices.Clone(conditions), as.Sum) {
		if !a.begin(x, set) {
			return nil, false
		}
	}
	for range maxRepairs {
		p = a.place(set)
		broken := slices.IndexFunc(conditions, func(x facts.Sum) bool { n, known := p.At(x); return !known || n < 0 })
		if broken < 0 {
			n, known := p.At(as.Sum)
			return p, known && !fits(n, as.Bits)
		}
		n, known := p.At(conditions[broken])
		if !known || !a.lower(conditions[broken], n, set, kind) {
			return nil, false
		}
	}
	return nil, false
}

// letThrough finds a program and an element that the mask of an access lets through because v, which is compared in it,
// wraps.
func (a *analysis) letThrough(v *ir.Value, e effect, near map[*ir.Value]bool) (p *place, ok bool) {
	as := a.Assumed[v]
	if as.Bits > 32 {
		return nil, false
	}
	once := facts.Constant(1<<as.Bits - 1).Sub(as.Sum) // v is negative then
	a.fn.Body.Walk(func(in *ir.Instr) {
		if ok || in.Op != ops.Lt && in.Op != ops.Le || !near[in.Results[0]] || unmoved(in.Operands[0]) != v {
			return
		}
		own := a.Values[in.Results[0].ID].Yes
		isOwn := func(g facts.Sum) bool { return slices.ContainsFunc(own, g.Equal) }
		under := slices.DeleteFunc(slices.Clone(e.given), isOwn)
		if len(own) == 0 || len(under)+len(own) != len(e.given) {
			return
		}
		if p, ok = a.witness(as, effect{given: append(under, once)}); ok {
			exact, known := p.At(as.Sum)
			most, alsoKnown := p.At(a.Values[in.Operands[1].ID].Sum)
			wrapped := num.FromInt(v.Type.DType, exact).Int()
			ok = known && alsoKnown && fits(most, as.Bits) && wrapped < most && most < exact
		}
	})
	return p, ok
}

// unmoved is what a value is, element by element.
func unmoved(v *ir.Value) *ir.Value {
	for v.Def != nil && moves(v.Def) && v.Def.Op != ops.ExpandDims && v.Def.Op != ops.Trans && v.Def.Op != ops.Reshape {
		v = v.Def.Operands[0]
	}
	return v
}

// begin puts the last program, iteration and lane in for the atoms of x. It is false where there are others.
func (a *analysis) begin(x facts.Sum, set map[facts.Key]int64) bool {
	for b := range a.In(x) {
		i := a.IntervalOf(b)
		switch k := a.KeyOf(b); k.Kind {
		case facts.Program, facts.Iteration, facts.Lane:
			if i.Hi >= facts.Unbounded {
				return false
			}
			set[k] = i.Hi
		case facts.Quotient, facts.Remainder, facts.Least, facts.Greatest:
			for _, y := range a.OperandsOf(b) {
				if !a.begin(y, set) {
					return false
				}
			}
		default:
			if !i.Single() {
				return false
			}
		}
	}
	return true
}

// lower goes back so far that a condition, which is n now, holds: with a lane if it is about one, else with an atom of
// the kind, else with another.
func (a *analysis) lower(x facts.Sum, n int64, set map[facts.Key]int64, kind facts.Kind) bool {
	rank := func(k facts.Key) (r int) {
		switch k.Kind {
		case facts.Lane:
			r = 2
		case kind:
			r = 1
		}
		return r
	}
	var best facts.Key
	by := int64(0)
	for _, t := range x.Terms {
		k := a.KeyOf(t.Atom)
		at, free := set[k]
		if !free || t.Coef >= 0 || at == 0 {
			continue
		}
		if step := min(at, (-n-t.Coef-1)/-t.Coef); by == 0 || rank(k) > rank(best) {
			best, by = k, step
		}
	}
	if set[best] -= by; by == 0 {
		delete(set, best)
	}
	return by > 0
}

func (a *analysis) place(set map[facts.Key]int64) *place {
	p := &place{Point: &facts.Point{Walk: a.Walk, Index: make([]int, facts.MaxRank)}, set: set}
	for k, n := range set {
		switch k.Kind {
		case facts.Lane:
			p.Index[k.N] = int(n)
		case facts.Program:
			p.program[k.N] = int(n)
		}
	}
	p.Plain = func(k facts.Key) (int64, bool) {
		n, ok := set[k]
		return n, ok
	}
	return p
}

// origin is the first integer that v is computed from, through values of near, that does not fit its bits either, and
// what it would be.
func (a *analysis) origin(v *ir.Value, near map[*ir.Value]bool, p *place) (first *ir.Value, exact int64) {
	first, exact = v, 0
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if v == nil || seen[v] || !near[v] {
			return
		}
		seen[v] = true
		if as, assumed := a.Assumed[v]; assumed && v.ID <= first.ID {
			if n, known := p.At(as.Sum); known && !fits(n, as.Bits) {
				first, exact = v, n
			}
		}
		if v.Def != nil {
			for _, o := range v.Def.Operands {
				visit(o)
			}
		}
	}
	visit(v)
	return first, exact
}

// fits reports whether a signed integer of so many bits holds n.
func fits(n int64, bits int) bool { return -1<<(bits-1) <= n && n <= 1<<(bits-1)-1 }
