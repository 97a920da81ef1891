package facts_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// Execution is the judge of all facts. The engine on the CPU tells what each value of a random kernel is, in each
// program and iteration, and which elements each access reaches. That is compared with what the walk says, for a launch
// and for symbols, and with what its clients conclude: axis of tiles, bounds of a launch, prove of other launches.

// kernelOf makes the kernel of a seed: of what addresses are computed with, of any operation, of integers of all widths
// in tiles that are longer than what the narrow ones count, or of rows and columns as their authors write them.
func kernelOf(t testing.TB, seed uint64) *ir.Func {
	n := seed / 4
	switch seed % 4 {
	case 0:
		return makeKernel(n)
	case 1:
		return irgen.Generate(n, irgen.Config{Instrs: 40, Depth: 3, FalseHints: n%2 == 1}).Func
	case 2:
		return irgen.Generate(n, irgen.Config{
			Instrs: 2, Depth: 1, Ops: []ops.Op{ops.Arange, ops.Arange, ops.Arange, ops.For}, Shapes: irgen.WideShapes,
			DTypes: []num.DType{num.Int1, num.Int8, num.Int16, num.Int32, num.Int64, num.Uint8, num.Uint16,
				num.Uint32},
			Divisible: 1 + 15*int(n%2)}).Func
	}
	text := author{rand.New(rand.NewPCG(n, 5))}.kernel()
	args, err := compiler.ParseSignature("*i32:16, *i32:16, i32, i32, i32")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(source.NewFile("random.py", text), compiler.Options{Args: args})
	if art == nil {
		t.Fatalf("seed %d: %v\n%s", seed, list, text)
		return nil
	}
	return art.Func
}

// subject is a kernel with all that is known of it, whatever its launch.
type subject struct {
	t             testing.TB
	seed          uint64
	fn            *ir.Func
	kernel        *tile.Kernel
	facts, signed *axis.Facts
	prover        map[*axis.Facts]*bounds.Prover
	tally         map[string]int // what was found to be as it is said to be
	looked        [3]bool        // axes of the grid that the kernel looks at
	growths       map[int]facts.Growth
	loops         map[int]*ir.Instr // of the values in the bodies of loops, by ID
	shared        bool              // the first two tensors are of one memory
}

// memory says which parameters share memory: those of one number.
func (s *subject) memory(param int) int {
	if s.shared && param == 1 {
		return 0
	}
	return param
}

func newSubject(t testing.TB, seed uint64, tally map[string]int) *subject {
	fn := kernelOf(t, seed)
	if errs := ir.Verify(fn); len(errs) > 0 {
		t.Fatalf("seed %d: %s", seed, errs[0].Text)
	}
	fn.Number()
	kernel, err := tile.PlanObserved(t.Context(), fn, tile.Everything(fn))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	s := &subject{t: t, seed: seed, shared: seed%16 == 7, fn: fn, kernel: kernel, facts: axis.Analyze(fn), signed: axis.AnalyzeSigned(fn),
		tally: tally}
	s.prover = map[*axis.Facts]*bounds.Prover{s.facts: bounds.New(fn, s.facts), s.signed: bounds.New(fn, s.signed)}
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.ProgramID || in.Op == ops.NumPrograms {
			s.looked[in.Int("axis")] = true
		}
	})
	return s
}

