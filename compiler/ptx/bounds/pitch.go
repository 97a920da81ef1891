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

// Pitch is how many elements the rows of the matrix are apart that a load loads a tile from, if its pointers are those
// of a matrix in every program of the launch: the pointer of element (i, j) is that of element (0, 0) plus i·pitch + j,
// or i + j·pitch; and if the mask is a conjunction of limits (axis.Limits), such as a tensor copy has. All accesses that
// the mask lets through are in range then. It is not ok for anything else.
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
	if !ok || !s.limitsHold(axis.Mask(in)) {
		return
	}
	for fast := range by {
		bytes, ok := num.MulExact(by[1-fast], size)
		if by[fast] == 1 && ok && bytes > 0 && bytes < maxPitchBytes && bytes%pitchAlignBytes == 0 {
			s.proof.pitches[s.prover.index[in]] = by[1-fast]
		}
	}
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
	list, ok := axis.Limits(mask)
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
