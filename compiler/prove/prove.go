// Package prove says of a kernel's accesses what testing cannot: that they stay inside their tensors, and that no two
// programs race, for this launch, for any grid, or for any size of the tensors.
//
// It runs a kernel once on sums of symbols (package facts): program ids, lanes, iterations of loops and, for any size,
// the integer arguments. An access is in bounds if its offset is at least 0 and below the number of the
// tensor's elements, wherever its mask and the branches around it let it through; decide.go looks for a proof of such
// inequalities. Two programs are race-free at a tensor if offsets are equal only where program ids are (races.go).
//
// For any size, a tensor has to have at least as many elements as its accesses reach, as a sum of products of arguments
// (ceiling.go), and a stride may have to be at least the size of what it steps over: the hypotheses of the result. Any
// grid has any number of programs along the axes that the kernel looks at. An integer that is loaded from a tensor
// which the launch does not change is one of the tensor's elements (values.go), for this launch and for any grid.
// Arguments are taken to be at least 1. Signed arithmetic on numbers that are not known is taken not to wrap, under
// conditions that are part of the result (Report.NoWrap) and hold in the launch; where not all were found, nothing is
// proved. What is proved for this launch rests on none of that.
package prove

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
)

// Launch is what a kernel is launched with. Memory says which pointers share memory: those of the same number. Values,
// where there are any, are those of tensors of integers that the launch does not change; nil where they are not known.
// Constants are the integers above 1 that the kernel was compiled for.
type Launch struct {
	bounds.Args
	Memory    []int
	Values    []*Values
	Constants []int64
}

// Level is for which launches something is proved; each level includes those before it.
type Level int

// The levels.
const (
	NotProved Level = iota
	ThisLaunch
	AnyGrid
	AnySize
)

func (l Level) String() string { return [...]string{"no", "launch", "grid", "size"}[l] }

// Access is a load, store or atomic operation. Param is the pointer's parameter, -1 where it may be several.
type Access struct {
	Instr    *ir.Instr
	Param    int
	InBounds Level
	// Hypothesis are the conditions under which it is so for any size, in Python.
	Hypothesis []string
}

// Tensor is what a pointer parameter points to. RaceFree is about every two programs and all accesses to its memory,
// also those by way of other parameters.
type Tensor struct {
	Param      int
	Written    bool
	RaceFree   Level
	Hypothesis []string
}

// Report is what is proved, in the order of the code and of the parameters.
type Report struct {
	Accesses []Access
	Tensors  []Tensor
	// NoWrap are all conditions, in Python, under which no integer wraps in the launches that proofs for any grid and
	// for any size speak of. They hold in the launch.
	NoWrap []string

	covered map[*ir.Value]bool                        // integers whose conditions are among these
	reach   func(access *ir.Instr) map[*ir.Value]bool // axis.Reach
}

// Prove looks for proofs about a function that Number has numbered. Its effort is bounded.
func Prove(fn *ir.Func, l Launch) *Report {
	reach := axis.Reach(fn)
	known := map[*ir.Instr]map[*ir.Value]bool{}
	out := &Report{covered: map[*ir.Value]bool{}}
	out.reach = func(in *ir.Instr) map[*ir.Value]bool {
		if known[in] == nil {
			known[in] = reach(in)
		}
		return known[in]
	}
	if len(l.Args.Args) != len(fn.Params) || len(l.Memory) != len(fn.Params) || slices.Min(l.Grid[:]) < 1 {
		return out
	}
	launch := newAnalysis(fn, l, launchModel, nil)
	for _, e := range launch.effects {
		out.Accesses = append(out.Accesses, Access{Instr: e.instr, Param: e.arg})
	}
	written := fn.Written()
	for i, p := range fn.Params {
		if p.Value.Type.Pointer {
			out.Tensors = append(out.Tensors, Tensor{Param: i, Written: written[i]})
		}
	}
	out.inThisLaunch(fn, l)
	out.merge(launch, ThisLaunch)
	out.merge(newAnalysis(fn, l, sizeModel, nil), AnySize)
	if slices.ContainsFunc(fn.Params, func(p *ir.Param) bool { return p.Value.Type.IsInt() && p.Divisible > 1 }) {
		out.merge(newAnalysis(fn, l, multipleModel, nil), AnySize)
	}
	out.merge(newAnalysis(fn, l, gridModel, nil), AnyGrid)
	if slices.ContainsFunc(out.Accesses, func(a Access) bool { return a.InBounds < AnySize }) {
		out.withValues(fn, l)
	}
	return out
}

