package bounds

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// maxPitchBytes bounds the pitch of a tensor map (CUDA driver API, cuTensorMapEncodeTiled).
const (
	maxPitchBytes   = 1 << 40
	pitchAlignBytes = 16
)

// Pitch is how many elements the rows of the matrix are apart that a load loads a tile from, if its pointers are
// those of a matrix in every program of the launch: the pointer of element (i, j) is that of element (0, 0) plus
// i·pitch + j, or i + j·pitch; and if the mask is a conjunction of limits (axis.Limits), such as a tensor copy has,
// whose boxes begin within the storage. All accesses that the mask lets through are in range then. It is not ok for
// anything else.
func (p *Proof) Pitch(load *ir.Instr) (elements int64, ok bool) {
	i, known := p.prover.index[load]
	if !known || !p.InRange(load) || p.pitches[i] == 0 {
		return 0, false
	}
	return p.pitches[i], true
}

// provePitch decides about a load.
func (s *state) provePitch(in *ir.Instr) {
	ptr := in.Operands[0]
	p := &s.values[ptr.ID]
	if in.Op != ops.Load || len(ptr.Type.Shape) != 2 || p.arg < 0 {
		return
	}
	size := int64(ptr.Type.DType.Info().Bytes)
	if a := &s.args.Args[p.arg]; a.First != 0 || a.Count > axis.TensorReach/size {
		return
	}
	by, ok := s.increments(p.form)
	if !ok || !s.limitsHold(axis.Mask(in)) || !s.boxesInside(in, by) {
		return
	}
	for fast := range by {
		bytes, ok := num.MulExact(by[1-fast], size)
		if by[fast] == 1 && ok && bytes > 0 && bytes < maxPitchBytes && bytes%pitchAlignBytes == 0 {
			s.proof.pitches[s.prover.index[in]] = by[1-fast]
		}
	}
}

// boxesInside reports whether the boxes of a load begin within the storage: the first element of the tile does, and
// what is as many elements before it as a limit leaves out of the tile, for all limits together, too.
func (s *state) boxesInside(in *ir.Instr, by [2]int64) bool {
	at, ok := s.first(s.values[in.Operands[0].ID].form)
	list, _ := axis.Limits(axis.Mask(in), nil)
	for some := range 1 << len(list) {
		f := at
		for i, l := range list {
			if some>>i&1 == 0 {
				continue
			}
			x, ok1 := s.first(s.values[l.Index.ID].form)
			within, ok2 := s.combineForms(s.values[l.End.ID].form, 1, x, -1)
			within.c -= int64(in.Operands[0].Type.Shape[l.Dim])
			var ok3 bool
			f, ok3 = s.combineForms(f, 1, within, by[l.Dim])
			ok = ok && ok1 && ok2 && ok3
		}
		ok = ok && s.intervalOf(f).lo >= 0
	}
	return ok
}

// first is the form of a matrix's first element.
func (s *state) first(f form) (form, bool) {
	out := form{c: f.c}
	ok := true
	for _, t := range f.terms {
		if at := s.atoms[t.atom]; at.rank > 0 {
			from, ok1 := num.MulExact(t.coef, at.lo)
			var ok2 bool
			out.c, ok2 = num.AddExact(out.c, from)
			ok = ok && ok1 && ok2
			continue
		}
		out.terms = append(out.terms, t)
	}
	return out, ok
}

// increments is by how much the elements of a matrix grow along each dimension, if that is the same everywhere.
func (s *state) increments(f form) (by [2]int64, ok bool) {
	for _, t := range f.terms {
		at := s.atoms[t.atom]
		dim := at.view.dim(0)
		switch {
		case at.rank == 0: // the same for all elements
		case !s.atoms[at.root].arange || dim >= len(by):
			return by, false
		default:
			by[dim] += t.coef
		}
	}
	return by, true
}

// limitsHold reports whether a mask's limits are what axis.Limit says.
func (s *state) limitsHold(mask *ir.Value) bool {
	list, ok := axis.Limits(mask, nil)
	for _, l := range list {
		x, y := &s.values[l.Index.ID], &s.values[l.End.ID]
		if !x.usable(l.Index) || !y.usable(l.End) {
			return false
		}
		grows, ok1 := s.increments(x.form)
		ends, ok2 := s.increments(y.form)
		ok = ok && ok1 && ok2 && ends == [2]int64{} && grows[0]+grows[1] == 1 && grows[0]*grows[1] == 0
	}
	return ok
}
