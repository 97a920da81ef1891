package bounds

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// A form is an integer as a sum c + Σ coef·atom, exact and without wrapping. Atoms are integers of
// which only an interval is known: an arange's element, a program's index, the iteration of a loop,
// a quotient. An element of a tile is meant, the same in every form of that shape: an atom of a
// tile belongs to a view, which says along which dimension of the present shape each dimension of
// the tile runs, so that the rows and the columns that are made of one arange differ.
type form struct {
	terms []term // in the order of atoms
	c     int64
}

type term struct {
	atom int32
	coef int64
}

// maxTerms is how many terms a form may have before it is made an atom.
const maxTerms = 10

// atom is a number known to be in an interval.
type atom struct {
	interval
	view view
	root int32 // the atom in the shape of what it is an element of
	next int32 // another view of the same root, -1 at the end
	rel  int32 // of a root: its place in state.relations, -1 where it has none
	rank uint8 // dimensions of the root's shape
	// Of a root: it is an arange, which grows by 1 from each element to the next.
	arange bool
}

// view packs, four bits a dimension of the base, the dimension of the present shape that it runs
// along; anyDim where its size is 1.
type view uint64

const (
	viewDims = 15 // dimensions that are told apart
	anyDim   = 15
)

func (w view) dim(d int) int { return int(w >> (4 * d) & 15) }

// renamed is w after dimension d of the shape became to[d].
func (w view) renamed(rank int, to *[viewDims]int) view {
	out := view(0)
	for d := range rank {
		at := w.dim(d)
		// A dimension of size 1 stays so, wherever it is moved.
		if at != anyDim {
			at = to[at]
		}
		out |= view(at) << (4 * d)
	}
	return out
}

// newAtom makes an atom of v, in v's own shape.
func (s *state) newAtom(v *ir.Value, i interval) int32 {
	rank := min(len(v.Type.Shape), viewDims)
	w := view(0)
	for d, n := range v.Type.Shape[:rank] {
		at := d
		if n == 1 {
			at = anyDim
		}
		w |= view(at) << (4 * d)
	}
	n := int32(len(s.atoms))
	s.atoms = append(s.atoms, atom{i, w, n, -1, -1, uint8(rank), false})
	return n
}

// viewOf is the atom that a is under view w.
func (s *state) viewOf(a int32, w view) int32 {
	from := s.atoms[a]
	last := from.root
	for n := from.root; n >= 0; n = s.atoms[n].next {
		if s.atoms[n].view == w {
			return n
		}
		last = n
	}
	n := int32(len(s.atoms))
	s.atoms = append(s.atoms, atom{from.interval, w, from.root, -1, -1, from.rank, false})
	s.atoms[last].next = n
	return n
}

// allocTerms makes room for n terms.
func (s *state) allocTerms(n int) []term {
	if cap(s.slab)-len(s.slab) < n {
		s.slab = make([]term, 0, max(256, n))
	}
	at := len(s.slab)
	s.slab = s.slab[:at+n]
	return s.slab[at : at : at+n]
}

// combineForms is x·k + y·m, not ok where it overflows or has too many terms.
func (s *state) combineForms(x form, k int64, y form, m int64) (z form, ok bool) {
	z.terms = s.allocTerms(len(x.terms) + len(y.terms))
	z.c, ok = weigh(x.c, k, y.c, m)
	for i, j := 0, 0; ok && (i < len(x.terms) || j < len(y.terms)); {
		var t term
		switch {
		case j == len(y.terms) || i < len(x.terms) && x.terms[i].atom < y.terms[j].atom:
			t.atom = x.terms[i].atom
			t.coef, ok = num.MulExact(x.terms[i].coef, k)
			i++
		case i == len(x.terms) || y.terms[j].atom < x.terms[i].atom:
			t.atom = y.terms[j].atom
			t.coef, ok = num.MulExact(y.terms[j].coef, m)
			j++
		default:
			t.atom = x.terms[i].atom
			t.coef, ok = weigh(x.terms[i].coef, k, y.terms[j].coef, m)
			i, j = i+1, j+1
		}
		if t.coef != 0 {
			z.terms = append(z.terms, t)
		}
	}
	return z, ok && len(z.terms) <= maxTerms
}

// weigh is x·k + y·m.
func weigh(x, k, y, m int64) (z int64, ok bool) {
	p, ok1 := num.MulExact(x, k)
	q, ok2 := num.MulExact(y, m)
	z, ok = num.AddExact(p, q)
	return z, ok && ok1 && ok2
}

// intervalOf is the interval of f, given those of its atoms.
func (s *state) intervalOf(f form) interval {
	out := interval{f.c, f.c}
	for _, t := range f.terms {
		at := s.atoms[t.atom].interval
		if t.coef < 0 {
			at.lo, at.hi = at.hi, at.lo
		}
		lo, ok1 := num.MulExact(t.coef, at.lo)
		hi, ok2 := num.MulExact(t.coef, at.hi)
		if !ok1 || !ok2 {
			return everything
		}
		if out.lo, ok1 = num.AddExact(out.lo, lo); !ok1 {
			return everything
		}
		if out.hi, ok2 = num.AddExact(out.hi, hi); !ok2 {
			return everything
		}
	}
	return out
}

// renameDims maps f's atoms to views in another shape: dimension d became to[d].
func (s *state) renameDims(f form, to *[viewDims]int) form {
	out := form{s.allocTerms(len(f.terms)), f.c}
	for _, t := range f.terms {
		a := s.atoms[t.atom]
		t.atom = s.viewOf(t.atom, a.view.renamed(int(a.rank), to))
		out.terms = append(out.terms, t)
	}
	slices.SortFunc(out.terms, func(a, b term) int { return int(a.atom - b.atom) })
	return out
}
