package plan

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Where dots read their operands. Tensor cores and multiply-adds want them in registers, in layouts of their own, or in
// shared memory. An operand that conversions within warps do not take there is stored to shared memory before the dot,
// or once before a loop that does not change it; what is in shared memory already, such as the stage buffers of a
// pipelined loop, is read where it is.

// operandPlacer has the dots of the placed function take their operands as they read them, block by block.
type operandPlacer struct {
	rewriter
	wgmma  bool                         // a dot of the function is a warpgroup MMA
	later  *ir.Value                    // Pipeline.Later of the loop around
	shared map[*ir.Value]*sharedOperand // the tiles that are in shared memory here
}

// sharedOperand is a tile in shared memory.
type sharedOperand struct {
	value *ir.Value // its memory descriptor
	dtype num.DType // of the elements, which stage buffers keep as they are in global memory
	mem   layout.Mem
	stage bool // it is in a stage buffer
}

// placeOperands places the operands of every dot.
func (p *Plan) placeOperands() {
	o := operandPlacer{rewriter{p: p}, p.hasWgmma(), nil, map[*ir.Value]*sharedOperand{}}
	o.block(p.Func.Body)
	p.removeUnused()
}

// hasWgmma reports whether a dot of the function is a warpgroup MMA, which reads shared memory through the async proxy.
func (p *Plan) hasWgmma() bool {
	for _, d := range p.Dots {
		if d.Unit == WGMMA {
			return true
		}
	}
	return false
}

// removeUnused removes loads from stage buffers, and transposes, of tiles that dots alone take, from where they are.
func (p *Plan) removeUnused() {
	uses := usesIn(p.Func.Body)
	var sweep func(b *ir.Block)
	sweep = func(b *ir.Block) {
		for i, in := range slices.Backward(b.Instrs) {
			for _, r := range in.Regions {
				sweep(r)
			}
			if (in.Op == ops.LocalLoad || in.Op == ops.Trans) && uses[in.Results[0]] == 0 {
				uses[in.Operands[0]]--
				b.Instrs = slices.Delete(b.Instrs, i, i+1)
			}
		}
	}
	sweep(p.Func.Body)
}

func (o *operandPlacer) block(b *ir.Block) {
	before := o.list
	o.list = nil
	for _, in := range b.Instrs {
		switch in.Op {
		case ops.Dot:
			o.dot(in)
			continue
		case ops.For, ops.While:
			o.loop(in)
		default:
			for _, r := range in.Regions {
				o.block(r)
			}
		}
		o.list = append(o.list, in)
	}
	b.Instrs, o.list = o.list, before
}

// dot appends a dot that adds up in the dtype in which its unit does: as it is, or as warpgroup MMA with its wait.
func (o *operandPlacer) dot(in *ir.Instr) {
	o.at = in.Span
	d, result := o.p.Dots[in], in.Results[0]
	in.Operands[2] = o.cast(in.Operands[2], d.Acc)
	for s := range Side(2) {
		was := in.Operands[s].Type.DType
		if in.Operands[s] = o.operand(in, s); in.Operands[s].Type.DType != was {
			in.Attrs = ops.Attrs{{Name: "input_precision", Value: "ieee"}} // which is of fp32 operands alone
		}
	}
	for s := range Side(2) {
		if v := in.Operands[s]; d.loadsFragments(s) && v.Type.IsMemDesc() {
			_, want := d.OperandForm(in, s)
			in.Operands[s] = o.emit(ops.LocalLoad, &want, []*ir.Value{v}).Results[0]
		}
	}
	d.Chunks = d.chunksOf(in)
	o.list = append(o.list, in)
	sum := &ir.Value{Type: result.Type.WithDType(d.Acc), Def: in, ID: noID, Layout: result.Layout}
	in.Results[0] = sum
	if d.Unit == WGMMA {
		in.Op, in.Attrs, d.Groups = ops.WGMMA, nil, d.groupsOf(in)
		if d.ZeroInit {
			in.Operands = append(in.Operands, o.later)
		}
		pending := int64(0)
		if d.InFlight {
			pending = 1 // this one; that of the iteration before is complete
		}
		wait := o.emit(ops.WGMMAWait, sum.Layout, []*ir.Value{sum}, ir.Attr{Name: "pending", Value: pending})
		sum = wait.Results[0]
	}
	sum = o.cast(sum, result.Type.DType)
	result.Def = sum.Def
	result.Def.Results[0] = result
}