// launch makes a launch: any; or one like another, with another grid along the axes that the kernel looks at; or
// with other numbers in place of positive ones and tensors of other lengths, too.
func (s *subject) launch(r *rand.Rand, like *bounds.Args, numbersToo bool) (out bounds.Args) {
	out = bounds.Args{Grid: [3]int{1 + r.IntN(4), 1 + r.IntN(4), 1}, Args: make([]bounds.Arg, len(s.fn.Params))}
	positive := []int64{1, 8, 64, 256}
	for i, p := range s.fn.Params {
		d := p.Value.Type.DType
		if p.Value.Type.Pointer {
			continue
		}
		n := numbers[r.IntN(len(numbers))]
		if r.IntN(4) > 0 {
			n = numbers[r.IntN(17)]
		}
		if r.IntN(4) == 0 {
			n = positive[len(positive)-1]
		}
		n -= n % int64(p.Divisible)
		if out.Args[i].Value = num.FromInt(d, n); like != nil {
			was := like.Args[i].Value
			symbol := p.Value.Type.IsInt() && d.Info().Signed && was.Int() > 0
			if !numbersToo || !symbol || out.Args[i].Value.Int() < 1 {
				out.Args[i].Value = was
			}
		}
		if n := out.Args[i].Value.Int(); n > 0 && n <= maxElements {
			positive = append(positive, n)
		}
	}
	for i, p := range s.fn.Params {
		switch {
		case !p.Value.Type.Pointer:
		case like != nil && !numbersToo:
			out.Args[i] = like.Args[i]
		default:
			n := []int64{0, 1, 1, 8}[r.IntN(4)] * positive[r.IntN(len(positive))] * positive[r.IntN(len(positive))]
			first := -[]int64{0, 0, 0, 64}[r.IntN(4)]
			if like != nil {
				first = like.Args[i].First
			}
			out.Args[i] = bounds.Arg{First: first, Count: min(n, maxElements) - first}
		}
	}
	if x := &out.Args[1]; s.shared {
		x.First, x.Count = max(x.First, -out.Args[0].Count), out.Args[0].Count
	}
	for k, looked := range s.looked {
		if like != nil && !looked {
			out.Grid[k] = like.Grid[k]
		}
	}
	return out
}

// maxElements bounds the tensors of launches.
const maxElements = 1 << 14

// execution is a launch as it runs.
type execution struct {
	*subject
	args    bounds.Args
	proof   *bounds.Proof
	known   []*axis.Facts
	models  []*model
	program [3]int
	lanes   []num.Vec         // by ID: what values are now
	rounds  map[int]int64     // iterations that a loop has begun, by the ID of its index
	trips   map[int]int64     // that a loop has made in the end
	before  map[int][]int64   // values of the iteration before, by ID
	times   map[*ir.Instr]int // that an instruction has run
	powers  map[*ir.Instr]int64
	spans   map[*ir.Instr]facts.Interval
	reach   map[*ir.Instr]map[int64]bool                // offsets
	effects map[[2]int64]map[[3]int]map[trace.Kind]bool // by memory and element, then by program
	wraps   []prove.Overflow                            // integers that wrap, without those that have been seen to
	failed  bool
}

// model is a walk and the conditions under which control comes to instructions. It is void where an integer that is
// taken not to wrap does.
type model struct {
	*facts.Walk
	paths map[*ir.Instr][]facts.Sum
	void  bool
}

// newModel walks the function with the numbers of a launch, or with symbols for those that are positive.
func newModel(fn *ir.Func, args bounds.Args, symbols bool) *model {
	m := &model{Walk: facts.Begin(fn), paths: map[*ir.Instr][]facts.Sum{}}
	m.Visit = func(in *ir.Instr) bool {
		m.paths[in] = slices.Clone(m.Path)
		return false
	}
	number := func(k facts.Key, n facts.Sum) facts.Sum {
		if c, known := n.Value(); !symbols || !known || c < 1 {
			return n
		}
		a, _ := m.Plain(k, facts.Interval{Lo: 1, Hi: facts.Unbounded})
		return m.Sum(a)
	}
	if symbols {
		m.Assumed = map[*ir.Value]facts.Assumption{}
	}
	for k, n := range args.Grid {
		m.Grid[k] = number(facts.Key{Kind: facts.GridSize, N: int32(k)}, facts.Constant(int64(n)))
	}
	for i, p := range fn.Params {
		if d := p.Value.Type.DType; p.Value.Type.IsInt() {
			if m.Args[i] = facts.Number(args.Args[i].Value.Cast(d)); d.Info().Signed {
				m.Args[i] = number(facts.Key{Kind: facts.Argument, N: int32(i)}, m.Args[i])
			}
		}
	}
	m.Run()
	return m
}

