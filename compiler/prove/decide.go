package prove

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/facts"
)

// A prover decides whether sums are positive, given that others are at least 0. It replaces one atom after another by
// a bound that a fact or a condition gives, until the interval of what is left is above 0. Bounds are sums themselves:
// i·N + j with i ≤ M - 1 and j ≤ N - 1 is at most M·N - 1.
type prover struct {
	*facts.Walk
	effort   int                  // steps left, of all questions together
	numbers  map[facts.Atom]int64 // what arguments are in the launch
	compared map[facts.Atom]bool  // arguments that conditions are about
	residual facts.Sum            // what would have to be positive besides, of arguments alone; or lost
}

// maxEffort bounds the replacements of one analysis, maxSteps those of one question with all that it asks of signs.
const maxEffort, maxSteps = 60_000, 1500

// question is the search for one answer.
type question struct {
	*prover
	*conditions
	seen  map[string]bool
	steps int
}

// conditions are what is given, and what was found out of it.
type conditions struct {
	given  []facts.Sum
	own    int                       // how many of given are no facts about atoms
	bounds map[facts.Atom][2][]bound // upper bounds of an atom and lower ones
	signs  map[string]sign
}

// bound says of an atom a that by·a ≤ of, or that by·a ≥ of. by is at least 1.
type bound struct {
	by facts.Term
	of facts.Sum
}

// sign is an answer of signOf, and after how many steps it was given.
type sign struct{ is, steps int }

// ask is a question about x.
func (s *prover) ask(x facts.Sum, given []facts.Sum, steps int) *question {
	c := &conditions{bounds: map[facts.Atom][2][]bound{}, signs: map[string]sign{}}
	c.given, c.own = s.closure(x, given)
	return &question{s, c, map[string]bool{}, steps}
}

// positive reports whether x > 0 wherever all of given are at least 0. It is false where that was not found.
func (s *prover) positive(x facts.Sum, given []facts.Sum) bool {
	if x.Lost {
		return false
	}
	if s.RangeOf(x).Lo > 0 {
		return true
	}
	return s.ask(x, given, maxSteps).search(x)
}

// contradictory reports whether conditions cannot all hold.
func (s *prover) contradictory(given []facts.Sum) bool {
	for _, g := range given {
		if s.positive(g.Negated(), given) {
			return true
		}
	}
	return false
}

// maxGiven bounds the conditions and facts that take part in one question.
const maxGiven = 120

// closure is given with the facts about all atoms that occur, and about those that occur in them; the first own of it
// are given.
func (s *prover) closure(x facts.Sum, given []facts.Sum) (out []facts.Sum, own int) {
	lost := func(g facts.Sum) bool { return g.Lost }
	out = slices.DeleteFunc(slices.Clone(given), lost)
	own = len(out)
	return append(out, slices.DeleteFunc(s.Related(maxGiven-own, []facts.Sum{x}, out), lost)...), own
}

// search looks for bounds that make x positive.
func (q *question) search(x facts.Sum) bool {
	if x.Lost || q.steps <= 0 || q.effort <= 0 {
		return false
	}
	if q.RangeOf(x).Lo > 0 {
		return true
	}
	key := x.Key()
	if q.seen[key] {
		return false
	}
	q.seen[key] = true
	q.steps--
	q.effort--
	q.note(x)
	suspects := q.suspects(x)
	if len(suspects) == 0 { // a sum of what is not negative, and a constant
		return slices.ContainsFunc(q.given, func(g facts.Sum) bool { return q.RangeOf(x.Sub(g)).Lo > 0 })
	}
	for _, a := range suspects {
		coef, rest, ok := q.Linear(x, a)
		if !ok {
			continue
		}
		sign := q.signOf(coef)
		if sign == 0 {
			continue
		}
		bounds := q.boundsOf(a, sign)
		for _, b := range bounds {
			if q.search(q.replace(b, coef, rest)) {
				return true
			}
		}
		if len(bounds) > 0 { // what other atoms could give is found after this one is gone
			return false
		}
	}
	return false
}

// suspects are the atoms of x that may make it small, those made of others first.
func (q *question) suspects(x facts.Sum) (list []facts.Atom) {
	for _, t := range x.Terms {
		if q.RangeOf(facts.Sum{Terms: []facts.Term{t}}).Lo < 0 {
			list = append(list, q.Factors(t.Atom)...)
		}
	}
	return q.outermost(list)
}

