package prove

import (
	"slices"
)

// A prover decides whether polys are positive, given that others are at least 0. It replaces one atom after another by
// a bound that a fact or a condition gives, until the interval of what is left is above 0. Bounds are polys themselves:
// i·N + j with i ≤ M - 1 and j ≤ N - 1 is at most M·N - 1.
type prover struct {
	atoms
	effort   int              // steps left, of all questions together
	numbers  map[atomID]int64 // what arguments are in the launch
	compared map[atomID]bool  // arguments that conditions are about
	residual poly             // what would have to be positive besides, of arguments alone; or lost
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
	given  []poly
	bounds map[atomID][2][]bound // upper bounds of an atom and lower ones
	signs  map[string]sign
}

// bound says of an atom a that by·a ≤ of, or that by·a ≥ of. by is at least 1.
type bound struct {
	by term
	of poly
}

// sign is an answer of signOf, and after how many steps it was given.
type sign struct{ is, steps int }

// ask is a question about x.
func (s *prover) ask(x poly, given []poly, steps int) *question {
	c := &conditions{s.closure(x, given), map[atomID][2][]bound{}, map[string]sign{}}
	return &question{s, c, map[string]bool{}, steps}
}

// positive reports whether x > 0 wherever all of given are at least 0. It is false where that was not found.
func (s *prover) positive(x poly, given []poly) bool {
	if x.lost {
		return false
	}
	if s.rangeOf(x).lo > 0 {
		return true
	}
	return s.ask(x, given, maxSteps).search(x)
}

// contradictory reports whether conditions cannot all hold.
func (s *prover) contradictory(given []poly) bool {
	for _, g := range given {
		if s.positive(g.negated(), given) {
			return true
		}
	}
	return false
}

// maxGiven bounds the conditions and facts that take part in one question.
const maxGiven = 120

// closure is given with the facts about all atoms that occur, and about those that occur in them.
func (s *prover) closure(x poly, given []poly) []poly {
	var out []poly
	seen := map[atomID]bool{}
	look := func(x poly) {
		for _, t := range x.terms {
			for a := range t.m.atoms() {
				if !seen[a] {
					seen[a] = true
					out = append(out, s.list[a].facts...)
				}
			}
		}
	}
	for _, g := range given {
		if !g.lost {
			out = append(out, g)
		}
	}
	look(x)
	for i := 0; i < len(out) && len(out) < maxGiven; i++ {
		look(out[i])
	}
	return slices.DeleteFunc(out, func(g poly) bool { return g.lost })
}

// search looks for bounds that make x positive.
func (q *question) search(x poly) bool {
	if x.lost || q.steps <= 0 || q.effort <= 0 {
		return false
	}
	if q.rangeOf(x).lo > 0 {
		return true
	}
	key := x.key()
	if q.seen[key] {
		return false
	}
	q.seen[key] = true
	q.steps--
	q.effort--
	q.note(x)
	suspects := q.suspects(x)
	if len(suspects) == 0 { // a sum of what is not negative, and a constant
		return slices.ContainsFunc(q.given, func(g poly) bool { return q.rangeOf(x.sub(g)).lo > 0 })
	}
	for _, a := range suspects {
		coef, rest, ok := x.in(a)
		if !ok {
			continue
		}
		sign := q.signOf(coef)
		if sign == 0 {
			continue
		}
		bounds := q.boundsOf(a, sign)
		for _, b := range bounds {
			if q.search(b.replace(coef, rest)) {
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
func (q *question) suspects(x poly) (list []atomID) {
	for _, t := range x.terms {
		if q.rangeOf(poly{terms: []term{t}}).lo < 0 {
			list = slices.AppendSeq(list, t.m.atoms())
		}
	}
	slices.SortFunc(list, func(a, b atomID) int {
		if k := int(q.list[b].kind) - int(q.list[a].kind); k != 0 {
			return k
		}
		return int(b - a)
	})
	return slices.Compact(list)
}

// signOf is 1 where x is at least 0, -1 where it is at most 0, and 0 where that is not known.
func (q *question) signOf(x poly) int {
	i := q.rangeOf(x)
	switch {
	case x.lost:
		return 0
	case i.lo >= 0:
		return 1
	case i.hi <= 0:
		return -1
	}
	key, steps := x.key(), min(q.steps, 100)
	if known, ok := q.signs[key]; ok && (known.is != 0 || known.steps >= steps) {
		return known.is
	}
	sub := &question{q.prover, q.conditions, map[string]bool{}, steps}
	defer func(x poly) { q.residual = x }(q.residual)
	is := 0
	switch {
	case sub.search(x.addConst(1)):
		is = 1
	case sub.search(x.negated().addConst(1)):
		is = -1
	}
	q.steps -= steps - sub.steps
	q.signs[key] = sign{is, steps}
	return is
}

// boundsOf are the upper bounds of an atom where sign is negative, the lower ones where it is positive.
func (q *question) boundsOf(a atomID, sign int) []bound {
	list, known := q.bounds[a]
	if !known {
		for _, g := range q.given {
			slope, offset, linear := g.in(a)
			if !linear || len(slope.terms) != 1 {
				continue
			}
			if i := q.rangeOf(slope); i.lo >= 1 {
				list[1] = append(list[1], bound{slope.terms[0], offset.negated()})
			} else if i.hi <= -1 {
				list[0] = append(list[0], bound{slope.negated().terms[0], offset})
			}
		}
		q.bounds[a] = list
	}
	return list[(sign+1)/2]
}

// replace is a poly that is not above coef·a + rest, or not above a positive multiple of it, in which the bound stands
// for a.
func (b bound) replace(coef, rest poly) poly {
	// coef·a + rest with by·a on the right side of the bound.
	if whole, left := coef.split(b.by); len(left.terms) == 0 && !left.lost {
		return whole.mul(b.of).add(rest)
	}
	by := poly{terms: []term{b.by}}
	if c, ok := by.value(); ok {
		d := coef.common(c)
		whole, _ := coef.split(term{"", d})
		return whole.mul(b.of).add(rest.times(c / d))
	}
	return coef.mul(b.of).add(rest.mul(by))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// note keeps x as the residual of a proof if it says that a stride is at least some product of arguments: an argument
// that no condition is about.
func (q *question) note(x poly) {
	if !q.residual.lost || len(x.terms) != 3 || x.terms[0] != (term{"", 1}) {
		return
	}
	s, t := x.terms[1], x.terms[2]
	if s.coef < 0 {
		s, t = t, s
	}
	least := int64(1)
	for a := range t.m.atoms() {
		least *= q.numbers[a] // 0 for what is no argument
	}
	if s.coef == 1 && t.coef == -1 && len(s.m) == 2 && !q.compared[s.m.first()] && least > 0 &&
		q.numbers[s.m.first()] >= least {
		q.residual = x
	}
}
