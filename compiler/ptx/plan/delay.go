package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Delay is a warpgroup MMA of a pipelined loop that is issued one iteration late, behind another dot of the next
// iteration, and runs while that iteration computes. In attention, where s = q·k and acc = acc·α + p·v with p from s,
// the tensor cores then multiply p·v of one iteration while the threads compute the softmax of the next:
//
//	iteration i:  issue s(i) = q·k(i) | issue acc += p(i-1)·v(i-1) | wait for s(i) | max, exp2, sum of s(i) |
//	              wait for acc | acc·α(i) | keep p(i) in registers
//	epilogue:     issue acc += p(n-1)·v(n-1) | wait
//
// (Shah et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision", section 3.2, has the
// idea by hand.) Every sum has the terms, and the order, of the code as written.
type Delay struct {
	Dot     *ir.Instr // issued late: its left operand waits in registers, its right one in the stage buffer
	Carried int       // the loop-carried value that is the accumulator, by number
	After   *ir.Instr // the dot behind which it is issued
}

// delayedDot plans which dot of a loop is delayed; nil: none. The loop must have two dots, both warpgroup MMA in the
// loop's body itself. The second one's result must be a loop-carried value that nothing else in the iteration uses; its
// left operand must be in registers as fragments, its right one in a stage buffer. The next iteration must reach the
// first dot before it reads the accumulator.
func (e pipeliner) delayedDot(loop *ir.Instr, r *Pipeline) *Delay {
	body := loop.Regions[0]
	dots, uses := loopDots(loop)
	if len(dots) != 2 || slices.ContainsFunc(dots, func(in *ir.Instr) bool {
		p := e.p.Dots[in]
		return p.Unit != WGMMA || p.Transposes || !slices.Contains(body.Instrs, in)
	}) {
		return nil
	}
	d := &Delay{Dot: dots[1], After: dots[0], Carried: e.carriedSum(loop, dots[1], uses)}
	if d.Carried < 0 || slices.Contains(r.Carried, d.Carried) || r.copyOf(d.Dot.Operands[1]) == nil ||
		r.copyOf(d.Dot.Operands[0]) != nil || !e.p.readsFragments(d.Dot, e.p.Dots[d.Dot]) ||
		slices.Index(body.Instrs, d.After) >= firstUse(body, body.Args[1+d.Carried]) {
		return nil
	}
	return d
}

// firstUse is the number of the first instruction of a block that uses v, in its regions too.
func firstUse(b *ir.Block, v *ir.Value) int {
	return slices.IndexFunc(b.Instrs, func(in *ir.Instr) bool {
		return slices.Contains(in.Operands, v) || slices.ContainsFunc(in.Regions, func(r *ir.Block) bool {
			return firstUse(r, v) >= 0
		})
	})
}

// copyOf is the copy to stage buffers of v, or of what v is the transpose of; nil: there is none.
func (r *Pipeline) copyOf(v *ir.Value) *AsyncLoad {
	if v.Def != nil && v.Def.Op == ops.Trans {
		return r.copyOf(v.Def.Operands[0])
	}
	return r.Load(v.Def)
}

// delay makes delayed dots part of the function. The first iteration, in which none is pending, stands before its loop:
// a branch around the dot would have ptxas wait for it at once (an H100 was 4 % slower). That of the last iteration is
// issued behind the loop. ptxas may move the wait up across arithmetic, so it decides what overlaps: a store that held
// the wait back cost 4 to 9 % of attention's speed on an H200.
func (p *Plan) delay() {
	p.eachPipeline(func(s *stager) bool {
		if s.r.Delay != nil {
			s.delayDot()
		}
		return s.r.Delay != nil
	})
}

// delayDot appends the loop with its dot delayed.
func (s *stager) delayDot() {
	first := s.first(substitution{})
	s.ifComes(s.comes(first, 0), nil, func() []*ir.Value { return s.delayed(first) })
}

// delayed appends the first iteration, the loop of the others and what the last one leaves pending, and gives what the
// loop's results become.
func (s *stager) delayed(x iteration) []*ir.Value {
	p, d, loop := s.p, s.r.Delay, s.r.Loop
	body, dot, after := loop.Regions[0], d.Dot, d.After
	end, acc, right := body.Terminator(), body.Args[1+d.Carried], dot.Operands[1]
	waitOf := func(dot *ir.Instr) *ir.Instr { return body.Instrs[firstUse(body, dot.Results[0])] }
	wait, waitAfter := waitOf(dot), waitOf(after)
	left, sum := dot.Operands[0], wait.Results[0]
	awaits := slices.Index(body.Instrs, dot)
	body.Instrs = slices.DeleteFunc(body.Instrs, func(in *ir.Instr) bool { return in == dot || in == wait })
	if i := firstUse(body, acc); i >= 0 {
		awaits = min(awaits, i)
	}
	end.Operands[d.Carried] = dot.Operands[2]

	first := substitution{body.Args[0]: x.index}
	for i, v := range loop.Operands[3:] {
		first[body.Args[1+i]] = v
	}
	s.copyBlock(body, first)
	next := s.scalar(ops.Add, x.index, loop.Operands[2])
	if more := s.comes(x, 1); more != nil {
		next = s.scalar(ops.Select, more, next, loop.Operands[1])
	}
	loop.Operands = slices.Concat([]*ir.Value{next}, loop.Operands[1:3], first.all(end.Operands))
	loop.Results = substitution{}.define(loop.Results, loop)
	late := s.carry(loop, first.of(left), left)
	yield(body, left)

	view := rewriter{p: p, at: s.at}
	dot.Operands = []*ir.Value{late, view.view(right, substitution{s.r.Read: s.r.Last}), acc}
	replaceUses(body, substitution{acc: sum})
	waitAfter.Attrs = ops.Attrs{{Name: "pending", Value: int64(1)}}
	body.Instrs = slices.Insert(body.Instrs, awaits, wait)
	at := slices.Index(body.Instrs, after)
	body.Instrs = slices.Insert(body.Instrs, at+1, dot)
	body.Instrs = slices.Insert(body.Instrs, at, view.list...)
	p.Dots[dot].InPlace = true
	s.list = append(s.list, loop)

	last := substitution{s.r.Read: result(loop, s.r.Last), late: result(loop, late), acc: result(loop, acc)}
	last[dot.Operands[1]] = s.view(right, last)
	inherit(p.Dots, s.copy(dot, last), dot)
	values := slices.Clone(loop.Results)
	values[d.Carried] = s.copy(wait, last).Results[0]
	return values
}

// result is what a loop gives of a value that it carries.
func result(loop *ir.Instr, arg *ir.Value) *ir.Value { return loop.Results[arg.Index-1] }

// view appends what finds a stage buffer, or the transpose of one, for what s says.
func (w *rewriter) view(v *ir.Value, s substitution) *ir.Value {
	if v.Def.Op == ops.MemDescTrans {
		w.view(v.Def.Operands[0], s)
	}
	return w.copy(v.Def, s).Results[0]
}
