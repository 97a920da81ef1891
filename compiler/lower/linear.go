package lower

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// linear is an integer value as a sum of multiples of values that are only known at run time, and
// a constant. It tells whether the value is known after all, and whether two values differ by a
// known number: tl.arange(i, i + 16) has 16 elements, whatever i is.
type linear struct {
	terms map[term]int64
	c     int64
	used  []knownArg // run-time arguments whose value the launch gave
}

// term is a run-time value; the program's index along an axis is one and the same wherever asked.
type term struct {
	v    *ir.Value
	axis int64
}

const (
	maxLinear  = 1 << 31 // coefficients beyond this are not followed
	maxChained = 64      // operations looked through
	maxTerms   = 16      // run-time values in one sum
)

// linear takes an integer scalar apart. With arguments set, the arguments' known values are used.
func (l *lowerer) linear(v *ir.Value, arguments bool, depth int) linear {
	memo := &l.linears[0]
	if arguments {
		memo = &l.linears[1]
	}
	if x, ok := (*memo)[v]; ok {
		return x
	}
	if *memo == nil {
		*memo = make(map[*ir.Value]linear)
	}
	x := l.takeApart(v, arguments, depth)
	(*memo)[v] = x
	return x
}

func (l *lowerer) takeApart(v *ir.Value, arguments bool, depth int) linear {
	leaf := linear{terms: map[term]int64{{v: v}: 1}}
	if k, ok := l.knownArgs[v]; ok && arguments {
		return linear{c: k.value, used: []knownArg{k}}
	}
	in := v.Def
	if in == nil || depth > maxChained || !v.Type.IsScalar() || !v.Type.IsInt() {
		return leaf
	}
	arg := func(i int) linear { return l.linear(in.Operands[i], arguments, depth+1) }
	switch in.Op {
	case ops.Const:
		return linear{c: in.Scalar("value").Int()}.or(leaf)
	case ops.ProgramID:
		return linear{terms: map[term]int64{{axis: in.Int("axis") + 1}: 1}}
	case ops.Hint:
		return arg(0)
	case ops.Cast:
		if from := in.Operands[0].Type; from.IsInt() && from.DType != num.Int1 && v.Type.DType.Info().Bits >= from.DType.Info().Bits {
			return arg(0)
		}
	case ops.Add:
		return arg(0).plus(arg(1), 1).or(leaf)
	case ops.Sub:
		return arg(0).plus(arg(1), -1).or(leaf)
	case ops.Neg:
		return linear{}.plus(arg(0), -1).or(leaf)
	case ops.Mul:
		a, b := arg(0), arg(1)
		switch {
		case len(b.terms) == 0:
			return b.scaled(a).or(leaf)
		case len(a.terms) == 0:
			return a.scaled(b).or(leaf)
		}
	default:
		if fold := folds[in.Op]; fold != nil {
			a, b := arg(0), arg(1)
			if c, ok := fold(a.c, b.c); ok && len(a.terms) == 0 && len(b.terms) == 0 {
				return linear{c: c, used: append(a.used[:len(a.used):len(a.used)], b.used...)}
			}
		}
	}
	return leaf
}

// folds are the other operations on two known integers.
var folds = map[ops.Op]func(a, b int64) (int64, bool){
	ops.Div: func(a, b int64) (int64, bool) {
		if b == 0 {
			return 0, false
		}
		return a / b, true
	},
	ops.Rem: func(a, b int64) (int64, bool) {
		if b == 0 {
			return 0, false
		}
		return a % b, true
	},
	ops.Min: func(a, b int64) (int64, bool) { return min(a, b), true },
	ops.Max: func(a, b int64) (int64, bool) { return max(a, b), true },
	ops.Shl: func(a, b int64) (int64, bool) { return a << uint64(b&63), b >= 0 && b < 31 && a < 1<<31 && a >= 0 },
	ops.Shr: func(a, b int64) (int64, bool) { return a >> uint64(b&63), b >= 0 && b < 63 },
	ops.And: func(a, b int64) (int64, bool) { return a & b, true },
	ops.Or:  func(a, b int64) (int64, bool) { return a | b, true },
	ops.Xor: func(a, b int64) (int64, bool) { return a ^ b, true },
}

// plus is x + k·y.
func (x linear) plus(y linear, k int64) linear {
	out := linear{terms: make(map[term]int64), c: x.c + k*y.c, used: append(x.used[:len(x.used):len(x.used)], y.used...)}
	for t, n := range x.terms {
		out.terms[t] = n
	}
	for t, n := range y.terms {
		if out.terms[t] += k * n; out.terms[t] == 0 {
			delete(out.terms, t)
		}
	}
	return out
}

// scaled is x·y for an x without terms.
func (x linear) scaled(y linear) linear {
	return linear{used: x.used}.plus(y, x.c)
}

// or gives leaf where a sum has grown out of bounds.
func (x linear) or(leaf linear) linear {
	if len(x.terms) > maxTerms || !small(x.c) {
		return leaf
	}
	for _, n := range x.terms {
		if !small(n) {
			return leaf
		}
	}
	return x
}

func small(n int64) bool { return n >= -maxLinear && n <= maxLinear }

// knownInt works out an integer that is a tensor only because of how it was assigned, or, with the
// arguments named, because the launch's arguments are known.
func (l *lowerer) knownInt(v *ir.Value) (int64, []knownArg, bool) {
	for _, arguments := range []bool{false, true} {
		if x := l.linear(v, arguments, 0); len(x.terms) == 0 {
			return x.c, x.used, true
		}
	}
	return 0, nil, false
}

// knownLength is end - start where that is known although neither need be.
func (l *lowerer) knownLength(start, end *ir.Value) (int64, []knownArg, bool) {
	for _, arguments := range []bool{false, true} {
		x := l.linear(end, arguments, 0).plus(l.linear(start, arguments, 0), -1)
		if len(x.terms) == 0 {
			return x.c, x.used, true
		}
	}
	return 0, nil, false
}
