package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// pipelinePlan is the software pipelining of a for loop: its loads become asynchronous copies to shared memory that are
// issued stages-1 iterations before the dots that read their tiles.
type pipelinePlan struct {
	loop         *ir.Instr
	stages       int
	buffers      int // stage buffers: one more than stages if a dot stays in flight
	loads        []*asyncLoad
	addressSlice []*ir.Instr // the backward slice of the loads' addresses and masks, in the order of the code
	carried      []int       // the loop-carried values in that slice, by number
	dotInFlight  *dotPlan    // the warpgroup MMA that is waited for one iteration later; nil: none
}

// asyncLoad is a load that is done by cp.async, straight to shared memory.
type asyncLoad struct {
	in  *ir.Instr
	mem layout.Mem
	vec int // elements that a thread copies with one instruction
}

const (
	// minCopyBytes is the least that one cp.async copies (PTX ISA, "cp.async": cp-size is 4, 8 or 16).
	minCopyBytes = 4
	// reservedShared is the shared memory that stage buffers leave to the rest of a program: conversions between
	// layouts, reductions, operands of other dots.
	reservedShared = 19 << 10
)

// planPipeline plans a for loop's software pipelining; it is nil if no load qualifies. A load does if only dots of the
// loop take its tile, in the dtype that it has in memory; if its address and mask depend on the induction variable and
// loop-carried values by pure arithmetic; and if nothing in the loop writes to memory, which a load that is issued
// early would miss. Shared memory bounds the number of stages.
func (e *emitter) planPipeline(loop *ir.Instr) *pipelinePlan {
	r := &pipelinePlan{loop: loop, stages: e.opt.NumStages}
	if n := int(loop.Int("num_stages")); n > 0 {
		r.stages = n
	}
	if r.stages < 2 || hasSideEffects(loop) || loop.Operands[0].Type.DType.Info().Bits < 32 {
		return nil
	}
	s := newBackwardSlicer(loop)
	for _, in := range loop.Regions[0].Instrs {
		if in.Op != ops.Load {
			continue
		}
		if l := e.planAsyncLoad(loop, in); l != nil && s.take(in.Operands[0], in.Operand(1)) {
			r.loads = append(r.loads, l)
		}
	}
	bytes, limit := 0, e.SharedLimit-reservedShared
	for _, l := range r.loads {
		bytes += l.mem.Bytes()
	}
	if bytes == 0 || limit/bytes < 2 {
		return nil
	}
	r.stages = min(r.stages, limit/bytes)
	r.buffers = r.stages
	if p := e.overlappableDot(loop, r.loads); p != nil && limit/bytes > r.stages {
		p.inFlight, r.dotInFlight = true, p
		r.buffers++
	}
	r.addressSlice, r.carried = s.result()
	return r
}

// hasSideEffects reports whether the loop writes to memory or has a barrier.
func hasSideEffects(loop *ir.Instr) (found bool) {
	loop.Regions[0].Walk(func(in *ir.Instr) { found = found || in.Op.Has(ops.Writes) })
	return found
}

// planAsyncLoad is a load of the loop as an asynchronous copy, nil if it cannot be one.
func (e *emitter) planAsyncLoad(loop, in *ir.Instr) *asyncLoad {
	v := in.Results[0]
	if len(v.Type.Shape) < 2 || v.Type.Pointer || in.Operand(2) != nil && !isZero(in.Operand(2)) {
		return nil // cp.async fills with zeros alone
	}
	k := e.dotAxis(loop, v)
	if k < 0 {
		return nil
	}
	if e.facts.Argument(in.Operands[0]) == axis.Mixed {
		return nil
	}
	size := v.Type.DType.Info().Bytes
	at := e.accessLayouts[in]
	mem := layout.ForDot(v.Type.Shape, k, fastestDim(at), 8*size)
	vec := mem.Access(at, min(e.facts.Vector(in), maxAccess/size)).Vec
	if vec*size < minCopyBytes {
		return nil
	}
	return &asyncLoad{in, mem, vec}
}