// inThisLaunch enters what intervals of numbers show.
func (r *Report) inThisLaunch(fn *ir.Func, l Launch) {
	proof := bounds.New(fn, axis.AnalyzeSigned(fn)).Prove(l.Args)
	for i := range r.Accesses {
		if proof.InRange(r.Accesses[i].Instr) {
			r.Accesses[i].InBounds = ThisLaunch
		}
	}
}

// merge enters what an analysis proves at a level, unless it takes an integer not to wrap that may wrap in this launch
// already, or of which it is not known under which conditions it does not.
func (r *Report) merge(a *analysis, level Level) {
	rests := map[*ir.Value]bool{} // assumptions that nothing rested on before
	use := func(e effect) {
		for _, v := range a.inOrder {
			if r.reach(e.instr)[v] && !r.covered[v] {
				rests[v] = true
			}
		}
	}
	for i, e := range a.effects {
		x := &r.Accesses[i]
		if e.arg == facts.Anywhere || x.InBounds >= level || a.mayWrap(r.reach(e.instr)) {
			continue
		}
		if hypothesis, ok := a.inBounds(e); ok {
			x.InBounds, x.Hypothesis = level, hypothesis
			use(e)
		}
	}
	for i := range r.Tensors {
		t := &r.Tensors[i]
		if t.RaceFree >= level {
			continue
		}
		near := slices.DeleteFunc(slices.Clone(a.effects), func(e effect) bool { return !a.touches(t.Param, e) })
		if slices.ContainsFunc(near, func(e effect) bool { return a.mayWrap(r.reach(e.instr)) }) {
			continue
		}
		if hypothesis, ok := a.raceFree(t.Param); ok {
			t.RaceFree, t.Hypothesis = level, hypothesis
			for _, e := range near {
				if t.Written {
					use(e)
				}
			}
		}
	}
	maps.Copy(r.covered, rests)
	for _, c := range a.noWrap(rests) {
		if !slices.Contains(r.NoWrap, c) {
			r.NoWrap = append(r.NoWrap, c)
		}
	}
}

// analysis is a walk over the function under one model, and what it found.
type analysis struct {
	*prover
	fn      *ir.Func
	launch  Launch
	anySize bool // tensors have as many elements as a hypothesis says
	symbols []symbol
	effects []effect
	inOrder []*ir.Value // the keys of Assumed
	wraps   map[*ir.Value]*wrapping
	loads   map[*ir.Instr]facts.Interval // what loads of known values give
	guards  []guarded
}

// effect is what a load, store or atomic does to memory: the offset of an element that its mask lets through, and what
// is then at least 0.
type effect struct {
	instr          *ir.Instr
	arg            int
	at             facts.Sum
	given          []facts.Sum
	partial        bool // it need not take place where all of given hold
	writes, atomic bool
}

// symbol is an argument or a size of the grid that is not known: scale·atom, with its number in the launch.
type symbol struct {
	name   string
	atom   facts.Atom
	scale  int64
	number int64 // of the atom
	isGrid bool
}

// model says which numbers of a launch are not known: the grid's sizes along the axes that the kernel looks at, and
// positive integers, each any positive multiple of a number.
type model struct {
	anyGrid  bool
	multiple func(*ir.Param) int64 // nil: integers are known
	exact    bool                  // no signed integer wraps
}

// The models of the launch, of any grid, of any sizes, of any multiples of what the kernel was compiled for, and of the
// launch in integers without bounds.
var (
	launchModel   = model{}
	gridModel     = model{anyGrid: true}
	sizeModel     = model{anyGrid: true, multiple: func(*ir.Param) int64 { return 1 }}
	multipleModel = model{anyGrid: true, multiple: func(p *ir.Param) int64 { return int64(max(1, p.Divisible)) }}
	exactModel    = model{exact: true}
)

