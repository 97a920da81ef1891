package prove

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Values are the least and the largest element of a tensor of integers.
type Values struct{ Least, Most int64 }

// guarded is what is known of a loaded value where the conditions of its load's mask hold.
type guarded struct {
	atom  facts.Atom
	given []facts.Sum
	in    facts.Interval
}

// withValues proves accesses whose addresses come from memory that the launch does not change: a load that is in bounds
// gives one of its tensor's elements. That may prove another load to be in bounds, and so on.
func (r *Report) withValues(fn *ir.Func, l Launch) {
	for _, m := range []struct {
		model model
		level Level
	}{{launchModel, ThisLaunch}, {gridModel, AnyGrid}} {
		for known := r.loads(l, m.level); len(known) > 0; {
			r.merge(newAnalysis(fn, l, m.model, known), m.level)
			more := r.loads(l, m.level)
			if len(more) == len(known) {
				break
			}
			known = more
		}
	}
}

// loads are the intervals of what is loaded in bounds, for any launch of a level, from tensors whose values are known.
func (r *Report) loads(l Launch, level Level) map[*ir.Instr]facts.Interval {
	out := map[*ir.Instr]facts.Interval{}
	for _, a := range r.Accesses {
		if a.Param >= 0 && a.Param < len(l.Values) && l.Values[a.Param] != nil && a.Instr.Op == ops.Load &&
			a.InBounds >= level && a.Instr.Results[0].Type.IsInt() {
			out[a.Instr] = facts.Interval{Lo: l.Values[a.Param].Least, Hi: l.Values[a.Param].Most}
		}
	}
	return out
}

// load binds what a load gives: an element in an interval, where its mask lets it through.
func (a *analysis) load(in *ir.Instr, i facts.Interval) {
	v := in.Results[0]
	mask, other := axis.Mask(in), in.Operand(2)
	switch {
	case mask == nil:
		a.SetIn(v, i)
		return
	case other != nil:
		a.SetIn(v, i.Hull(a.Values[other.ID].I))
	default:
		a.Forget(v)
	}
	if x := a.Values[v.ID].Sum; a.Values[mask.ID].All && len(x.Terms) == 1 {
		a.guards = append(a.guards, guarded{x.Terms[0].Atom, a.Values[mask.ID].Yes, i})
	}
}

// guardedFacts are the facts about loaded values that x is made of, whose conditions are among those given.
func (a *analysis) guardedFacts(x facts.Sum, given []facts.Sum) (known []facts.Sum) {
	for _, g := range a.guards {
		for at, conds := range a.Views(g.atom, g.given) {
			missing := func(c facts.Sum) bool { return !slices.ContainsFunc(given, c.Equal) }
			if v := a.Sum(at); a.Mentions(x, at) && !slices.ContainsFunc(conds, missing) {
				known = append(known, v.AddConst(-g.in.Lo), facts.Constant(g.in.Hi).Sub(v))
			}
		}
	}
	return known
}
