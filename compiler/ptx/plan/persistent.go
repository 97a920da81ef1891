package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/types"
)

// Persistent is the plan of persistent thread blocks: there are as many as the GPU runs at a time, and each runs one
// program after the other. The first copies of the next program's pipelined loop are issued behind the loop of this
// one, and are under way while its results are converted and stored. It is for programs whose stage buffers fill an SM,
// where no other program uses the tensor cores meanwhile.
type Persistent struct {
	Loop *ir.Instr
	Next []*ir.Instr // what the copies before the loop are computed from, in the order of the code
	// Of the function of such thread blocks (persist):
	Programs *ir.Param // how many programs there are
	Ahead    *ir.Instr // the if in which the copies of the next program are issued, by one warp
}

// barrierBytes is more shared memory than mbarriers and broadcasts take.
const barrierBytes = 1 << 9

// planPersistent decides about persistent thread blocks, for launches that want them (Target.Persistent). All of the
// function but the one loop, whose copies are tensor copies, is straight-line code that may be run in any order with
// other programs'.
func (p *Plan) planPersistent() {
	facts := p.Facts
	if !p.Target.Persistent || p.Reversed {
		return
	}
	var loop *ir.Instr
	for _, in := range p.Func.Body.Instrs {
		switch {
		case in.Op == ops.For && loop == nil:
			loop = in
		case in.Op.Has(ops.Terminator), in.Op == ops.Store, in.Op == ops.Load && loop != nil:
		case in.Op == ops.For || in.Op == ops.If || in.Op == ops.While || !in.Op.Has(ops.Pure):
			return
		}
	}
	one := p.Pipelines[loop]
	if one == nil || !p.Target.EveryBox && 2*one.Buffers*one.StageBytes <= p.Target.Arch.Shared {
		return
	}
	p.Persistent = &Persistent{Loop: loop} // in which conversions take less memory
	p.PlanConversions()
	reserved := p.Target.Reserved
	for _, in := range p.Func.Body.Instrs {
		reserved = max(reserved, p.scratchBytes(in)+barrierBytes)
	}
	if r := (pipeliner{p, facts, reserved}).plan(loop); r != nil && p.copiesForNext(r, facts) {
		p.Pipelines[loop] = r
		return
	}
	p.Persistent = nil
}

// copiesForNext decides what the copies of the next program are computed from, and reports whether they may be issued
// behind the last MMA of a loop.
func (p *Plan) copiesForNext(r *Pipeline, facts *axis.Facts) (ok bool) {
	_, all := r.Tensors()
	step, known := facts.Const(r.Loop.Operands[2])
	if r.DotInFlight == nil || r.Delay != nil || r.StoresBefore || !all || !known || step < 1 {
		return false
	}
	for _, in := range r.Loop.Regions[0].Instrs {
		if !in.Op.Has(ops.Pure) && !in.Op.Has(ops.Terminator) && !r.Copies(in) {
			return false
		}
	}
	p.Persistent.Next, ok = p.beforeCopies(r)
	return ok
}

// beforeCopies is the instructions before a pipelined loop from which its first copies are computed. It is not ok if
// the addresses in the loop are loaded, or if threads exchange values for them: one warp alone computes them for the
// next program.
func (p *Plan) beforeCopies(r *Pipeline) (slice []*ir.Instr, ok bool) {
	needed := map[*ir.Value]bool{}
	need := func(in *ir.Instr) {
		for _, v := range in.Operands {
			if v != nil {
				needed[v] = true
			}
		}
	}
	for _, v := range r.Loop.Operands[:3] {
		needed[v] = true
	}
	for _, c := range r.Carried {
		needed[r.Loop.Operands[3+c]] = true
	}
	for _, in := range r.AddressSlice {
		if in.Op == ops.Load {
			return nil, false
		}
		need(in)
	}
	for _, l := range r.Loads {
		need(l.In)
		for _, x := range l.Tensor.Limits {
			needed[x.Index], needed[x.End] = true, true
		}
	}
	before := p.Func.Body.Instrs[:slices.Index(p.Func.Body.Instrs, r.Loop)]
	for _, in := range slices.Backward(before) {
		if slices.ContainsFunc(in.Results, func(v *ir.Value) bool { return needed[v] }) {
			need(in)
			slice = append(slice, in)
		}
	}
	slices.Reverse(slice)
	return slice, !p.exchangesAny(slice)
}

