package ptx

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.If] = emitIf
	emitters[ops.For] = emitFor
	emitters[ops.While] = emitWhile
}

// agree makes all threads have what the first of them found out, since control depends on it.
func (e *emitter) agree(in *ir.Instr) {
	for _, v := range in.Results {
		d := v.Type.DType
		at := shared{buffer: e.Shared("agreed", 8, 8)}
		others := e.Do("setp.ne.s32", asm.Pred, asm.R(e.tid), asm.I(0))
		e.storeShared(at, d, e.regs(v), others)
		e.set(v, e.loadShared(at, d, 1))
		e.elems[v.ID] = nil
	}
}

func emitIf(e *emitter, in *ir.Instr) {
	otherwise, end := e.NewLabel("else"), e.NewLabel("end")
	vars := e.variables(in.Results)
	e.Branch(otherwise, e.regs(in.Operands[0])[0], true)
	e.either(len(in.Regions), func(i int) {
		region := in.Regions[i]
		e.block(region)
		e.Span = in.Span
		e.move(vars.handOver(region.Terminator().Operands))
		if i == 0 {
			e.Branch(end, asm.Reg{}, false)
			e.Bind(otherwise)
		}
	})
	e.Bind(end)
	vars.bind()
}

// counter is the index of a for loop while it runs: 32 or 64 bits.
type counter struct {
	dtype              num.DType
	index, upper, step asm.Reg
	unsigned           bool
}

// counter starts a loop's index, and branches to end where the loop does not run.
func (e *emitter) counter(in *ir.Instr, end string) counter {
	d := in.Operands[0].Type.DType
	c := counter{dtype: d, unsigned: !d.Info().Signed}
	if d.Info().Bits < 32 {
		c.dtype = num.Int32
		if c.unsigned {
			c.dtype = num.Uint32
		}
	}
	read := func(v *ir.Value) asm.Reg { return scalar.Cast(e.Program, d, c.dtype, num.RTNE, e.regs(v)[0]) }
	lower := read(in.Operands[0])
	c.upper, c.step = read(in.Operands[1]), read(in.Operands[2])
	c.index = e.Reg(lower.Class)
	e.Move(c.index, asm.R(lower))
	runs := scalar.Compare(e.Program, ops.Lt, c.dtype, lower, c.upper)
	if step, known := e.facts.Const(in.Operands[2]); !known || step < 1 {
		zero := scalar.Const(e.Program, num.Scalar{DType: c.dtype})
		forward := scalar.Compare(e.Program, ops.Gt, c.dtype, c.step, zero)
		runs = e.Do("and.pred", asm.Pred, asm.R(runs), asm.R(forward))
	}
	e.Branch(end, runs, true)
	return c
}

// next advances the index and gives whether the loop goes on: what is left to upper is more than a
// step. Neither can overflow where that holds.
func (e *emitter) next(c counter) (on asm.Reg) {
	left := scalar.Op(e.Program, ops.Sub, c.dtype, c.upper, c.index)
	unsigned := num.Uint32
	if c.index.Class == asm.B64 {
		unsigned = num.Uint64
	}
	on = scalar.Compare(e.Program, ops.Gt, unsigned, left, c.step)
	e.Move(c.index, asm.R(scalar.Op(e.Program, ops.Add, c.dtype, c.index, c.step)))
	return on
}

func emitFor(e *emitter, in *ir.Instr) {
	body := in.Regions[0]
	head, end := e.NewLabel("for"), e.NewLabel("end")
	vars := e.loopVariables(body.Args[1:], in.Operands[3:], body.Terminator().Operands)
	c := e.counter(in, end)
	endShared := e.shareBefore(in)
	ring := e.openRing(in)
	e.Loop(head, func() {
		if e.opt.Bounded == nil || !e.opt.Bounded(in) {
			e.spend(in)
		}
		index := body.Args[0]
		e.set(index, []asm.Reg{scalar.Cast(e.Program, c.dtype, index.Type.DType, num.RTNE, c.index)})
		e.orderIterations(in)
		vars.bind()
		ring.turn()
		e.block(body)
		e.Span = in.Span
		e.move(vars.handOver(body.Terminator().Operands))
		ring.end()
		e.Branch(head, e.next(c), false)
	})
	ring.close()
	endShared()
	e.Bind(end)
	vars.rename(in.Results)
}

// emitWhile: what the first region hands on has variables of its own, which are the results.
func emitWhile(e *emitter, in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	head, end := e.NewLabel("while"), e.NewLabel("end")
	vars := e.loopVariables(before.Args, in.Operands, nil)
	passed := e.variables(after.Args)
	defer e.shareBefore(in)()
	e.Loop(head, func() {
		e.spend(in)
		e.orderIterations(in)
		vars.bind()
		e.block(before)
		e.Span = in.Span
		condition := before.Terminator().Operands
		e.move(passed.handOver(condition[1:]))
		e.Branch(end, e.regs(condition[0])[0], true)
		passed.bind()
		e.block(after)
		e.Span = in.Span
		e.move(vars.handOver(after.Terminator().Operands))
		e.Branch(head, asm.Reg{}, false)
	})
	e.Bind(end)
	passed.rename(in.Results)
}

// spend takes an iteration from the program's budget. All threads count alike, so that they leave
// together when it is used up.
func (e *emitter) spend(in *ir.Instr) {
	label := e.NewLabel("spent")
	e.Add(asm.Inst{Op: "sub.s64", Dst: []asm.Operand{asm.R(e.budget)}, Src: []asm.Operand{asm.R(e.budget), asm.I(1)}})
	e.Branch(label, e.Do("setp.lt.s64", asm.Pred, asm.R(e.budget), asm.I(0)), false)
	e.Cold(func() {
		e.Bind(label)
		e.stop(e.site(Budget, in), e.Do("setp.eq.s32", asm.Pred, asm.R(e.tid), asm.I(0)), asm.Reg{})
	})
}

// stop ends the program with a report by the threads where guard holds.
func (e *emitter) stop(site int, guard, offset asm.Reg) {
	e.Unless(guard, true, func() {
		zero := e.Do("mov.b32", asm.B32, asm.I(0))
		if !offset.OK() {
			offset = e.Do("mov.b64", asm.B64, asm.I(0))
		}
		e.tell(site, offset, zero, e.Do("mov.b32", asm.B32, asm.I(1)))
	})
	e.Effect("ret")
}
