package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// state is one walk over a function.
type state struct {
	*facts.Walk
	prover *Prover
	proof  *Proof
	args   Args
	floats map[int]num.Scalar // scalars that are known, by ID
}

func (p *Prover) newState() *state {
	s := &state{Walk: facts.Begin(p.fn), prover: p}
	s.Visit = s.visit
	s.Trips = func(loop *ir.Instr, n facts.Interval) {
		if n.Hi < facts.Unbounded {
			v := s.of(loop)
			v.trips, v.bounded = n.Hi, true
		}
	}
	return s
}

// prove walks the function with a launch's numbers.
func (s *state) prove(args Args, proof *Proof) {
	s.args, s.proof = args, proof
	s.Reset()
	clear(s.floats)
	for k, n := range args.Grid {
		s.Grid[k] = facts.Constant(int64(n))
	}
	for i, p := range s.prover.fn.Params {
		if p.Value.Type.IsInt() {
			s.Args[i] = facts.Number(args.Args[i].Value.Cast(p.Value.Type.DType))
		} else if !p.Value.Type.Pointer {
			s.setFloatArgument(p, args.Args[i])
		}
	}
	s.Run()
}

func (s *state) visit(in *ir.Instr) (bound bool) {
	switch {
	case axis.Accesses(in):
		s.proveAccess(in)
		s.provePitch(in)
		return false
	case len(in.Results) == 0 || len(in.Regions) > 0:
		return false
	case AddsNarrow(in):
		s.proveNarrow(in)
	case divides(in):
		return s.proveDivision(in)
	case OrdersTiles(in):
		s.Evaluate(in)
		s.proveTrue(in)
		return true
	case s.prover.scaled[in]:
		_, scale, _ := axis.Scaled(in)
		s.proveScale(in, scale)
	}
	s.evaluateFloat(in)
	return false
}

func (s *state) of(in *ir.Instr) *verdict { return &s.proof.verdicts[s.prover.index[in]] }

// proveNarrow decides about an addptr of 32-bit offsets.
func (s *state) proveNarrow(in *ir.Instr) {
	if x := &s.Values[in.Operands[1].ID]; !x.Lost && x.I.Hi-x.I.Lo <= math.MaxInt32 {
		s.of(in).proved = true
	}
}

// proveDivision decides about a division. It binds a remainder that is its dividend.
func (s *state) proveDivision(in *ir.Instr) (bound bool) {
	x, y := s.Values[in.Operands[0].ID], s.Values[in.Operands[1].ID]
	if x.Lost || y.Lost || x.I.Lo < 0 || y.I.Lo < 1 {
		return false
	}
	d := s.of(in)
	d.natural, d.power = true, y.I.Single() && y.I.Lo&(y.I.Lo-1) == 0
	if in.Op == ops.Div || y.I.Lo <= x.I.Hi && !s.Negative(s.Combine(x.Sum, 1, y.Sum, -1)) {
		return false
	}
	d.proved = true
	s.Values[in.Results[0].ID] = x
	return true
}

// proveTrue decides about a comparison, of which it is known what holds where it is false: no case may do that.
func (s *state) proveTrue(in *ir.Instr) {
	if where := s.Values[in.Results[0].ID].No; len(where) == 1 && s.Negative(where[0]) {
		s.of(in).proved = true
	}
}

// proveAccess decides about a load, store or atomic.
func (s *state) proveAccess(in *ir.Instr) {
	p := &s.Values[in.Operands[0].ID]
	if p.Lost {
		return
	}
	a := &s.args.Args[p.Arg]
	end, ok := num.AddExact(a.First, a.Count)
	if !ok || a.Count < 0 {
		return
	}
	allowed := facts.Interval{Lo: a.First, Hi: end - 1}.Meet(facts.Offsets)
	var mask []facts.Sum
	if m := axis.Mask(in); m != nil {
		mask = s.Values[m.ID].Yes
	}
	// The interval alone is often enough, and costs nothing.
	if a.Count > 0 && p.I.Within(allowed) || s.WithinWhere(p.Sum, allowed, mask) {
		s.of(in).proved = true
	}
}