// isZero reports whether v is a constant without any bit set.
func isZero(v *ir.Value) bool {
	for v.Def != nil && (v.Def.Op == ops.Splat || v.Def.Op == ops.Broadcast) {
		v = v.Def.Operands[0]
	}
	return v.Def != nil && v.Def.Op == ops.Const && v.Def.Scalar("value").Bits == 0
}

// dotAxis is the dimension of v along which the loop's dots sum, if v and its transposes are operands of dots and
// nothing else; else -1.
func (e *emitter) dotAxis(loop *ir.Instr, v *ir.Value) int {
	axis, ok := -1, true
	loop.Regions[0].Walk(func(in *ir.Instr) {
		for i, o := range in.Operands {
			if o != v || !ok {
				continue
			}
			found := -1
			switch {
			case in.Op == ops.Trans:
				if inner := e.dotAxis(loop, in.Results[0]); inner >= 0 {
					found = perm(in)[inner]
				}
			case in.Op == ops.Dot && i < 2 && e.dotPlans[in].readsDirectly(in, side(i)):
				found = side(i).kAxis(len(v.Type.Shape))
			}
			axis, ok = found, found >= 0
		}
	})
	if !ok {
		return -1
	}
	return axis
}

// readsDirectly reports whether the dot can read operand s from shared memory in the dtype that it has in global
// memory: copies convert nothing.
func (p *dotPlan) readsDirectly(in *ir.Instr, s side) bool {
	t := in.Operands[s].Type
	switch d := t.DType; {
	case p.splits > 1 || d == p.elem[s]:
		return true
	case p.mma && d.IsFP8() && in.Operands[1-s].Type.DType.IsFP8():
		return t.Shape[s.kAxis(len(t.Shape))] >= layout.MmaK(8)
	}
	return false
}

// backwardSlicer collects the backward slice of values of a loop: the instructions of its body, and the loop-carried
// values, that they are computed from.
type backwardSlicer struct {
	body  *ir.Block
	own   map[*ir.Instr]bool // the body's instructions
	taken map[*ir.Instr]bool
	args  map[int]bool // the body's arguments by number
}

func newBackwardSlicer(loop *ir.Instr) *backwardSlicer {
	s := &backwardSlicer{body: loop.Regions[0], own: map[*ir.Instr]bool{}, taken: map[*ir.Instr]bool{},
		args: map[int]bool{}}
	s.body.Walk(func(in *ir.Instr) { s.own[in] = true })
	return s
}

// take adds the backward slice of the given values, through loop-carried values too. It adds nothing and reports false
// if that slice has anything but pure arithmetic.
func (s *backwardSlicer) take(values ...*ir.Value) bool {
	more := &backwardSlicer{body: s.body, own: s.own, taken: map[*ir.Instr]bool{}, args: map[int]bool{}}
	for _, v := range values {
		if v != nil && !more.visit(v) {
			return false
		}
	}
	for in := range more.taken {
		s.taken[in] = true
	}
	for i := range more.args {
		s.args[i] = true
	}
	return true
}

func (s *backwardSlicer) visit(v *ir.Value) bool {
	in := v.Def
	switch {
	case in == nil && v.Index < len(s.body.Args) && s.body.Args[v.Index] == v:
		if s.args[v.Index] {
			return true
		}
		s.args[v.Index] = true
		return v.Index == 0 || s.visit(s.body.Terminator().Operands[v.Index-1])
	case in == nil || !s.own[in] || s.taken[in]:
		return true
	case !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) || in.Op == ops.Dot || in.Op == ops.Gather ||
		in.Op == ops.Histogram || in.Op == ops.IntToPtr:
		return false
	}
	s.taken[in] = true
	for _, o := range in.Operands {
		if o != nil && !s.visit(o) {
			return false
		}
	}
	return true
}

// result is the slice in the order of the code, and the numbers of the carried values in it.
func (s *backwardSlicer) result() (slice []*ir.Instr, carried []int) {
	for _, in := range s.body.Instrs {
		if s.taken[in] {
			slice = append(slice, in)
		}
	}
	for i := range s.args {
		if i > 0 {
			carried = append(carried, i-1)
		}
	}
	slices.Sort(carried)
	return slice, carried
}
