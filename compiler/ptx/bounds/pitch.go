package bounds

import (
	"github.com/newtlab/newt/compiler/facts"
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
	if !p.InRange(load) {
		return 0, false
	}
	n := p.of(load).pitch
	return n, n > 0
}

// provePitch decides about a load.
func (s *state) provePitch(in *ir.Instr) {
	ptr := in.Operands[0]
	p := &s.Values[ptr.ID]
	if in.Op != ops.Load || len(ptr.Type.Shape) != 2 || p.Lost {
		return
	}
	size := int64(ptr.Type.DType.Info().Bytes)
	if a := &s.args.Args[p.Arg]; a.First != 0 || a.Count > axis.TensorReach/size {
		return
	}
	by, ok := s.increments(p.Sum)
	if !ok || !s.limitsHold(axis.Mask(in)) || !s.boxesInside(in, by) {
		return
	}
	for fast := range by {
		bytes, ok := num.MulExact(by[1-fast], size)
		if by[fast] == 1 && ok && bytes > 0 && bytes < maxPitchBytes && bytes%pitchAlignBytes == 0 {
			s.of(in).pitch = by[1-fast]
		}
	}
}

// boxesInside reports whether the boxes of a load begin within the storage: the first element of the tile does, and
// what is as many elements before it as a limit leaves out of the tile, for all limits together, too.
func (s *state) boxesInside(in *ir.Instr, by [2]int64) bool {
	at, ok := s.first(s.Values[in.Operands[0].ID].Sum), true
	list, _ := axis.Limits(axis.Mask(in), nil)
	for some := range 1 << len(list) {
		f := at
		for i, l := range list {
			if some>>i&1 == 0 {
				continue
			}
			within := s.Values[l.End.ID].Sub(s.first(s.Values[l.Index.ID].Sum))
			f = f.Add(within.AddConst(-int64(in.Operands[0].Type.Shape[l.Dim])).Times(by[l.Dim]))
		}
		ok = ok && !f.Lost && s.RangeOf(f).Lo >= 0
	}
	return ok
}

// first is a matrix's first element.
func (s *state) first(x facts.Sum) facts.Sum {
	out := facts.Sum{C: x.C, Lost: x.Lost}
	for _, t := range x.Terms { // lanes begin at 0
		if s.Differs(t.Atom) == 0 {
			out.Terms = append(out.Terms, t)
		}
	}
	return out
}

// increments is by how much the elements of a matrix grow along each dimension, if that is the same everywhere.
func (s *state) increments(x facts.Sum) (by [2]int64, ok bool) {
	for _, t := range x.Terms {
		switch dims := s.Differs(t.Atom); {
		case dims == 0: // the same for all elements
		case s.Kind(t.Atom) != facts.Lane || dims > 2:
			return by, false
		default:
			by[dims-1] += t.Coef
		}
	}
	return by, !x.Lost
}

// limitsHold reports whether a mask's limits are what axis.Limit says.
func (s *state) limitsHold(mask *ir.Value) bool {
	list, ok := axis.Limits(mask, nil)
	for _, l := range list {
		grows, ok1 := s.increments(s.Values[l.Index.ID].Sum)
		ends, ok2 := s.increments(s.Values[l.End.ID].Sum)
		ok = ok && ok1 && ok2 && ends == [2]int64{} && grows[0]+grows[1] == 1 && grows[0]*grows[1] == 0
	}
	return ok
}
