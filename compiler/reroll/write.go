package reroll

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
)

// writer emits a run as a loop.
type writer struct {
	*run
	emitter *ir.Builder
	index   *ir.Value               // of the loop: the iteration's number, from 0 for the run's first
	head    map[operation]*ir.Value // what the body begins with
}

// write replaces the run by a loop. Its body is the second iteration, the first whose carried values the loop has
// made.
func (u *run) write() {
	w := &writer{run: u, emitter: ir.NewBuilder(""), head: make(map[operation]*ir.Value)}
	body := w.body()
	loop := w.emitter.Block()
	w.emitter.Push(loop)
	var operands []*ir.Value
	for _, bound := range []int{0, u.trips(), 1} {
		value := ir.Attr{Name: "value", Value: num.FromInt(num.Int32, int64(bound))}
		operands = append(operands, w.emit(ops.Const, nil, nil, value)...)
	}
	for _, c := range u.carried {
		operands = append(operands, c.init)
	}
	// An unrolled loop is not pipelined, and takes no shared memory for that.
	results := w.emit(ops.For, operands, []*ir.Block{body}, ir.Attr{Name: "num_stages", Value: int64(1)})
	for i, v := range u.finals() {
		u.replaced[v] = results[i]
	}
	u.bodies[body] = true
	start := u.of.Starts[u.first]
	u.loops[start] = loop.Instrs
	clear(u.block.Instrs[start:u.of.Starts[u.last+1]])
}

// body makes the loop's body.
func (w *writer) body() *ir.Block {
	args := []types.Type{types.Scalar(num.Int32)}
	for _, c := range w.carried {
		args = append(args, c.init.Type)
	}
	body := w.emitter.Block(args...)
	w.index = body.Args[0]
	for _, u := range w.uses {
		u.in.Operands[u.operand] = body.Args[1+u.carried]
	}
	var yields []*ir.Value
	for _, c := range w.carried {
		yields = append(yields, w.find(c.result).next)
	}
	template := slices.Clone(w.instrs(w.first + 1))
	w.emitter.Push(body)
	w.computeConstants(template)
	w.moveLoops(body)
	body.Instrs = append(body.Instrs, template...)
	w.emit(ops.Yield, yields, nil)
	w.emitter.Pop()
	return body
}

// computeConstants puts what computes the constants that vary in their places, where one instruction stands for
// one, and in front what that needs.
func (w *writer) computeConstants(instrs []*ir.Instr) {
	for i, in := range instrs {
		if step := w.steps[in]; step != 0 {
			instrs[i] = w.computed(in, step)
			w.replaced[in.Result()] = instrs[i].Result()
		}
		for _, region := range in.Regions {
			w.computeConstants(region.Instrs)
		}
	}
}

// computed is the instruction whose result is the constant of in: index · step + what it is in the first iteration.
func (w *writer) computed(in *ir.Instr, step int64) *ir.Instr {
	t := in.Result().Type
	index := w.index
	if t.DType != num.Int32 {
		index = w.shared(ops.Cast, ir.Attr{Name: "to", Value: t.DType.Info().Short}, index)
	}
	first := w.constant(t.DType, in.Scalar("value").Int()-step) // in is of the second iteration
	operands := []*ir.Value{w.shared(ops.Mul, ir.Attr{}, index, w.constant(t.DType, step)), first}
	op, attrs := ops.Add, []ir.Attr(nil)
	if !t.IsScalar() {
		operands = []*ir.Value{w.shared(op, ir.Attr{}, operands...)}
		op, attrs = ops.Splat, []ir.Attr{{Name: "shape", Value: ir.Ints(t.Shape)}}
	}
	out, m := ir.NewInstr(in.Span, op, operands, nil, attrs...)
	must(m)
	out.Result().Name = in.Result().Name
	return out
}

// operation tells what a shared instruction computes.
type operation struct {
	op       ops.Op
	operands [2]*ir.Value
	attr     ir.Attr
}

// shared emits an instruction at the beginning of the body once: iterations of an unrolled loop inside the body
// that had equal constants have equal operands still.
func (w *writer) shared(op ops.Op, attr ir.Attr, operands ...*ir.Value) *ir.Value {
	key := operation{op, [2]*ir.Value{}, attr}
	copy(key.operands[:], operands)
	if w.head[key] == nil {
		var attrs []ir.Attr
		if attr.Name != "" {
			attrs = append(attrs, attr)
		}
		w.head[key] = w.emit(op, operands, nil, attrs...)[0]
	}
	return w.head[key]
}

func (w *writer) constant(d num.DType, n int64) *ir.Value {
	return w.shared(ops.Const, ir.Attr{Name: "value", Value: num.FromInt(d, n)})
}

// moveLoops hands the unrolled loops of the second iteration over to the body, which has its first instructions.
func (w *writer) moveLoops(body *ir.Block) {
	start, end := w.of.Starts[w.first+1], w.of.Starts[w.first+2]
	for _, l := range w.unrolled[w.block] {
		if l.Starts[0] < start || l.Starts[l.iterations()] > end {
			continue
		}
		moved := Loop{Span: l.Span}
		for _, at := range l.Starts {
			moved.Starts = append(moved.Starts, at-start+len(body.Instrs))
		}
		w.unrolled[body] = append(w.unrolled[body], moved)
	}
}

func (w *writer) emit(op ops.Op, operands []*ir.Value, regions []*ir.Block, attrs ...ir.Attr) []*ir.Value {
	results, m := w.emitter.EmitRegions(w.of.Span, op, operands, regions, attrs...)
	must(m)
	return results
}

// must panics where an operation does not fit, which is a mistake of this package.
func must(m *ops.Mismatch) {
	if m != nil {
		panic(m)
	}
}
