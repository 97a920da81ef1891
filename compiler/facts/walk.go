package facts

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Walk is one run over a function, in which each integer, and each pointer's offset, becomes a sum. The fields of
// Model are set before.
type Walk struct {
	Atoms
	Model
	Values     []Value // by ID
	Path       []Sum   // conditions under which control comes here
	Partial    int     // of the regions around, those into which control need not come where all of Path hold
	fn         *ir.Func
	origins    []int // see originsOf
	dims       map[along]Dim
	steps      map[int32][]Step // of the opaque atoms that are sums of steps, by their first atom
	find       search
	inductions map[*ir.Instr][]Induction
}

// Model says which numbers of a launch are known, and what else a walk rests on.
type Model struct {
	Grid [3]Sum
	Args []Sum // of integers; Unknown of what is not known
	// Visit is called for each instruction when its operands are bound. It may bind the results itself, and says so.
	Visit func(in *ir.Instr) (bound bool)
	// Trips is called for each for loop when it is known how often it runs.
	Trips func(loop *ir.Instr, n Interval)
	// Positive looks for a proof that a sum is above 0 wherever control comes, beyond what intervals show; may be nil.
	Positive func(x Sum) bool
	// Assumed are the integers that are taken not to wrap, since numbers are not known; nil: none is. Exact: so are
	// those of which it is known that they may.
	Assumed map[*ir.Value]Assumption
	Exact   bool
	// Tiles: floats, truth values and pointers that may derive from several arguments are atoms, too, as what is asked
	// are the dimensions of tiles.
	Tiles bool
	// Believe: what hints say of their operands is so. Hinted reports whether more is known because of that.
	Believe, Hinted bool
	// Natural is called for a quotient of tiles whose operand v is not known to be at least so much. It decides whether
	// that may be assumed; nil: it may not.
	Natural func(v *ir.Value, least int64) bool
}

// Assumption is that an integer of so many bits does not wrap, where control comes to it.
type Assumption struct {
	Sum
	Bits  int
	Given []Sum
}

// Value is what is known of an integer, a pointer's offset or a condition. Of anything else the sum is lost.
type Value struct {
	Sum
	I       Interval // what it lies in
	Arg     int      // of a pointer: the parameter, or Anywhere
	Yes, No []Sum    // of an i1: what is at least 0 where it is true, and where it is false
	All     bool     // of an i1: it is true wherever all of Yes are at least 0
}

// Anywhere is the parameter of a pointer that may be derived from several.
const Anywhere = -1

// Begin is a walk over a function that is numbered, before it runs, with no argument known.
func Begin(fn *ir.Func) *Walk {
	w := &Walk{Values: make([]Value, fn.Values()), fn: fn, origins: originsOf(fn)}
	w.Args = slices.Repeat([]Sum{Unknown}, len(fn.Params))
	w.values = len(w.Values)
	w.Reset()
	return w
}

// Reset forgets what was found, so that the walk may run again.
func (w *Walk) Reset() {
	w.Atoms.reset()
	w.Path = w.Path[:0]
	w.Partial = 0
	w.find.effort, w.find.cases = 0, w.find.cases[:0]
	w.dims, w.steps = nil, nil
}

// SetAnyGrid makes the grid's sizes symbols.
func (w *Walk) SetAnyGrid() {
	for k := range w.Grid {
		a, _ := w.Plain(Key{Kind: GridSize, N: int32(k)}, Interval{1, math.MaxInt32})
		w.Grid[k] = w.Sum(a)
	}
}

// Append makes room for the value of the next ID, of a function that is being made.
func (w *Walk) Append() {
	w.values++
	w.Values, w.origins = append(w.Values, Value{}), append(w.origins, Anywhere)
}

// Run walks the function.
func (w *Walk) Run() {
	for i, p := range w.fn.Params {
		v := p.Value
		switch {
		case v.Type.Pointer:
			w.Values[v.ID] = Value{Arg: i}
		case v.Type.IsInt() && !w.Args[i].Lost:
			w.keep(v, w.Args[i])
			w.decide(v)
		default:
			w.Forget(v)
		}
	}
	w.block(w.fn.Body)
}

