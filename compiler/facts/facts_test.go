package facts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// space is a few atoms with small intervals, and numbers for them.
type space struct {
	*rand.Rand
	*Walk
	atoms []Atom
	at    map[Atom]int64
}

func newSpace(seed uint64) *space {
	s := &space{rand.New(rand.NewPCG(seed, 7)), &Walk{}, nil, map[Atom]int64{One: 1}}
	s.Reset()
	for n := range int32(3) {
		lo := int64(s.IntN(7) - 3)
		a, _ := s.Plain(Key{Kind: Argument, N: n}, Interval{lo, lo + int64(s.IntN(5))})
		s.atoms = append(s.atoms, a)
	}
	return s
}

// sum is a random sum.
func (s *space) sum() Sum {
	x := Constant(int64(s.IntN(13) - 6))
	for _, a := range s.atoms {
		x = x.Add(s.Sum(a).Times(int64(s.IntN(7) - 3)))
	}
	if s.IntN(3) == 0 {
		x = x.Add(s.Mul(s.Sum(s.atoms[0]), s.Sum(s.atoms[s.IntN(3)])))
	}
	return x
}

// value is what x is at the numbers.
func (s *space) value(x Sum) int64 {
	out := x.C
	for _, t := range x.Terms {
		part := t.Coef
		for _, a := range s.Factors(t.Atom) {
			part *= s.at[a]
		}
		out += part
	}
	return out
}

// each calls f with all numbers that the atoms may be.
func (s *space) each(f func()) {
	var from func(int)
	from = func(i int) {
		if i == len(s.atoms) {
			f()
			return
		}
		for v := s.IntervalOf(s.atoms[i]).Lo; v <= s.IntervalOf(s.atoms[i]).Hi; v++ {
			s.at[s.atoms[i]] = v
			from(i + 1)
		}
	}
	from(0)
}

// TestSums: arithmetic on sums is that on the numbers they stand for, within their intervals.
func TestSums(t *testing.T) {
	for seed := range uint64(200) {
		s := newSpace(seed)
		x, y := s.sum(), s.sum()
		by := Term{[]Atom{One, s.atoms[0]}[s.IntN(2)], int64(1 + s.IntN(4))}
		product := s.Mul(x, y)
		q, r := s.Split(x, by)
		coef, rest, linear := s.Linear(x, s.atoms[1])
		s.each(func() {
			a, b := s.value(x), s.value(y)
			for _, c := range []struct {
				name string
				sum  Sum
				want int64
			}{
				{"+", x.Add(y), a + b}, {"-", x.Sub(y), a - b}, {"·3", x.Times(3), 3 * a}, {"·", product, a * b},
				{"split", s.Mul(q, s.Unit(by)).Add(r), a},
				{"linear", s.Mul(coef, s.Sum(s.atoms[1])).Add(rest), a},
			} {
				if got := s.value(c.sum); got != c.want || !Exactly(got).Within(s.RangeOf(c.sum)) {
					t.Fatalf("seed %d: %s is %d in %v, want %d", seed, c.name, got, s.RangeOf(c.sum), c.want)
				}
			}
			if linear && s.Has(coef, s.atoms[1]) {
				t.Fatalf("seed %d: not linear", seed)
			}
		})
	}
}

// TestConditions: what is said of sums under conditions holds for all numbers under which these do.
func TestConditions(t *testing.T) {
	never, within := 0, 0
	for seed := range uint64(2000) {
		s := newSpace(seed)
		conds := []Sum{s.sum(), s.sum()}
		x := s.sum()
		allowed := Interval{int64(s.IntN(20) - 20), int64(s.IntN(20))}
		no, in := s.Never(conds), s.WithinWhere(x, allowed, conds)
		if no {
			never++
		}
		if in {
			within++
		}
		s.each(func() {
			for _, g := range conds {
				if s.value(g) < 0 {
					return
				}
			}
			if v := s.value(x); no || in && !Exactly(v).Within(allowed) {
				t.Fatalf("seed %d: %d under conditions that hold: never %v, within %v %v", seed, v, no, allowed, in)
			}
		})
	}
	if never == 0 || within == 0 {
		t.Error("nothing was found")
	}
}

// TestIntervals: ends that are not known stay so.
func TestIntervals(t *testing.T) {
	open, below := Interval{1, Unbounded}, Interval{-Unbounded, -1}
	for _, c := range []struct{ got, want Interval }{
		{open.Plus(Exactly(-5)), Interval{-4, Unbounded}},
		{open.Plus(below), Everything},
		{open.Times(Exactly(-2)), Interval{-Unbounded, -2}},
		{open.Times(below), Interval{-Unbounded, -1}},
		{open.Times(Exactly(0)), Exactly(0)},
		{Exactly(Unbounded - 1).Plus(Exactly(1)), Exactly(Unbounded)},
		{Exactly(1 << 40).Times(Exactly(1 << 40)), Exactly(Unbounded)},
		{Exactly(math.MinInt64), Exactly(-Unbounded)},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestTripCount: bounds and steps whose difference, or next number, no int64 holds.
func TestTripCount(t *testing.T) {
	for _, c := range []struct {
		lower, upper, step int64
		want               uint64
	}{
		{0, 10, 3, 4}, {0, 9, 3, 3}, {5, 5, 1, 0}, {6, 5, 1, 0}, {0, 5, 0, 0}, {0, 5, -1, 0}, {0, 1, math.MaxInt64, 1},
		{math.MinInt64, math.MaxInt64, 1, math.MaxUint64}, {math.MinInt64, math.MaxInt64, 1 << 62, 4},
	} {
		if got := TripCount(c.lower, c.upper, c.step); got != c.want {
			t.Errorf("from %d to %d by %d: %d, want %d", c.lower, c.upper, c.step, got, c.want)
		}
	}
}
