package formula

import (
	"math"
	"slices"
)

// operation is one row of the vocabulary.
type operation struct {
	level int // of an infix operator, as Python binds them; 0 where it is written as a call
	value func(a []float64) float64
	make  func(s *Set, a []*Node) *Node // the normal form; nil where it is the operation itself
	many  bool                          // takes any number of operands, in any order
}

// Levels of operators.
const (
	comparing = 1
	adding    = 6
	closest   = 9
)

// newOperations is the vocabulary, by the names and operators of Python and torch. It is no variable: that would be
// linked by every program that imports the package.
func newOperations() map[string]*operation {
	compares := func(holds func(x, y float64) bool) *operation {
		return &operation{level: comparing, value: func(a []float64) float64 { return truth(holds(a[0], a[1])) }}
	}
	bits := func(level int, many bool, f func(x, y int64) int64) *operation {
		return &operation{level: level, many: many, value: folded(func(x, y float64) float64 {
			return float64(f(int64(x), int64(y)))
		})}
	}
	function := func(f func(float64) float64) *operation {
		return &operation{value: func(a []float64) float64 { return f(a[0]) }}
	}
	operations := map[string]*operation{
		"+":  {level: adding, many: true, make: (*Set).sum, value: folded(func(x, y float64) float64 { return x + y })},
		"*":  {level: 7, many: true, make: (*Set).product, value: folded(func(x, y float64) float64 { return x * y })},
		"/":  {level: 7, make: (*Set).quotient, value: func(a []float64) float64 { return a[0] / a[1] }},
		"//": {level: 7, value: func(a []float64) float64 { return math.Trunc(a[0] / a[1]) }},
		"%":  {level: 7, value: func(a []float64) float64 { return math.Mod(a[0], a[1]) }},
		"<<": bits(5, false, func(x, y int64) int64 { return x << min(uint64(y), 63) }),
		">>": bits(5, false, func(x, y int64) int64 { return x >> min(uint64(y), 63) }),
		"&":  bits(4, true, func(x, y int64) int64 { return x & y }),
		"^":  bits(3, true, func(x, y int64) int64 { return x ^ y }),
		"|":  bits(2, true, func(x, y int64) int64 { return x | y }),
		">":  compares(func(x, y float64) bool { return x > y }),
		">=": compares(func(x, y float64) bool { return x >= y }),
		"==": compares(func(x, y float64) bool { return x == y }),
		"!=": compares(func(x, y float64) bool { return x != y }),

		"max":   {many: true, make: extreme("max", math.Inf(-1)), value: folded(math.Max)},
		"min":   {many: true, make: extreme("min", math.Inf(1)), value: folded(math.Min)},
		"where": {make: (*Set).where, value: func(a []float64) float64 { return a[1+int(truth(a[0] == 0))] }},
		"exp":   function(math.Exp), "exp2": function(math.Exp2),
		"log": function(math.Log), "log2": function(math.Log2),
		"sqrt": function(math.Sqrt), "sin": function(math.Sin), "cos": function(math.Cos), "erf": function(math.Erf),
		"abs": function(math.Abs), "floor": function(math.Floor), "ceil": function(math.Ceil),
		"tanh": function(math.Tanh), "int": function(math.Trunc),
		"not": function(func(x float64) float64 { return truth(x == 0) }),
	}
	operations["exp2"].make = (*Set).exp2
	operations[">"].make = (*Set).greater
	operations["<<"].make, operations[">>"].make = shift("<<"), shift(">>")
	operations["&"].make = (*Set).and
	return operations
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func folded(f func(x, y float64) float64) func(a []float64) float64 {
	return func(a []float64) float64 {
		v := a[0]
		for _, x := range a[1:] {
			v = f(v, x)
		}
		return v
	}
}

// Make is an operation of the vocabulary on some formulas. It is nil where there is no such operation.
func (s *Set) Make(name string, args ...*Node) *Node {
	o := s.operations[name]
	if o == nil || len(args) == 0 || slices.Contains(args, nil) {
		return nil
	}
	if !slices.ContainsFunc(args, func(a *Node) bool { return a.op != number }) {
		values := make([]float64, len(args))
		for i, a := range args {
			values[i] = a.value
		}
		return s.Number(o.value(values))
	}
	if o.make != nil {
		return o.make(s, args)
	}
	return s.plain(name, args)
}

// plain is the operation itself, with the operands in order where that makes no difference.
func (s *Set) plain(name string, args []*Node) *Node {
	if slices.Contains(args, nil) {
		return nil
	}
	if s.operations[name].many || name == "==" || name == "!=" {
		slices.SortStableFunc(args, compare)
	}
	return s.intern(Node{op: name, args: args})
}

// Negative is minus a formula.
func (s *Set) Negative(a *Node) *Node { return s.Make("*", s.Number(-1), a) }

// scaled takes a factor off a product: 2 * x is 2 and x.
func (s *Set) scaled(n *Node) (by float64, rest *Node) {
	if n.op != "*" || n.args[0].op != number || n.args[0].value == 0 {
		return 1, n
	}
	if len(n.args) == 2 {
		return n.args[0].value, n.args[1]
	}
	return n.args[0].value, s.intern(Node{op: "*", args: n.args[1:]})
}

// sum adds up terms that are equal, and takes out a denominator that all have.
func (s *Set) sum(args []*Node) *Node {
	if over := commonDenominator(args); over != nil && len(args) > 1 {
		above := make([]*Node, len(args))
		for i, n := range args {
			by, rest := s.scaled(n)
			above[i] = s.Make("*", s.Number(by), rest.args[0])
		}
		return s.Make("/", s.Make("+", above...), over)
	}
	return s.sumOf(args, 1)
}

// commonDenominator is what all terms are divided by; nil where there is none.
func commonDenominator(terms []*Node) (over *Node) {
	for _, n := range terms {
		if n.op == "*" && len(n.args) == 2 && n.args[0].op == number {
			n = n.args[1]
		}
		if n.op != "/" || over != nil && n.args[1] != over {
			return nil
		}
		over = n.args[1]
	}
	return over
}

// sumOf is the sum of terms, each times a number.
func (s *Set) sumOf(args []*Node, by float64) *Node {
	l := &linear{set: s, factors: map[*Node]float64{}}
	for _, a := range args {
		if !l.add(a, by) {
			return nil
		}
	}
	if math.IsInf(l.number, 0) || l.number != l.number {
		return s.Number(l.number) // whatever is finite beside it
	}
	terms := slices.DeleteFunc(l.terms, func(n *Node) bool { return l.factors[n] == 0 })
	for i, n := range terms {
		if by := l.factors[n]; by != 1 {
			terms[i] = s.timesNumber(by, n)
		}
	}
	if l.number != 0 || len(terms) == 0 {
		terms = append(terms, s.Number(l.number))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return s.plain("+", terms)
}

// timesNumber is a term, which is no sum and has no number yet, with a factor.
func (s *Set) timesNumber(by float64, n *Node) *Node {
	factors := []*Node{n}
	if n.op == "*" {
		factors = n.args
	}
	return s.intern(Node{op: "*", args: append([]*Node{s.Number(by)}, factors...)})
}

// linear is a sum that is being made.
type linear struct {
	set     *Set
	number  float64
	terms   []*Node
	factors map[*Node]float64
}

// add adds a formula times a number; false where the set is full.
func (l *linear) add(n *Node, by float64) bool {
	switch {
	case n == nil:
		return false
	case n.op == number:
		l.number += by * n.value
	case n.op == "+":
		for _, a := range n.args {
			if !l.add(a, by) {
				return false
			}
		}
	default:
		f, rest := l.set.scaled(n)
		if rest == nil {
			return false
		}
		if _, ok := l.factors[rest]; !ok {
			l.terms = append(l.terms, rest)
		}
		l.factors[rest] += f * by
	}
	return true
}

// product multiplies numbers, adds up exponents, and takes out conditions and denominators: (a if c else 0) * b is a *
// b if c else 0, and a / b * c is a * c / b.
func (s *Set) product(args []*Node) *Node {
	f := &factors{set: s, number: 1}
	for _, a := range args {
		f.add(a)
	}
	if f.number == 0 && !slices.ContainsFunc(args, func(n *Node) bool { return n.unknown }) {
		return s.Number(0) // which is what masked lanes add to a sum, unless they may be NaN
	}
	if !f.mergePowers() {
		return nil
	}
	for i, power := range f.powers {
		if at := slices.IndexFunc(f.above, func(n *Node) bool { return s.rescales(n, power) }); at >= 0 {
			f.powers = slices.Delete(f.powers, i, i+1)
			return s.distribute(f, power, at)
		}
	}
	f.above = append(f.above, f.powers...)
	return s.productOf(f)
}

// mergePowers makes one power of two where exponents cancel, as in exp(x - a) * exp(a - b); false where the set is
// full.
func (f *factors) mergePowers() bool {
	for i := 0; i < len(f.powers); i++ {
		for k := i + 1; k < len(f.powers); k++ {
			p, q := f.powers[i].args[0], f.powers[k].args[0]
			sum := f.set.Make("+", p, q)
			if sum == nil {
				return false
			}
			if terms(sum) > max(terms(p), terms(q)) {
				continue
			}
			f.powers = slices.Delete(slices.Delete(f.powers, k, k+1), i, i+1)
			f.add(f.set.Make("exp", sum))
			return f.mergePowers()
		}
	}
	return true
}

// terms is how many terms a sum has.
func terms(n *Node) int {
	if n.op == "+" {
		return len(n.args)
	}
	return 1
}

// productOf puts factors together, but for exponents: a number in front, and denominators under the rest.
func (s *Set) productOf(f *factors) *Node {
	by, out := f.number, s.Number(1)
	switch {
	case len(f.above) == 1:
		out = f.above[0]
	case len(f.above) > 1:
		slices.SortStableFunc(f.above, compare)
		out = s.intern(Node{op: "*", args: f.above})
	case len(f.below) > 0:
		by, out = 1, s.Number(f.number)
	}
	if len(f.below) > 0 {
		out = s.Make("/", out, s.Make("*", f.below...))
	}
	switch {
	case out == nil:
		return nil
	case out.op == number:
		out = s.Number(by * out.value)
	case out.op == "+" && by == -1:
		out = s.sumOf([]*Node{out}, -1)
	case by != 1:
		out = s.timesNumber(by, out)
	}
	for _, c := range f.conditions {
		out = s.Make("where", c, out, s.Number(0))
	}
	return out
}

// distribute multiplies each term of a sum of powers.
func (s *Set) distribute(f *factors, power *Node, at int) *Node {
	sum := f.above[at]
	f.above = append(slices.Delete(slices.Clone(f.above), at, at+1), power)
	f.above = append(f.above, f.powers...)
	rest := s.productOf(f)
	terms := make([]*Node, len(sum.args))
	for i, t := range sum.args {
		terms[i] = s.Make("*", t, rest)
	}
	return s.Make("+", terms...)
}

// rescales reports whether a power cancels a part of the exponent of each term of a sum, as it does where an online
// softmax goes on to another maximum.
func (s *Set) rescales(sum, power *Node) bool {
	if sum.op != "+" {
		return false
	}
	isPower := func(n *Node) bool { return n.op == "exp" }
	for _, t := range sum.args {
		of := []*Node{t}
		if t.op == "*" {
			of = t.args
		}
		at := slices.IndexFunc(of, isPower)
		if at < 0 {
			return false
		}
		if both := s.Make("+", of[at].args[0], power.args[0]); both == nil || terms(both) > terms(of[at].args[0]) {
			return false
		}
	}
	return true
}

// factors are a product that is being made.
type factors struct {
	set                              *Set
	number                           float64
	above, below, powers, conditions []*Node
}

func (f *factors) add(n *Node) {
	switch {
	case n == nil: // the set is full
		f.above = append(f.above, nil)
	case n.op == number:
		f.number *= n.value
	case n.op == "*":
		for _, a := range n.args {
			f.add(a)
		}
	case n.op == "/":
		f.add(n.args[0])
		f.below = append(f.below, n.args[1])
	case n.op == "exp":
		f.powers = append(f.powers, n)
	case n.op == "where" && n.args[2] == f.set.Number(0):
		f.conditions = append(f.conditions, n.args[0])
		f.add(n.args[1])
	case isCondition(n):
		f.conditions = append(f.conditions, n)
	default:
		f.above = append(f.above, n)
	}
}

func isCondition(n *Node) bool { return n.of != nil && n.of.level == comparing }

func (s *Set) quotient(a []*Node) *Node {
	above, below := a[0], a[1]
	if by, rest := s.scaled(above); by != 1 {
		return s.Make("*", s.Number(by), s.Make("/", rest, below))
	}
	switch {
	case below == s.Number(1) || above == s.Number(0):
		return above
	case above.op == "/":
		return s.Make("/", above.args[0], s.Make("*", above.args[1], below))
	case below.op == "/":
		return s.Make("/", s.Make("*", above, below.args[1]), below.args[0])
	}
	return s.plain("/", a)
}

// exp2 is exp where the exponent has the factor log2(e), as kernels compute it.
func (s *Set) exp2(a []*Node) *Node {
	terms := []*Node{a[0]}
	if a[0].op == "+" {
		terms = slices.Clone(a[0].args)
	}
	for i, n := range terms {
		by, rest := s.scaled(n)
		whole := math.Round(by * math.Ln2)
		if n.op == number || rest == nil || whole == 0 || math.Abs(by*math.Ln2-whole) > 1e-6*math.Abs(whole) {
			return s.plain("exp2", a)
		}
		terms[i] = s.Make("*", s.Number(whole), rest)
	}
	return s.Make("exp", s.Make("+", terms...))
}

// shift leaves out a shift by 0.
func shift(name string) func(s *Set, a []*Node) *Node {
	return func(s *Set, a []*Node) *Node {
		if a[1] == s.Number(0) {
			return a[0]
		}
		return s.plain(name, a)
	}
}

// extreme is max or min, of which least is the value without operands.
func extreme(name string, least float64) func(s *Set, a []*Node) *Node {
	return func(s *Set, a []*Node) *Node {
		limit, seen := least, map[*Node]bool{}
		var of []*Node
		var add func(n *Node)
		add = func(n *Node) {
			switch {
			case n.op == number:
				limit = s.operations[name].value([]float64{limit, n.value})
			case n.op == name:
				for _, a := range n.args {
					add(a)
				}
			case !seen[n]:
				seen[n] = true
				of = append(of, n)
			}
		}
		for _, n := range a {
			add(n)
		}
		if limit != least {
			of = append(of, s.Number(limit))
		}
		if len(of) == 1 {
			return of[0]
		}
		return s.plain(name, of)
	}
}

// greater leaves out a bound of 0 below what is compared with 0.
func (s *Set) greater(a []*Node) *Node {
	zero := s.Number(0)
	if a[0].op == "max" && a[1] == zero && slices.Contains(a[0].args, zero) {
		rest := slices.DeleteFunc(slices.Clone(a[0].args), func(n *Node) bool { return n == zero })
		return s.Make(">", s.Make("max", rest...), zero)
	}
	return s.plain(">", a)
}

// and leaves out conditions that hold.
func (s *Set) and(a []*Node) *Node {
	at := slices.IndexFunc(a, (*Node).IsNumber)
	if len(a) == 2 && at >= 0 && isCondition(a[1-at]) {
		if a[at].value == 0 {
			return a[at]
		}
		return a[1-at]
	}
	return s.plain("&", a)
}

// where chooses where the condition is known, and is max or min where it compares what it chooses from.
func (s *Set) where(a []*Node) *Node {
	if len(a) != 3 {
		return nil
	}
	c, x, y := a[0], a[1], a[2]
	switch compares := c.op == ">" || c.op == ">="; {
	case c.op == number:
		return a[1+int(truth(c.value == 0))]
	case x == y:
		return x
	case compares && c.args[0] == x && c.args[1] == y:
		return s.Make("max", x, y)
	case compares && c.args[0] == y && c.args[1] == x:
		return s.Make("min", x, y)
	}
	return s.plain("where", a)
}