// Forget makes values anything that their types hold.
func (w *Walk) Forget(values ...*ir.Value) {
	for _, v := range values {
		w.SetIn(v, Everything)
	}
}

// SetIn makes v anything in an interval that its type holds.
func (w *Walk) SetIn(v *ir.Value, i Interval) {
	if w.Assumed != nil {
		delete(w.Assumed, v)
	}
	out := Value{Sum: Unknown, I: Everything, Arg: Anywhere}
	switch arg := w.origins[v.ID]; {
	case v.Type.Pointer:
		if w.Tiles || arg >= 0 && arg < len(w.Args) {
			out.I, out.Arg = i, arg
			out.Sum = w.Sum(w.fresh(v, i))
		}
	case logical(v) || !v.Type.IsInt():
		out.Sum = w.element(v)
	default:
		if out.I = i.Meet(Range(v.Type.DType)); out.I.Single() && out.I.Finite() {
			out.Sum = Constant(out.I.Lo)
		} else {
			out.Sum = w.Sum(w.fresh(v, out.I))
		}
	}
	w.Values[v.ID] = out
}

// element is an atom of a float or a truth value, Unknown where nothing is asked about those.
func (w *Walk) element(v *ir.Value) Sum {
	if !w.Tiles {
		return Unknown
	}
	return w.Sum(w.fresh(v, Everything))
}

// keep makes v the number x, which its dtype holds.
func (w *Walk) keep(v *ir.Value, x Sum) {
	if x.Lost {
		w.Forget(v)
		return
	}
	i := w.RangeOf(x)
	if w.Assumed == nil { // else what is large says that numbers are not known
		i = i.Meet(Range(v.Type.DType))
	}
	w.Values[v.ID] = Value{Sum: x, I: i}
}

// Set makes v the number x where its dtype holds that.
func (w *Walk) Set(v *ir.Value, x Sum) {
	i := w.RangeOf(x)
	holds := i.Within(Range(v.Type.DType)) && i.Finite()
	if w.Assumed != nil {
		delete(w.Assumed, v)
	}
	// Of numbers that are not known it is assumed that their signed arithmetic does not wrap.
	if d := v.Type.DType.Info(); w.Assumed != nil && d.Signed && !x.Lost && (!i.Finite() || w.Exact && !holds) {
		w.Assumed[v] = Assumption{x, d.Bits, slices.Clone(w.Path)}
		holds = true
	}
	if !holds || x.Lost {
		w.wrap(v, x)
		return
	}
	w.Values[v.ID] = Value{Sum: x, I: i}
}

// wrap makes v the number that its dtype has for x: an atom, unless it turns out that nothing wraps.
func (w *Walk) wrap(v *ir.Value, x Sum) {
	d := v.Type.DType
	x = w.Congruent(x, d.Info().Bits)
	if c, ok := x.Value(); ok {
		x = Number(num.FromInt(d, c))
	}
	i := w.RangeOf(x)
	if !x.Lost && !(i.Within(Range(d)) && i.Finite()) {
		i = Range(d)
		x = w.Sum(w.derived(Key{Kind: Wrapped, N: int32(d)}, x, Sum{}, i))
	}
	if x.Lost || logical(v) {
		w.Forget(v)
		return
	}
	w.Values[v.ID] = Value{Sum: x, I: i}
}

// Congruent is a sum that is x modulo 2^bits, and of as few terms as can be: without atoms that wrap at so many bits or
// more, and with coefficients of so many.
func (w *Walk) Congruent(x Sum, bits int) Sum {
	unused := 64 - bits
	out := Sum{C: x.C << unused >> unused, Lost: x.Lost}
	for _, u := range x.Terms {
		u.Coef = u.Coef << unused >> unused
		part := w.Unit(u)
		if a := &w.list[u.Atom]; a.Kind == Wrapped && num.DType(a.N).Info().Bits >= bits {
			part = w.Congruent(w.Scale(w.of(u.Atom).of[0], u.Coef), bits)
		}
		out = w.Combine(out, 1, part, 1)
	}
	return out
}

