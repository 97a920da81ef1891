package formula

import (
	"math"
	"strings"
	"testing"
)

// example is a set over x[4, 8], y[8] and k[4, 4], whose elements hold their numbers.
type example struct{ *Set }

func newExample() example {
	return example{NewSet([]Tensor{{"x", []int{4, 8}}, {"y", []int{8}}, {"k", []int{4, 4}}, {"n", nil}})}
}

func (s example) x(i, j int) *Node { return s.at(0, 8*i+j) }
func (s example) y(i int) *Node    { return s.at(1, i) }
func (s example) at(tensor, i int) *Node {
	return s.Element(Element{tensor, i}, float64(i))
}

// over folds f(0) … f(n-1).
func (s example) over(name string, n int, f func(i int) *Node) *Node {
	var all []*Node
	for i := range n {
		all = append(all, f(i))
	}
	return s.Make(name, all...)
}

func (s example) minus(a, b *Node) *Node { return s.Make("+", a, s.Negative(b)) }

func text(list []Token) string {
	var b strings.Builder
	for _, t := range list {
		word := t.Text + map[Kind]string{Undefined: "?", More: "…", Outside: "!"}[t.Kind]
		if t.Differs {
			word = "«" + word + "»"
		}
		b.WriteString(word)
	}
	return b.String()
}