// run launches the kernel and compares.
func (s *subject) run(args bounds.Args) *execution {
	e := &execution{subject: s, args: args, known: []*axis.Facts{s.signed}, lanes: make([]num.Vec, s.fn.Values()),
		models: []*model{newModel(s.fn, args, false), newModel(s.fn, args, true)}, rounds: map[int]int64{},
		trips: map[int]int64{}, before: map[int][]int64{}, times: map[*ir.Instr]int{}, powers: map[*ir.Instr]int64{},
		spans: map[*ir.Instr]facts.Interval{}, reach: map[*ir.Instr]map[int64]bool{},
		effects: map[[2]int64]map[[3]int]map[trace.Kind]bool{}}
	if e.proof = s.prover[s.facts].Prove(args); e.proof.Assumptions() {
		e.known = append(e.known, s.facts)
	} else {
		e.proof = s.prover[s.signed].Prove(args)
	}
	e.findGrowths()
	l := tile.Launch{Grid: args.Grid, Observer: e, Budget: 1 << 16}
	for i, p := range s.fn.Params {
		if p.Value.Type.Pointer {
			l.Args = append(l.Args, s.buffer(i, args.Args[i]))
		} else {
			l.Args = append(l.Args, tile.Scalar{Scalar: args.Args[i].Value})
		}
	}
	if s.shared {
		z := l.Args[1].(tile.Buffer)
		z.Data = l.Args[0].(tile.Buffer).Data
		l.Args[1] = z
	}
	e.wraps = prove.Overflows(s.fn, prove.Launch{Args: args, Memory: make([]int, len(s.fn.Params))})
	if _, err := s.kernel.Run(context.Background(), l); err == nil && len(e.wraps) > 0 {
		o := e.wraps[0]
		e.fail("%s does not become %d in program %v", name(o.Value), o.Wrapped(), o.Program)
	}
	return e
}

// buffer is the memory of a pointer argument, whose elements depend on its length alone.
func (s *subject) buffer(i int, a bounds.Arg) tile.Buffer {
	d, r := s.fn.Params[i].Value.Type.DType, rand.New(rand.NewPCG(s.seed, uint64(i)))
	b := tile.Buffer{DType: d, Data: make([]byte, int(a.Count)*d.Info().Bytes), Offset: int(-a.First)}
	for at := range b.Data {
		if b.Data[at] = byte(r.IntN(4) * r.IntN(100)); d.Info().Float || d.Info().Bytes > 1 && at%d.Info().Bytes > 0 {
			b.Data[at] = 0
		}
	}
	return b
}

func (e *execution) fail(format string, args ...any) {
	if !e.failed {
		e.t.Errorf("seed %d: %s\nprogram %v of %+v\n%s", e.seed, fmt.Sprintf(format, args...), e.program, e.args,
			ir.Print(e.fn))
	}
	e.failed = true
}

func name(v *ir.Value) string { return fmt.Sprintf("value %d (%s, %s)", v.ID, v.Name, v.Type) }

func (e *execution) Launch([3]int, []trace.Buffer) {}

func (e *execution) Watches(program [3]int) bool {
	e.program = program
	clear(e.rounds)
	clear(e.before)
	return true
}

// maxTimes is how often the values of one instruction are compared.
const maxTimes = 100

func (e *execution) Operation(o *trace.Operation) {
	in, values := o.Instr, o.Instr.Results
	if o.Region != nil {
		values = o.Region.Args
	}
	for i, v := range values {
		to, from := &e.lanes[v.ID], o.Lanes[i]
		*to = num.Vec{I32: append(to.I32[:0], from.I32...), I64: append(to.I64[:0], from.I64...),
			F32: append(to.F32[:0], from.F32...), F64: append(to.F64[:0], from.F64...)}
	}
	if in.Op == ops.For {
		index := in.Regions[0].Args[0].ID
		if e.trips[index] = e.rounds[index]; o.Region != nil {
			e.rounds[index]++
		} else if most, ok := e.proof.Bounded(in); ok && e.rounds[index] > most {
			e.fail("a loop makes %d iterations, more than %d", e.rounds[index], most)
		}
	}
	for _, v := range values {
		e.growth(v)
	}
	e.wraps = slices.DeleteFunc(e.wraps, func(o prove.Overflow) bool {
		seen := o.Program == e.program && slices.Contains(values, o.Value) && slices.Contains(e.elements(o.Value), o.Wrapped())
		if seen {
			e.tally["overflows"]++
		}
		return seen
	})
	if e.times[in]++; e.times[in] <= maxTimes {
		for _, m := range e.models {
			e.path(m, in)
			for _, v := range values {
				e.value(m.Walk, v, &m.void)
			}
		}
		for _, f := range e.known {
			for _, v := range values {
				e.value(f.Walk, v, new(bool))
				e.tile(f, v)
			}
		}
		if o.Region == nil {
			e.operation(in)
		}
	}
	if in.Op.Has(ops.Structured) && o.Region == nil { // the next time is another loop
		if in.Op == ops.For {
			delete(e.rounds, in.Regions[0].Args[0].ID)
		}
		for id, loop := range e.loops {
			if loop == in {
				delete(e.before, id)
			}
		}
	}
}

