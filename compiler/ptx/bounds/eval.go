package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// state is one run over a function.
type state struct {
	prover    *Prover
	proof     *Proof
	args      Args
	values    []value // by ID
	atoms     []atom
	relations []relation
	cases     []cases
	quotients []quotient
	slab      []term
	path      []form // conditions under which control comes here; of scalars
	find      search
	depth     int                // loops around
	effort    int                // attempts made, see maxEffort
	floats    map[int]num.Scalar // scalars that are known, by ID
}

// value is what is known of an integer, a pointer's offset or a condition; the zero value of
// anything else.
type value struct {
	form    form
	i       interval
	arg     int    // of a pointer: the parameter; -1 where it may be several, or anywhere
	yes, no []form // of an i1: what holds where it is true, and where it is false
}

// relation is what is known of an atom beyond its interval: conditions that always hold, in the
// shape of its root.
type relation [2]form

func (s *state) beginProof(args Args, proof *Proof) {
	s.args, s.proof = args, proof
	s.atoms, s.relations, s.slab, s.path, s.depth = s.atoms[:0], s.relations[:0], s.slab[:0], s.path[:0], 0
	s.effort, s.cases, s.quotients = 0, s.cases[:0], s.quotients[:0]
	clear(s.floats)
	for i, p := range s.prover.fn.Params {
		v := p.Value
		switch {
		case v.Type.Pointer:
			s.values[v.ID] = value{arg: i}
		case v.Type.IsInt():
			s.setConstant(v, args.Args[i].Value.Cast(v.Type.DType))
		default:
			s.values[v.ID] = value{}
			s.setFloatArgument(p, args.Args[i])
		}
	}
}

// setConstant makes v the number c.
func (s *state) setConstant(v *ir.Value, c num.Scalar) {
	n := c.Int()
	if v.Type.DType == num.Uint64 && n < 0 {
		s.setUnknown(v)
		return
	}
	out := value{form: form{c: n}, i: interval{n, n}}
	if v.Type.DType == num.Int1 {
		if never := []form{{c: 1}}; n == 0 {
			out.yes = never
		} else {
			out.no = never
		}
	}
	s.values[v.ID] = out
}

// setUnknown makes v anything that its type holds.
func (s *state) setUnknown(v *ir.Value) {
	switch {
	case v.Type.Pointer:
		s.values[v.ID] = value{arg: -1, i: everything}
	case v.Type.IsInt():
		i := whole(v.Type.DType)
		s.values[v.ID] = value{form: s.atomForm(s.newAtom(v, i)), i: i}
	default:
		s.values[v.ID] = value{}
	}
}

// atomForm is the form of one atom.
func (s *state) atomForm(atom int32) form { return form{terms: append(s.allocTerms(1), term{atom, 1})} }

// usable reports whether x's interval says which integers v can be.
func (x *value) usable(v *ir.Value) bool {
	if v.Type.Pointer {
		return x.arg >= 0
	}
	return v.Type.IsInt() && (v.Type.DType != num.Uint64 || x.i.lo >= 0)
}

// setInterval makes v a new number in an interval; unknown where it may wrap. arg is a pointer's.
func (s *state) setInterval(v *ir.Value, i interval, arg int) {
	switch {
	case !i.within(limits(v)):
		s.setUnknown(v)
	case i.single():
		s.values[v.ID] = value{form: form{c: i.lo}, i: i, arg: arg}
	default:
		s.values[v.ID] = value{form: s.atomForm(s.newAtom(v, i)), i: i, arg: arg}
	}
}

// limits are what v holds without wrapping.
func limits(v *ir.Value) interval {
	if v.Type.Pointer {
		return offsets
	}
	return ranges[v.Type.DType]
}

// setForm makes v the number f; what it holds where that is more than it can.
func (s *state) setForm(v *ir.Value, f form, ok bool, arg int) {
	if !ok {
		s.setUnknown(v)
		return
	}
	i := s.intervalOf(f)
	if i == everything || !i.within(limits(v)) {
		s.setUnknown(v)
		return
	}
	s.values[v.ID] = value{form: f, i: i, arg: arg}
}

func (s *state) runBlock(b *ir.Block) {
	for _, in := range b.Instrs {
		s.visitInstr(in)
	}
}

func (s *state) visitInstr(in *ir.Instr) {
	switch {
	case axis.Accesses(in):
		s.proveAccess(in)
		s.provePitch(in)
		s.setUnknowns(in.Results)
	case in.Op == ops.If:
		s.visitIf(in)
	case in.Op == ops.For:
		s.visitFor(in)
	case in.Op == ops.While:
		s.visitWhile(in)
	case in.Op == ops.Reduce || in.Op == ops.Scan:
		// The region runs for any pair of elements and partial results.
		s.setUnknowns(in.Regions[0].Args)
		s.runBlock(in.Regions[0])
		s.setUnknowns(in.Results)
	case len(in.Results) == 0:
	case AddsNarrow(in):
		s.proveNarrow(in)
		s.evaluate(in)
	case divides(in):
		s.proveNatural(in)
		s.evaluate(in)
	case OrdersTiles(in):
		s.evaluate(in)
		s.proveTrue(in)
	default:
		if s.prover.scaled[in] {
			_, scale, _ := axis.Scaled(in)
			s.proveScale(in, scale)
		}
		s.evaluateFloat(in)
		s.evaluate(in)
	}
}

