package plan

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/arch"
)

// Pressure is an estimate of the registers of 32 bits that a thread needs: those of the tiles that are live together
// where that is most. Addresses, masks and other values that are kept as a base and immediates, and what the assembler
// needs on its way, come on top.
type Pressure struct {
	Registers int
	At        *ir.Instr
	Live      []*ir.Value // those that have registers, the largest first
}

// Registers of a thread that ptxas is asked to make do with, in kernels without dots. Unasked, it spares registers in
// loops without reductions and keeps their loads apart; asked for room for programs of loopRegisters, it issues them
// side by side. Kernels whose tiles take more than maxLoopTiles took up to 3 times as long then. Without a loop it is
// asked where an SM has room for two programs of straightRegisters, or more, whose tiles take more than maxLoopTiles
// and at most maxStraightTiles: else some end up with a few registers too many for the second one. Times on an H100
// with kernels of public libraries: products of matrix and vector 0.6 to 1.0, log_softmax 0.6 to 0.95, layer_norm in
// loops 0.8 to 1.05, gated layer_norm of 16,384 columns 0.63; kernels without a loop that ask for loopRegisters 0.95 to
// 1.14.
const (
	loopRegisters, maxLoopTiles         = 64, 120
	straightRegisters, maxStraightTiles = 128, 200
)

// MinPrograms is how many programs an SM shall have room for at least, for ptxas to allocate registers by; 0: it may
// decide.
func (p *Plan) MinPrograms() int {
	switch {
	case p.Target.InRegisters: // else ptxas 12.4 spills all but 32 registers on sm_80
		return 1
	case len(p.Dots) > 0:
		return 0
	}
	loops, reduces := false, false
	p.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op != ops.For && in.Op != ops.While {
			return
		}
		loops = true
		for _, r := range in.Regions {
			r.Walk(func(in *ir.Instr) { reduces = reduces || in.Op == ops.Reduce || in.Op == ops.Scan })
		}
	})
	if reduces {
		return 0
	}
	tiles, threads := p.Pressure().Registers, p.Target.Threads()
	switch n := arch.Registers / (threads * straightRegisters); {
	case loops && tiles <= maxLoopTiles:
		return max(1, arch.Registers/(threads*loopRegisters))
	case !loops && tiles > maxLoopTiles && tiles <= maxStraightTiles && n > 1:
		return n
	}
	return 0
}

// RegistersOf is how many registers of a thread a value takes. Views, and what is rematerialized from scalars, count as
// none.
func (p *Plan) RegistersOf(v *ir.Value) int {
	switch {
	case v.Type.IsMemDesc():
		return 0
	case v.Type.IsScalar():
		return registers(v.Type)
	}
	view := v.Def != nil && ViewOps[v.Def.Op]
	cheap := p.Tiles[v.ID].Rematerialized && v.Def.Op != ops.Cast
	if v.Type.Pointer || v.Type.IsMemDesc() || view || cheap {
		return 0
	}
	if p.Words[v] {
		return v.Layout.Regs() * v.Type.DType.Info().Bits / 32
	}
	return v.Layout.Regs() * registers(v.Type)
}

// Pressure finds where the tiles that are live together take the most registers, by the liveness of values backward
// through the structured code: what a loop uses of its surroundings is live in all of the loop.
func (p *Plan) Pressure() Pressure {
	l := liveness{p: p, live: map[*ir.Value]bool{}}
	l.block(p.Func.Body)
	slices.SortStableFunc(l.most.Live, func(x, y *ir.Value) int {
		return cmp.Or(cmp.Compare(p.RegistersOf(y), p.RegistersOf(x)), cmp.Compare(x.ID, y.ID))
	})
	return l.most
}

// liveness is a walk backward through the code, with the values that are live.
type liveness struct {
	p    *Plan
	live map[*ir.Value]bool
	sum  int // of the registers of live
	most Pressure
}

func (l *liveness) add(values []*ir.Value) {
	for _, v := range values {
		if v != nil && !l.live[v] {
			l.live[v] = true
			l.sum += l.p.RegistersOf(v)
		}
	}
}

func (l *liveness) remove(values []*ir.Value) {
	for _, v := range values {
		if l.live[v] {
			delete(l.live, v)
			l.sum -= l.p.RegistersOf(v)
		}
	}
}

// look remembers in if more is live there than anywhere so far.
func (l *liveness) look(in *ir.Instr) {
	if l.sum <= l.most.Registers {
		return
	}
	l.most = Pressure{Registers: l.sum, At: in}
	for v := range l.live {
		if l.p.RegistersOf(v) > 0 {
			l.most.Live = append(l.most.Live, v)
		}
	}
}

// block walks through a block.
func (l *liveness) block(b *ir.Block) {
	for _, in := range slices.Backward(b.Instrs) {
		l.add(in.Results)
		l.look(in)
		l.remove(in.Results)
		l.regions(in)
		l.add(in.Operands)
		l.look(in)
	}
	l.remove(b.Args)
}

// regions walks through the regions of an instruction.
func (l *liveness) regions(in *ir.Instr) {
	// What a loop uses of its surroundings has to last for all iterations.
	if in.Op == ops.For || in.Op == ops.While {
		l.add(usedFromOutside(in))
	}
	for _, r := range slices.Backward(in.Regions) {
		l.block(r)
	}
}

// usedFromOutside are the values that an instruction's regions use and do not define.
func usedFromOutside(in *ir.Instr) (used []*ir.Value) {
	defined := map[*ir.Value]bool{}
	define := func(values []*ir.Value) {
		for _, v := range values {
			defined[v] = true
		}
	}
	for _, r := range in.Regions {
		define(r.Args)
		r.Walk(func(x *ir.Instr) {
			define(x.Results)
			for _, r := range x.Regions {
				define(r.Args)
			}
		})
	}
	for _, r := range in.Regions {
		r.Walk(func(x *ir.Instr) {
			for _, v := range x.Operands {
				if v != nil && !defined[v] {
					used = append(used, v)
				}
			}
		})
	}
	return used
}