// element is element i of a value: a number, or a pointer's offset. It is not ok where an int64 does not hold it, and
// of offsets where those of the engine end.
func (e *execution) element(v *ir.Value, i int) (n int64, ok bool) {
	x := e.lanes[v.ID]
	if v.Type.Pointer {
		_, off := trace.Split(x.I64[i])
		return off, off < 1<<46 && off > -1<<46
	}
	s := num.ScalarAt(v.Type.DType, x, i)
	if n = s.Int(); v.Type.DType.Info().Float {
		return int64(s.Bits), true
	}
	return n, n >= 0 || v.Type.DType.Info().Signed
}

// at is where the program is, at element i of a tile.
func (e *execution) at(w *facts.Walk, shape []int, i int) *facts.Point {
	p := &facts.Point{Walk: w, Index: make([]int, len(shape)), Element: e.element}
	for d, rest := len(shape)-1, i; d >= 0; d-- {
		p.Index[d], rest = rest%shape[d], rest/shape[d]
	}
	p.Fail = func(text string, of any) { e.fail("%s: %v", text, of) }
	p.Plain = func(k facts.Key) (int64, bool) {
		switch k.Kind {
		case facts.Argument:
			return e.args.Args[k.N].Value.Cast(e.fn.Params[k.N].Value.Type.DType).Int(), true
		case facts.GridSize:
			return int64(e.args.Grid[k.N]), true
		case facts.Program:
			return int64(e.program[k.N]), true
		case facts.Iteration:
			return e.rounds[int(k.N)] - 1, true
		}
		return e.trips[int(k.N)], true
	}
	return p
}

// path compares the conditions under which control comes to an instruction.
func (e *execution) path(m *model, in *ir.Instr) {
	if !m.void && !in.Op.Has(ops.Structured) {
		if all, _ := e.at(m.Walk, nil, 0).Holds(m.paths[in]); !all {
			e.fail("control comes to %v where %v", in.Op, m.paths[in])
		}
	}
}

// value compares a value with its sum, its interval and its conditions. It sets void where one that is taken not to
// wrap does.
func (e *execution) value(w *facts.Walk, v *ir.Value, void *bool) {
	x, n := &w.Values[v.ID], v.Type.Numel()
	if *void || v.Type.DType.Info().Float && !v.Type.Pointer || w.Tiles && v.Type.Pointer {
		return
	}
	for k := range min(n, 12) { // of large tiles not all
		i := k
		if n > 12 {
			i = (k*n/12 + k*k) % n
		}
		p := e.at(w, v.Type.Shape, i)
		as, rests := w.Assumed[v]
		if want, ok := p.At(as.Sum); rests && (!ok || bits.Len64(uint64(max(want, ^want))) >= as.Bits) {
			*void = true
		}
		got, ok := e.element(v, i)
		if *void || !ok {
			return
		}
		if want, known := p.At(x.Sum); known {
			if e.tally["sums"]++; got != want {
				e.fail("%s has %d at %d, not %d, with tiles %v: %v", name(v), got, i, want, w.Tiles, x.Sum)
			}
		}
		if !x.Lost && (x.I.Finite() || !v.Type.Pointer) { // offsets from 2^63 on count as negative ones
			if e.tally["intervals"]++; !facts.Exactly(got).Within(x.I) {
				e.fail("%s has %d, not in %v", name(v), got, x.I)
			}
		}
		if v.Type.DType != num.Int1 || v.Type.Pointer {
			continue
		}
		e.tally["conditions"] += len(x.Yes) + len(x.No)
		yes, all := p.Holds(x.Yes)
		if no, _ := p.Holds(x.No); got != 0 && !yes || got == 0 && !no || got == 0 && x.All && yes && all {
			e.fail("%s is %d at %d: %v where true, %v where not, all %v", name(v), got, i, x.Yes, x.No, x.All)
		}
	}
}

