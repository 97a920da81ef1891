package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// dtypeOf is the dtype whose arithmetic values of type t have: pointers are numbers.
func dtypeOf(t types.Type) num.DType {
	if t.Pointer {
		return num.Int64
	}
	return t.DType
}

// binaryKernel is the kernel of a binary operation or comparison, nil if there is none.
func binaryKernel(in *ir.Instr) num.BinaryFn {
	return in.Op.BinaryKernel(dtypeOf(in.Operands[0].Type), in.Bool("propagate_nan"))
}

func planBinary(p *planner, in *ir.Instr) {
	kernel := binaryKernel(in)
	if kernel == nil {
		panic(unsupported(in))
	}
	x, y := p.slot(in.Operands[0]), p.slot(in.Operands[1])
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[x], m.v[y]) })
}

func planUnary(p *planner, in *ir.Instr) {
	p.planKernel(in, in.Op.UnaryKernel(in.Operands[0].Type.DType))
}

func (p *planner) planKernel(in *ir.Instr, kernel num.UnaryFn) {
	if kernel == nil {
		panic(unsupported(in))
	}
	x := p.slot(in.Operands[0])
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[x]) })
}

func planCast(p *planner, in *ir.Instr) {
	rounding := num.RTNE
	if in.Str("rounding") == "rtz" {
		rounding = num.RTZ
	}
	p.planKernel(in, num.Cast(dtypeOf(in.Operands[0].Type), dtypeOf(in.Results[0].Type), rounding))
}

func planBitcast(p *planner, in *ir.Instr) {
	p.planKernel(in, num.Bitcast(in.Operands[0].Type.DType, in.Results[0].Type.DType))
}

func planFMA(p *planner, in *ir.Instr) {
	kernel := num.Fma(in.Operands[0].Type.DType)
	x, y, z := p.slot(in.Operands[0]), p.slot(in.Operands[1]), p.slot(in.Operands[2])
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[x], m.v[y], m.v[z]) })
}

// planSelect plans a choice. Most masks with forms, of a tile's tail or of what is causal, hold for all lanes.
func planSelect(p *planner, in *ir.Instr) {
	kernel, cond := num.Select(in.Results[0].Type.Class()), in.Operands[0]
	var c int
	elements := p.planApart(func() { c = p.slot(cond) })
	x, y := p.slot(in.Operands[1]), p.slot(in.Operands[2])
	d := p.resultSlot(in.Results[0])
	if !p.hasForm(cond) {
		p.emitStep(p.slots.len(d), func(m *machine) { kernel(m.v[d], m.v[c], m.v[x], m.v[y]) })
		return
	}
	all := extentOf(cond.Type).all()
	p.emitStep(p.slots.len(d), func(m *machine) {
		if f := &m.forms[c]; f.valid && f.box == all {
			copyVec(m.v[d], m.v[x])
			return
		}
		m.runAll(elements)
		kernel(m.v[d], m.v[c], m.v[x], m.v[y])
	})
}

func planConst(p *planner, in *ir.Instr) {
	value := in.Scalar("value")
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) { value.Fill(m.v[d]) })
}

func planProgramID(p *planner, in *ir.Instr) {
	axis := in.Int("axis")
	d := p.resultSlot(in.Results[0])
	p.emitStep(1, func(m *machine) { num.Fill(m.v[d].I32, m.pid[axis]) })
}

func planNumPrograms(p *planner, in *ir.Instr) {
	axis := in.Int("axis")
	d := p.resultSlot(in.Results[0])
	p.emitStep(1, func(m *machine) { num.Fill(m.v[d].I32, int32(m.run.grid[axis])) })
}

func planArange(p *planner, in *ir.Instr) {
	start := int32(in.Int("start"))
	d := p.resultSlot(in.Results[0])
	p.emitStep(p.slots.len(d), func(m *machine) {
		dst := m.v[d].I32
		for i := range dst {
			dst[i] = start + int32(i)
		}
	})
}