// outermost puts the atoms that are made of others first.
func (s *prover) outermost(list []facts.Atom) []facts.Atom {
	slices.SortFunc(list, func(a, b facts.Atom) int {
		return cmp.Or(cmp.Compare(s.Kind(b), s.Kind(a)), cmp.Compare(b, a))
	})
	return slices.Compact(list)
}

// signOf is 1 where x is at least 0, -1 where it is at most 0, and 0 where that is not known.
func (q *question) signOf(x facts.Sum) int {
	i := q.RangeOf(x)
	switch {
	case x.Lost:
		return 0
	case i.Lo >= 0:
		return 1
	case i.Hi <= 0:
		return -1
	}
	key, steps := x.Key(), min(q.steps, 100)
	if known, ok := q.signs[key]; ok && (known.is != 0 || known.steps >= steps) {
		return known.is
	}
	sub := &question{q.prover, q.conditions, map[string]bool{}, steps}
	defer func(x facts.Sum) { q.residual = x }(q.residual)
	is := 0
	switch {
	case sub.search(x.AddConst(1)):
		is = 1
	case sub.search(x.Negated().AddConst(1)):
		is = -1
	}
	q.steps -= steps - sub.steps
	q.signs[key] = sign{is, steps}
	return is
}

// boundsOf are the upper bounds of an atom where sign is negative, the lower ones where it is positive.
func (q *question) boundsOf(a facts.Atom, sign int) []bound {
	list, known := q.bounds[a]
	if !known {
		for _, g := range q.given[:q.own] {
			q.addBound(&list, a, g)
		}
		q.addEnds(&list, a)
		for _, g := range q.given[q.own:] {
			q.addBound(&list, a, g)
		}
		q.bounds[a] = list
	}
	return list[(sign+1)/2]
}

// addBound adds what a condition says of an atom to its bounds.
func (q *question) addBound(list *[2][]bound, a facts.Atom, g facts.Sum) {
	slope, offset, linear := q.Linear(g, a)
	by, single := slope.Unit()
	if i := q.RangeOf(slope); !linear || !single {
		return
	} else if i.Lo >= 1 {
		list[1] = append(list[1], bound{by, offset.Negated()})
	} else if by.Coef = -by.Coef; i.Hi <= -1 {
		list[0] = append(list[0], bound{by, offset})
	}
}

// addEnds adds the ends of an atom's interval to its bounds.
func (q *question) addEnds(list *[2][]bound, a facts.Atom) {
	i, one := q.IntervalOf(a), facts.Term{Atom: facts.One, Coef: 1}
	if i.Lo > -facts.Unbounded {
		list[1] = append(list[1], bound{one, facts.Constant(i.Lo)})
	}
	if i.Hi < facts.Unbounded {
		list[0] = append(list[0], bound{one, facts.Constant(i.Hi)})
	}
}

// replace is a sum that is not above coef·a + rest, or not above a positive multiple of it, in which the bound stands
// for a.
func (s *prover) replace(b bound, coef, rest facts.Sum) facts.Sum {
	// coef·a + rest with by·a on the right side of the bound.
	if whole, left := s.Split(coef, b.by); left.IsZero() {
		return s.Mul(whole, b.of).Add(rest)
	}
	if b.by.Atom == facts.One {
		d := coef.Common(b.by.Coef)
		whole, _ := s.Split(coef, facts.Term{Atom: facts.One, Coef: d})
		return s.Mul(whole, b.of).Add(rest.Times(b.by.Coef / d))
	}
	return s.Mul(coef, b.of).Add(s.Mul(rest, s.Unit(b.by)))
}

// note keeps x as the residual of a proof if it says that a stride is at least some product of arguments: an argument
// that no condition is about.
func (q *question) note(x facts.Sum) {
	if !q.residual.Lost || len(x.Terms) != 2 || x.C != 1 {
		return
	}
	s, t := x.Terms[0], x.Terms[1]
	if s.Coef < 0 {
		s, t = t, s
	}
	least := int64(1)
	for _, a := range q.Factors(t.Atom) {
		least *= q.numbers[a] // 0 for what is no argument
	}
	if s.Coef == 1 && t.Coef == -1 && !q.compared[s.Atom] && least > 0 && q.numbers[s.Atom] >= least {
		q.residual = x
	}
}
