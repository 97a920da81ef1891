// Package irgen makes random kernels that are well typed and well behaved, for fuzzing what reads,
// rewrites or runs IR.
//
// Well behaved means that any correct engine computes the same: loads stay inside their arguments,
// each element of an output is stored once per program at most, masked-out lanes have a value,
// divisors are small and positive, gathers stay inside their axis, loops are short, reductions
// combine exactly whatever their order. Operations come from the table of package ops: a row with
// a signature alone is covered without a line here.
package irgen

import (
	"math/rand/v2"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Config bounds what is generated; the zero value means the defaults.
type Config struct {
	Instrs int         // about how many operations, 30 by default
	DTypes []num.DType // element types to use, DefaultDTypes by default
	Shapes [][]int     // shapes to use, by default DefaultShapes or, for one seed in 32, WideShapes
	Ops    []ops.Op    // operations to begin with, all by default; they bring what their operands need
	Depth  int         // how deep regions nest, 2 by default
	// Exact leaves out operations that engines may round differently: transcendental functions,
	// approximate division and square roots.
	Exact bool
	// FalseHints puts hints, true or not, on where tiles of memory begin: they may change how much is moved
	// at once, and no result.
	FalseHints bool
	// Grid is how many programs will run, one by default: each stores to elements of its own.
	Grid [3]int
	// Divisible is what the addresses of arguments are multiples of, in bytes, 1 by default.
	Divisible int
	// InputLen is the number of elements of every input, a power of two, 64 by default.
	InputLen int
	// Warpgroups makes loops over dots of at least 64 rows, of operands with one dtype that mostly are contiguous along
	// K, as warpgroup MMAs take them.
	Warpgroups bool
}

// DefaultDTypes are the element types that every engine has.
var DefaultDTypes = []num.DType{
	num.Int1, num.Int8, num.Int16, num.Int32, num.Int64, num.Uint8, num.Uint32,
	num.Float16, num.BFloat16, num.Float32, num.Float64,
}

// DefaultShapes are small enough for thousands of runs per second.
var DefaultShapes = [][]int{nil, {1}, {4}, {16}, {32}, {2, 8}, {4, 1}, {1, 16}, {4, 4}, {2, 2, 4}}

// Param is a parameter of a generated kernel, and what to pass for it.
type Param struct {
	Name   string
	DType  num.DType
	Len    int  // elements of a pointer's memory, 0 for a scalar
	Output bool // written; inputs are only read
	// Address is what the kernel reaches the memory by, which has no parameter then.
	Address int64
}

// Program is a generated kernel with its arguments, in the order of the parameters, then the memory that it reaches by
// an address. It does not read program_id where it stores: run it as a single program.
type Program struct {
	Func *ir.Func
	Args []Param
}

// Generate makes the kernel of that seed.
func Generate(seed uint64, cfg Config) *Program {
	if cfg.Instrs == 0 {
		cfg.Instrs = 30
	}
	if cfg.DTypes == nil {
		cfg.DTypes = DefaultDTypes
	}
	switch {
	case cfg.Shapes == nil && seed%32 == 31:
		cfg.Shapes = WideShapes
	case cfg.Shapes == nil:
		cfg.Shapes = DefaultShapes
	}
	if cfg.Depth == 0 {
		cfg.Depth = 2
	}
	if cfg.InputLen == 0 {
		cfg.InputLen = 64
	}
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, 0)), cfg: cfg, b: ir.NewBuilder("random"),
		inputs: map[num.DType][]*ir.Value{}, outputs: map[num.DType]*output{}, totals: map[num.DType]*ir.Value{},
	}
	g.genParams()
	programs := g.separatePrograms()
	for range cfg.Instrs {
		g.genStep()
	}
	g.storeAll()
	g.emit(ops.Return, nil)
	for _, d := range cfg.DTypes {
		out := g.outputs[d]
		n := max(1, out.used)
		if cfg.Divisible > 1 && g.IntN(2) == 0 {
			n = roundUp(n)
		}
		g.args[out.arg].Len = n * programs
		if out.stride != nil {
			out.stride.Attrs[0].Value = num.FromInt(num.Int32, int64(n))
		}
	}
	if g.reaches {
		g.args = append(g.args, Param{Name: "reachable", DType: num.Int8, Len: reachableBytes, Address: reachableAt})
	}
	return &Program{g.b.Finish(), g.args}
}

type generator struct {
	*rand.Rand
	cfg     Config
	b       *ir.Builder
	args    []Param
	pool    []*ir.Value // values in scope, no pointers
	inputs  map[num.DType][]*ir.Value
	outputs map[num.DType]*output
	totals  map[num.DType]*ir.Value // arguments that all update
	depth   int
	offset  int32 // of the next span
	reaches bool  // makes pointers of addresses
}

// output is an argument that is stored to, each element at most once.
type output struct {
	arg    int
	ptr    *ir.Value // where this program's elements begin
	stride *ir.Instr // the constant that says how many elements a program has, where there are several
	used   int
}