// proveNarrow decides about an addptr of 32-bit offsets.
func (s *state) proveNarrow(in *ir.Instr) {
	x := &s.values[in.Operands[1].ID]
	if x.usable(in.Operands[1]) && x.i.hi-x.i.lo <= math.MaxInt32 {
		s.proof.proved[s.prover.index[in]] = true
	}
}

// proveNatural decides about a division.
func (s *state) proveNatural(in *ir.Instr) {
	x, y := s.firstOperand(in), s.secondOperand(in)
	if s.operandsKnown(in) && x.i.lo >= 0 && y.i.lo > 0 {
		at := s.prover.index[in]
		s.proof.natural[at] = true
		s.proof.powers[at] = y.i.single() && y.i.lo&(y.i.lo-1) == 0
	}
}

// proveTrue decides about a comparison, of which it is known what holds where it is false: no case may do that.
func (s *state) proveTrue(in *ir.Instr) {
	where := s.values[in.Results[0].ID].no
	if len(where) != 1 {
		return
	}
	if minus, ok := s.combineForms(where[0], -1, form{}, 0); ok && s.provenNegative(minus) {
		s.proof.proved[s.prover.index[in]] = true
	}
}

// evaluate finds what the result of an operation without regions is.
func (s *state) evaluate(in *ir.Instr) {
	switch {
	case evaluatorOf(in.Op) != nil && s.operandsKnown(in):
		evaluatorOf(in.Op)(s, in, in.Results[0])
	default:
		s.setUnknowns(in.Results)
	}
}

func (s *state) setUnknowns(values []*ir.Value) {
	for _, v := range values {
		s.setUnknown(v)
	}
}

// operandsKnown reports whether all operands of in are integers or pointers that are known.
func (s *state) operandsKnown(in *ir.Instr) bool {
	for _, v := range in.Operands {
		if v != nil && !s.values[v.ID].usable(v) {
			return false
		}
	}
	return true
}

// proveAccess decides about a load, store or atomic.
func (s *state) proveAccess(in *ir.Instr) {
	p := &s.values[in.Operands[0].ID]
	at := s.prover.index[in]
	if s.proof.proved[at] || p.arg < 0 {
		return
	}
	a := &s.args.Args[p.arg]
	end, ok := num.AddExact(a.First, a.Count)
	if !ok || a.Count < 0 {
		return
	}
	allowed := interval{max(a.First, offsets.lo), min(end-1, offsets.hi)}
	// The interval alone is often enough, and costs nothing.
	if a.Count > 0 && p.i.within(allowed) {
		s.proof.proved[at] = true
		return
	}
	var mask []form
	if m := axis.Mask(in); m != nil {
		mask = s.values[m.ID].yes
	}
	s.proof.proved[at] = s.provenWithin(p.form, allowed, mask)
}

// provenWithin reports whether f is within an interval wherever the conditions hold.
func (s *state) provenWithin(f form, allowed interval, conds []form) bool {
	rel := s.relationsOf(f, conds)
	most, ok, none := s.boundByCases(f, allowed.hi, conds, rel)
	// The conditions contradict each other: the access is never made.
	if none {
		return true
	}
	if !ok || most > allowed.hi {
		return false
	}
	// The least value of f is minus the greatest of -f.
	minus, ok := s.combineForms(f, -1, form{}, 0)
	if !ok {
		return false
	}
	least, ok, _ := s.boundByCases(minus, -allowed.lo, conds, rel)
	return ok && least <= -allowed.lo
}

// provenLess reports whether x < y, whatever control comes here.
func (s *state) provenLess(x, y form) bool {
	f, ok := s.combineForms(x, 1, y, -1)
	return ok && s.provenNegative(f)
}

// provenNegative reports whether f < 0, whatever control comes here.
func (s *state) provenNegative(f form) bool {
	if i := s.intervalOf(f); i.hi < 0 {
		return true
	}
	most, ok, none := s.boundByCases(f, -1, nil, s.relationsOf(f, nil))
	return none || ok && most < 0
}

// maxRelated bounds how many relations take part in one question.
const maxRelated = 24

// relationsOf are the relations of all atoms in f and in the conditions, and of those in them.
func (s *state) relationsOf(f form, conds []form) (out []form) {
	if len(s.relations) == 0 {
		return nil
	}
	var seen []int32
	look := func(f form) {
		for _, t := range f.terms {
			at := s.atoms[t.atom]
			rel := s.atoms[at.root].rel
			if rel < 0 || len(out) >= maxRelated {
				continue
			}
			known := false
			for _, a := range seen {
				known = known || a == t.atom
			}
			if known {
				continue
			}
			seen = append(seen, t.atom)
			var to [viewDims]int
			for d := range viewDims {
				to[d] = at.view.dim(d)
			}
			for _, g := range s.relations[rel] {
				out = append(out, s.renameDims(g, &to))
			}
		}
	}
	look(f)
	for _, list := range [][]form{conds, s.path} {
		for _, g := range list {
			look(g)
		}
	}
	// out grows while it is walked: relations of the atoms of relations, as far as maxRelated allows.
	for i := 0; i < len(out); i++ {
		look(out[i])
	}
	return out
}

// addRelation adds what is known of v, whose form is one atom: conditions in v's shape.
func (s *state) addRelation(v *ir.Value, x form, okX bool, y form, okY bool) {
	f := s.values[v.ID].form
	if !okX || !okY || len(f.terms) != 1 || s.atoms[f.terms[0].atom].root != f.terms[0].atom {
		return
	}
	s.atoms[f.terms[0].atom].rel = int32(len(s.relations))
	s.relations = append(s.relations, relation{x, y})
}
