package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/scalar"
)

func init() {
	emitters[ops.Uniform] = emitUniform
	emitters[ops.If] = emitIf
	emitters[ops.For] = emitFor
	emitters[ops.While] = emitWhile
}

// emitUniform broadcasts thread 0's value of a scalar to all threads through shared memory. Control flow depends on it,
// and has to be uniform: threads that branched differently would hang in the next barrier.
func emitUniform(e *emitter, in *ir.Instr) {
	x, at := in.Operands[0], sharedAddr{off: int64(e.scratch(in))}
	d := x.Type.DType
	others := e.Do("setp.ne.s32", asm.R(e.tid), asm.I(0))
	e.storeShared(at, d, e.regs(x), others)
	e.Barrier()
	e.setRegs(in.Results[0], e.loadShared(at, d, 1))
}

func emitIf(e *emitter, in *ir.Instr) {
	if x := e.plan.Persistent; x != nil && x.Ahead == in {
		issues := e.andPred(map[asm.Reg]asm.Reg{}, e.firstWarp(), e.regs(in.Operands[0])[0])
		e.Unless(issues, true, func() { e.emitBlock(in.Regions[0]) })
		return
	}
	otherwise, end := e.NewLabel("else"), e.NewLabel("end")
	if e.plan.Guards[in] {
		e.emitGuard(in, otherwise, end)
		return
	}
	vars := e.newCarriedVars(in.Results)
	e.Branch(otherwise, e.regs(in.Operands[0])[0], true)
	for i, region := range in.Regions {
		e.emitBlock(region)
		e.Span = in.Span
		e.parallelMove(vars.movesTo(region.Terminator().Operands))
		if i == 0 {
			e.Branch(end, asm.Reg{}, false)
			e.Bind(otherwise)
		}
	}
	e.Bind(end)
	vars.bind()
}

// emitGuard emits a branch around a loop that overwrites accumulators.
func (e *emitter) emitGuard(in *ir.Instr, otherwise, end string) {
	e.Branch(otherwise, e.regs(in.Operands[0])[0], true)
	e.emitBlock(in.Regions[0])
	e.Span = in.Span
	vars := e.guardVars(in)
	e.parallelMove(vars.movesTo(in.Regions[0].Terminator().Operands))
	e.Cold(func() {
		e.Bind(otherwise)
		e.parallelMove(vars.movesTo(in.Regions[1].Terminator().Operands))
		e.Branch(end, asm.Reg{}, false)
	})
	e.Bind(end)
	vars.bind()
}

// loopCounter is the induction variable of a for loop, of 32 or 64 bits, with its bounds.
type loopCounter struct {
	dtype              num.DType
	index, upper, step asm.Reg
	left               asm.Reg // a variable, how many iterations are left; none: index and bounds tell whether one is
}

// beginCounter sets a loop's induction variable to the lower bound, and branches to end if the trip count is 0, unless
// it is known not to be.
func (e *emitter) beginCounter(in *ir.Instr, end string, enters bool) loopCounter {
	d := in.Operands[0].Type.DType
	c := loopCounter{dtype: d}
	// PTX compares and adds 16-bit integers at no gain, and index + step could overflow.
	if d.Info().Bits < 32 {
		c.dtype = num.Int32
		if !d.Info().Signed {
			c.dtype = num.Uint32
		}
	}
	read := func(v *ir.Value) asm.Reg { return scalar.Cast(e.Program, d, c.dtype, num.RTNE, e.regs(v)[0]) }
	lower := read(in.Operands[0])
	c.upper, c.step = read(in.Operands[1]), read(in.Operands[2])
	c.index = e.Reg(lower.Class)
	e.Move(c.index, asm.R(lower))
	step, known := e.facts.Const(in.Operands[2])
	if !enters {
		runs := scalar.Compare(e.Program, ops.Lt, c.dtype, lower, c.upper)
		// A step that is not positive makes no iteration.
		if !known || step < 1 {
			zero := scalar.Const(e.Program, num.Scalar{DType: c.dtype})
			forward := scalar.Compare(e.Program, ops.Gt, c.dtype, c.step, zero)
			runs = e.Do("and.pred", asm.R(runs), asm.R(forward))
		}
		e.Branch(end, runs, true)
	}
	if e.plan.Counted[in] {
		c.left = e.tripCount(c, step)
	}
	return c
}

// tripCount is a variable that counts the iterations of a loop that has some.
func (t *threadCode) tripCount(c loopCounter, step int64) (left asm.Reg) {
	d := c.unsignedType()
	one := scalar.Const(t.Program, num.FromInt(d, 1))
	rest := scalar.Op(t.Program, ops.Sub, d, scalar.Op(t.Program, ops.Sub, d, c.upper, c.index), one)
	left = t.Reg(c.index.Class)
	t.Move(left, asm.R(scalar.Op(t.Program, ops.Add, d, scalar.DivideBy(t.Program, ops.Div, d, rest, step), one)))
	return left
}

