package plan

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Where dots read their operands. Tensor cores and multiply-adds want them in layouts of their own; operands that are
// not there already go through shared memory. A tile that is there for the dot, in a stage buffer of a pipelined loop
// or stored before a loop that does not change it, is read where it is.

// Source is where a dot reads an operand.
type Source uint8

// The sources.
const (
	Registers   Source = iota // registers, renamed or shuffled within warps to the layout that the dot takes
	Fragments                 // wgmma's A: the registers as they are, which are the instruction's fragments
	StageBuffer               // a stage buffer of a pipelined loop
	Hoisted                   // shared memory, where it is stored once before the loop
	Stored                    // shared memory, where it is stored before the dot
)

// Operand is how a dot reads one operand.
type Operand struct {
	Source     Source
	DType      num.DType   // of the elements in shared memory
	Mem        layout.Mem  // the layout in shared memory
	Conversion *Conversion // of Registers and Fragments: to the layout that the dot takes
}

// InShared reports whether the operand is read from shared memory.
func (o Operand) InShared() bool { return o.Source >= StageBuffer }

// Unconverted reports whether operand s is in a stage buffer, in another dtype than it is multiplied in.
func (p *Dot) Unconverted(s Side) bool {
	return p.Operands[s].Source == StageBuffer && p.Operands[s].DType != p.Elem[s]
}

// Hoist is a loop-invariant operand of a dot that is stored to shared memory before the loop.
type Hoist struct {
	Dot  *ir.Instr
	Side Side
	Operand
}

// operandPlanner finds the sources, walking through the function as it will be emitted.
type operandPlanner struct {
	p      *Plan
	staged map[*ir.Value]Operand // what is in shared memory here
}

// planOperands decides the Operands of every dot and the plan's Hoists.
func (p *Plan) planOperands() {
	p.Hoists = map[*ir.Instr][]Hoist{}
	o := operandPlanner{p, map[*ir.Value]Operand{}}
	o.block(p.Func.Body)
}

func (o *operandPlanner) block(b *ir.Block) {
	for _, in := range b.Instrs {
		switch in.Op {
		case ops.Dot:
			d := o.p.Dots[in]
			for s := range Side(2) {
				d.Operands[s] = o.operand(in, s)
			}
		case ops.For, ops.While:
			o.loop(in)
		default:
			for _, r := range in.Regions {
				o.block(r)
			}
		}
	}
}

// loop plans the dots of a loop, in which hoisted operands and the tiles of pipelined loads are in shared memory.
func (o *operandPlanner) loop(loop *ir.Instr) {
	before := maps.Clone(o.staged)
	o.hoist(loop)
	if r := o.p.Pipelines[loop]; r != nil {
		for _, l := range r.Loads {
			if l.ToRegisters {
				continue
			}
			v := l.In.Results[0]
			o.staged[v] = Operand{Source: StageBuffer, DType: v.Type.DType, Mem: l.Mem}
		}
	}
	for _, r := range loop.Regions {
		o.block(r)
	}
	o.staged = before
}

// hoist finds the loop-invariant operands of dots in a loop that go through shared memory.
func (o *operandPlanner) hoist(loop *ir.Instr) {
	variant := map[*ir.Value]bool{} // defined in the loop
	inside := func(values []*ir.Value) {
		for _, v := range values {
			variant[v] = true
		}
	}
	for _, region := range loop.Regions {
		inside(region.Args)
		region.Walk(func(in *ir.Instr) {
			inside(in.Results)
			for _, r := range in.Regions {
				inside(r.Args)
			}
			if in.Op != ops.Dot {
				return
			}
			for s := range Side(2) {
				if v := in.Operands[s]; !variant[v] {
					d, want := o.p.Dots[in].OperandForm(in, s)
					x := o.source(in, s, d, want)
					if _, ok := o.staged[v]; !x.InShared() || ok && x.Source == Stored {
						continue // it is not hoisted, or as another dot takes it
					}
					if x.Source == Stored {
						x.Source = Hoisted
						o.p.Hoists[loop] = append(o.p.Hoists[loop], Hoist{in, s, x})
					}
					o.staged[v] = x
				}
			}
		})
	}
}

// operand is how in reads operand s.
func (o *operandPlanner) operand(in *ir.Instr, s Side) Operand {
	d := o.p.Dots[in]
	if d.Unit == WGMMA {
		return o.wgmmaOperand(in, s, d)
	}
	dtype, want := d.OperandForm(in, s)
	return o.source(in, s, dtype, want)
}

