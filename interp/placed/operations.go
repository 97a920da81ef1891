package placed

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/tile"
)

// operations is what a warp does for each operation; of those without a row, warps do the ones on whole tiles together,
// and the others element by element. It is filled in init since
// regions are run by the table itself.
var operations [ops.N]func(*warp, *ir.Instr)

func init() {
	operations = [ops.N]func(*warp, *ir.Instr){
		ops.Const: (*warp).constant, ops.Arange: (*warp).arange, ops.Splat: (*warp).splat,
		ops.ExpandDims: (*warp).rename, ops.Reshape: (*warp).rename, ops.Trans: (*warp).rename,
		ops.Hint:      (*warp).rename,
		ops.Broadcast: (*warp).broadcast, ops.Join: (*warp).join, ops.Split: (*warp).split2,
		ops.ConvertLayout: (*warp).convert, ops.Uniform: (*warp).uniform,
		ops.Load: (*warp).load, ops.Store: (*warp).access,
		ops.AtomicRMW: (*warp).atomic, ops.AtomicCAS: (*warp).atomic,
		ops.AtomicLoad: (*warp).atomic, ops.AtomicStore: (*warp).atomic,
		ops.Dot:   (*warp).dot,
		ops.Print: (*warp).together, ops.Assert: (*warp).together, ops.Assume: (*warp).together,
		ops.Barrier: func(w *warp, in *ir.Instr) { w.meet(in, w.p.synchronize) },
		ops.If:      (*warp).branch, ops.For: (*warp).loop, ops.While: (*warp).while,
		ops.LocalAlloc: (*warp).alloc, ops.MemDescIndex: (*warp).memDescIndex, ops.MemDescTrans: (*warp).memDescTrans,
		ops.LocalStore: (*warp).localStore, ops.LocalLoad: (*warp).localLoad,
		ops.AsyncCopy: (*warp).asyncCopy, ops.AsyncCommit: (*warp).asyncCommit, ops.AsyncWait: (*warp).asyncWait,
		ops.MbarrierInit: (*warp).mbarrierInit, ops.MbarrierExpect: (*warp).mbarrierExpect,
		ops.MbarrierWait: (*warp).mbarrierWait, ops.MbarrierInval: (*warp).mbarrierInval,
		ops.TMALoad: (*warp).tmaLoad, ops.FenceAsync: (*warp).fenceAsync,
		ops.WGMMA: (*warp).wgmma, ops.WGMMAWait: (*warp).wgmmaWait, ops.WarpgroupID: (*warp).warpgroupID,
		ops.NamedBarrierArrive: (*warp).namedBarrierArrive, ops.NamedBarrierWait: (*warp).namedBarrierWait,
	}
}

const (
	lanes          = 1 << layout.LaneBits
	warpgroupWarps = 4
)

// size is how many elements of v a warp has, replicas as well.
func size(v *ir.Value) int {
	if v.Type.IsScalar() {
		return 1
	}
	return v.Layout.Regs() * lanes
}

// element is the element of v that w has as the i-th.
func (w *warp) element(v *ir.Value, i int) uint32 {
	if v.Type.IsScalar() {
		return 0
	}
	n := v.Layout.Regs()
	return v.Layout.At(i%n, i/n, w.id)
}

// split is the elements of v that w answers for, and the others that it has: of the threads that hold an element one
// does, whose free bits are 0.
func (w *warp) split(v *ir.Value) (own, rest []int) {
	free, n := layout.Masks{Warp: ^uint32(0)}, 1
	if !v.Type.IsScalar() {
		free, n = v.Layout.Free(), v.Layout.Regs()
	}
	for i := range size(v) {
		if uint32(i%n)&free.Reg|uint32(i/n)&free.Lane|uint32(w.id)&free.Warp == 0 {
			own = append(own, i)
		} else {
			rest = append(rest, i)
		}
	}
	return own, rest
}

// define makes place for v.
func (w *warp) define(v *ir.Value) num.Vec {
	x := num.MakeVec(v.Type.Class(), size(v))
	w.values[v.ID] = &register{v: x}
	return x
}