// tile compares a value with what axis says of it.
func (e *execution) tile(f *axis.Facts, v *ir.Value) {
	size, at := int64(1), make([]int64, v.Type.Numel())
	for i := range at {
		x, ok := e.element(v, i)
		if at[i] = x; !ok {
			return
		}
		if c, constant := f.Const(v); constant && x != c || f.NonNegative(v) && x < 0 {
			e.fail("%s is %d", name(v), x)
		}
	}
	if v.Type.Pointer {
		size = int64(v.Type.DType.Info().Bytes)
		// Numbers from the parameters' on are of memory that is reached by addresses.
		n, want := len(e.fn.Params), f.Argument(v)
		for _, p := range e.lanes[v.ID].I64 {
			if arg, _ := trace.Split(p); want != axis.Mixed && min(arg, n) != min(want, n) {
				e.fail("%s points into argument %d, not %d", name(v), arg, want)
				return
			}
		}
	}
	shape, stride := v.Type.Shape, 1
	if len(shape) == 0 {
		shape = []int{1}
	}
	for d := len(shape) - 1; d >= 0; d-- {
		e.dim(f.UnhintedDims(v)[d], v, at, shape[d], stride, size)
		if bits := v.Type.DType.Info().Bits; !v.Type.Pointer && !v.Type.IsScalar() && bits >= 32 {
			if s, ok := f.Slope(v, d); ok && s != 0 {
				e.slope(s, v, at, shape[d], stride, 64-bits)
			}
		}
		stride *= shape[d]
	}
}

// dim checks one dimension of size n, whose elements are stride apart.
func (e *execution) dim(d facts.Dim, v *ir.Value, at []int64, n, stride int, size int64) {
	e.tally["dims"]++
	wrap := int64(1)<<min(32, v.Type.DType.Info().Bits) - 1
	if v.Type.Pointer {
		wrap = 1<<32 - 1
	}
	within := min(d.Contiguity, max(1, d.Divisibility/size))
	for i, x := range at {
		k := int64(i / stride % n)
		if k%d.Contiguity == 0 && x*size%d.Divisibility != 0 {
			e.fail("%s has %d at %d: %+v", name(v), x, i, d)
		}
		if k == 0 {
			continue
		}
		before := at[i-stride]
		switch {
		case k%d.Constancy != 0 && x != before,
			k%within != 0 && x != before+1,
			k%d.Contiguity != 0 && (x-before-1)&wrap != 0:
			e.fail("%s has %d after %d at %d: %+v", name(v), x, before, i, d)
		}
	}
}

// slope checks that elements stride apart along a dimension of size n differ by s, without so many upper bits.
func (e *execution) slope(s int64, v *ir.Value, at []int64, n, stride, upper int) {
	e.tally["slopes"]++
	for i, x := range at {
		if i/stride%n > 0 && (x-at[i-stride]-s)<<upper != 0 {
			e.fail("%s has %d after %d at %d: not %d more", name(v), x, at[i-stride], i, s)
		}
	}
}