// wgmmaOperand is operand s of a warpgroup MMA: a tile in shared memory or, of the left operand, the register
// fragments, if the threads hold those already. In attention that saves the probabilities a way through shared memory.
func (o *operandPlanner) wgmmaOperand(in *ir.Instr, s Side, d *Dot) Operand {
	v := in.Operands[s]
	if d.loadsFragments(s) {
		dtype, want := d.OperandForm(in, s)
		return o.source(in, s, dtype, want)
	}
	l := *v.Layout
	x, ok := o.stagedFor(d, s, d.Elem[s], v)
	switch {
	case ok:
		return x
	case s == 0 && o.p.readsFragments(in, d):
		return Operand{Source: Fragments, Conversion: o.p.Convert(l, d.Fragments(s, v.Type.Shape, 16), 16)}
	}
	return d.stored(d.Elem[s], l, s)
}

// readsFragments reports whether the threads hold a warpgroup MMA's left operand as its fragments already, if it is in
// no stage buffer.
func (p *Plan) readsFragments(in *ir.Instr, d *Dot) bool {
	v := in.Operands[0]
	return d.Left == 0 && d.Elem[0].Info().Bits == 16 &&
		layout.Plan(*v.Layout, d.Fragments(0, v.Type.Shape, 16), 16).Kind == layout.Rename
}

// source is operand s of in: registers in layout want and dtype d, if a conversion within warps gives them, else a tile
// in shared memory, of dtype d but in stage buffers, which keep the dtype of global memory.
func (o *operandPlanner) source(in *ir.Instr, s Side, d num.DType, want layout.Layout) Operand {
	v := in.Operands[s]
	if x, ok := o.stagedFor(o.p.Dots[in], s, d, v); ok {
		return x
	}
	l := *v.Layout
	// Shuffles are as fast as a way through shared memory, without its barriers.
	c := o.p.Convert(l, want, d.Info().Bits)
	if o.p.Dots[in].Unit == MMA && o.p.Target.InRegisters || c.Kind != layout.Shared {
		return Operand{Source: Registers, Conversion: c}
	}
	return o.p.Dots[in].stored(d, l, s)
}

// stored is an operand of layout l that threads store to shared memory as dtype d.
func (p *Dot) stored(d num.DType, l layout.Layout, s Side) Operand {
	k, fast := s.KAxis(len(l.Shape)), FastestDim(l)
	if p.NeedsKMajor(s) {
		fast = k
	}
	place := layout.ForDot
	if p.loadsFragments(s) {
		place = layout.ForAdjacentRows
	}
	return Operand{Source: Stored, DType: d, Mem: place(l.Shape, k, fast, max(8, d.Info().Bits))}
}

// stagedFor is the tile in shared memory that holds v, if there is one that d can read as operand s of dtype. Stage
// buffers are made for all that reads them.
func (o *operandPlanner) stagedFor(d *Dot, s Side, dtype num.DType, v *ir.Value) (Operand, bool) {
	x, ok := o.stagedTile(v)
	k := s.KAxis(len(v.Type.Shape))
	suits := ok && (x.Source == StageBuffer || x.DType == dtype &&
		(!d.NeedsKMajor(s) || x.Mem.Equal(layout.ForDot(x.Mem.Shape, k, k, x.Mem.ElemBits))))
	return x, suits
}

// stagedTile is the tile in shared memory that holds v, if there is one: a stage buffer of a pipelined loop, a hoisted
// operand, or the transpose of one of these.
func (o *operandPlanner) stagedTile(v *ir.Value) (Operand, bool) {
	x, ok := o.staged[v]
	if !ok && v.Def != nil && v.Def.Op == ops.Trans {
		if x, ok = o.stagedTile(v.Def.Operands[0]); ok {
			x.Mem = x.Mem.Trans(v.Def.Perm())
		}
	}
	return x, ok
}

// planInPlace finds the dots whose accumulator is a variable of the loop around them that nothing else reads, so that
// the sums may overwrite it, and those for which it begins at 0.
func (p *Plan) planInPlace() {
	uses, carried, zeros := map[*ir.Value]int{}, map[*ir.Instr]bool{}, map[*ir.Instr]bool{}
	p.Func.Body.Walk(func(in *ir.Instr) {
		for _, v := range in.Operands {
			uses[v]++
		}
		if in.Op != ops.For {
			return
		}
		body := in.Regions[0]
		for _, x := range body.Instrs {
			if x.Op != ops.Dot {
				continue
			}
			if i := slices.Index(body.Args, x.Operands[2]); i > 0 {
				r := p.Pipelines[in]
				late := r != nil && r.Delay != nil && r.Delay.Dot == x
				carried[x], zeros[x] = true, r != nil && !late && IsZero(in.Operands[2+i])
			}
		}
	})
	for in, d := range p.Dots {
		v := in.Operands[2]
		d.InPlace = v.Type.DType == d.Acc && uses[v] == 1 && carried[in]
		d.ZeroInit = d.Unit == WGMMA && d.InPlace && zeros[in] && !d.Transposes // which has no register to spare
	}
}