// move sets an element of dst to one of src.
func move(dst num.Vec, i int, src num.Vec, k int) {
	switch {
	case dst.I32 != nil:
		dst.I32[i] = src.I32[k]
	case dst.I64 != nil:
		dst.I64[i] = src.I64[k]
	case dst.F32 != nil:
		dst.F32[i] = src.F32[k]
	default:
		dst.F64[i] = src.F64[k]
	}
}

// stepKey names an instruction made ready for a number of elements; 0 for those of its own types.
type stepKey struct {
	in     *ir.Instr
	n      int
	silent bool
}

// step is the instruction that make makes, ready to run.
func (m *machine) step(key stepKey, make func() *ir.Instr) *tile.Operation {
	if m.steps[key] == nil {
		m.steps[key] = m.exec.Operation(make(), key.silent)
	}
	return m.steps[key]
}

// compute runs an operation with one result, of n elements of type t.
func (m *machine) compute(o *tile.Operation, values []num.Vec, t types.Type, n int) num.Vec {
	out := num.MakeVec(t.Class(), n)
	m.do(o, values, []num.Vec{out})
	return out
}

func (m *machine) do(o *tile.Operation, values, results []num.Vec) {
	if f := o.Run(values, results); f != nil {
		panic(f)
	}
}

// lined is v as n elements in a row, if it is a tile.
func lined(v *ir.Value, n int) *ir.Value {
	if v == nil || v.Type.IsScalar() {
		return v
	}
	return &ir.Value{Type: v.Type.WithShape([]int{n}), Def: v.Def, Index: v.Index}
}

// linedInstr is an instruction on n elements in a row.
func linedInstr(in *ir.Instr, op ops.Op, operands, results []*ir.Value, n int) *ir.Instr {
	x := &ir.Instr{Op: op, Attrs: in.Attrs, Span: in.Span}
	made := map[*ir.Value]*ir.Value{}
	for _, v := range operands {
		if made[v] == nil {
			made[v] = lined(v, n)
		}
		x.Operands = append(x.Operands, made[v])
	}
	for i, v := range results {
		r := lined(v, n)
		if r == v {
			r = &ir.Value{Type: v.Type}
		}
		r.Def, r.Index = x, i
		x.Results = append(x.Results, r)
	}
	return x
}

// loaded is what an asynchronous copy reads: from pointers, zeros where a mask leaves them out.
func (m *machine) loaded(in *ir.Instr, values []num.Vec) num.Vec {
	ptr, n := in.Operands[0], values[0].Len()
	r := ptr.Type.WithDType(ptr.Type.DType)
	o := m.step(stepKey{in: in, n: n}, func() *ir.Instr {
		mask := &ir.Value{Type: ptr.Type.WithDType(num.Int1)}
		return linedInstr(in, ops.Load, []*ir.Value{ptr, mask}, []*ir.Value{{Type: r}}, n)
	})
	return m.compute(o, values, r, n)
}