// unsignedType is the type of differences between the bounds of a loop.
func (c loopCounter) unsignedType() num.DType { return num.Unsigned(c.dtype.Info().Bits) }

// advanceCounter adds the step and gives whether there is another iteration: whether one is left, if they are counted,
// else whether upper - index, before that, was more than the step. The difference is positive in the loop, so it is
// right as an unsigned number even if it overflows the signed type, and where it is more than the step, the sum does
// not overflow.
func (t *threadCode) advanceCounter(c loopCounter) (on asm.Reg) {
	d := c.unsignedType()
	if c.left.OK() {
		rest := scalar.Op(t.Program, ops.Sub, d, c.left, scalar.Const(t.Program, num.FromInt(d, 1)))
		t.Move(c.left, asm.R(rest))
		on = scalar.Compare(t.Program, ops.Ne, d, c.left, scalar.Const(t.Program, num.FromInt(d, 0)))
	} else {
		left := scalar.Op(t.Program, ops.Sub, c.dtype, c.upper, c.index)
		on = scalar.Compare(t.Program, ops.Gt, d, left, c.step)
	}
	t.Move(c.index, asm.R(scalar.Op(t.Program, ops.Add, c.dtype, c.index, c.step)))
	return on
}

func emitFor(e *emitter, in *ir.Instr) {
	body := in.Regions[0]
	head, end := e.NewLabel("for"), e.NewLabel("end")
	vars, first := e.loopCarriedVars(body.Args[1:], in.Operands[3:], body.Terminator().Operands)
	broadcasts := e.broadcastsOf(in)
	// A loop whose first iteration overwrites accumulators has one (plan.Dot.ZeroInit).
	overwritten := e.overwritten(in, vars)
	e.parallelMove(slices.DeleteFunc(first, func(m move) bool { return overwritten[m.dst] }))
	c := e.beginCounter(in, end, len(overwritten) > 0)
	broadcasts.inLoop = true
	e.Loop(head, func() {
		// The budget stops loops whose trip count the host could not bound.
		if e.plan.Source(in) != nil && !e.plan.Target.Bounded(in) {
			e.spendBudget(in)
		}
		index := body.Args[0]
		e.setRegs(index, []asm.Reg{scalar.Cast(e.Program, c.dtype, index.Type.DType, num.RTNE, c.index)})
		vars.bind()
		e.emitBlock(body)
		e.Span = in.Span
		e.parallelMove(vars.movesTo(body.Terminator().Operands))
		e.Branch(head, e.advanceCounter(c), false)
	})
	broadcasts.inLoop = false
	e.Bind(end)
	vars.bindAs(in.Results)
}

// overwritten is the variables of accumulators that the loop's first iteration overwrites.
func (e *emitter) overwritten(loop *ir.Instr, vars *carriedVars) map[asm.Reg]bool {
	accumulators := map[asm.Reg]bool{}
	for _, in := range loop.Regions[0].Instrs {
		if d := e.plan.Dots[in]; d == nil || !d.ZeroInit {
			continue
		}
		i := slices.Index(loop.Regions[0].Args, in.Operands[2])
		for _, r := range vars.slots[i-1].vars {
			accumulators[r] = true
		}
	}
	return accumulators
}

// emitWhile emits a while loop. What its first region, the condition, passes on has variables of its own, which are the
// loop's results too.
func emitWhile(e *emitter, in *ir.Instr) {
	before, after := in.Regions[0], in.Regions[1]
	head, end := e.NewLabel("while"), e.NewLabel("end")
	vars, first := e.loopCarriedVars(before.Args, in.Operands, nil)
	e.parallelMove(first)
	passed := e.newCarriedVars(after.Args)
	e.Loop(head, func() {
		e.spendBudget(in)
		vars.bind()
		e.emitBlock(before)
		e.Span = in.Span
		condition := before.Terminator().Operands
		e.parallelMove(passed.movesTo(condition[1:]))
		e.Branch(end, e.regs(condition[0])[0], true)
		passed.bind()
		e.emitBlock(after)
		e.Span = in.Span
		e.parallelMove(vars.movesTo(after.Terminator().Operands))
		e.Branch(head, asm.Reg{}, false)
	})
	e.Bind(end)
	passed.bindAs(in.Results)
}

// spendBudget takes an iteration from the program's budget. The trip count is uniform, so all threads leave together
// when the budget is used up.
func (e *emitter) spendBudget(in *ir.Instr) {
	label := e.NewLabel("spent")
	e.Into(e.budget, "sub.s64", asm.R(e.budget), asm.I(1))
	e.Branch(label, e.Do("setp.lt.s64", asm.R(e.budget), asm.I(0)), false)
	// The exit is cold: it runs at most once in a program.
	e.Cold(func() {
		e.Bind(label)
		first := e.Do("setp.eq.s32", asm.R(e.tid), asm.I(0))
		e.reports.exitWithReport(e.reports.addSite(Budget, in), first, asm.Reg{})
	})
}