// TestNormalForm: what algebra makes equal is written in one way, and has the value of what was made.
func TestNormalForm(t *testing.T) {
	const log2e = 1.44269504
	for _, c := range []struct {
		name string
		make func(s example) *Node
		want string
	}{
		{"order", func(s example) *Node { return s.Make("+", s.Number(2), s.y(3), s.x(0, 1)) }, "x[0, 1] + y[3] + 2"},
		{"equal terms", func(s example) *Node { return s.Make("+", s.y(3), s.y(3), s.y(1)) }, "y[1] + 2 * y[3]"},
		{"what cancels", func(s example) *Node { return s.minus(s.Make("+", s.y(3), s.y(1)), s.y(3)) }, "y[1]"},
		{"signs", func(s example) *Node { return s.Make("*", s.Number(-1), s.minus(s.y(1), s.y(3))) }, "y[3] - y[1]"},
		{"a negative product", func(s example) *Node { return s.Make("exp", s.Negative(s.Make("max", s.y(1), s.y(4)))) }, "exp(-maximum(y[1], y[4]))"},
		{"zero", func(s example) *Node { return s.Make("+", s.y(3), s.Make("*", s.Number(0), s.y(1))) }, "y[3]"},
		{"zero times what is undefined", func(s example) *Node { return s.Make("+", s.y(3), s.Make("*", s.Number(0), s.Undefined(2))) }, "y[3] + 0 * ?"},
		{"undefined lanes", func(s example) *Node { return s.Make("+", s.y(3), s.Undefined(2), s.Undefined(1)) }, "y[3] + ?"},
		{"exp2", func(s example) *Node { return s.Make("exp2", s.Make("*", s.minus(s.y(3), s.y(5)), s.Number(log2e))) }, "exp(y[3] - y[5])"},
		{"exp2 of a sum", func(s example) *Node {
			return s.Make("exp2", s.minus(s.Make("*", s.y(3), s.Number(log2e)), s.Make("*", s.y(5), s.Number(log2e))))
		}, "exp(y[3] - y[5])"},
		{"exp2 without log2(e)", func(s example) *Node { return s.Make("exp2", s.y(3)) }, "exp2(y[3])"},
		{"an online sum of powers", func(s example) *Node {
			first := s.Make("+", s.Make("exp", s.minus(s.y(1), s.y(4))), s.Make("exp", s.minus(s.y(2), s.y(4))))
			return s.Make("+", s.Make("*", first, s.Make("exp", s.minus(s.y(4), s.y(6)))), s.Make("exp", s.minus(s.y(3), s.y(6))))
		}, "sum(exp(y[1:4] - y[6]))"},
		{"powers that do not cancel", func(s example) *Node {
			sum := s.Make("+", s.Make("exp", s.y(1)), s.Make("exp", s.y(4)))
			return s.Make("*", sum, s.Make("exp", s.y(6)))
		}, "exp(y[6]) * (exp(y[1]) + exp(y[4]))"},
		{"a weight of each term", func(s example) *Node {
			return s.over("+", 4, func(i int) *Node { return s.Make("*", s.Make("/", s.y(i), s.y(7)), s.x(1, i)) })
		}, "sum(x[1, 0:4] * y[0:4]) / y[7]"},
		{"quotients", func(s example) *Node { return s.Make("/", s.Make("/", s.y(1), s.y(2)), s.Make("/", s.y(3), s.y(4))) }, "y[1] * y[4] / (y[2] * y[3])"},
		{"a maximum by comparison", func(s example) *Node {
			return s.Make("where", s.Make(">", s.Number(0), s.y(3)), s.Number(0), s.y(3))
		}, "maximum(y[3], 0)"},
		{"maxima of maxima", func(s example) *Node {
			return s.Make("max", s.Number(math.Inf(-1)), s.Make("max", s.y(1), s.y(2)), s.Make("max", s.y(2), s.y(3)))
		}, "max(y[1:4])"},
		{"a condition as a factor", func(s example) *Node {
			return s.Make("*", s.Make(">", s.y(3), s.Number(0)), s.y(2), s.Make("where", s.Make(">", s.y(4), s.y(1)), s.y(5), s.Number(0)))
		}, "where(y[4] > y[1], where(y[3] > 0, y[2] * y[5], 0), 0)"},
		{"a gradient of relu", func(s example) *Node {
			return s.Make("where", s.Make(">", s.Make("max", s.y(3), s.Number(0)), s.Number(0)), s.y(1), s.Number(0))
		}, "where(y[3] > 0, y[1], 0)"},
		{"bits", func(s example) *Node {
			return s.Make("&", s.Make(">>", s.y(3), s.Number(4)), s.Number(15))
		}, "(y[3] >> 4) & 15"},
		{"parentheses", func(s example) *Node {
			return s.Make("*", s.minus(s.y(1), s.minus(s.y(2), s.Number(3))), s.Make("+", s.y(4), s.y(5)))
		}, "(y[1] - y[2] + 3) * (y[4] + y[5])"},
		{"a scalar", func(s example) *Node { return s.Make("*", s.at(3, 0), s.Number(0.1)) }, "0.1 * n"},
		{"a row outside", func(s example) *Node {
			return s.over("+", 8, func(i int) *Node { return s.Make("*", s.Outside(1, 9+i, 0), s.y(i)) })
		}, "sum(y[0:8] * y[9:17]!)"},
		{"outside", func(s example) *Node { return s.Make("+", s.Outside(1, 9, 0), s.y(2)) }, "y[2] + y[9]!"},
	} {
		n := c.make(newExample())
		s := newExample()
		if got := text(s.Compare(nil, c.make(s)).Expected); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
		if v := n.Value(); v != v {
			t.Errorf("%s: %v", c.name, v)
		}
	}
}