// findGrowths finds those of the values in the bodies of loops.
func (e *execution) findGrowths() {
	e.growths, e.loops = map[int]facts.Growth{}, map[int]*ir.Instr{}
	e.fn.Body.Walk(func(loop *ir.Instr) {
		if loop.Op != ops.For && loop.Op != ops.While {
			return
		}
		g, body := e.signed.GrowthsIn(loop), loop.Regions[len(loop.Regions)-1]
		list := slices.Clone(body.Args)
		body.Walk(func(in *ir.Instr) {
			if bounds.AddsNarrow(in) && e.proof.InRange(in) {
				g.SetNarrow(e.signed.SumOf(in.Operands[1]))
			}
		})
		for _, in := range body.Instrs {
			if len(in.Regions) == 0 {
				list = append(list, in.Results...)
			}
		}
		for _, v := range list {
			if by := g.Of(e.signed.SumOf(v)); by.OK && (v.Type.Pointer || v.Type.IsInt() && v.Type.DType != num.Int1) {
				e.growths[v.ID], e.loops[v.ID] = by, loop
			}
		}
	})
}

// growth compares a value with that of the iteration before.
func (e *execution) growth(v *ir.Value) {
	by, known := e.growths[v.ID]
	if !known {
		return
	}
	was, now := e.before[v.ID], make([]int64, min(16, v.Type.Numel()))
	for i := range now {
		x, ok := e.element(v, i)
		if now[i] = x; !ok {
			delete(e.before, v.ID)
			return
		}
		if was == nil {
			continue
		}
		e.tally["growths"]++
		if d := x - was[i] - by.By; d != 0 && (!by.Wraps || d&math.MaxUint32 != 0) {
			e.fail("%s is %d after %d: %+v", name(v), x, was[i], by)
		}
	}
	e.before[v.ID] = now
}

// elements are all numbers of an operand, MaxInt64 where they are larger.
func (e *execution) elements(v *ir.Value) (list []int64) {
	for i := range v.Type.Numel() {
		n, ok := e.element(v, i)
		if !ok {
			n = math.MaxInt64
		}
		list = append(list, n)
	}
	return list
}

// operation compares what an operation does with what bounds says of it.
func (e *execution) operation(in *ir.Instr) {
	if !e.prover[e.signed].Provable(in) || axis.Accesses(in) || in.Op == ops.For {
		return
	}
	if e.proof.Natural(in) {
		e.tally["natural"]++
		x, y := e.elements(in.Operands[0]), e.elements(in.Operands[1])
		if slices.Min(x) < 0 || slices.Min(y) < 1 {
			e.fail("%s is of a negative number", name(in.Results[0]))
		}
		if d := y[0]; e.proof.PowerOfTwo(in) {
			if was, known := e.powers[in]; d&(d-1) != 0 || slices.Max(y) != slices.Min(y) || known && was != d {
				e.fail("%s is no power of two", name(in.Operands[1]))
			}
			e.powers[in] = d
		}
	}
	switch {
	case !e.proof.InRange(in):
		return
	case e.proof.Reduced(in):
		if !slices.Equal(e.elements(in.Results[0]), e.elements(in.Operands[0])) {
			e.fail("%s is not its dividend", name(in.Results[0]))
		}
	case e.proof.True(in):
		if slices.Contains(e.elements(in.Results[0]), 0) {
			e.fail("%s is false somewhere", name(in.Results[0]))
		}
	case bounds.AddsNarrow(in):
		list := e.elements(in.Operands[1])
		i := facts.Interval{Lo: slices.Min(list), Hi: slices.Max(list)}
		if was, known := e.spans[in]; known {
			i = i.Hull(was)
		}
		if e.spans[in] = i; i.Hi-i.Lo > math.MaxInt32 {
			e.fail("offsets of %s span %v", name(in.Results[0]), i)
		}
	case e.proof.Scales(in):
		_, scale, _ := axis.Scaled(in)
		if f := num.ScalarAt(num.Float32, e.lanes[scale.ID], 0).Float(); f < 0x1p-100 || f > 0x1p100 {
			e.fail("%s is %g", name(scale), f)
		}
	default:
		return
	}
	e.tally[in.Op.String()]++
}