// distinct is the values of a list that are there, each once.
func distinct(values []*ir.Value) (list []*ir.Value) {
	for _, v := range values {
		if v != nil && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// gather is the given elements of values; of a scalar, that one.
func (w *warp) gather(in *ir.Instr, which []int, values ...*ir.Value) (list []num.Vec) {
	for _, v := range distinct(values) {
		x := w.take(in, v)
		if !v.Type.IsScalar() {
			part := num.MakeVec(v.Type.Class(), len(which))
			for k, i := range which {
				move(part, k, x, i)
			}
			x = part
		}
		list = append(list, x)
	}
	return list
}

// part does an operation for some of the elements that w has. Findings of a silent one are not reported.
func (w *warp) part(in *ir.Instr, which []int, silent bool, observe func(values []num.Vec)) {
	if len(which) == 0 {
		return
	}
	n := len(which)
	o := w.p.step(stepKey{in, n, silent}, func() *ir.Instr { return linedInstr(in, in.Op, in.Operands, in.Results, n) })
	values := w.gather(in, which, in.Operands...)
	if observe != nil {
		observe(values)
	}
	results := make([]num.Vec, len(in.Results))
	for i, r := range in.Results {
		results[i] = num.MakeVec(r.Type.Class(), n)
	}
	w.p.do(o, values, results)
	for i, r := range in.Results {
		for k, at := range which {
			move(w.values[r.ID].v, at, results[i], k)
		}
	}
}

// elementwise does an operation of each thread for its own elements.
func (w *warp) elementwise(in *ir.Instr) {
	for _, r := range in.Results {
		w.define(r)
	}
	w.part(in, w.all(in), false, nil)
}

// all is the elements that an elementwise operation has in w.
func (w *warp) all(in *ir.Instr) []int {
	n := 1
	for _, v := range append(slices.Clone(in.Operands), in.Results...) {
		if v != nil {
			n = max(n, size(v))
		}
	}
	which := make([]int, n)
	for i := range which {
		which[i] = i
	}
	return which
}

func (w *warp) constant(in *ir.Instr) { in.Scalar("value").Fill(w.define(in.Results[0])) }

func (w *warp) arange(in *ir.Instr) {
	r := in.Results[0]
	x := w.define(r)
	for i := range x.I32 {
		x.I32[i] = int32(in.Int("start")) + int32(w.element(r, i))
	}
}

func (w *warp) splat(in *ir.Instr) {
	x := w.take(in, in.Operands[0])
	dst := w.define(in.Results[0])
	for i := range dst.Len() {
		move(dst, i, x, 0)
	}
}

// pick gives r, in each thread, elements of the thread's registers: for each of its own, a value and which of that.
func (w *warp) pick(r *ir.Value, of func(reg int) (num.Vec, int)) {
	dst := w.define(r)
	n := r.Layout.Regs()
	for i := range dst.Len() {
		src, reg := of(i % n)
		move(dst, i, src, i/n*(src.Len()/lanes)+reg)
	}
}

// rename has the elements of the operand under another shape; a scalar and a tile of one element become each other.
func (w *warp) rename(in *ir.Instr) {
	x, r := in.Operands[0], in.Results[0]
	src := w.take(in, x)
	if x.Type.IsScalar() == r.Type.IsScalar() {
		w.values[r.ID] = &register{v: src}
		return
	}
	dst := w.define(r)
	for i := range dst.Len() {
		move(dst, i, src, 0)
	}
}

func (w *warp) broadcast(in *ir.Instr) {
	src, r := w.take(in, in.Operands[0]), in.Results[0]
	_, regs := r.Layout.UnBroadcast(in.Operands[0].Type.Shape)
	w.pick(r, func(reg int) (num.Vec, int) { return src, regs[reg] })
}

func (w *warp) join(in *ir.Instr) {
	x, y, r := w.take(in, in.Operands[0]), w.take(in, in.Operands[1]), in.Results[0]
	if !in.Operands[0].Type.IsScalar() {
		w.pick(r, func(reg int) (num.Vec, int) { return [...]num.Vec{x, y}[reg%2], reg / 2 })
		return
	}
	dst := w.define(r)
	for i := range dst.Len() {
		move(dst, i, [...]num.Vec{x, y}[w.element(r, i)], 0)
	}
}

func (w *warp) split2(in *ir.Instr) {
	x := in.Operands[0]
	src := w.take(in, x)
	_, regs, _ := x.Layout.Split()
	for half, r := range in.Results {
		if r.Type.IsScalar() {
			move(w.define(r), 0, src, regs[half][0])
			continue
		}
		w.pick(r, func(reg int) (num.Vec, int) { return src, regs[half][reg] })
	}
}

// convert goes the way that the layouts allow: by registers and shuffles each warp for itself, else all together.
func (w *warp) convert(in *ir.Instr) {
	x, r := in.Operands[0], in.Results[0]
	bits := 64 // of a pointer, its offset
	if !x.Type.Pointer {
		bits = x.Type.DType.Info().Bits
	}
	c := layout.Plan(*x.Layout, *r.Layout, bits)
	if c.Kind == layout.Shared || in.Scratch != nil {
		w.together(in)
		return
	}
	src := w.take(in, x)
	at := make(map[uint32]int, src.Len())
	for i := range src.Len() {
		at[w.element(x, i)] = i
	}
	dst := w.define(r)
	for i := range dst.Len() {
		move(dst, i, src, at[w.element(r, i)])
	}
}

// accessGlobal makes e an access to the elements that pointers lead to, those of the first value, unless a mask, the
// last value, leaves them out.
func (w *warp) accessGlobal(e *event, values []num.Vec) {
	var mask []int32
	if len(values) > 1 {
		mask = values[1].I32
	}
	for i, ptr := range values[0].I64 {
		if (mask == nil || mask[i] != 0) && w.p.reaches(ptr) {
			if w.p.global[ptr] == nil {
				w.p.global[ptr] = &cell{}
			}
			w.p.global[ptr].access(w, e, e.in.Op.Has(ops.Writes))
		}
	}
}

// touch records an access to global memory.
func (w *warp) touch(in *ir.Instr, e *event) func(values []num.Vec) {
	list := distinct(in.Operands)
	return func(values []num.Vec) {
		concerned := values[:1:1]
		if mask := in.Mask(); mask != nil {
			concerned = append(concerned, values[slices.Index(list, mask)])
		}
		w.accessGlobal(e, concerned)
	}
}

// access does what one of the threads that hold an element does.
func (w *warp) access(in *ir.Instr) {
	for _, r := range in.Results {
		w.define(r)
	}
	own, _ := w.split(in.Operands[0])
	w.part(in, own, false, w.touch(in, w.event(in)))
}

// load loads an element in each thread that holds it.
func (w *warp) load(in *ir.Instr) {
	w.define(in.Results[0])
	own, rest := w.split(in.Operands[0])
	seen := w.touch(in, w.event(in))
	w.part(in, own, in.Bool("silent"), seen)
	w.part(in, rest, true, seen)
}

// atomic does an atomic once for each element, and lets all that hold it have the old value. The threads of a program
// release and acquire as one: they meet before or behind it.
func (w *warp) atomic(in *ir.Instr) {
	release, acquire := in.MemoryOrder()
	if release {
		w.meet(in, w.p.synchronize)
	}
	w.access(in)
	r := in.Result()
	if r == nil { // of a store
		return
	}
	if acquire || r.Type.IsScalar() || r.Layout.Free() != (layout.Masks{}) {
		w.exchange(in, func() {
			if acquire {
				w.p.synchronize()
			}
			tile := num.MakeVec(r.Type.Class(), r.Type.Numel())
			for _, x := range w.p.warps {
				own, _ := x.split(r)
				for _, i := range own {
					move(tile, int(x.element(r, i)), x.values[r.ID].v, i)
				}
			}
			w.p.distribute(r, tile)
		})
	}
}

// assemble is a whole value, from the threads that hold it.
func (t *team) assemble(in *ir.Instr, v *ir.Value) num.Vec {
	tile, from := num.MakeVec(v.Type.Class(), v.Type.Numel()), make([]bool, v.Type.Numel())
	kind := dtypeOf(v.Type)
	for _, w := range t.warps {
		x := w.take(in, v)
		for i := range x.Len() {
			at := int(w.element(v, i))
			if from[at] && num.ScalarAt(kind, tile, at) != num.ScalarAt(kind, x, i) {
				w.p.report(Replicas, nil, in, 1)
			}
			move(tile, at, x, i)
			from[at] = true
		}
	}
	return tile
}

func dtypeOf(t types.Type) num.DType {
	if t.Pointer {
		return num.Int64
	}
	return t.DType
}

// distribute gives the threads that hold r its elements.
func (t *team) distribute(r *ir.Value, tile num.Vec) {
	for _, w := range t.warps {
		x := w.define(r)
		for i := range x.Len() {
			move(x, i, tile, int(w.element(r, i)))
		}
	}
}

// together does an operation that takes elements from any thread to any other.
func (w *warp) together(in *ir.Instr) {
	w.exchange(in, func() {
		p := w.p
		o := p.step(stepKey{in: in}, func() *ir.Instr { return in })
		var values, results []num.Vec
		for _, v := range o.Operands {
			values = append(values, p.assemble(in, v))
		}
		for _, r := range in.Results {
			results = append(results, num.MakeVec(r.Type.Class(), r.Type.Numel()))
		}
		p.do(o, values, results)
		for i, r := range in.Results {
			p.distribute(r, results[i])
		}
	})
}

// uniform gives all threads what thread 0 has.
func (w *warp) uniform(in *ir.Instr) {
	w.exchange(in, func() { w.p.distribute(in.Results[0], w.p.warps[0].take(in, in.Operands[0])) })
}

// dot multiplies tiles, each of which may be in shared memory.
func (w *warp) dot(in *ir.Instr) {
	for _, v := range in.Operands[:2] {
		if v.Type.IsMemDesc() {
			w.values[v.ID].mem.access(w, w.event(in), false, nil)
		}
	}
	w.meet(in, func() {
		p, r := w.p, in.Results[0]
		o := p.step(stepKey{in: in}, func() *ir.Instr { return dotOf(in) })
		values := []num.Vec{p.operand(in, 0), p.operand(in, 1), p.assemble(in, in.Operands[2])}
		p.distribute(r, p.compute(o, values, r.Type, r.Type.Numel()))
	})
}

// warpgroup is the warpgroup of w.
func (w *warp) warpgroup() *team { return w.p.warpgroups[w.id/warpgroupWarps] }

func (w *warp) warpgroupID(in *ir.Instr) {
	w.define(in.Results[0]).I32[0] = int32(w.id / warpgroupWarps)
}

// wgmma issues a warpgroup's part of a product. It reads shared memory until it is waited for, and its result is there
// then.
func (w *warp) wgmma(in *ir.Instr) {
	t := w.warpgroup()
	w.meetTeam(t, in, func() {
		p, r := w.p, in.Results[0]
		o := p.step(stepKey{in: in}, func() *ir.Instr { return dotOf(in) })
		values := []num.Vec{t.operand(in, 0), t.operand(in, 1)}
		if use := in.Operand(3); use != nil && w.integer(in, use) == 0 {
			values = append(values, num.MakeVec(r.Type.Class(), r.Type.Numel()))
		} else {
			values = append(values, t.accumulator(in))
		}
		t.distribute(r, p.compute(o, values, r.Type, r.Type.Numel()))
		for _, x := range t.warps {
			e := x.event(in)
			e.pending = true
			x.products = append(x.products, e)
			x.values[r.ID].event = e
			for _, v := range in.Operands[:2] {
				if v.Type.IsMemDesc() {
					x.values[v.ID].mem.access(x, e, false, nil)
				}
			}
		}
	})
}

// operand is a factor of a product.
func (t *team) operand(in *ir.Instr, i int) num.Vec {
	v := in.Operands[i]
	if !v.Type.IsMemDesc() {
		return t.assemble(in, v)
	}
	m, tile := t.warps[0].values[v.ID].mem, num.MakeVec(v.Type.Class(), v.Type.Numel())
	for e := range tile.Len() {
		m.load(tile, e, uint32(e))
	}
	return tile
}

// accumulator is the accumulator of a wgmma, which may be the result of one that is not complete.
func (t *team) accumulator(in *ir.Instr) num.Vec {
	v := in.Operands[2]
	tile := num.MakeVec(v.Type.Class(), v.Type.Numel())
	for _, w := range t.warps {
		for i := range size(v) {
			move(tile, int(w.element(v, i)), w.values[v.ID].v, i)
		}
	}
	return tile
}

// dotOf is the dot of tiles that a dot or a wgmma does.
func dotOf(in *ir.Instr) *ir.Instr {
	x := &ir.Instr{Op: ops.Dot, Span: in.Span, Attrs: in.Attrs}
	if in.Op == ops.WGMMA {
		x.Attrs = ops.Attrs{{Name: "input_precision", Value: "tf32"}}
	}
	for _, v := range in.Operands[:3] {
		t := v.Type
		t.Buffers = 0
		x.Operands = append(x.Operands, &ir.Value{Type: t})
	}
	x.Results = []*ir.Value{{Type: in.Results[0].Type, Def: x}}
	return x
}

func (w *warp) wgmmaWait(in *ir.Instr) {
	n := max(0, len(w.products)-int(in.Int("pending")))
	for _, e := range w.products[:n] {
		w.await(e)
	}
	w.products = w.products[n:]
	w.bind(in.Results, in.Operands)
}