// persist makes the function one of persistent thread blocks, if that is what it is to be: it has a parameter more and
// runs every num_programs-th program:
//
//	copies of the first stages of program program_id
//	for each of its programs:
//	    what is before the loop
//	    the pipelined loop, without a prologue: those copies are under way
//	    behind its last MMA: copies of the first stages of the next program, if there is one
//	    what is behind the loop, the conversion and the stores of the results
//
// The stage buffers and their mbarriers go on from program to program, as from iteration to iteration, so the copies
// for the next program fill the buffers behind the one that the last iteration reads. These are free: in that iteration
// all threads have met at a barrier behind the MMAs of the iteration before.
func (p *Plan) persist() {
	x, body := p.Persistent, p.Func.Body
	if x == nil {
		return
	}
	loop, s := x.Loop, newStager(p, p.Pipelines[x.Loop])
	at, end := slices.Index(body.Instrs, loop), len(body.Instrs)-1
	before, after, ret := body.Instrs[:at], body.Instrs[at+1:end], body.Instrs[end]
	x.Programs = p.addParam("programs")
	programs := x.Programs.Value
	s.allocate(false)
	first := s.emit(ops.ProgramID, p.scalarLayout(), nil, ir.Attr{Name: "axis", Value: int64(0)}).Results[0]
	blocks := s.emit(ops.NumPrograms, p.scalarLayout(), nil, ir.Attr{Name: "axis", Value: int64(0)}).Results[0]
	s.prologue(s.program(first, nil), s.constant(num.Int32, 0))
	buffers := s.buffersInUse()
	entry := s.list

	region := &ir.Block{}
	each := &ir.Instr{Op: ops.For, Operands: []*ir.Value{first, programs, blocks}, Regions: []*ir.Block{region},
		Span: s.at}
	program := &ir.Value{Type: first.Type, ID: noID, Layout: first.Layout}
	region.Args = []*ir.Value{program}
	for i, v := range buffers {
		buffers[i] = s.carry(each, v, nil)
	}
	s.list = s.inProgram(before, program)
	ahead := s.first(substitution{})
	for range s.r.Stages - 1 {
		ahead = s.next(ahead, s.addresses(ahead))
	}
	ahead.valid = s.constant(num.Int1, 0)
	s.issue(ahead, buffers[0]) // nothing: the addresses are what the loop's copies have in common
	n := len(loop.Results)
	s.loop(ahead, buffers)
	left := loop.Results[n : n+len(buffers)]
	left = s.enter(left).all(left)
	next := s.scalar(ops.Add, program, blocks)
	x.Ahead = s.ifThen(s.scalar(ops.Lt, next, programs), func() []*ir.Value {
		s.prologue(s.program(next, program), left[0])
		return nil
	}, nil)
	s.list = append(s.list, s.inProgram(after, program)...)
	s.emit(ops.Yield, nil, left)
	region.Instrs = s.list
	body.Instrs = append(entry, each, ret)
}

// addParam gives the function another parameter of 32 bits, with a name of its own.
func (p *Plan) addParam(name string) *ir.Param {
	for slices.ContainsFunc(p.Func.Params, func(x *ir.Param) bool { return x.Name == name }) {
		name += "_"
	}
	v := &ir.Value{Type: types.Scalar(num.Int32), Index: len(p.Func.Params), Name: name, ID: noID,
		Layout: p.scalarLayout()}
	x := &ir.Param{Name: name, Value: v, Divisible: 1}
	p.Func.Params, p.Func.Body.Args = append(p.Func.Params, x), append(p.Func.Body.Args, v)
	return x
}

// program computes what the first copies of a program are computed from. current stands for the number of the program
// in the code that is there; nil: that has program_id.
func (s *stager) program(number, current *ir.Value) substitution {
	values := substitution{current: number}
	for _, in := range s.p.Persistent.Next {
		if v := s.ofGrid(in, number); v != nil {
			values[in.Results[0]] = v
		} else {
			s.copy(in, values)
		}
	}
	return values
}

// ofGrid is what an instruction gives in a program with a number, if it asks for that or for the number of programs;
// nil: it does not.
func (s *stager) ofGrid(in *ir.Instr, number *ir.Value) *ir.Value {
	switch {
	case in.Op == ops.ProgramID && in.Int("axis") == 0:
		return number
	case in.Op == ops.NumPrograms && in.Int("axis") == 0:
		return s.p.Persistent.Programs.Value
	}
	return nil
}

// inProgram is instructions as they are in a program with a number, which has the facts of program_id.
func (s *stager) inProgram(list []*ir.Instr, number *ir.Value) (kept []*ir.Instr) {
	for _, in := range list {
		v := s.ofGrid(in, number)
		if v == nil {
			kept = append(kept, in)
			continue
		}
		v.ID = in.Results[0].ID
		replaceUses(s.p.Func.Body, substitution{in.Results[0]: v})
	}
	return kept
}