// TestSlices: terms that differ by a step along an axis are one term over slices, of which no pairing is left open.
func TestSlices(t *testing.T) {
	product := func(s example, tensor, i, j, stride int) *Node {
		return s.Make("*", s.x(i, j), s.at(tensor, i*stride+j))
	}
	plane := func(f func(s example, i, j int) *Node) func(s example) *Node {
		return func(s example) *Node {
			return s.over("+", 4, func(i int) *Node { return s.over("+", 4, func(j int) *Node { return f(s, i, j) }) })
		}
	}
	for _, c := range []struct {
		name string
		make func(s example) *Node
		want string
	}{
		{"a row", func(s example) *Node { return s.over("+", 8, func(i int) *Node { return s.x(1, i) }) }, "sum(x[1, 0:8])"},
		{"a column", func(s example) *Node { return s.over("max", 4, func(i int) *Node { return s.x(i, 3) }) }, "max(x[0:4, 3])"},
		{"steps", func(s example) *Node { return s.over("+", 4, func(i int) *Node { return s.y(2*i + 1) }) }, "sum(y[1:8:2])"},
		{"the end of a row", func(s example) *Node { return s.over("+", 8, func(i int) *Node { return s.at(0, 4+i) }) }, "sum(x[0, 4:8]) + sum(x[1, 0:4])"},
		{"overlapping rows", func(s example) *Node {
			return s.Make("+", s.over("+", 6, s.y), s.over("+", 3, func(i int) *Node { return s.y(i + 3) }), s.y(7))
		}, "sum(y[0:6]) + y[7] + sum(y[3:6])"},
		{"a pair", func(s example) *Node { return s.Make("+", s.y(1), s.y(5)) }, "y[1] + y[5]"},
		{"a row times a column", func(s example) *Node {
			return s.over("+", 4, func(i int) *Node { return s.Make("*", s.x(2, i), s.at(2, 4*i+1)) })
		}, "sum(x[2, 0:4] * k[0:4, 1])"},
		{"planes", plane(func(s example, i, j int) *Node { return product(s, 2, i, j, 4) }), "sum(x[0:4, 0:4] * k[0:4, 0:4])"},
		{"a transposed plane", plane(func(s example, i, j int) *Node { return s.Make("*", s.x(i, j), s.at(2, 4*j+i)) }), "sum(x[0:4, 0:4] * k[0:4, 0:4].T)"},
		{"twice that", func(s example) *Node {
			return s.Make("*", s.Number(2), s.y(1), plane(func(s example, i, j int) *Node { return s.Make("*", s.x(i, j), s.at(2, 4*j+i)) })(s))
		}, "2 * y[1] * sum(x[0:4, 0:4] * k[0:4, 0:4].T)"},
		{"an outer product", plane(func(s example, i, j int) *Node { return s.Make("*", s.x(0, i), s.y(j)) }),
			"sum(x[0, 0] * y[0:4]) + sum(x[0, 1] * y[0:4]) + sum(x[0, 2] * y[0:4]) + sum(x[0, 3] * y[0:4])"},
		{"a maximum of each", func(s example) *Node {
			return s.over("+", 4, func(i int) *Node { return s.Make("max", s.y(i), s.Number(0)) })
		}, "sum(maximum(y[0:4], 0))"},
		{"a maximum of each row", func(s example) *Node {
			return s.over("+", 3, func(i int) *Node { return s.over("max", 8, func(j int) *Node { return s.x(i, j) }) })
		}, "max(x[0, 0:8]) + max(x[1, 0:8]) + max(x[2, 0:8])"},
		{"what all terms have", func(s example) *Node {
			return s.over("+", 8, func(i int) *Node {
				return s.Make("exp", s.minus(s.y(i), s.over("max", 8, s.y)))
			})
		}, "sum(exp(y[0:8] - max(y[0:8])))"},
		{"many terms", func(s example) *Node {
			return s.over("+", 20, func(i int) *Node { return s.Make("*", s.Make("exp", s.at(0, i)), s.Make("sin", s.y(i*i%8))) })
		}, "exp(x[0, 0]) * sin(y[0]) + exp(x[0, 1]) * sin(y[1]) + …"},
		{"too long", func(s example) *Node {
			n := s.y(0)
			for i := range 30 {
				n = s.Make("sin", s.Make("*", n, s.at(0, i)))
			}
			return n
		}, "x[0:3, 0:8], x[3, 0:6], y[0]"},
	} {
		s := newExample()
		if got := text(s.Compare(nil, c.make(s)).Expected); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// TestCompare: the tokens and elements that differ are marked, and nothing where formulas are equal.
func TestCompare(t *testing.T) {
	sum := func(s example, n int) *Node { return s.over("+", n, s.y) }
	long := func(s example, from int) *Node {
		return s.over("+", 8, func(i int) *Node { return s.Make("sin", s.Make("*", s.y(i*3%8), s.x(i*5%4, from))) })
	}
	for _, c := range []struct {
		name                   string
		make                   func(s example) (yours, expected *Node)
		yours, expected        string
		marked, expectedMarked int
		says                   Says
	}{
		{"elements", func(s example) (a, b *Node) {
			return s.Make("+", s.x(0, 0), s.y(1)), s.Make("+", s.x(2, 0), s.y(1))
		}, "«x[0, 0]» + y[1]", "«x[2, 0]» + y[1]", 1, 1, Differ},
		{"a term too many", func(s example) (a, b *Node) { return sum(s, 8), sum(s, 6) }, "sum(«y[0:8]»)", "sum(«y[0:6]»)", 2, 0, Differ},
		{"a factor that is missing", func(s example) (a, b *Node) { return s.y(1), s.Make("*", s.y(1), s.x(0, 1)) },
			"y[1]", "«x[0, 1] * »y[1]", 0, 1, Differ},
		{"exchanged", func(s example) (a, b *Node) { return s.minus(s.y(1), s.y(2)), s.minus(s.y(2), s.y(1)) },
			"«y[1] - »y[2]", "y[2]« - y[1]»", 1, 1, Differ},
		{"an operation", func(s example) (a, b *Node) { return s.Make("exp2", s.y(1)), s.Make("exp", s.y(1)) },
			"«exp2»(y[1])", "«exp»(y[1])", 0, 0, Differ},
		{"equal", func(s example) (a, b *Node) { return sum(s, 8), sum(s, 8) }, "sum(y[0:8])", "sum(y[0:8])", 0, 0, Same},
		{"terms that are not written", func(s example) (a, b *Node) { return long(s, 0), s.Make("+", long(s, 0), s.Make("sin", s.x(3, 7))) },
			"x[0:4, 0], y[0:8]", "x[0:4, 0], «x[3, 7]», y[0:8]", 0, 1, ReadOthers},
	} {
		s := newExample()
		got := s.Compare(c.make(s))
		if y, e := text(got.Yours), text(got.Expected); strings.ReplaceAll(y, "»«", "") != c.yours ||
			strings.ReplaceAll(e, "»«", "") != c.expected || got.Says != c.says {
			t.Errorf("%s: %s and %s, says %d", c.name, y, e, got.Says)
		}
		if len(got.YoursMarked) != c.marked || len(got.ExpectedMarked) != c.expectedMarked {
			t.Errorf("%s: marks %v and %v", c.name, got.YoursMarked, got.ExpectedMarked)
		}
	}
}

// TestGives: a formula is that of a value near its own; what overflows is near anything, but what is undefined is not.
func TestGives(t *testing.T) {
	s := newExample()
	plain, unknown := s.Make("+", s.y(3), s.y(4)), s.Make("+", s.y(3), s.Undefined(1))
	for _, c := range []struct {
		n    *Node
		v    float64
		want bool
	}{
		{plain, 7, true}, {plain, 7.01, true}, {plain, 8, false}, {plain, math.Inf(1), true}, {plain, math.NaN(), true},
		{unknown, 4, true}, {unknown, math.NaN(), false},
	} {
		if c.n.Gives(c.v) != c.want {
			t.Errorf("%v gives %v", c.n.Value(), c.v)
		}
	}
}

// TestTooLarge: a set that is full makes nothing more, and does not take forever.
func TestTooLarge(t *testing.T) {
	s := newExample()
	n := s.y(0)
	for i := 0; n != nil; i++ {
		if n = s.Make("+", n, s.Make("sin", s.Number(float64(i)+0.5)), s.Make("sin", s.Make("+", s.y(i%8), s.Number(float64(i))))); i > 1<<20 {
			t.Fatal("no end")
		}
	}
}
