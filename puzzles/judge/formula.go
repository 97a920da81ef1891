package judge

import (
	"context"

	"github.com/newtlab/newt/interp/formula"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// follower makes formulas of what a specification has computed.
type follower struct {
	set    *formula.Set
	trace  *tensor.Trace
	inputs []*tensor.Tensor
	values [][]float64 // of the inputs before the specification ran
	known  map[tensor.Write]*formula.Node

	composed map[string]compose
}

// maxFollowed is how many elements one formula is made of at most.
const maxFollowed = 1 << 17

// IsWrong reports whether a value of an element of the output is outside the tolerance, and what it should be.
func (l *CaseLaunch) IsWrong(element int, got float64) (want float64, isWrong bool) {
	want = l.prepared.expected.Floats()[element]
	_, isWrong = distance(got, want, l.tolerance)
	return want, isWrong
}

// Formula is how the specification computes an element of the output, over the inputs and the output as Arrays has
// them; nil where not all of that is known.
func (l *CaseLaunch) Formula(ctx context.Context, set *formula.Set, element int) *formula.Node {
	t := l.judge.traced(ctx, l.prepared)
	if t == nil || t.out.Numel() <= element {
		return nil
	}
	f := &follower{
		set: set, trace: t.trace, inputs: t.inputs, values: t.values, known: map[tensor.Write]*formula.Node{},
		composed: composed(),
	}
	return f.at(f.trace.Element(t.out, element))
}

// traced is a specification that has run, and how.
type traced struct {
	trace  *tensor.Trace
	inputs []*tensor.Tensor // and perhaps the output as it begins
	values [][]float64      // of the inputs before the specification ran
	out    *tensor.Tensor
}

// traced runs the specification on the case's inputs; nil where it cannot be followed: neither what Python computes nor
// what a kernel writes is traced.
func (j *Judge) traced(ctx context.Context, p *prepared) *traced {
	s, err := j.loadSpec()
	if err != nil {
		return nil
	}
	args, err := s.arguments(p)
	if err != nil {
		return nil
	}
	t := &traced{trace: &tensor.Trace{}}
	for _, v := range args {
		if x, ok := host.AsTensor(v); ok {
			t.inputs, t.values = append(t.inputs, x), append(t.values, x.Floats())
		}
	}
	s.module.Tensors().Trace = t.trace
	defer func() { s.module.Tensors().Trace = nil }()
	value, problem := s.call(ctx, args)
	out, ok := host.AsTensor(value)
	if t.out = out; problem != nil || !ok || t.trace.Left(false) || s.launcher.launches > 0 {
		return nil
	}
	return t
}

// at is the formula of an element.
func (f *follower) at(e tensor.Element) *formula.Node {
	o, ok := f.trace.Origin(e)
	switch {
	case !ok:
		return nil
	case o.Op == "fill":
		return f.set.Number(o.Numbers[0])
	case o.Op == "" || o.Op == "number":
		return f.unwritten(e)
	}
	n, ok := f.known[o.Write]
	if !ok && len(f.known) < maxFollowed {
		n = f.computed(o)
		f.known[o.Write] = n
	}
	return n
}

func (f *follower) computed(o tensor.Origin) *formula.Node {
	args, missing := make([]*formula.Node, len(o.Of)), false
	unused := ignored(o.Op)
	for i, of := range o.Of {
		if i < len(unused) && unused[i] == '-' {
			args[i] = f.set.Number(0)
		} else if args[i] = f.at(of); args[i] == nil {
			missing = true
		}
	}
	if missing {
		return nil
	}
	if of := f.composed[o.Op]; of != nil {
		return of(f.set, args)
	}
	return f.set.Make(operationName(o.Op), args...)
}

// unwritten is an element of an input, or a number.
func (f *follower) unwritten(e tensor.Element) *formula.Node {
	for i, t := range f.inputs {
		if at, ok := e.In(t); ok {
			return f.set.Element(formula.Element{Tensor: i, At: at}, f.values[i][at])
		}
	}
	if v, ok := f.trace.Value(e); ok {
		return f.set.Number(v)
	}
	return nil
}

// operationName is the operation of formulas that one of torch's is; empty where there is none.
func operationName(op string) string {
	return map[string]string{
		"add": "+", "mul": "*", "div": "/", "floor_divide": "//", "remainder": "%", "bitwise_and": "&",
		"bitwise_or":  "|",
		"bitwise_xor": "^", "bitwise_left_shift": "<<", "bitwise_right_shift": ">>", "maximum": "max", "minimum": "min",
		"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "logical_and": "&", "logical_or": "|", "logical_not": "not",
		"abs": "abs", "exp": "exp", "exp2": "exp2", "log": "log", "log2": "log2", "sqrt": "sqrt", "sin": "sin",
		"cos": "cos", "erf": "erf", "floor": "floor", "ceil": "ceil", "tanh": "tanh", "trunc": "int", "where": "where",
		"sum":  "+",
		"prod": "*", "amax": "max", "amin": "min",
	}[op]
}

// ignored says which operands a derivative does not use, which may not hold their values any more: g, x, y and z.
func ignored(op string) string {
	return map[string]string{
		"relu dx": " - ", "exp dx": " - ", "neg dx": " --",
	}[op]
}

// compose makes a formula of an operation's operands.
type compose func(s *formula.Set, a []*formula.Node) *formula.Node

// composed are operations that formulas write with several. Those named dx and dy multiply the gradient g of z = f(x,
// y). It is no variable: that would be linked by every program that has a judge.
func composed() map[string]compose {
	return map[string]compose{
		"copy": first, "neg": negative, "square": product(0, 0),
		"neg dx": negative, "exp dx": product(0, 2),
		"sub": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("+", a[0], s.Negative(a[1]))
		},
		"lt":   func(s *formula.Set, a []*formula.Node) *formula.Node { return s.Make(">", a[1], a[0]) },
		"le":   func(s *formula.Set, a []*formula.Node) *formula.Node { return s.Make(">=", a[1], a[0]) },
		"relu": func(s *formula.Set, a []*formula.Node) *formula.Node { return s.Make("max", a[0], s.Number(0)) },
		"reciprocal": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("/", s.Number(1), a[0])
		},
		"rsqrt": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("/", s.Number(1), s.Make("sqrt", a[0]))
		},
		"sigmoid": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("/", s.Number(1), s.Make("+", s.Number(1), s.Make("exp", s.Negative(a[0]))))
		},
		"clamp": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("min", s.Make("max", a[0], a[1]), a[2])
		},
		"mean": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("/", s.Make("+", a...), s.Number(float64(len(a))))
		},
		"cumsum": func(s *formula.Set, a []*formula.Node) *formula.Node { return s.Make("+", a...) },
		"softmax": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("/", s.Make("exp", a[0]), exponentials(s, a[1:]))
		},
		"log_softmax": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("+", a[0], s.Negative(s.Make("log", exponentials(s, a[1:]))))
		},
		"matmul": func(s *formula.Set, a []*formula.Node) *formula.Node {
			var products []*formula.Node
			for i := 0; i < len(a); i += 2 {
				products = append(products, s.Make("*", a[i], a[i+1]))
			}
			return s.Make("+", products...)
		},
		"relu dx": func(s *formula.Set, a []*formula.Node) *formula.Node {
			return s.Make("where", s.Make(">", a[2], s.Number(0)), a[0], s.Number(0))
		},
	}
}

func exponentials(s *formula.Set, a []*formula.Node) *formula.Node {
	sum := make([]*formula.Node, len(a))
	for i, x := range a {
		sum[i] = s.Make("exp", x)
	}
	return s.Make("+", sum...)
}

func first(_ *formula.Set, a []*formula.Node) *formula.Node { return a[0] }

func negative(s *formula.Set, a []*formula.Node) *formula.Node { return s.Negative(a[0]) }

func product(i, k int) compose {
	return func(s *formula.Set, a []*formula.Node) *formula.Node { return s.Make("*", a[i], a[k]) }
}