// newAnalysis walks the function. loads are those of known values, and what they give.
func newAnalysis(fn *ir.Func, l Launch, m model, loads map[*ir.Instr]facts.Interval) *analysis {
	p := &prover{Walk: facts.Begin(fn), effort: maxEffort, numbers: map[facts.Atom]int64{},
		compared: map[facts.Atom]bool{}, residual: facts.Unknown}
	a := &analysis{prover: p, fn: fn, launch: l, loads: loads, wraps: map[*ir.Value]*wrapping{}}
	a.Visit = a.visit
	if a.know(m); !m.exact { // else intervals show what there is to show
		a.Positive = func(x facts.Sum) bool { return p.positive(x, p.Path) }
	}
	a.Run()
	a.inOrder = slices.SortedFunc(maps.Keys(a.Assumed), func(v, w *ir.Value) int { return v.ID - w.ID })
	for _, e := range a.effects {
		conds, _ := a.closure(facts.Sum{}, e.given)
		for _, g := range conds {
			for x := range a.In(g) {
				a.compared[x] = true
			}
		}
	}
	return a
}

// visit records an access.
func (a *analysis) visit(in *ir.Instr) (bound bool) {
	if !axis.Accesses(in) {
		return false
	}
	p := a.Values[in.Operands[0].ID]
	given, partial := slices.Clone(a.Path), a.Partial > 0
	if mask := axis.Mask(in); mask != nil {
		given = append(given, a.Values[mask.ID].Yes...)
		partial = partial || !a.Values[mask.ID].All
	}
	given = append(given, a.guardedFacts(p.Sum, given)...)
	writes, shared := in.Op != ops.Load && in.Op != ops.AtomicLoad, in.Op.Has(ops.Atomic) && in.Str("scope") != "cta"
	a.effects = append(a.effects, effect{in, p.Arg, p.Sum, given, partial, writes, shared})
	i, ok := a.loads[in]
	if ok {
		a.load(in, i)
	}
	return ok
}

// know puts the numbers of a launch in, or symbols for those that are not known.
func (a *analysis) know(m model) {
	var looked [3]bool
	if a.Exact = m.exact; m.exact {
		a.Assumed = map[*ir.Value]facts.Assumption{}
	}
	if a.anySize = m.multiple != nil; m.anyGrid {
		a.Assumed = map[*ir.Value]facts.Assumption{}
		a.fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.ProgramID || in.Op == ops.NumPrograms {
				looked[in.Int("axis")] = true
			}
		})
	}
	for k, n := range a.launch.Grid {
		if a.Grid[k] = facts.Constant(int64(n)); looked[k] {
			a.Grid[k] = a.symbol(symbol{name: gridNames[k], scale: 1, number: int64(n), isGrid: true}, k)
		}
	}
	for i, p := range a.fn.Params {
		if !p.Value.Type.IsInt() {
			continue
		}
		d := p.Value.Type.DType
		a.Args[i] = facts.Number(a.launch.Args.Args[i].Value.Cast(d))
		if n, ok := a.Args[i].Value(); ok && n > 0 && d.Info().Signed && a.anySize && n%m.multiple(p) == 0 {
			a.Args[i] = a.symbol(symbol{name: p.Name, scale: m.multiple(p), number: n / m.multiple(p)}, i)
		}
	}
}

var gridNames = [3]string{"grid[0]", "grid[1]", "grid[2]"}

// symbol makes the n-th argument or axis a symbol.
func (a *analysis) symbol(s symbol, n int) facts.Sum {
	k := facts.Key{Kind: facts.Argument, N: int32(n)}
	if s.isGrid {
		k.Kind = facts.GridSize
	}
	s.atom, _ = a.Plain(k, facts.Interval{Lo: 1, Hi: facts.Unbounded})
	if !s.isGrid {
		a.numbers[s.atom] = s.number
	}
	a.symbols = append(a.symbols, s)
	return a.Sum(s.atom).Times(s.scale)
}