func (g *generator) genParams() {
	for _, d := range g.cfg.DTypes {
		name := d.Info().Short
		g.inputs[d] = []*ir.Value{g.genParam(Param{Name: "in_" + name, DType: d, Len: g.cfg.InputLen},
			types.PointerTo(d))}
		g.outputs[d] = &output{arg: len(g.args),
			ptr: g.genParam(Param{Name: "out_" + name, DType: d, Output: true}, types.PointerTo(d))}
		g.pool = append(g.pool, g.genParam(Param{Name: "x_" + name, DType: d}, types.Scalar(d)))
		if ops.WideInt.Holds(types.Scalar(d)) {
			g.totals[d] = g.genParam(Param{Name: "total_" + name, DType: d, Len: slots * len(commuting), Output: true},
				types.PointerTo(d))
		}
		if g.IntN(4) == 0 {
			g.inputs[d] = append(g.inputs[d],
				g.genParam(Param{Name: "more_" + name, DType: d, Len: g.cfg.InputLen}, types.PointerTo(d)))
		}
	}
}

// separatePrograms moves the outputs of each program behind those of the ones before; it gives how many
// programs there are.
func (g *generator) separatePrograms() int {
	grid := g.cfg.Grid
	for i := range grid {
		grid[i] = max(1, grid[i])
	}
	programs := grid[0] * grid[1] * grid[2]
	if programs == 1 {
		return 1
	}
	var number *ir.Value
	for axis := 2; axis >= 0; axis-- {
		id := g.emit1(ops.ProgramID, nil, attr("axis", int64(axis)))
		if number == nil {
			number = id
			continue
		}
		size := g.emit1(ops.NumPrograms, nil, attr("axis", int64(axis)))
		number = g.emitTwo(ops.Add, g.emitTwo(ops.Mul, number, size), id)
	}
	for _, d := range g.cfg.DTypes {
		out := g.outputs[d]
		stride := g.emitConstant(num.FromInt(num.Int32, 0), nil)
		out.stride = stride.Def
		out.ptr = g.emit1(ops.AddPtr, []*ir.Value{out.ptr, g.emitTwo(ops.Mul, number, stride)})
	}
	return programs
}

// roundUp is the next multiple of 16: elements from there on can be accessed together.
func roundUp(n int) int { return (n + 15) &^ 15 }

// reserveOutput is where n elements of an output begin that nothing else touches.
func (g *generator) reserveOutput(d num.DType, n int) *ir.Value {
	out := g.outputs[d]
	if g.IntN(2) == 0 {
		out.used = roundUp(out.used)
	}
	offset := g.emitConstant(num.FromInt(num.Int32, int64(out.used)), nil)
	out.used += n
	if g.cfg.FalseHints && g.IntN(8) == 0 {
		out.used += 3
		offset = g.hintedOffset(g.emitTwo(ops.Add, offset, g.valueBelow(4, num.Int32, nil)))
	}
	return g.emit1(ops.AddPtr, []*ir.Value{out.ptr, offset})
}

func (g *generator) genParam(a Param, t types.Type) *ir.Value {
	g.args = append(g.args, a)
	if !t.Pointer {
		return g.b.Param(a.Name, t, 1)
	}
	return g.b.Param(a.Name, t, max(1, g.cfg.Divisible))
}

func (g *generator) nextSpan() source.Span {
	g.offset += int32(g.IntN(4))
	return source.Span{Start: g.offset, End: g.offset + int32(g.IntN(8))}
}

// emit appends an instruction that is known to fit; one that does not is a mistake here.
func (g *generator) emit(op ops.Op, operands []*ir.Value, attrs ...ir.Attr) []*ir.Value {
	return g.emitRegions(op, operands, nil, attrs...)
}

func (g *generator) emitRegions(op ops.Op, operands []*ir.Value, regions []*ir.Block, attrs ...ir.Attr) []*ir.Value {
	results, m := g.b.EmitRegions(g.nextSpan(), op, operands, regions, attrs...)
	if m != nil {
		panic("irgen: " + m.Error())
	}
	if len(results) > 0 && g.IntN(4) == 0 {
		results[0].Name = string(rune('a' + g.IntN(26)))
	}
	return results
}

func (g *generator) emit1(op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	return g.emit(op, operands, attrs...)[0]
}

func (g *generator) addToPool(vs ...*ir.Value) { g.pool = append(g.pool, vs...) }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func attr(name string, value any) ir.Attr { return ir.Attr{Name: name, Value: value} }

// genStep appends one operation, with whatever its operands need.
func (g *generator) genStep() {
	op := ops.Op(1 + g.IntN(int(ops.Return))) // none that is Placed
	if g.cfg.Ops != nil {
		op = pick(g, g.cfg.Ops)
	}
	if g.cfg.Exact && op.Has(ops.Inexact) {
		return
	}
	if makers[op] != nil {
		makers[op](g)
	} else if op.Has(ops.Pure | ops.Elementwise) {
		g.genElementwise(op)
	}
}

// storeAll stores many of the values that operations gave, so that wrong ones are seen.
func (g *generator) storeAll() {
	g.Shuffle(len(g.pool), func(i, j int) { g.pool[i], g.pool[j] = g.pool[j], g.pool[i] })
	stored := 0
	for _, v := range g.pool[:len(g.pool):len(g.pool)] {
		if v.Def != nil && v.Def.Op != ops.Const && stored < 30 {
			g.genStore(v)
			stored++
		}
	}
}

// genStore stores v to elements of its output that nothing else stores to.
func (g *generator) genStore(v *ir.Value) {
	ptr := g.denseOffsets(g.reserveOutput(v.Type.DType, v.Type.Numel()), v.Type.Shape)
	operands := []*ir.Value{ptr, v}
	if g.IntN(2) == 0 {
		operands = append(operands, g.genMask(v.Type.Shape))
	}
	g.emit(ops.Store, operands)
}
