package prove

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Values are the least and the largest element of a tensor of integers.
type Values struct{ Least, Most int64 }

// guarded is what is known of a loaded value where the conditions of its load's mask hold.
type guarded struct {
	atom         atomID
	given, facts []poly
}

// withValues proves accesses whose addresses come from memory that the launch does not change: a load that is in bounds
// gives one of its tensor's elements. That may prove another load to be in bounds, and so on.
func (r *Report) withValues(fn *ir.Func, l Launch) {
	for _, m := range []struct {
		model modelOf
		level Level
	}{{launchModel, ThisLaunch}, {gridModel, AnyGrid}} {
		for known := r.loads(l, m.level); len(known) > 0; {
			r.merge(newAnalysis(fn, l, func(a *analysis) {
				m.model(a)
				a.loads = known
			}), m.level)
			more := r.loads(l, m.level)
			if len(more) == len(known) {
				break
			}
			known = more
		}
	}
}

// loads are the intervals of what is loaded in bounds, for any launch of a level, from tensors whose values are known.
func (r *Report) loads(l Launch, level Level) map[*ir.Instr]interval {
	out := map[*ir.Instr]interval{}
	for _, a := range r.Accesses {
		if a.Param >= 0 && a.Param < len(l.Values) && l.Values[a.Param] != nil && a.Instr.Op == ops.Load &&
			a.InBounds >= level && a.Instr.Results[0].Type.IsInt() {
			out[a.Instr] = interval{l.Values[a.Param].Least, l.Values[a.Param].Most}
		}
	}
	return out
}

// load binds what a load gives: an element in an interval, where its mask lets it through.
func (s *walk) load(in *ir.Instr, i interval) {
	v := in.Results[0]
	mask, other := axis.Mask(in), in.Operand(2)
	switch {
	case mask == nil:
		s.unknownIn(v, i)
		return
	case other != nil:
		s.unknownIn(v, i.hull(s.rangeOf(s.values[other.ID].x)))
	default:
		s.unknown(v)
	}
	if !s.values[mask.ID].all {
		return
	}
	if x := s.values[v.ID].x; !x.lost {
		s.guards = append(s.guards, guarded{x.terms[0].m.first(), s.values[mask.ID].yes, ends(x, i)})
	}
}

// moveGuards keeps what is known of x's atoms where r renames them.
func (s *walk) moveGuards(x poly, r *renaming) {
	for _, g := range s.guards {
		if x.has(g.atom) && r.of(atomPoly(g.atom)).key() != atomPoly(g.atom).key() {
			to := r.of(atomPoly(g.atom))
			if !to.lost {
				s.guards = append(s.guards, guarded{to.terms[0].m.first(), r.all(g.given), r.all(g.facts)})
			}
		}
	}
}

// guardedFacts are the facts about x whose conditions are among those given.
func (s *walk) guardedFacts(x poly, given []poly) (facts []poly) {
	for _, g := range s.guards {
		if !s.mentions(x, g.atom) {
			continue
		}
		if !slices.ContainsFunc(g.given, func(c poly) bool {
			return c.lost || !slices.ContainsFunc(given, c.equal)
		}) {
			facts = append(facts, g.facts...)
		}
	}
	return facts
}

// mentions reports whether x has an atom, or an atom that is made of it.
func (s *walk) mentions(x poly, a atomID) bool {
	return !s.all(x, func(b *atom) bool {
		id := s.atoms.index[b.atomKey]
		return id != a && !s.mentions(s.ops[id][0], a) && !s.mentions(s.ops[id][1], a)
	})
}
