package facts

import (
	"iter"
	"slices"
)

// renaming maps the atoms of tiles to those in another shape, where dimension d became to[d]; without to, the atoms of
// one program to those of another one.
type renaming struct {
	*Atoms
	to     []int
	number uint32
}

// renamed is what an atom became in the renaming of that number.
type renamed struct {
	number uint32
	to     Atom
}

func (t *Atoms) renaming(to []int) renaming {
	t.names++
	return renaming{t, to, t.names}
}

// Others maps sums of one program to those of another one.
func (t *Atoms) Others() func(Sum) Sum {
	r := t.renaming(nil)
	return r.of
}

// key is the definition that a becomes of, not ok where that depends on what it is made of.
func (r renaming) key(a Atom) (k Key, ok bool) {
	x := &r.list[a]
	k = x.Key
	switch {
	case r.to == nil:
		k.Other = !x.uniform
		return k, x.uniform || k.Kind < Wrapped
	case x.dims == 0:
	case k.Kind == Lane:
		k.N = int32(r.to[k.N])
	case k.Kind == Opaque:
		k.View = k.View.moved(r.to)
	default:
		return k, false
	}
	return k, true
}

func (r renaming) of(x Sum) Sum {
	if x.Lost {
		return x
	}
	out := Sum{r.terms(len(x.Terms)), x.C, false}
	for _, u := range x.Terms {
		if u.Atom = r.atom(u.Atom); u.Atom < 0 {
			return Unknown
		}
		out.Terms = append(out.Terms, u)
	}
	slices.SortFunc(out.Terms, func(a, b Term) int { return int(a.Atom - b.Atom) })
	return out
}

func (r renaming) all(list []Sum) []Sum {
	if len(list) == 0 {
		return nil
	}
	out := make([]Sum, len(list))
	for i, x := range list {
		out[i] = r.of(x)
	}
	return out
}

// Views are an Opaque atom and its views in other shapes, each with conditions about it as they are there.
func (t *Atoms) Views(a Atom, conds []Sum) iter.Seq2[Atom, []Sum] {
	return func(yield func(Atom, []Sum) bool) {
		root := t.list[a].Key
		for b := One; int(b) < len(t.list); b++ {
			x := t.list[b].Key
			if x.Kind != Opaque || x.N != root.N || x.Other {
				continue
			}
			var to [MaxRank]int
			for from, at := root.View, x.View; from != 0; from, at = from>>4, at>>4 {
				to[from&15-1] = int(at&15 - 1)
			}
			if !yield(b, t.renaming(to[:]).all(conds)) {
				return
			}
		}
	}
}

func (r renaming) note(a, to Atom) Atom {
	for len(r.renamed) < len(r.list) {
		r.renamed = append(r.renamed, renamed{})
	}
	r.renamed[a] = renamed{r.number, to}
	return to
}

func (r renaming) atom(a Atom) Atom {
	if int(a) < len(r.renamed) && r.renamed[a].number == r.number {
		return r.renamed[a].to
	}
	k, ok := r.key(a)
	x := *r.Atoms.of(a)
	switch {
	case ok && k == r.list[a].Key:
		return a
	case k.Kind == product:
		factors := make([]Atom, len(x.factors))
		for i, b := range x.factors {
			if factors[i] = r.atom(b); factors[i] < 0 {
				return -1
			}
		}
		return r.note(a, r.Product(factors))
	default:
		x.of = [2]Sum{r.of(x.of[0]), r.of(x.of[1])}
	}
	if x.of[0].Lost || x.of[1].Lost {
		return -1
	}
	b, made := r.intern(k, x.of, nil)
	r.note(a, b) // facts are about the atom itself, too
	if from := r.list[a]; made {
		to := &r.list[b]
		to.Interval, to.uniform, to.asked, to.value = from.Interval, from.uniform && to.uniform, from.asked, from.value
		r.know(b, r.all(x.facts)...)
	}
	return b
}
