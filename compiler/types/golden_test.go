package types_test

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

var classes = map[string]types.OpClass{
	"add": types.Arithmetic, "sub": types.Arithmetic, "mul": types.Arithmetic, "+": types.Arithmetic, "*": types.Arithmetic,
	"truediv": types.Division, "/": types.Division, "floordiv": types.FloorDivision, "//": types.FloorDivision,
	"mod": types.Modulo, "%": types.Modulo,
	"and_": types.Bitwise, "or_": types.Bitwise, "xor": types.Bitwise, "shl": types.Bitwise, "shr": types.Bitwise,
	"&": types.Bitwise, "<<": types.Bitwise,
	"lt": types.Comparison, "le": types.Comparison, "gt": types.Comparison, "ge": types.Comparison,
	"eq": types.Comparison, "ne": types.Comparison, "<": types.Comparison,
	"maximum": types.MinMax, "minimum": types.MinMax, "where": types.Where,
	"fdiv": types.FDiv, "umulhi": types.UMulHi, "fma": types.FMA,
}

var unaries = map[string]num.UnaryOp{
	"exp": num.Exp, "exp2": num.Exp2, "log": num.Log, "log2": num.Log2, "sin": num.Sin, "cos": num.Cos,
	"sqrt": num.Sqrt, "rsqrt": num.Rsqrt, "sqrt_rn": num.SqrtRN, "erf": num.Erf, "abs": num.Abs,
	"floor": num.Floor, "ceil": num.Ceil, "neg": num.Neg, "invert": num.Not,
	"sigmoid": num.Exp, // sigmoid is 1 / (1 + exp(-x))
}

var collectives = map[string]types.Collective{
	"sum": types.Sum, "max": types.MaxOf, "min": types.MinOf, "argmax": types.ArgMax, "argmin": types.ArgMin,
	"xor_sum": types.XorSum, "cumsum": types.CumSum, "cumprod": types.CumProd, "sort": types.Sort, "softmax": types.Softmax,
}

func dtype(t testing.TB, name string) num.DType {
	t.Helper()
	d, ok := num.Parse(name)
	if !ok {
		t.Fatalf("no dtype %q", name)
	}
	return d
}

// numberIn finds the Python number that a scalar case has in addition to x.
func numberIn(t testing.TB, c *golden.Case) (o types.Operand, left bool) {
	t.Helper()
	text, left := strings.CutSuffix(c.Expr, " "+c.Op+" x")
	if !left {
		text, _ = strings.CutPrefix(c.Expr, "x "+c.Op+" ")
	}
	var v any
	if n, ok := new(big.Int).SetString(text, 10); ok {
		v = n
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		v = f
	} else {
		v = text == "True"
	}
	o, refusal := types.Number(v)
	if refusal != nil {
		t.Fatalf("%s: %s", c.Expr, refusal.Triton)
	}
	return o, left
}

// judge applies the rules to a recorded case.
func judge(t testing.TB, c *golden.Case) (types.Promotion, *types.Refusal) {
	t.Helper()
	x := dtype(t, c.X)
	switch c.Kind {
	case "binary":
		a, b := types.Tensor(x), types.Tensor(dtype(t, c.Y))
		if c.Op == "fma" { // recorded as fma(x, y, x)
			return types.Promote3(types.FMA, a, b, a)
		}
		return types.Promote(classes[c.Op], a, b)
	case "scalar":
		n, left := numberIn(t, c)
		if left {
			return types.Promote(classes[c.Op], n, types.Tensor(x))
		}
		return types.Promote(classes[c.Op], types.Tensor(x), n)
	case "cast":
		to := dtype(t, c.To)
		return types.Promotion{Compute: to, Result: to}, types.Cast(types.Tile(x, 64), to)
	case "dot":
		out := num.Float32
		if strings.Contains(c.Expr, "out_dtype=tl.float16") {
			out = num.Float16
		}
		r, refusal := types.Dot(types.Tile(x, 32, 32), types.Tile(dtype(t, c.Y), 32, 32), out)
		return types.Promotion{Compute: r.DType, Result: r.DType}, refusal
	}
	switch c.Op {
	case "not":
		d, refusal := types.LogicalNot(x)
		return types.Promotion{Compute: d, Result: d}, refusal
	case "flip":
		return types.Promotion{}, types.FlipWithoutDim()
	}
	if r, ok := collectives[c.Op]; ok {
		return types.Reduce(r, x)
	}
	op, ok := unaries[c.Op]
	if !ok {
		t.Fatalf("no rule for %s", c.Expr)
	}
	d, refusal := types.Unary(op, x)
	return types.Promotion{Compute: d, Result: d}, refusal
}

// TestGoldenTypes compares every recorded dtype and refusal.
func TestGoldenTypes(t *testing.T) {
	count := map[string]int{}
	cases := golden.Ops(t).Cases
	for i := range cases {
		c := &cases[i]
		count[c.Kind]++
		p, refusal := judge(t, c)
		name := c.Kind + " " + c.Expr + " on " + c.X + ", " + c.Y
		words := ""
		if refusal != nil {
			words = refusal.Triton
		}
		if words != c.Words() {
			t.Errorf("%s: refusal %q, Triton %q", name, words, c.Words())
		}
		if c.DType != "" && p.Result.String() != c.DType {
			t.Errorf("%s: dtype %v, Triton %s", name, p.Result, c.DType)
		}
		if c.DType != "" && refusal != nil && !refusal.Runs {
			t.Errorf("%s: Triton's front end has dtype %s, the refusal has none", name, c.DType)
		}
	}
	if len(cases) != 6593 {
		t.Errorf("%d cases (%v), the recording has 6593", len(cases), count)
	}
}