// point makes v a pointer to an element of an argument: to any, where the offset may be too large.
func (w *Walk) point(v *ir.Value, arg int, x Sum) {
	i := w.RangeOf(x)
	if x.Lost || !w.Tiles && (arg == Anywhere || w.Assumed == nil && !i.Within(Offsets)) {
		w.Forget(v)
		return
	}
	w.Values[v.ID] = Value{Sum: x, I: i, Arg: arg}
}

// maxConds bounds the conditions that a truth value stands for, maxPath those of enclosing branches that are kept.
const maxConds, maxPath = 32, 64

func concat(x, y []Sum) []Sum {
	if len(x) == 0 {
		return y
	}
	out := append(x[:len(x):len(x)], y...)
	return out[:min(len(out), maxConds)]
}

// conditions makes v a truth value of which this is known.
func (w *Walk) conditions(v *ir.Value, yes, no []Sum) {
	if anyLost(yes) {
		yes = nil
	}
	if anyLost(no) {
		no = nil
	}
	w.Values[v.ID] = Value{Sum: w.element(v), I: Everything, Arg: Anywhere, Yes: yes, No: no}
}

func anyLost(list []Sum) bool { return slices.ContainsFunc(list, func(x Sum) bool { return x.Lost }) }

func (w *Walk) block(b *ir.Block) {
	for _, in := range b.Instrs {
		w.instr(in)
	}
}

func (w *Walk) instr(in *ir.Instr) {
	switch {
	case w.Visit != nil && w.Visit(in):
	case in.Op == ops.If:
		w.branch(in)
	case in.Op == ops.For:
		w.loop(in)
	case in.Op == ops.While:
		w.while(in)
	case in.Op == ops.Reduce || in.Op == ops.Scan:
		// The region runs for any pair of elements and partial results.
		w.Forget(in.Regions[0].Args...)
		w.block(in.Regions[0])
		w.Forget(in.Results...)
	default:
		w.Evaluate(in)
	}
}

// Evaluate finds what the result of an operation without regions is.
func (w *Walk) Evaluate(in *ir.Instr) {
	if rule := ruleOf(in.Op); rule != nil && len(in.Results) == 1 && w.followed(in) {
		rule(w, in, in.Results[0])
		w.fold(in, in.Results[0])
		return
	}
	w.Forget(in.Results...)
}

// fold makes v the number that an operation on two numbers gives, where its rule found less. Engines differ on a
// division by 0.
func (w *Walk) fold(in *ir.Instr, v *ir.Value) {
	if _, number := w.Values[v.ID].Value(); number || len(in.Operands) != 2 || !v.Type.IsInt() || logical(v) {
		return
	}
	x, ok1 := w.operand(in, 0).Value()
	y, ok2 := w.operand(in, 1).Value()
	d := v.Type.DType
	f := in.Op.BinaryKernel(d, false)
	if !ok1 || !ok2 || f == nil || y == 0 && (in.Op == ops.Div || in.Op == ops.Rem) {
		return
	}
	out := num.MakeVec(d.Info().Class, 1)
	f(out, num.FromInt(d, x).Vec(), num.FromInt(d, y).Vec())
	w.Set(v, Number(num.ScalarAt(d, out, 0)))
}

// followed reports whether all operands of in are integers or pointers that have sums, or truth values; what only moves
// elements may do so with floats.
func (w *Walk) followed(in *ir.Instr) bool {
	for _, v := range in.Operands {
		switch {
		case v == nil || logical(v):
		case w.Values[v.ID].Lost, in.Op.Has(ops.Elementwise) && in.Op != ops.Hint && !v.Type.Pointer && !v.Type.IsInt():
			return false
		}
	}
	return true
}

// under runs a block under conditions. all: control comes to it wherever they hold.
func (w *Walk) under(b *ir.Block, conds []Sum, all bool) {
	mark, partial := len(w.Path), w.Partial
	// Leaving conditions out proves less, but nothing wrong.
	if mark+len(conds) <= maxPath {
		w.Path = append(w.Path, conds...)
	} else {
		all = false
	}
	if !all {
		w.Partial++
	}
	w.block(b)
	w.Path, w.Partial = w.Path[:mark], partial
}

