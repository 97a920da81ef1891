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
	if !hasDot(fn.Body) {
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

func hasDot(b *ir.Block) (found bool) {
	b.Walk(func(in *ir.Instr) { found = found || in.Op == ops.Dot })
	return found
}

// TensorUnit is the size of dimension 1's units, in bytes: the alignment that tensor maps need (CUDA driver API,
// cuTensorMapEncodeTiled).
const TensorUnit = 16

// mbarriers are the barrier objects by which threads wait for tensor copies (PTX ISA, "mbarrier"), one for each stage
// buffer of a pipelined loop: a phase of it is complete when one thread has announced the bytes of the stage and the
// copies have written them.
type mbarriers struct {
	buf         *asm.Buffer
	read, write asm.Reg // b32 variables: offset of the mbarrier of the stage buffer that is read, and filled
	parity      asm.Reg // b32 variable: of the phase in which the stage buffer that is read is filled
}

const mbarrierBytes = 8

// beginTensors makes the mbarriers of a pipelined loop ready, one arrival each, for all threads and for the async
// proxy, through which tensor copies write. Warp 0 does it and goes on to the copies of the prologue; the others wait
// for it where they enter the loop. What is to be seen by that proxy, or was in the stage buffers' memory before, is
// waited for here, since warp 0 alone runs the copies, where there may be no barrier.
func (p *pipeline) beginTensors() {
	e := p.e
	if p.plan.StoresBefore {
		e.Effect("fence.proxy.async")
	}
	if p.plan.StoresBefore || e.AccessesShared() && !p.nested() {
		p.awaitOthers()
	}
	m := &mbarriers{buf: e.Shared("mbarriers", mbarrierBytes*p.plan.Buffers, mbarrierBytes)}
	p.mbarriers = m
	p.eachMbarrier("mbarrier.init.shared::cta.b64", "fence.mbarrier_init.release.cluster", asm.I(1))
	m.read, m.write, m.parity = e.Reg(asm.B32), e.Reg(asm.B32), e.Reg(asm.B32)
	e.Move(m.read, asm.I(0))
	e.Move(m.write, asm.I(int64(mbarrierBytes*(p.plan.Stages-1))))
	e.Move(m.parity, asm.I(0))
}

// eachMbarrier adds an operation on each mbarrier, of the thread of warp 0 that issues the copies: elect.sync elects
// the same one each time (PTX ISA, "elect.sync"). A fence behind them is for what the async proxy does with the memory
// next. ptxas makes a branch of each guard, so there is one for all.
func (p *pipeline) eachMbarrier(op, fence string, src ...asm.Operand) {
	e, buf := p.e, p.mbarriers.buf
	e.Unless(e.firstWarp(), true, func() {
		e.Unless(e.elect(), true, func() {
			for i := range p.plan.Buffers {
				at := []asm.Operand{asm.MB(buf, asm.Reg{}, int64(mbarrierBytes*i))}
				e.Effect(op, append(at, src...)...)
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

// endTensors gives the mbarriers' memory back, when all threads have waited for the last copy, if the loop may run
// again; else they keep it to the end.
func (p *pipeline) endTensors() {
	if !p.nested() {
		p.mbarriers.buf.LiveToEnd = true
		return
	}
	p.e.Barrier()
	p.eachMbarrier("mbarrier.inval.shared::cta.b64", "fence.proxy.async.shared::cta")
}

// waitTensors waits until the copies to the stage buffer that is read are complete.
func (p *pipeline) waitTensors() {
	e, m := p.e, p.mbarriers
	head := e.NewLabel("wait")
	e.DivergentLoop(head, func() {
		done := e.Reg(asm.Pred)
		wait := asm.Inst{Op: asm.Op("mbarrier.try_wait.parity.shared::cta.b64"), Dst: []asm.Operand{asm.R(done)},
			Src:    []asm.Operand{asm.MB(m.buf, m.read, 0), asm.R(m.parity)},
			Access: asm.AcquireAsync, Buffer: p.buf}
		if p.cpAsync {
			wait.Access = asm.WaitAsync
		}
		e.Add(wait)
		e.Branch(head, done, true)
	})
}

// advanceTensors moves on to the mbarriers of the next stage buffers. A phase later the parity is the other.
func (p *pipeline) advanceTensors() {
	e, m := p.e, p.mbarriers
	p.advanceBuffer(m.write, mbarrierBytes)
	wraps := p.advanceBuffer(m.read, mbarrierBytes)
	flip := e.Do("selp.b32", asm.B32, asm.I(1), asm.I(0), asm.R(wraps))
	e.Move(m.parity, asm.R(e.Do("xor.b32", asm.B32, asm.R(m.parity), asm.R(flip))))
}

// issueTensors issues the tensor copies of an iteration from one thread of warp 0: to the stage buffer at base + off,
// whose mbarrier is at barrier + barrierOff.
func (p *pipeline) issueTensors(base asm.Reg, off int, barrier asm.Reg, barrierOff int) {
	e := p.e
	copied := p.ahead && !p.prologue // what the first iteration would copy
	if late := p.delayedDot(); copied && late != nil && late.first {
		return
	}
	total := 0
	var tiles []tensorTile
	for _, l := range p.plan.Loads {
		if l.Tensor != nil {
			total += l.Mem.Bytes()
			tiles = append(tiles, p.tensorTile(l))
		}
	}
	issues := e.andPred(map[asm.Reg]asm.Reg{}, e.firstWarp(), p.prefetch.valid)
	if copied && p.delayedDot() == nil {
		issues = e.andPred(map[asm.Reg]asm.Reg{}, issues, p.notFirst)
	}
	e.Unless(issues, true, func() {
		one := e.elect()
		at := asm.MB(p.mbarriers.buf, barrier, int64(barrierOff))
		e.Add(asm.Inst{Op: asm.Op("mbarrier.arrive.expect_tx.shared::cta.b64"),
			Dst: []asm.Operand{asm.R(e.Reg(asm.B64))}, Src: []asm.Operand{at, asm.I(int64(total))}, Guard: one})
		for _, t := range tiles {
			p.copyTile(t, asm.MB(p.buf, base, int64(off+t.load.Offset)), at, one)
		}
	})
}

// firstWarp is a predicate for the threads of warp 0, uniform for ptxas too.
func (t *threadCode) firstWarp() asm.Reg {
	if !t.warp0.OK() {
		t.Entry(func() {
			t.warp0 = t.Do("setp.eq.s32", asm.Pred, asm.R(t.shuffleWord(firstLane, t.warp)), asm.I(0))
		})
	}
	return t.warp0
}

// tensorTile is what thread 0 knows of a tile: its first element is in the thread's first register, in any layout. It
// is broadcast in the warp, so that ptxas keeps it in uniform registers, from which tensor copies read.
type tensorTile struct {
	load   *plan.AsyncLoad
	m      *tensorMap
	offset asm.Reg   // b64: of the first element
	within []asm.Reg // b64, by limit: how many elements are within it, if that is less than the tile's and positive
}

func (p *pipeline) tensorTile(l *plan.AsyncLoad) tensorTile {
	e := p.e
	e.Span = l.In.Span
	ptr := e.ptrs[l.In.Operands[0].ID]
	t := tensorTile{load: l, m: e.params.tensorMap(l, e.facts.Argument(l.In.Operands[0])),
		offset: e.add64(ptr.uniform, p.ownOffsetOfFirst(ptr))}
	for _, x := range l.Tensor.Limits {
		t.within = append(t.within,
			e.Do("sub.s64", asm.B64, asm.R(p.firstElement(x.End)), asm.R(p.firstElement(x.Index))))
	}
	return t
}

// copyTile copies one tile, panel by panel of its swizzle.
func (p *pipeline) copyTile(t tensorTile, to, barrier asm.Operand, guard asm.Reg) {
	e := p.e
	unit, coordinates := p.tensorCoordinates(t)
	for col := 0; col < t.m.Dims[0]; col += t.m.Box[0] {
		at := [3]asm.Reg{coordinates[t.load.Tensor.Fast], unit, coordinates[1-t.load.Tensor.Fast]}
		if col > 0 {
			at[0] = e.Do("add.s32", asm.B32, asm.R(at[0]), asm.I(int64(col)))
		}
		e.Add(asm.Inst{Op: asm.Op("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"),
			Src:   []asm.Operand{to, asm.T(t.m.address, at[:]...), barrier},
			Guard: guard})
		to.Imm += int64(t.m.Box[0] * t.m.Dims[2] * t.m.ElemBytes)
	}
}

// tensorCoordinates is where a tile begins, b32: in units of 16 bytes, and in elements by dimension of the tile.
func (p *pipeline) tensorCoordinates(t tensorTile) (unit asm.Reg, coordinates [2]asm.Reg) {
	e, offset := p.e, t.offset
	zero := e.Do("mov.b32", asm.B32, asm.I(0))
	coordinates = [2]asm.Reg{zero, zero}
	for i, x := range t.load.Tensor.Limits {
		size := int64(t.load.In.Results[0].Type.Shape[x.Dim])
		beyond := e.Do("sub.s64", asm.B64, asm.I(size), asm.R(t.within[i]))
		beyond = e.Do("max.s64", asm.B64, asm.R(e.Do("min.s64", asm.B64, asm.R(beyond), asm.I(size))), asm.I(0))
		distance := beyond
		if x.Dim != t.load.Tensor.Fast {
			distance = e.Do("mul.lo.s64", asm.B64, asm.R(beyond), asm.R(t.m.pitch(e.params)))
		}
		offset = e.Do("sub.s64", asm.B64, asm.R(offset), asm.R(distance))
		coordinates[x.Dim] = e.Do("cvt.u32.u64", asm.B32, asm.R(beyond))
	}
	bytes := e.Do("mul.lo.s64", asm.B64, asm.R(offset), asm.I(int64(t.m.ElemBytes)))
	return e.Do("cvt.u32.u64", asm.B32, asm.R(e.Do("shr.s64", asm.B64, asm.R(bytes), asm.I(4)))), coordinates
}

// ownOffsetOfFirst is lane 0's own part of the offset of its first element, b64; none if there is none.
func (p *pipeline) ownOffsetOfFirst(ptr pointer) asm.Reg {
	if ptr.off == nil {
		return asm.Reg{}
	}
	parts := [2]baseImm{ptr.off[0]}
	if ptr.off2 != nil {
		parts[1] = ptr.off2[0]
	}
	return p.broadcast(parts, func() asm.Reg { return p.e.ownOffset(ptr, 0) })
}

// firstElement is lane 0's first element of an integer tile, b64.
func (p *pipeline) firstElement(v *ir.Value) asm.Reg {
	e := p.e
	if s, c, ok := uniformScalar(v); ok {
		return e.advanceUniform(asm.Reg{}, s, c)
	}
	regs := e.regs(v)
	return p.broadcast([2]baseImm{{base: regs[0]}}, func() asm.Reg { return e.extendToB64(v.Type.DType, regs[0]) })
}

// broadcast is lane 0's value of what f computes from parts, b64. What the prologue has broadcast stays.
func (p *pipeline) broadcast(parts [2]baseImm, f func() asm.Reg) asm.Reg {
	r, ok := p.broadcasts[parts]
	if !ok {
		r = p.e.shuffleLanes(firstLane, []asm.Reg{f()})[0]
	}
	if p.prologue {
		p.broadcasts[parts] = r
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
		m.address = p.Do("cvta.param.u64", asm.B64, asm.R(p.Do("mov.b64", asm.B64, asm.S(name))))
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
			m.rowPitch = p.Do("ld.param.b64", asm.B64, asm.MS(name, 0))
		})
	}
	return m.rowPitch
}

// tensorName is the name of a parameter about a tensor map.
func (p *parameters) tensorName(kind ParamKind, m *tensorMap) string {
	return fmt.Sprintf("%s_%d_%s", p.Name, m.number, paramNames[kind])
}