func (e *execution) Access(a *trace.Access) {
	if e.reach[a.Instr] == nil {
		e.reach[a.Instr] = map[int64]bool{}
	}
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, off := trace.Split(p)
		e.reach[a.Instr][off] = true
		if arg < len(e.args.Args) && e.proof.InRange(a.Instr) {
			e.tally["accesses"]++
			if m := e.args.Args[arg]; off < m.First || off >= m.First+m.Count {
				e.fail("%v reaches %d of argument %d", a.Instr.Op, off, arg)
			}
		}
		key := [2]int64{int64(arg), off}
		if arg < len(e.args.Args) {
			key = [2]int64{int64(e.memory(arg)), off - e.args.Args[arg].First}
		}
		if e.effects[key] == nil {
			e.effects[key] = map[[3]int]map[trace.Kind]bool{}
		}
		if e.effects[key][a.Program] == nil {
			e.effects[key][a.Program] = map[trace.Kind]bool{}
		}
		e.effects[key][a.Program][a.Kind] = true
	}
	if pitch, ok := e.proof.Pitch(a.Instr); ok {
		e.tally["pitches"]++
		cols := int64(a.Instr.Operands[0].Type.Shape[1])
		for at, p := range a.Ptr {
			i, j := int64(at)/cols, int64(at)%cols
			if d := p - a.Ptr[0]; d != i*pitch+j && d != i+j*pitch {
				e.fail("element (%d, %d) is %d behind the first, of pitch %d", i, j, d, pitch)
			}
		}
	}
}

// racy reports whether two programs race at a parameter: one stores, or one updates what the other loads.
func (e *execution) racy(param int) bool {
	for key, programs := range e.effects {
		for a, x := range programs {
			for b, y := range programs {
				if int(key[0]) == e.memory(param) && a != b && (x[trace.Store] || x[trace.Atomic] && y[trace.Load]) {
					return true
				}
			}
		}
	}
	return false
}

// number evaluates a side of a condition of a proof: a sum of products, "N * M // 8 - 1", or "2**31"; Unbounded where
// that is large.
func (e *execution) number(text string) int64 {
	out, sign := facts.Exactly(0), int64(1)
	for _, term := range strings.Fields(strings.NewReplacer(" * ", "*", " // ", "/").Replace(text)) {
		if term == "+" || term == "-" {
			sign = map[string]int64{"+": 1, "-": -1}[term]
			continue
		}
		text, divisor, divided := strings.Cut(term, "/")
		x := facts.Exactly(sign)
		if power, ok := strings.CutPrefix(text, "2**"); ok {
			n, _ := strconv.Atoi(power)
			text = strconv.FormatInt(1<<n, 10)
		}
		for _, name := range strings.Split(text, "*") {
			n, err := strconv.ParseInt(name, 10, 64)
			if axis, ok := strings.CutPrefix(name, "grid["); ok {
				n = int64(e.args.Grid[axis[0]-'0'])
			} else if err != nil {
				i := slices.IndexFunc(e.fn.Params, func(p *ir.Param) bool { return p.Name == name })
				n = e.args.Args[i].Value.Int()
			}
			x = x.Times(facts.Exactly(n))
		}
		if d, _ := strconv.ParseInt(divisor, 10, 64); divided {
			x = facts.Exactly(x.Lo / d)
		}
		out = out.Plus(x)
	}
	return out.Hi
}

// meets reports whether conditions of a proof hold in a launch. A number of elements is that which they ask for.
func (e *execution) meets(conditions []string) (elements int64, ok bool) {
	elements, ok = facts.Unbounded, true
	for _, c := range conditions {
		if _, extent, found := strings.Cut(c, ".numel() >= "); found {
			elements = e.number(extent)
		} else if x, y, found := strings.Cut(c, " >= "); found {
			ok = ok && e.number(x) >= e.number(y)
		} else if x, y, found := strings.Cut(c, " <= "); found {
			ok = ok && e.number(x) <= e.number(y)
		} else {
			x, y, _ := strings.Cut(strings.TrimSuffix(c, " == 0"), " % ")
			ok = ok && e.number(x)%e.number(y) == 0
		}
	}
	return elements, ok
}