// loop places what the dots of a loop take. Its pipelined loads are in shared memory there, and operands that it does
// not change, if they go through that.
func (o *operandPlacer) loop(loop *ir.Instr) {
	before, later := maps.Clone(o.shared), o.later
	o.hoist(loop)
	o.later = nil
	if r := o.p.Pipelines[loop]; r != nil {
		o.later = r.Later
		for _, l := range r.Loads {
			if v := l.In.Results[0]; !l.ToRegisters {
				o.shared[v] = &sharedOperand{v.Def.Operands[0], v.Type.DType, l.Mem, true} // a local_load
			}
		}
	}
	for _, r := range loop.Regions {
		o.block(r)
	}
	o.shared, o.later = before, later
}

// hoist stores the loop-invariant operands of dots in a loop that go through shared memory.
func (o *operandPlacer) hoist(loop *ir.Instr) {
	variant := map[*ir.Value]bool{} // defined in the loop
	define := func(values []*ir.Value) {
		for _, v := range values {
			variant[v] = true
		}
	}
	for _, region := range loop.Regions {
		define(region.Args)
		region.Walk(func(in *ir.Instr) {
			define(in.Results)
			for _, r := range in.Regions {
				define(r.Args)
			}
			if in.Op != ops.Dot {
				return
			}
			for s := range Side(2) {
				v := in.Operands[s]
				// What is there is not hoisted, or as another dot takes it.
				if variant[v] || o.shared[v] != nil || o.converts(in, s) {
					continue
				}
				o.at = in.Span
				x := o.inShared(in, s)
				if x == nil {
					x = o.stored(in, s)
				}
				o.shared[v] = x
			}
		})
	}
}

// operand is operand s of in as the dot reads it: a memory descriptor, or registers in the layout and dtype that it
// takes.
func (o *operandPlacer) operand(in *ir.Instr, s Side) *ir.Value {
	v := in.Operands[s]
	if x := o.inShared(in, s); x != nil {
		return x.value
	}
	if !o.converts(in, s) {
		return o.stored(in, s).value
	}
	d, want := o.p.Dots[in].OperandForm(in, s)
	v = o.cast(v, d)
	if v.Layout.Equal(want) {
		return v
	}
	return o.emit(ops.ConvertLayout, &want, []*ir.Value{v}).Results[0]
}

// converts reports whether operand s of in is converted to the registers in which the dot takes it; else the dot reads
// it from shared memory, or threads get it from there.
func (o *operandPlacer) converts(in *ir.Instr, s Side) bool {
	d, v := o.p.Dots[in], in.Operands[s]
	if d.Unit == WGMMA && !d.loadsFragments(s) && (s == 1 || !o.p.readsFragments(in, d)) {
		return false
	}
	dtype, want := d.OperandForm(in, s)
	c := o.p.Convert(*v.Layout, want, dtype.Info().Bits)
	// Shuffles are as fast as a way through shared memory, without its barriers.
	return c.Kind != layout.Shared || d.Unit == MMA && o.p.Target.InRegisters
}

// readsFragments reports whether the threads hold a warpgroup MMA's left operand as its fragments already, if it is in
// no stage buffer. In attention that saves the probabilities a way through shared memory.
func (p *Plan) readsFragments(in *ir.Instr, d *Dot) bool {
	v := in.Operands[0]
	return d.Left == 0 && d.Elem[0].Info().Bits == 16 &&
		layout.Plan(*v.Layout, d.Fragments(0, v.Type.Shape, 16), 16).Kind == layout.Rename
}

func (o *operandPlacer) cast(v *ir.Value, to num.DType) *ir.Value {
	if v.Type.DType == to {
		return v
	}
	return o.emit(ops.Cast, v.Layout, []*ir.Value{v}, ir.Attr{Name: "to", Value: to.Info().Short}).Results[0]
}

