package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// ring is a loop whose loads run ahead: while one iteration multiplies, tiles of later ones are on
// their way to shared memory. There are as many places for each tile as stages, used in turn.
type ring struct {
	loop   *ir.Instr
	stages int
	places int // for each tile: one more where products are left in flight
	loads  []*ringLoad
	slice  []*ir.Instr // what addresses and masks are computed from, in order
	moving []int       // the loop-carried values among that, by number
	flying *dotPlan    // the product that goes on while the next iteration begins
}

// ringLoad is a load whose tile goes straight to shared memory.
type ringLoad struct {
	in  *ir.Instr
	mem layout.Mem
	vec int // elements that a thread copies at once
}

// The least that cp.async can move, and the shared memory that rings leave to the rest of a program.
const (
	leastCopy   = 4
	besideRings = 19 << 10
)

// planRing is the ring of a for loop, nil where nothing in it can run ahead: loads whose tile only
// products take, as they are; whose address and mask follow from the index and loop-carried values by
// arithmetic alone; and which no store in the loop may overtake.
func (e *emitter) planRing(loop *ir.Instr) *ring {
	r := &ring{loop: loop, stages: e.opt.NumStages}
	if n := int(loop.Int("num_stages")); n > 0 {
		r.stages = n
	}
	if r.stages < 2 || writes(loop) || loop.Operands[0].Type.DType.Info().Bits < 32 {
		return nil
	}
	s := newSlicer(loop)
	for _, in := range loop.Regions[0].Instrs {
		if in.Op != ops.Load {
			continue
		}
		if l := e.ringLoad(loop, in); l != nil && s.take(in.Operands[0], in.Operand(1)) {
			r.loads = append(r.loads, l)
		}
	}
	bytes, limit := 0, e.SharedLimit-besideRings
	for _, l := range r.loads {
		bytes += l.mem.Bytes()
	}
	if bytes == 0 || limit/bytes < 2 {
		return nil
	}
	r.stages = min(r.stages, limit/bytes)
	r.places = r.stages
	if p := e.flyingDot(loop, r.loads); p != nil && limit/bytes > r.stages {
		p.flying, r.flying = true, p
		r.places++
	}
	r.slice, r.moving = s.result()
	return r
}

// writes reports whether the loop writes to memory or makes threads meet.
func writes(loop *ir.Instr) (found bool) {
	loop.Regions[0].Walk(func(in *ir.Instr) { found = found || in.Op.Has(ops.Writes) })
	return found
}

// ringLoad is how a load of the loop can run ahead, nil where it cannot.
func (e *emitter) ringLoad(loop, in *ir.Instr) *ringLoad {
	v := in.Results[0]
	if len(v.Type.Shape) < 2 || v.Type.Pointer || in.Operand(2) != nil && !isZero(in.Operand(2)) {
		return nil
	}
	k := e.productAxis(loop, v)
	if k < 0 {
		return nil
	}
	if e.facts.Argument(in.Operands[0]) == axis.Mixed {
		return nil
	}
	size := v.Type.DType.Info().Bytes
	at := e.at[in]
	mem := layout.ForDot(v.Type.Shape, k, fastest(at), 8*size)
	vec := mem.Access(at, min(e.facts.Vector(in), maxVector/size)).Vec
	if vec*size < leastCopy {
		return nil
	}
	return &ringLoad{in, mem, vec}
}

// isZero reports whether v is a constant without any bit set.
func isZero(v *ir.Value) bool {
	for v.Def != nil && (v.Def.Op == ops.Splat || v.Def.Op == ops.Broadcast) {
		v = v.Def.Operands[0]
	}
	return v.Def != nil && v.Def.Op == ops.Const && v.Def.Scalar("value").Bits == 0
}

// productAxis is the dimension of v along which products in the loop sum, where v, or its transposes,
// are operands of products and nothing else; else -1.
func (e *emitter) productAxis(loop *ir.Instr, v *ir.Value) int {
	axis, ok := -1, true
	loop.Regions[0].Walk(func(in *ir.Instr) {
		for i, o := range in.Operands {
			if o != v || !ok {
				continue
			}
			found := -1
			switch {
			case in.Op == ops.Trans:
				if inner := e.productAxis(loop, in.Results[0]); inner >= 0 {
					found = perm(in)[inner]
				}
			case in.Op == ops.Dot && i < 2 && e.dotPlans[in].reads(in, side(i)):
				found = side(i).along(len(v.Type.Shape))
			}
			axis, ok = found, found >= 0
		}
	})
	if !ok {
		return -1
	}
	return axis
}

// reads reports whether the product takes operand s from shared memory in the dtype that it has.
func (p *dotPlan) reads(in *ir.Instr, s side) bool {
	t := in.Operands[s].Type
	switch d := t.DType; {
	case p.parts > 1 || d == p.elem[s]:
		return true
	case p.mma && d.IsFP8() && in.Operands[1-s].Type.DType.IsFP8():
		return t.Shape[s.along(len(t.Shape))] >= layout.MmaK(8)
	}
	return false
}

// slicer collects what values of a loop are computed from.
type slicer struct {
	body  *ir.Block
	own   map[*ir.Instr]bool // the body's instructions
	taken map[*ir.Instr]bool
	args  map[int]bool // the body's arguments by number
}

func newSlicer(loop *ir.Instr) *slicer {
	s := &slicer{body: loop.Regions[0], own: map[*ir.Instr]bool{}, taken: map[*ir.Instr]bool{}, args: map[int]bool{}}
	s.body.Walk(func(in *ir.Instr) { s.own[in] = true })
	return s
}

// take adds what the given values of one iteration, and so of all, are computed from; it reports whether
// that is arithmetic alone, and adds nothing if not.
func (s *slicer) take(values ...*ir.Value) bool {
	more := &slicer{body: s.body, own: s.own, taken: map[*ir.Instr]bool{}, args: map[int]bool{}}
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

func (s *slicer) visit(v *ir.Value) bool {
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
	case !in.Op.Has(ops.Pure) || in.Op.Has(ops.Structured) || in.Op == ops.Dot || in.Op == ops.Gather || in.Op == ops.Histogram:
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

// result is the slice in the order of the code, and the carried values in it.
func (s *slicer) result() (slice []*ir.Instr, carried []int) {
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
