package ptx

import (
	"fmt"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// TensorMap describes the tensor map that a launch passes for a load that is made by tensor copies
// (plan.TensorCopy). It has three dimensions, the innermost first: elements of the tile along its contiguous
// dimension; units of TensorUnit bytes; elements that are the pitch of the load's pointers apart
// (bounds.Proof.Pitch). It begins at the argument's storage.
type TensorMap struct {
	Load      *ir.Instr
	Arg       int // the argument that is loaded from, an index into ir.Func.Params
	ElemBytes int
	Dims, Box [3]int // elements
}

// TensorUse is what Compile makes of tensor copies in launches that allow all of it.
type TensorUse struct {
	Loads      map[*ir.Instr]bool // those made by tensor copies if they have a pitch (Options.Boxes)
	Persistent bool               // persistent thread blocks, if all accesses are proved (Options.Persistent)
}

// TensorsOf plans fn for the launches that allow the most. It numbers fn's values if it has to plan.
func TensorsOf(fn *ir.Func, opt Options) (use TensorUse) {
	use.Loads = map[*ir.Instr]bool{}
	if !plan.HasDot(fn.Body) {
		return use // planning is not free, and most launches are of kernels without one
	}
	defer func() { _ = recover() }() // Compile has the error
	yes := func(*ir.Instr) bool { return true }
	opt.Boxes, opt.Proved, opt.Bounded, opt.Persistent = yes, yes, yes, true
	p := Plan(fn, opt)
	for _, r := range p.Pipelines {
		for _, l := range r.Loads {
			use.Loads[p.Source(l.In)] = l.Tensor != nil
		}
	}
	use.Persistent = p.Persistent != nil
	return use
}

// TensorUnit is the size of dimension 1's units, in bytes: the alignment that tensor maps need (CUDA driver API,
// cuTensorMapEncodeTiled).
const TensorUnit = 16

func init() {
	emitters[ops.MbarrierInit] = emitMbarrierInit
	emitters[ops.MbarrierExpect] = emitTensors
	emitters[ops.MbarrierWait] = emitMbarrierWait
	emitters[ops.MbarrierInval] = emitMbarrierInval
	emitters[ops.TMALoad] = func(*emitter, *ir.Instr) {} // by the mbarrier_expect before it
}

// emitMbarrierInit makes the mbarriers of a pipelined loop ready, one arrival each, for all threads and for the async
// proxy, through which tensor copies write. Warp 0 does it and goes on to the copies of the prologue; the others wait
// for it at the barrier behind them.
func emitMbarrierInit(e *emitter, in *ir.Instr) {
	e.eachMbarrier(in.Operands[0], "mbarrier.init.shared::cta.b64", "fence.mbarrier_init.release.cluster", asm.I(1))
}

// eachMbarrier adds an operation on each mbarrier, of the thread of warp 0 that issues the copies: elect.sync elects
// the same one each time (PTX ISA, "elect.sync"). A fence behind them is for what the async proxy does with the memory
// next. ptxas makes a branch of each guard, so there is one for all.
func (e *emitter) eachMbarrier(list *ir.Value, op, fence string, src ...asm.Operand) {
	e.Unless(e.firstWarp(), true, func() {
		e.Unless(e.elect(), true, func() {
			for _, at := range list.Def.Ints("offsets") {
				e.Effect(op, append([]asm.Operand{asm.MB(asm.Reg{}, at)}, src...)...)
			}
			e.Effect(fence)
		})
	})
}

// elect is a predicate for one thread of a warp, whose threads must all be there.
func (t *threadCode) elect() (one asm.Reg) {
	one = t.Reg(asm.Pred)
	t.Add(asm.Inst{Op: asm.Op("elect.sync"), Dst: []asm.Operand{asm.R(t.Reg(asm.B32)), asm.R(one)},
		Src: []asm.Operand{asm.I(-1)}})
	return one
}

// emitMbarrierInval has the mbarriers of a pipelined loop be memory again.
func emitMbarrierInval(e *emitter, in *ir.Instr) {
	e.eachMbarrier(in.Operands[0], "mbarrier.inval.shared::cta.b64", "fence.proxy.async.shared::cta")
}

// emitMbarrierWait waits until the copies to the stage buffer that is read are complete.
func emitMbarrierWait(e *emitter, in *ir.Instr) {
	barrier, parity := e.staged[in.Operands[0]], e.regs(in.Operands[1])[0]
	head := e.NewLabel("wait")
	e.DivergentLoop(head, func() {
		done := e.Reg(asm.Pred)
		e.Into(done, "mbarrier.try_wait.parity.shared::cta.b64", barrier.operand(), asm.R(parity))
		e.Branch(head, done, true)
	})
}

// operand is a tile's first byte as an operand.
func (t sharedTile) operand() asm.Operand { return asm.MB(t.base, int64(t.off)) }

// emitTensors issues the tensor copies of an iteration from one thread of warp 0, and announces their bytes. Of copies
// that are never made it finds the addresses alone, of which the loop's copies need a part.
func emitTensors(e *emitter, in *ir.Instr) {
	barrier, pred := e.staged[in.Operands[0]].operand(), in.Operand(1)
	b := e.broadcastsOf(e.plan.Async[in].Pipeline.Loop)
	var tiles []tensorTile
	for _, x := range e.plan.Async[in].Tensors {
		tiles = append(tiles, b.tensorTile(x))
	}
	if pred != nil && plan.IsZero(pred) {
		return
	}
	issues := e.andPred(map[asm.Reg]asm.Reg{}, e.firstWarp(), e.predicate(pred))
	e.Unless(issues, true, func() {
		one := e.elect()
		e.Add(asm.Inst{Op: asm.Op("mbarrier.arrive.expect_tx.shared::cta.b64"),
			Dst: []asm.Operand{asm.R(e.Reg(asm.B64))}, Src: []asm.Operand{barrier, asm.I(in.Int("bytes"))}, Guard: one})
		for i, t := range tiles {
			e.copyTile(t, e.staged[e.plan.Async[in].Tensors[i].Operands[1]].operand(), barrier, one)
		}
	})
}

// firstWarp is a predicate for the threads of warp 0, uniform for ptxas too.
func (t *threadCode) firstWarp() asm.Reg {
	if !t.warp0.OK() {
		t.Entry(func() {
			t.warp0 = t.Do("setp.eq.s32", asm.R(t.shuffleWord(firstLane, t.warp)), asm.I(0))
		})
	}
	return t.warp0
}

// tensorTile is what thread 0 knows of a tile: its first element is in the thread's first register, in any layout. It
// is broadcast in the warp, so that ptxas keeps it in uniform registers, from which tensor copies read.
type tensorTile struct {
	load   *plan.AsyncLoad
	limits []axis.Limit
	m      *tensorMap
	offset asm.Reg   // b64: of the first element
	within []asm.Reg // b64, by limit: how many elements are within it, if that is less than the tile's and positive
}

// laneBroadcasts is what lane 0 has told the others of the addresses of a loop's tensor copies.
type laneBroadcasts struct {
	e      *emitter
	seen   map[[2]baseImm]asm.Reg // by what it is computed from
	inLoop bool                   // the copies that are emitted are the loop's own
}

// broadcastsOf is that of a loop.
func (e *emitter) broadcastsOf(loop *ir.Instr) *laneBroadcasts {
	if e.broadcasts[loop] == nil {
		e.broadcasts[loop] = &laneBroadcasts{e: e, seen: map[[2]baseImm]asm.Reg{}}
	}
	return e.broadcasts[loop]
}

func (b *laneBroadcasts) tensorTile(in *ir.Instr) tensorTile {
	e := b.e
	e.Span = in.Span
	a, ptr := e.plan.Async[in], e.ptrs[in.Operands[0].ID]
	t := tensorTile{load: a.Load, limits: a.Limits, m: e.params.tensorMap(a.Load, e.facts.Argument(in.Operands[0])),
		offset: e.add64(ptr.uniform, b.ownOffsetOfFirst(ptr))}
	for _, x := range a.Limits {
		t.within = append(t.within,
			e.Do("sub.s64", asm.R(b.firstElement(x.End)), asm.R(b.firstElement(x.Index))))
	}
	return t
}

// copyTile copies one tile, panel by panel of its swizzle.
func (e *emitter) copyTile(t tensorTile, to, barrier asm.Operand, guard asm.Reg) {
	unit, coordinates := e.tensorCoordinates(t)
	for col := 0; col < t.m.Dims[0]; col += t.m.Box[0] {
		at := [3]asm.Reg{coordinates[t.load.Tensor.Fast], unit, coordinates[1-t.load.Tensor.Fast]}
		if col > 0 {
			at[0] = e.Do("add.s32", asm.R(at[0]), asm.I(int64(col)))
		}
		e.Add(asm.Inst{Op: asm.Op("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"),
			Src:   []asm.Operand{to, asm.T(t.m.address, at[:]...), barrier},
			Guard: guard})
		to.Imm += int64(t.m.Box[0] * t.m.Dims[2] * t.m.ElemBytes)
	}
}

// tensorCoordinates is where a tile begins, b32: in units of 16 bytes, and in elements by dimension of the tile.
func (e *emitter) tensorCoordinates(t tensorTile) (unit asm.Reg, coordinates [2]asm.Reg) {
	offset := t.offset
	zero := e.Do("mov.b32", asm.I(0))
	coordinates = [2]asm.Reg{zero, zero}
	for i, x := range t.limits {
		size := int64(t.load.In.Results[0].Type.Shape[x.Dim])
		beyond := e.Do("sub.s64", asm.I(size), asm.R(t.within[i]))
		beyond = e.Do("max.s64", asm.R(e.Do("min.s64", asm.R(beyond), asm.I(size))), asm.I(0))
		distance := beyond
		if x.Dim != t.load.Tensor.Fast {
			distance = e.Do("mul.lo.s64", asm.R(beyond), asm.R(t.m.pitch(e.params)))
		}
		offset = e.Do("sub.s64", asm.R(offset), asm.R(distance))
		coordinates[x.Dim] = e.Do("cvt.u32.u64", asm.R(beyond))
	}
	bytes := e.Do("mul.lo.s64", asm.R(offset), asm.I(int64(t.m.ElemBytes)))
	return e.Do("cvt.u32.u64", asm.R(e.Do("shr.s64", asm.R(bytes), asm.I(4)))), coordinates
}

// ownOffsetOfFirst is lane 0's own part of the offset of its first element, b64; none if there is none.
func (b *laneBroadcasts) ownOffsetOfFirst(ptr pointer) asm.Reg {
	if ptr.off == nil {
		return asm.Reg{}
	}
	parts := [2]baseImm{ptr.off[0]}
	if ptr.off2 != nil {
		parts[1] = ptr.off2[0]
	}
	return b.broadcast(parts, func() asm.Reg { return b.e.ownOffset(ptr, 0) })
}

// firstElement is lane 0's first element of an integer tile, b64.
func (b *laneBroadcasts) firstElement(v *ir.Value) asm.Reg {
	e := b.e
	if s, c, ok := uniformScalar(v); ok {
		return e.advanceUniform(asm.Reg{}, s, c)
	}
	regs := e.regs(v)
	return b.broadcast([2]baseImm{{base: regs[0]}}, func() asm.Reg { return e.extendToB64(v.Type.DType, regs[0]) })
}

// broadcast is lane 0's value of what f computes from parts, b64. What is broadcast before the loop stays.
func (b *laneBroadcasts) broadcast(parts [2]baseImm, f func() asm.Reg) asm.Reg {
	r, ok := b.seen[parts]
	if !ok {
		r = b.e.shuffleLanes(firstLane, []asm.Reg{f()})[0]
	}
	if !b.inLoop {
		b.seen[parts] = r
	}
	return r
}

// tensorMap is a tensor map as the kernel has it.
type tensorMap struct {
	TensorMap
	number   int     // among the kernel's
	address  asm.Reg // b64, generic
	rowPitch asm.Reg // b64, in elements; none until it is asked for
}

// tensorMap is the tensor map of a load, a parameter of the entry.
func (p *parameters) tensorMap(l *plan.AsyncLoad, arg int) *tensorMap {
	if m, ok := p.tensors[l.In]; ok {
		return m
	}
	v := l.In.Results[0]
	bytes := v.Type.DType.Info().Bytes
	shape := v.Type.Shape
	cols, rows := shape[l.Tensor.Fast], shape[1-l.Tensor.Fast]
	m := &tensorMap{number: len(p.tensors), TensorMap: TensorMap{Load: l.In, Arg: arg, ElemBytes: bytes,
		Dims: [3]int{cols, axis.TensorReach / TensorUnit, rows}, Box: [3]int{l.Tensor.Span / bytes, 1, rows}}}
	p.tensors[l.In] = m
	p.Entry(func() {
		name := p.declare(p.tensorName(Tensor, m), Param{Kind: Tensor, Arg: m.Arg, Tensor: &m.TensorMap})
		m.address = p.Do("cvta.param.u64", asm.R(p.Do("mov.b64", asm.S(name))))
		// No prefetch.tensormap: on an H200, where a matmul's first copies wait for nothing else, they came 280 clocks
		// later with it.
	})
	return m
}

// pitch is the distance of the tensor's rows in elements, b64.
func (m *tensorMap) pitch(p *parameters) asm.Reg {
	if !m.rowPitch.OK() {
		p.Entry(func() {
			name := p.declare(p.tensorName(Pitch, m), Param{Kind: Pitch, Arg: m.Arg, Tensor: &m.TensorMap})
			m.rowPitch = p.Do("ld.param.b64", asm.MS(name, 0))
		})
	}
	return m.rowPitch
}

// tensorName is the name of a parameter about a tensor map.
func (p *parameters) tensorName(kind ParamKind, m *tensorMap) string {
	return fmt.Sprintf("%s_%d_%s", p.Name, m.number, paramNames[kind])
}