// stored stores operand s of in to shared memory.
func (o *operandPlacer) stored(in *ir.Instr, s Side) *sharedOperand {
	p, l := o.p.Dots[in], *in.Operands[s].Layout
	d, _ := p.OperandForm(in, s)
	k, fast := s.KAxis(len(l.Shape)), FastestDim(l)
	if p.NeedsKMajor(s) {
		fast = k
	}
	place := layout.ForDot
	if p.loadsFragments(s) {
		place = layout.ForAdjacentRows
	}
	x := &sharedOperand{dtype: d, mem: place(l.Shape, k, fast, max(8, d.Info().Bits))}
	x.value = o.emit(ops.LocalAlloc, nil, []*ir.Value{o.cast(in.Operands[s], d)}).Results[0]
	x.value.Mem = &x.mem
	if o.wgmma {
		o.emit(ops.FenceAsync, nil, nil)
	}
	return x
}

// inShared is the tile in shared memory that holds operand s of in, if there is one that the dot can read. Stage
// buffers are made for all that reads them.
func (o *operandPlacer) inShared(in *ir.Instr, s Side) *sharedOperand {
	d, v := o.p.Dots[in], in.Operands[s]
	x := o.tile(v)
	dtype, _ := d.OperandForm(in, s)
	k := s.KAxis(len(v.Type.Shape))
	if x != nil && (x.stage || x.dtype == dtype &&
		(!d.NeedsKMajor(s) || x.mem.Equal(layout.ForDot(x.mem.Shape, k, k, x.mem.ElemBits)))) {
		return x
	}
	return nil
}

// tile is the tile in shared memory that holds v, or what v is the transpose of; nil: there is none.
func (o *operandPlacer) tile(v *ir.Value) *sharedOperand {
	if x := o.shared[v]; x != nil || v.Def == nil || v.Def.Op != ops.Trans {
		return x
	}
	x := o.tile(v.Def.Operands[0])
	if x == nil {
		return nil
	}
	t := &sharedOperand{nil, x.dtype, x.mem.Trans(v.Def.Perm()), x.stage}
	t.value = o.emit(ops.MemDescTrans, nil, []*ir.Value{x.value}, v.Def.Attrs...).Results[0]
	t.value.Mem = &t.mem
	return t
}

// planWords finds the tiles that warpgroup MMAs alone take, from registers, in words then: those that loops carry, or
// that are loaded from shared memory.
func (p *Plan) planWords() {
	p.Words = map[*ir.Value]bool{}
	taken, others := map[*ir.Value]bool{}, map[*ir.Value]bool{}
	p.Func.Body.Walk(func(in *ir.Instr) {
		for i, v := range in.Operands {
			if in.Op == ops.WGMMA && i < 2 {
				taken[v] = true
			} else {
				others[v] = true
			}
		}
	})
	p.Func.Body.Walk(func(in *ir.Instr) {
		for i, v := range in.Results {
			switch {
			case others[v]:
			case in.Op == ops.For:
				if arg := in.Regions[0].Args[1+i]; taken[arg] && !others[arg] {
					p.Words[arg], p.Words[v] = true, true
				}
			case in.Op == ops.LocalLoad && taken[v]:
				p.Words[v] = true
			}
		}
	})
}

// planInPlace finds the dots whose accumulator is a variable of the loop around them that nothing else reads, so that
// the sums may overwrite it, and those for which it begins at 0.
func (p *Plan) planInPlace() {
	uses, carried, zeros := usesIn(p.Func.Body), map[*ir.Instr]bool{}, map[*ir.Instr]bool{}
	p.Func.Body.Walk(func(in *ir.Instr) {
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
				carried[x], zeros[x] = true, r != nil && r.Delay == nil && IsZero(in.Operands[2+i])
			}
		}
	})
	for in, d := range p.Dots {
		v := in.Operands[2]
		d.InPlace = v.Type.DType == d.Acc && uses[v] == 1 && carried[in]
		d.ZeroInit = d.Unit == WGMMA && d.InPlace && zeros[in] && !d.Transposes // which has no register to spare
	}
}