func (w *Walk) branch(in *ir.Instr) {
	cond := w.Values[in.Operands[0].ID]
	w.under(in.Regions[0], cond.Yes, cond.All)
	w.under(in.Regions[1], cond.No, false)
	x, y := in.Regions[0].Terminator().Operands, in.Regions[1].Terminator().Operands
	for i, r := range in.Results {
		w.join(r, w.Values[x[i].ID], w.Values[y[i].ID])
	}
}

// join makes r one of two values.
func (w *Walk) join(r *ir.Value, x, y Value) {
	if x.Arg == y.Arg && x.Equal(y.Sum) && !logical(r) {
		w.Values[r.ID] = Value{Sum: x.Sum, I: x.I.Hull(y.I), Arg: x.Arg}
		return
	}
	w.SetIn(r, x.I.Hull(y.I))
}

// while forgets what the loop carries, unless it only adds to it.
func (w *Walk) while(in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	end, next := before.Terminator().Operands, after.Terminator().Operands
	for i, v := range before.Args {
		if !w.Tiles || len(end) != 1+len(next) || end[1+i] != v ||
			!w.accumulate(v, w.Values[in.Operands[i].ID], accumulation(next[i], after.Args[i])) {
			w.Forget(v)
		}
	}
	w.under(before, nil, false)
	for i, v := range end[1:] {
		w.Values[after.Args[i].ID] = w.Values[v.ID]
	}
	w.under(after, w.Values[end[0].ID].Yes, false)
	for i, r := range in.Results {
		w.join(r, w.Values[end[1+i].ID], w.Values[end[1+i].ID])
	}
}

// loop walks a for loop: what each iteration changes by the same is its first value plus that, times the iteration.
func (w *Walk) loop(in *ir.Instr) {
	body := in.Regions[0]
	if w.inductions == nil {
		w.inductions = map[*ir.Instr][]Induction{}
	}
	plan, known := w.inductions[in]
	if !known {
		plan = inductionsOf(in)
		w.inductions[in] = plan
	}
	mark := len(w.Path)
	t, end := w.index(in)
	for i, arg := range body.Args[1:] {
		if first := w.Values[in.Operands[3+i].ID]; !w.carry(arg, first, plan[i], t) {
			w.accumulate(arg, first, plan[i])
		}
	}
	w.block(body)
	w.Path = w.Path[:mark]
	next := body.Terminator().Operands
	for i, r := range in.Results {
		if from := w.Values[in.Operands[3+i].ID]; !w.carry(r, from, plan[i], end) {
			w.join(r, from, w.Values[next[i].ID])
		}
	}
}

// carry makes v what a loop carries after so many iterations; it reports false, and forgets v, where that is not known.
func (w *Walk) carry(v *ir.Value, from Value, how Induction, times Sum) bool {
	ok := how.Even && !times.Lost && !from.Lost
	by := Sum{}
	for _, s := range how.Steps {
		if ok = ok && !w.Values[s.Value.ID].Lost; ok {
			by = w.Combine(by, 1, w.Values[s.Value.ID].Sum, s.Sign)
		}
	}
	switch x := w.Mul(times, by); {
	case !ok:
		w.Forget(v)
	case v.Type.Pointer:
		w.point(v, from.Arg, w.Combine(from.Sum, 1, x, 1))
	default:
		w.Set(v, w.Combine(from.Sum, 1, x, 1))
	}
	return ok
}

