package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// affineSum is an integer value as a sum of multiples of values that are only known at run time, and
// a constant. It tells whether the value is known after all, and whether two values differ by a
// known number: tl.arange(i, i + 16) has 16 elements, whatever i is.
type affineSum struct {
	facts.Sum
	used []knownArg // run-time arguments whose value the launch gave
}

// unknown is a run-time value; the program's index along an axis is one and the same wherever asked.
type unknown struct {
	v    *ir.Value
	axis int64
}

// affineAnalysis finds the integers that are known although they are run-time values to Triton.
type affineAnalysis struct {
	args  map[*ir.Value]knownArg     // run-time arguments whose value the launch gave
	memo  [2]map[*ir.Value]affineSum // without and with those arguments
	atoms map[unknown]facts.Atom
}

// knownArg is a run-time argument whose value the launch gave.
type knownArg struct {
	value int64
	name  string
	span  source.Span // of the parameter
}

const (
	maxCoefficient = 1 << 31 // coefficients beyond this are not followed
	maxOpsFollowed = 64      // operations looked through
	maxTerms       = 16      // run-time values in one sum
)

// decompose takes an integer scalar apart. With arguments set, the arguments' known values are used.
func (a *affineAnalysis) decompose(v *ir.Value, arguments bool, depth int) affineSum {
	memo := &a.memo[0]
	if arguments {
		memo = &a.memo[1]
	}
	if x, ok := (*memo)[v]; ok {
		return x
	}
	if *memo == nil {
		*memo = make(map[*ir.Value]affineSum)
	}
	x := a.decomposeOperation(v, arguments, depth)
	(*memo)[v] = x
	return x
}

func (a *affineAnalysis) decomposeOperation(v *ir.Value, arguments bool, depth int) affineSum {
	// Operations that are not affine, and sums that grow too long, are unknowns of their own: leaves.
	leaf := a.atom(unknown{v: v})
	if k, ok := a.args[v]; ok && arguments {
		return affineSum{facts.Constant(k.value), []knownArg{k}}
	}
	in := v.Def
	if in == nil || depth > maxOpsFollowed || !v.Type.IsScalar() || !v.Type.IsInt() {
		return leaf
	}
	arg := func(i int) affineSum { return a.decompose(in.Operands[i], arguments, depth+1) }
	switch in.Op {
	case ops.Const:
		return affineSum{Sum: facts.Constant(in.Scalar("value").Int())}.orLeaf(leaf)
	// All program_id of one axis are one unknown; axis 0 is 1 here, since 0 says that v is the unknown.
	case ops.ProgramID:
		return a.atom(unknown{axis: in.Int("axis") + 1})
	case ops.Hint:
		return arg(0)
	// A widening keeps the value; a narrowing may wrap, and int1 is a truth.
	case ops.Cast:
		if from := in.Operands[0].Type; from.IsInt() && from.DType != num.Int1 &&
			v.Type.DType.Info().Bits >= from.DType.Info().Bits {
			return arg(0)
		}
	case ops.Add:
		return arg(0).plus(arg(1), 1).orLeaf(leaf)
	case ops.Sub:
		return arg(0).plus(arg(1), -1).orLeaf(leaf)
	case ops.Neg:
		return affineSum{}.plus(arg(0), -1).orLeaf(leaf)
	case ops.Mul:
		a, b := arg(0), arg(1)
		if _, number := a.Value(); number {
			a, b = b, a
		}
		if k, number := b.Value(); number {
			return affineSum{a.Times(k), slices.Concat(a.used, b.used)}.orLeaf(leaf)
		}
	default:
		d := v.Type.DType
		kernel := in.Op.BinaryKernel(d, false)
		if kernel == nil || in.Operands[0].Type.DType != d {
			break
		}
		a, b := arg(0), arg(1)
		x, known1 := a.Value()
		y, known2 := b.Value()
		if known1 && known2 && (y != 0 || in.Op != ops.Div && in.Op != ops.Rem) {
			out := num.MakeVec(d.Info().Class, 1)
			kernel(out, num.FromInt(d, x).Vec(), num.FromInt(d, y).Vec())
			return affineSum{facts.Number(num.ScalarAt(d, out, 0)), slices.Concat(a.used, b.used)}.orLeaf(leaf)
		}
	}
	return leaf
}

// atom is a run-time value as a sum.
func (a *affineAnalysis) atom(x unknown) affineSum {
	if a.atoms == nil {
		a.atoms = make(map[unknown]facts.Atom)
	}
	if a.atoms[x] == facts.One {
		a.atoms[x] = facts.Atom(1 + len(a.atoms))
	}
	return affineSum{Sum: facts.Sum{Terms: []facts.Term{{Atom: a.atoms[x], Coef: 1}}}}
}

// plus is x + k·y.
func (x affineSum) plus(y affineSum, k int64) affineSum {
	return affineSum{x.Add(y.Times(k)), slices.Concat(x.used, y.used)}
}

// orLeaf gives leaf where a sum has grown out of bounds.
func (x affineSum) orLeaf(leaf affineSum) affineSum {
	large := func(t facts.Term) bool { return !isSmall(t.Coef) }
	if x.Lost || len(x.Terms) > maxTerms || !isSmall(x.C) || slices.ContainsFunc(x.Terms, large) {
		return leaf
	}
	return x
}

func isSmall(n int64) bool { return n >= -maxCoefficient && n <= maxCoefficient }

// knownInt works out an integer that is a tensor only because of how it was assigned, or, with the
// arguments named, because the launch's arguments are known.
func (a *affineAnalysis) knownInt(v *ir.Value) (int64, []knownArg, bool) {
	return knownSum(func(arguments bool) affineSum { return a.decompose(v, arguments, 0) })
}

// knownSum is the value of a sum that is known without or with the arguments.
func knownSum(sum func(arguments bool) affineSum) (int64, []knownArg, bool) {
	// Without the arguments first: a launch's values are compiled in only if there is no other way.
	for _, arguments := range []bool{false, true} {
		x := sum(arguments)
		if n, known := x.Value(); known {
			return n, x.used, true
		}
	}
	return 0, nil, false
}

// knownLength is end - start where that is known although neither need be.
func (a *affineAnalysis) knownLength(start, end *ir.Value) (int64, []knownArg, bool) {
	return knownSum(func(arguments bool) affineSum {
		return a.decompose(end, arguments, 0).plus(a.decompose(start, arguments, 0), -1)
	})
}