// judge compares what is proved for at least a level with a launch of it.
func (e *execution) judge(r *prove.Report, level prove.Level) {
	if _, ok := e.meets(r.NoWrap); level > prove.ThisLaunch && !ok {
		return
	}
	for _, a := range r.Accesses {
		var elements int64
		ok := a.InBounds >= level
		if ok && a.InBounds == prove.AnySize {
			elements, ok = e.meets(a.Hypothesis)
		}
		if !ok {
			continue
		}
		if a.Param == facts.Anywhere { // in bounds as it is never made
			if len(e.reach[a.Instr]) > 0 {
				e.fail("%v: %v is made", level, a.Instr.Op)
			}
			continue
		}
		m := e.args.Args[a.Param]
		end := m.First + m.Count
		if a.InBounds == prove.AnySize && elements < facts.Unbounded {
			end = elements
		}
		for at := range e.reach[a.Instr] {
			if e.tally["in bounds, any "+level.String()]++; at < m.First || at >= end {
				e.fail("%v: %v of %s reaches %d of %d: %v", level, a.Instr.Op, e.fn.Params[a.Param].Name, at, end,
					a.Hypothesis)
			}
		}
	}
	for _, x := range r.Tensors {
		if _, ok := e.meets(x.Hypothesis); !ok || x.RaceFree < level || !x.Written {
			continue
		}
		if e.tally["race-free, any "+level.String()]++; e.racy(x.Param) {
			e.fail("%v: a race at %s: %v", level, e.fn.Params[x.Param].Name, x.Hypothesis)
		}
	}
}

// proofs is what is proved of a launch.
func (s *subject) proofs(args bounds.Args) *prove.Report {
	l := prove.Launch{Args: args, Values: make([]*prove.Values, len(s.fn.Params))}
	written := s.fn.Written()
	for i, p := range s.fn.Params {
		l.Memory = append(l.Memory, s.memory(i))
		d, a := p.Value.Type.DType, args.Args[i]
		if !p.Value.Type.Pointer || written[i] || s.shared || d != num.Int32 || a.Count == 0 {
			continue
		}
		v := &prove.Values{Least: math.MaxInt64, Most: math.MinInt64}
		for at, data := 0, s.buffer(i, a).Data; at < len(data); at += 4 {
			n := int64(data[at]) // the others are 0
			v.Least, v.Most = min(v.Least, n), max(v.Most, n)
		}
		l.Values[i] = v
	}
	return prove.Prove(s.fn, l)
}

// soundAt makes a kernel and launches of it.
func soundAt(t testing.TB, seed uint64, tally map[string]int) {
	s, r := newSubject(t, seed, tally), rand.New(rand.NewPCG(seed, 3))
	first := s.launch(r, nil, false)
	report := s.proofs(first)
	s.run(first).judge(report, prove.ThisLaunch)
	s.run(s.launch(r, &first, false)).judge(report, prove.AnyGrid)
	for range 3 {
		s.run(s.launch(r, &first, true)).judge(report, prove.AnySize)
	}
	large := s.launch(r, &first, true) // where more wraps
	for i, p := range s.fn.Params {
		if p.Value.Type.IsInt() && r.IntN(2) == 0 {
			large.Args[i].Value = num.FromInt(p.Value.Type.DType, r.Int64N(1<<26)*int64(max(1, p.Divisible)))
		}
	}
	s.run(large)
}

// TestSound: all that is said of random kernels holds as they run.
func TestSound(t *testing.T) {
	tally := map[string]int{}
	for seed := range seeds.Upto(80) {
		if soundAt(t, seed, tally); t.Failed() {
			return
		}
	}
	for _, of := range []string{"sums", "intervals", "conditions", "dims", "growths", "natural", "accesses", "rem", "lt",
		"addptr", "in bounds, any launch", "in bounds, any grid", "in bounds, any size", "race-free, any size"} {
		if !testing.Short() && tally[of] == 0 {
			t.Errorf("%s: nothing was compared", of)
		}
	}
	t.Log(tally)
}

// FuzzSound is TestSound for other seeds.
func FuzzSound(f *testing.F) {
	for _, seed := range []uint64{1000, 932004772, 934000740, 937000248} { // the last three: pointers and offsets of uint64
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { soundAt(t, seed, map[string]int{}) })
}