// accumulate makes v what a loop carries that it only adds to: its first value plus an atom, of which the steps tell
// something once the loop is walked. It reports false where that is not so, or where dimensions are not asked for.
func (w *Walk) accumulate(v *ir.Value, first Value, how Induction) bool {
	if !w.Tiles || !how.OK || first.Lost || logical(v) || !v.Type.Pointer && !v.Type.IsInt() {
		return false
	}
	for _, s := range how.Steps {
		if s.Value.ID > v.ID {
			w.Values[s.Value.ID] = Value{Sum: Unknown}
		}
	}
	a := w.fresh(v, Everything)
	x := w.Combine(first.Sum, 1, w.Sum(a), 1)
	if a >= 0 {
		if w.steps == nil {
			w.steps = map[int32][]Step{}
		}
		w.steps[int32(a)] = how.Steps
	}
	if v.Type.Pointer {
		w.point(v, first.Arg, x)
	} else {
		w.Set(v, x)
	}
	return true
}

// index binds the index of a loop. t is the number of the iteration, end how many there are; lost where that is not
// followed.
func (w *Walk) index(in *ir.Instr) (t, end Sum) {
	index := in.Regions[0].Args[0]
	lower, upper, step := w.Values[in.Operands[0].ID], w.Values[in.Operands[1].ID], w.Values[in.Operands[2].ID]
	w.Forget(index)
	if lower.Lost || upper.Lost || step.Lost {
		return Unknown, Unknown
	}
	way := w.Combine(upper.Sum, 1, lower.Sum, -1)
	positive := w.above(step.Sum)
	n := w.tripCount(way, step, positive)
	if w.Trips != nil {
		w.Trips(in, n)
	}
	forward := w.above(way.AddConst(1))
	// The body runs where lower is below upper; the rest of this is about the loop as a whole.
	if _, number := way.Value(); n.Hi == 0 {
		w.Path = append(w.Path, Constant(-1))
	} else if !number && len(w.Path) < maxPath {
		w.Path = append(w.Path, way.AddConst(-1))
	}
	within := Interval{lower.I.Lo, max(lower.I.Lo, upper.I.Plus(Exactly(-1)).Hi)}
	// An empty loop has no iteration, about which everything holds.
	k := Key{Kind: Iteration, N: int32(index.ID)}
	t = w.Sum(w.derived(k, way, step.Sum, Interval{0, max(0, n.Plus(Exactly(-1)).Hi)}))
	switch x := w.Combine(lower.Sum, 1, w.Mul(step.Sum, t), 1); {
	case !x.Lost && (w.Tiles || positive && (n.Hi < Unbounded || w.Assumed != nil)):
		w.Values[index.ID] = Value{Sum: x, I: w.RangeOf(x).Meet(within)}
	default:
		w.SetIn(index, within)
		if a, ok := w.Values[index.ID].own(); ok {
			w.know(a, w.Combine(upper.Sum, 1, w.Sum(a), -1).AddConst(-1))
		}
	}
	switch {
	case n.Single():
		return t, Constant(n.Lo)
	case !positive:
		return t, w.Sum(w.fresh(index, n))
	}
	k.Kind = Trips
	a := w.derived(k, way, step.Sum, n)
	end = w.Sum(a)
	if forward {
		w.know(a, w.Combine(w.Combine(way, 1, step.Sum, 1), 1, w.Mul(step.Sum, end), -1).AddConst(-1))
	}
	return t, end
}

// tripCount is how often a loop runs: (upper - lower) / step, rounded up, and never where step is below 1.
func (w *Walk) tripCount(way Sum, step Value, positive bool) Interval {
	if step.I.Hi < 1 {
		return Interval{}
	}
	d := w.RangeOf(way)
	// Conditions of branches around the loop may say more than the intervals.
	if most, ok, none := w.boundUnder(way, w.Path, w.related(way, nil)); ok && !none {
		d.Hi = min(d.Hi, most)
	}
	n := Interval{0, Unbounded}
	if d.Hi < Unbounded {
		n.Hi = max(0, ceilDiv(d.Hi, max(1, step.I.Lo)))
	}
	if positive && d.Lo > -Unbounded {
		n.Lo = min(n.Hi, max(0, ceilDiv(d.Lo, step.I.Hi)))
	}
	return n
}

// above reports whether x > 0 wherever control comes, as far as is found.
func (w *Walk) above(x Sum) bool {
	return !x.Lost && (w.RangeOf(x).Lo > 0 || w.Positive != nil && w.Positive(x))
}
